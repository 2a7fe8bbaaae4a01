"""What a selected unit sees: the outline of its view, and the units in it."""

from __future__ import annotations

from math import inf

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.errors import BadInput, suggest
from sim.core.shared_cache import njit
from sim.group import Group
from sim.perception.sights import Sight
from sim.perception.views import ALL, half_angle, in_view
from sim.screen.replay import Shown
from sim.world import World

OWN = Sight()
"""The group's own view, all around it counted."""


ROUND = 64
"""Corners of an outline to a radian."""


def outline(shape: int, factor: float, radius: float, angle: float) -> Floats:
    """Corners (k, 2) of a view around the origin, for a unit heading at `angle`.

    A full circle has no apex.
    """
    half = half_angle(shape, factor)
    around = angle + np.linspace(-half, half, max(12, int(half * ROUND)))
    arc = radius * np.stack([np.cos(around), np.sin(around)], axis=1)
    return arc if shape == ALL else np.concatenate([np.zeros((1, 2)), arc])


def walls(world: World) -> Floats:
    """(m, 4) the walls of a world, those of its bounds included."""
    bounds, inner = world.plane.walls, world.solids.walls
    if bounds is None:
        return inner
    x1, y1, x2, y2 = bounds
    sides = [(x1, y1, x2, y1), (x2, y1, x2, y2), (x2, y2, x1, y2), (x1, y2, x1, y1)]
    return np.concatenate([inner, np.array(sides)])


def cut_at_walls(corners: Floats, walls: Floats) -> Floats:
    """An outline (k, 2) round the origin, its corners drawn in to where walls (m, 4) bar the way.

    A wall is a segment x1, y1, x2, y2 from that origin.
    """
    start, along = walls[:, :2], walls[:, 2:] - walls[:, :2]
    turned = corners[:, None, 0] * along[:, 1] - corners[:, None, 1] * along[:, 0]  # (k, m)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = (start[:, 0] * along[:, 1] - start[:, 1] * along[:, 0]) / turned
        at = (start[:, 0] * corners[:, None, 1] - start[:, 1] * corners[:, None, 0]) / turned
    bars = (turned != 0) & (far >= 0) & (at >= 0) & (at <= 1)
    shares: Floats = np.where(bars, far, 1.0).min(axis=1, initial=1.0)
    return corners * shares[:, None]


def owner(world: World, row: int) -> Group:
    """The group a unit belongs to."""
    return world.groups[int(world.units.group[row])]


def used(group: Group) -> list[Sight]:
    """How units of a group look: for rules that are asked, and to tell which of them leads."""
    looks = [setting.sight for setting in group.active] + [group.leader_sight]
    return [sight for sight in looks if sight is not None]


def main(group: Group) -> Sight | None:
    """The group's own view where anything goes by it, or else the farthest in use, if any."""
    sights = used(group)
    if any(group.resolve(sight) == group.resolve(OWN) for sight in sights):
        return OWN
    return max(sights, key=lambda sight: group.resolve(sight)[2], default=None)


def decides(group: Group) -> set[str]:
    """Which figures of a group's view anything goes by: "view_angle", "view_radius"."""
    sights = used(group)
    angle = {"view_angle"} if any(sight.view is None for sight in sights) else set()
    return angle | ({"view_radius"} if any(sight.range is None for sight in sights) else set())


def resolved(group: Group, row: int, sight: Sight) -> tuple[int, float, float]:
    """View shape, view factor and reach in world units of what a unit of a group looks with."""
    shape, factor, reach = group.resolve(sight)
    own = float(group.ranges(sight.of)[row - group.rows.start]) if sight.of else reach
    return shape, factor, own


def seen(world: World, row: int, sight: Sight | None = None) -> Bools:
    """(N,) which units one sees by a sight of its group, `main` if none is given.

    Not itself, nor units that left.
    """
    units, group = world.units, owner(world, row)
    sight = sight or main(group)
    if sight is None:
        return np.zeros(len(units), np.bool_)
    away = world.plane.nearest(units.position - units.position[row])
    shape, factor, reach = resolved(group, row, sight)
    mask: Bools = _within(away, units.heading[row].copy(), shape, factor, reach)
    mask[row] = False
    return mask


def answered(world: World, row: int) -> Bools:
    """(N,) which units its rules answer one by one, as separation does."""
    mask = np.zeros(len(world.units), np.bool_)
    for setting in owner(world, row).active:
        if setting.rule.looks == "each" and setting.sight is not None:
            mask |= seen(world, row, setting.sight)
    return mask


def pick(world: Shown, place: Floats, tolerance: float) -> int | None:
    """The unit nearest to a place, None if that is farther than 1.5 times its reach and tolerance.

    Distances are to centres, in world units.
    """
    units = world.units
    if not units.present.any():
        return None
    away = world.plane.nearest(units.position - place)
    distance = np.hypot(away[:, 0], away[:, 1])
    reach = np.concatenate([g.radii * (g.hull.reach / g.hull.radius) for g in world.groups])
    missed = np.where(distance <= np.maximum(1.5 * reach, tolerance), distance, inf)
    row = int(np.argmin(missed))
    return row if np.isfinite(missed[row]) else None


def row_named(world: World, text: str) -> int:
    """The row of a unit by "GROUP:K", K from 0; the first of a group by "GROUP".

    Raises `BadInput` for anything else.
    """
    name, _, number = text.rpartition(":") if ":" in text else (text, "", "0")
    names = [group.name for group in world.groups]
    if name not in names:
        raise BadInput(f"--select {text}: no such group; {suggest(name, names)}")
    rows = world.group(name).rows
    if not (number.isascii() and number.isdigit() and int(number) < rows.stop - rows.start):
        raise BadInput(
            f"--select {text}: must be GROUP or GROUP:K with K from 0 to "
            f"{rows.stop - rows.start - 1}"
        )
    return int(rows.start) + int(number)


@njit(cache=True)
def _within(away, heading, shape, factor, reach):  # type: ignore[no-untyped-def]
    mask = np.zeros(len(away), np.bool_)
    for i in range(len(away)):
        dx, dy = away[i, 0], away[i, 1]
        ahead = heading[0] * dx + heading[1] * dy
        starboard = heading[0] * dy - heading[1] * dx
        near = dx * dx + dy * dy <= reach * reach
        mask[i] = near and in_view(shape, factor, ahead, starboard)
    return mask
