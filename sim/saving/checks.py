"""Whether a state that comes from a file is one: all rows and numbers lead to what is there.

Compiled code does not look whether it reads beyond the end of an array. So whatever is used as a
place in one is checked here, before a step is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.limits import LARGEST
from sim.engine.checked import check_engine, nothing
from sim.engine.owners import FOREIGN
from sim.living.events import KINDS
from sim.living.population import KEPT
from sim.navigation.mouths import MOUTHS
from sim.navigation.passages import Passages
from sim.navigation.trails import Trails
from sim.orders import Goal, Orders
from sim.orders.party import FIELD, QUICKEST, WAYS, Party
from sim.orders.queue import Queued
from sim.saving.band_checks import whole
from sim.saving.ground_checks import check_areas, check_events, check_planned, check_terrain
from sim.saving.group_checks import check_group
from sim.saving.kinds import alike
from sim.saving.source_checks import check_sources

if TYPE_CHECKING:
    from sim.saving.state import State

GROUND = ("seed", "time_step", "plane", "map", "added", "neighbour_search", "contact_cells")
PARTS = (
    "steps", "units", "sources", "happened", "orders", "seam", "groups", "open", "asked",
    "terrain", "places", "events",
)  # fmt: skip


def check(state: State) -> None:
    """Raise `ValueError` for a state that no world could have had."""
    parts, owner = state.parts, state.owner
    groups, of = parts["groups"], parts["units"]["group_of"]
    n = len(of)
    of_guide = {"chart", "latest"} if parts["orders"].guide is not None else set()
    _need(set(state.ground) == set(GROUND) and set(parts) == {*PARTS, *of_guide}, "its parts")
    _need(isinstance(parts["orders"], Orders), "its orders")
    for group in groups:
        check_group(group)
    _need(of.dtype == np.int64 and of.ndim == 1, "the groups of units")
    ends = np.cumsum([0, *(g["rows"].stop - g["rows"].start for g in groups)])
    for k, group in enumerate(groups):
        _need(group["rows"] == slice(int(ends[k]), int(ends[k + 1])), "the rows of a group")
        _need(group["index"] == k and bool((of[group["rows"]] == k).all()), "the rows of a group")
    _need(n == ends[-1], "the rows of its groups")
    _need(alike(nothing(), state.engine), "the state of its engine")
    wrong = check_engine(state.engine)
    _need(not wrong, wrong)
    _check_owners(owner, parts["seam"], len(state.engine.number), n, len(groups))
    _check_units(parts["units"], parts["happened"])
    check_sources(parts["sources"], {group["name"] for group in groups})
    _check_orders(parts["orders"], n, len(groups))
    check_terrain(state)
    check_events(parts["events"])
    check_planned(parts)


def _need(good: Any, what: str) -> None:
    if not good:
        raise ValueError(f"{what}: cannot be what a world has")


def _within(values: Any, low: int, high: int, what: str) -> None:
    """Raise `ValueError` unless low <= all values < high."""
    _need(((values >= low) & (values < high)).all(), what)


def _check_owners(owner: Any, seam: Any, bodies: int, units: int, groups: int) -> None:
    twins = len(seam["_key"])
    _need(owner.dtype == np.int64 and len(owner) == bodies, "whose its bodies are")
    owner = owner[owner != FOREIGN]  # those of parts
    _within(owner, -twins, units, "whose its bodies are")
    _need(len(np.unique(owner)) == len(owner), "whose its bodies are")
    _need((owner < 0).sum() == twins, "the twins across a seam")
    for name, dtype, wide in (
        ("_key", np.int64, ()), ("_group", np.int64, ()), ("row", np.int64, ()),
        ("shift", float, (2,)), ("_size", float, ()),
    ):  # fmt: skip
        _need(seam[name].dtype == dtype and seam[name].shape == (twins, *wide), f"seam.{name}")
    for name, low, high in (("_group", 0, groups), ("row", -1, units), ("_key", -1, 9 * units)):
        _within(seam[name], low, high, f"seam.{name}")


def _check_orders(orders: Any, n: int, groups: int) -> None:
    m = len(orders.points)
    _need(len(orders.first) == n + 1 and orders.first[0] == 0, "orders.first")
    _need((np.diff(orders.first) >= 0).all() and orders.first[-1] == m, "orders.first")
    _need(len(orders.stops) == m, "orders.stops")
    _need(orders.stays.shape == (m, 3), "orders.stays")
    _within(orders.stops, -1, max(m, 1), "orders.stops")
    rows = {
        name: getattr(orders, name)
        for name in ("leg", "tolerance", "radius", "region", "loop", "leave", "alone", "packs",
                     "aim", "round", "hold", "remaining", "returns")
    }  # fmt: skip
    kept = {k: getattr(orders, k).state for k in ("patience", "whereabouts", "staying", "bands")}
    kept |= {name: getattr(orders.narrows, name)._asdict() for name in ("turns", "bound")}
    kept["minds"] = orders.minds._asdict()
    rows |= {f"{name}.{k}": v for name, table in kept.items() for k, v in table.items()}
    rows |= {f"queue[{k}]": entry.waits for k, entry in enumerate(_queue(orders, groups))}
    for name, values in rows.items():
        _need(len(values) == n, name)
    _within(orders.leg, 0, np.maximum(np.diff(orders.first), 1), "orders.leg")
    _within(orders.minds.end, 0, max(n, 1), "minds.end")
    for name in ("of", "sought"):
        values = getattr(orders.opponents, name)
        _need(len(values) <= n, f"opponents.{name}")
        _within(values, -1, n, f"opponents.{name}")
    _need(whole(orders.bands), "its formations")
    _check_narrows(orders)
    if orders.guide is not None:
        for party in orders.guide.parties.values():
            _check_party(party, n, groups, len(orders.guide.registry.mouths))
        for hunt in orders.guide.hunts.of.values():
            _check_hunt(hunt, n)


def _check_units(units: Any, happened: Any) -> None:
    """Ids, each once and below those still to be given, and events that name them."""
    ids, given = units["ids"], units["given"]
    _need(set(units) == set(KEPT) and isinstance(given, int), "its units")
    _need(all(isinstance(units[k], int) for k in ("_sorted", "times_sorted")), "its units")
    _need(ids.dtype == np.int64 and ids.shape == units["group_of"].shape, "the ids of units")
    _within(ids, 0, given, "the ids of units")
    _need(len(np.unique(ids)) == len(ids), "the ids of units")
    coming, now = happened
    for name, those in (*coming, *now):
        _need(name in KINDS and those.dtype == np.int64 and those.ndim == 1, "its events")
        _within(those, 0, given, "its events")


def _queue(orders: Any, groups: int) -> list[Queued]:
    entries: list[Queued] = orders.queue.entries
    for entry in entries:
        _need(isinstance(entry, Queued) and isinstance(entry.goal, Goal), "orders.queue")
        _need(0 <= entry.group < groups, "orders.queue")
    return entries


def _size(rows: Any, n: int) -> int:
    """How many rows of n units these are, a slice or an array."""
    if isinstance(rows, slice):
        _need(0 <= rows.start <= rows.stop <= n, "party.rows")
        return int(rows.stop - rows.start)
    _within(rows, 0, n, "party.rows")
    _need(len(np.unique(rows)) == len(rows), "party.rows")
    return len(rows)


def _check_narrows(orders: Any) -> None:
    passages = 0 if orders.guide is None else len(orders.guide.registry.mouths)
    places = passages + int(orders.stops.max(initial=-1)) + 1
    narrows = orders.narrows
    _need(narrows.every >= 1, "narrows.every")
    for values, name in ((narrows.turns.turn, "turns.turn"), (narrows.bound.place, "bound.place")):
        _within(values, -1, max(places, 1), name)
    for values, name in ((narrows.turns.exit, "turns.exit"), (narrows.bound.exit, "bound.exit")):
        _within(values, -1, MOUTHS + 1, name)
    _within(narrows._last, -1, MOUTHS + 1, "narrows._last")


def _check_party(party: Party, n: int, groups: int, passages: int) -> None:
    size, stops = _size(party.rows, n), len(party.place)
    _need(0 <= party.group < groups and isinstance(party.goal, Goal), "party.group")
    check_areas(party.areas)
    _need(party.passages is None or isinstance(party.passages, Passages), "party.passages")
    first, ways = party.first, len(party.ways)
    _need(len(first) == size + 1 and first[0] == 0 and first[-1] == stops, "party.first")
    _need((np.diff(first) >= 1).all(), "party.first")
    for name in party.columns:
        _need(len(getattr(party, name)) == size, f"party.{name}")
    _need(ways == stops + size * party.loop == len(party.stop), "party.ways")
    _within(party.place, 0, len(party.places), "party.place")
    _need(((party.at >= first[:-1]) & (party.at < first[1:])).all(), "party.at")
    _need(party.loop or not party._again.any(), "party.at")
    _need((np.abs(party.places) <= LARGEST).all(), "party.places")
    _within(party.field, -1, len(party.places), "party.field")
    _within(party.route, -1, ways, "party.route")
    _need(len(party.shared) == len(party.places), "party.shared")
    _need(len(party.known) == len(party.asked) == ways, "party.known")
    _need(all(way is not None for way, k in zip(party.ways, party.known, strict=True) if k), "ways")
    _within(np.array([*party.fields, *party.quickest], int), 0, len(party.places), "party.fields")
    for kind, numbers in party.pending.values():
        _need(kind in (FIELD, QUICKEST, WAYS) and numbers.dtype == np.int64, "party.pending")
        _need(len(numbers) or kind == WAYS, "party.pending")
        _within(numbers, -1, ways if kind == WAYS else len(party.places), "party.pending")
    _check_lines(party, ways, passages)


def _check_lines(party: Party, ways: int, passages: int) -> None:
    lines, met = party.lines, party.crossings
    _need(lines.first.dtype == np.int64 and len(lines.first) in (1, ways + 1), "party.lines")
    _need((np.diff(lines.first) >= 1).all() and lines.first[0] == 0, "party.lines")
    _need(lines.first[-1] == len(lines.points) == len(lines.along), "party.lines")
    _need(lines.points.dtype == lines.along.dtype == float and lines.loop.dtype == bool, "lines")
    _need(lines.points.shape[1:] == (2,) and len(lines.loop) == len(lines.first) - 1, "lines")
    _need(len(lines.first) == ways + 1 or (party.route < 0).all(), "party.lines")
    _need(met.first.dtype == met.through.dtype == np.int64 and met.span.dtype == float, "crossings")
    _need((np.diff(met.first) >= 0).all() and met.first[0] == 0, "party.crossings")
    _need(met.first[-1] == len(met.span) == len(met.through), "party.crossings")
    _need(met.span.shape[1:] == (2,) and met.through.shape[1:] == (3,), "party.crossings")
    _within(met.through[:, 0], -1, max(passages, 1), "party.crossings")
    _within(met.through[:, 1:], -1, MOUTHS + 1, "party.crossings")


def _check_hunt(hunt: Any, n: int) -> None:
    size = hunt.rows.stop - hunt.rows.start
    _need(0 <= hunt.rows.start <= hunt.rows.stop <= n, "hunt.rows")
    for name in ("who", "direct", "to", "left", "_beyond", "_nearest", "_hold"):
        _need(len(getattr(hunt, name)) == size, f"hunt.{name}")
    for name in ("who", "_nearest", "_numbers", "_asked_for"):
        _within(getattr(hunt, name), -1, n, f"hunt.{name}")
    if hunt.trails is not None:
        _need(isinstance(hunt.trails, Trails), "hunt.trails")
        nearest, shape = hunt.trails.nearest, hunt.trails.field.distance.shape
        _need(nearest.dtype == np.int64 and nearest.shape == shape, "hunt.trails")
        _within(nearest, -1, max(len(hunt._numbers), 1), "hunt.trails")
