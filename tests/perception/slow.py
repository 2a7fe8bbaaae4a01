"""The slow, obvious forms: all pairs in numpy, views in words; and what is compared with them."""

from __future__ import annotations

import numpy as np
import pymunk

from sim.core.plane import Plane
from sim.core.units import Units
from sim.engine.bridge import Bridge
from sim.perception.engine_search import EngineLooker
from sim.perception.neighbours import GridLooker, Looker
from sim.perception.sight_table import SightTable
from sim.perception.views import ALL, LIMITED, NARROW, WIDE

SHAPES = (WIDE, LIMITED, NARROW, ALL)


def sees(shape: int, factor: float, ahead: np.ndarray, starboard: np.ndarray) -> np.ndarray:
    """What rules A2 to A4 say; whoever stands at the same point is seen."""
    here = (ahead == 0) & (starboard == 0)
    if shape == WIDE:
        return here | (ahead > 0) | (abs(starboard) > factor * abs(ahead))
    if shape == LIMITED:
        return here | (ahead > 0)
    if shape == NARROW:
        return here | (ahead > 0) & (abs(starboard) < factor * abs(ahead))
    return np.ones(ahead.shape, bool)


class AllPairs:
    """Which unit sees which: `pairs[s]` (N, N) for sight s, with own-frame offsets, distances."""

    def __init__(self, units: Units, plane: Plane, table: SightTable) -> None:
        offset = units.position[None] - units.position[:, None]
        per = np.divide(1, plane.size, out=np.zeros(2), where=plane.size > 0)
        offset = offset - plane.size * np.rint(offset * per)
        c, s = units.heading[:, :1], units.heading[:, 1:]
        self.ahead = c * offset[..., 0] + s * offset[..., 1]
        self.starboard = c * offset[..., 1] - s * offset[..., 0]
        self.square = offset[..., 0] ** 2 + offset[..., 1] ** 2
        others = units.present[None] & units.present[:, None] & ~np.eye(len(units), dtype=bool)
        self.pairs = np.zeros((table.reach.shape[1], len(units), len(units)), bool)
        for i, g in enumerate(units.group):
            for n, reach in enumerate(table.reach[g]):
                if reach >= 0:
                    lens = table.shape[g, n], table.factor[g, n]
                    view = sees(*lens, self.ahead[i], self.starboard[i])
                    near = self.square[i] <= reach * reach
                    seen = others[i] & near & view & table.accepts[g, n][units.group]
                    if table.nearest[g, n]:
                        places = self.square[i], self.ahead[i], self.starboard[i]
                        order = np.lexsort([*places[::-1], ~seen])
                        seen[order[table.nearest[g, n] :]] = False
                    self.pairs[n, i] = seen
        self.velocity = np.stack(
            [c * units.velocity[:, 0] + s * units.velocity[:, 1],
             c * units.velocity[:, 1] - s * units.velocity[:, 0]], axis=2,
        )  # fmt: skip


def check(looker: Looker, units: Units, table: SightTable) -> None:
    """The looker found what all pairs find: sets exactly, means to rounding."""
    slow = AllPairs(units, looker.plane, table)
    assert np.array_equal(looker.count, slow.pairs.sum(axis=2))
    for n, pairs in enumerate(slow.pairs):
        seen = np.maximum(pairs.sum(axis=1), 1)[:, None]
        offset = np.stack([slow.ahead, slow.starboard], axis=2)
        mask = pairs[..., None]
        means = [np.where(mask, v, 0).sum(axis=1) / seen for v in (offset, slow.velocity)]
        scale = 1 + np.nanmax(np.abs(offset), initial=0)
        means[0][~table.means[units.group, n]] = means[1][~table.means[units.group, n]] = 0
        np.testing.assert_allclose(looker.offset[n] / scale, means[0] / scale, atol=1e-12)
        np.testing.assert_allclose(looker.velocity[n], means[1], atol=1e-10)
    for i, g in enumerate(units.group):
        listing = [n for n in range(len(slow.pairs)) if table.each[g, n] or table.means[g, n]]
        expected = {
            int(j): sum(1 << n for n in listing if slow.pairs[n, i, j])
            for j in np.flatnonzero(slow.pairs[listing, i].any(axis=0))
        }
        found = slice(0, looker.listed[i])
        j = looker.index[i, found]
        assert dict(zip(j.tolist(), looker.seen[i, found].tolist(), strict=True)) == expected
        assert np.array_equal(looker.ahead[i, found], slow.ahead[i, j])
        assert np.array_equal(looker.starboard[i, found], slow.starboard[i, j])
        assert np.array_equal(looker.distance[i, found], np.sqrt(slow.square[i, j]))


def same(one: Looker, other: Looker) -> None:
    """Both found the same neighbours in the same order, and the same sums to the last bit."""
    for name in ("count", "offset", "velocity", "listed"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    for i, n in enumerate(one.listed):
        for name in ("index", "ahead", "starboard", "distance", "seen"):
            a, b = getattr(one, name)[i, :n], getattr(other, name)[i, :n]
            np.testing.assert_array_equal(a, b, err_msg=f"{name} of {i}")


def units(position, angle=None, velocity=None, group=None, present=None) -> Units:
    """A snapshot from bare numbers."""
    position = np.array(position, dtype=float).reshape(-1, 2)
    n = len(position)
    angle = np.zeros(n) if angle is None else np.array(angle, dtype=float)
    made = Units(
        position, np.zeros((n, 2)) if velocity is None else np.array(velocity, dtype=float), angle,
        np.zeros(n), np.stack([np.cos(angle), np.sin(angle)], axis=1),
        np.ones(n, bool) if present is None else np.array(present, dtype=bool),
        np.zeros(n, np.int64) if group is None else np.array(group, dtype=np.int64),
    )  # fmt: skip
    gone = ~made.present
    made.position[gone], made.velocity[gone], made.heading[gone] = np.nan, np.nan, np.nan
    return made


def table(*groups, strangers=()) -> SightTable:
    """Sights of each group as (shape, reach, each) or (shape, reach, each, nearest).

    `strangers` are (group, sight, group not seen).
    """
    n, most = len(groups), max(len(g) for g in groups)
    made = SightTable(
        np.zeros((n, most), np.int64), np.ones((n, most)), np.full((n, most), -1.0),
        np.zeros((n, most), bool), np.ones((n, most), bool), np.ones((n, most, n), bool),
        np.zeros((n, most), np.int64),
    )  # fmt: skip
    for g, sights in enumerate(groups):
        for s, sight in enumerate(sights):
            made.shape[g, s], made.reach[g, s], made.each[g, s], *nearest = sight
            made.nearest[g, s] = sum(nearest)
    for g, s, whom in strangers:
        made.accepts[g, s, whom] = False
    return made


def grid(seen: Units, plane: Plane, sights: SightTable) -> Looker:
    """What the cell grid finds."""
    looker = GridLooker(len(seen), plane, sights)
    looker.look(seen)
    return looker


def engine(seen: Units, plane: Plane, sights: SightTable) -> Looker:
    """What the engine's queries find, for small discs at the same places."""
    space = pymunk.Space()
    bridge = Bridge(space, plane)
    for x, y in np.where(seen.present[:, None], seen.position, 0).tolist():
        body = pymunk.Body(1, 1)
        body.position = x, y
        space.add(body, pymunk.Circle(body, 0.1))
        bridge.add([body])
    for row in np.flatnonzero(~seen.present).tolist():
        bridge.remove(row)
    looker = EngineLooker(space, bridge, len(seen), plane, sights)
    looker.look(seen)
    return looker
