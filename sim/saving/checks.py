"""Whether a state that comes from a file is one: all rows and numbers lead to what is there.

Compiled code does not look whether it reads beyond the end of an array. So whatever is used as a
place in one is checked here, before a step is taken.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.limits import LARGEST
from sim.engine.checked import check_engine, nothing
from sim.engine.owners import FOREIGN
from sim.living.events import KINDS
from sim.living.population import KEPT
from sim.living.roster import Basis
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
from sim.saving.need import need, within
from sim.saving.source_checks import check_sources

if TYPE_CHECKING:
    from sim.saving.state import State

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
    need(set(state.ground) == {each.name for each in fields(Basis)}, "its ground")
    need(set(parts) == {*PARTS, *of_guide}, "its parts")
    need(isinstance(parts["orders"], Orders), "its orders")
    for group in groups:
        check_group(group)
    need(of.dtype == np.int64 and of.ndim == 1, "the groups of units")
    ends = np.cumsum([0, *(g["rows"].stop - g["rows"].start for g in groups)])
    for k, group in enumerate(groups):
        need(group["rows"] == slice(int(ends[k]), int(ends[k + 1])), "the rows of a group")
        need(group["index"] == k and bool((of[group["rows"]] == k).all()), "the rows of a group")
    need(n == ends[-1], "the rows of its groups")
    need(alike(nothing(), state.engine), "the state of its engine")
    wrong = check_engine(state.engine)
    need(not wrong, wrong)
    _check_owners(owner, parts["seam"], len(state.engine.number), n, len(groups))
    _check_units(parts["units"], parts["happened"])
    check_sources(parts["sources"], {group["name"] for group in groups})
    _check_orders(parts["orders"], n, len(groups))
    check_terrain(state)
    check_events(parts["events"])
    check_planned(parts)


def _check_owners(owner: Any, seam: Any, bodies: int, units: int, groups: int) -> None:
    twins = len(seam["_key"])
    need(owner.dtype == np.int64 and len(owner) == bodies, "whose its bodies are")
    owner = owner[owner != FOREIGN]  # those of parts
    within(owner, -twins, units, "whose its bodies are")
    need(len(np.unique(owner)) == len(owner), "whose its bodies are")
    need((owner < 0).sum() == twins, "the twins across a seam")
    for name, dtype, wide in (
        ("_key", np.int64, ()), ("_group", np.int64, ()), ("row", np.int64, ()),
        ("shift", float, (2,)), ("_size", float, ()),
    ):  # fmt: skip
        need(seam[name].dtype == dtype and seam[name].shape == (twins, *wide), f"seam.{name}")
    for name, low, high in (("_group", 0, groups), ("row", -1, units), ("_key", -1, 9 * units)):
        within(seam[name], low, high, f"seam.{name}")


def _check_orders(orders: Any, n: int, groups: int) -> None:
    m = len(orders.points)
    need(len(orders.first) == n + 1 and orders.first[0] == 0, "orders.first")
    need((np.diff(orders.first) >= 0).all() and orders.first[-1] == m, "orders.first")
    need(len(orders.stops) == m, "orders.stops")
    need(orders.stays.shape == (m, 3), "orders.stays")
    within(orders.stops, -1, max(m, 1), "orders.stops")
    parts = ("patience", "whereabouts", "staying", "bands", "narrows")
    for holder in (orders, *(getattr(orders, part) for part in parts)):
        for name, column in holder.state.items():
            for values in column if isinstance(column, tuple) else (column,):
                need(len(values) == n, f"{type(holder).__name__}.{name}")
    for entry in _queue(orders, groups):
        need(len(entry.route) == n, "orders.queue")
        within(entry.route, -1, max(len(entry.goal.routes), 1), "orders.queue")
    within(orders.leg, 0, np.maximum(np.diff(orders.first), 1), "orders.leg")
    within(orders.minds.end, 0, max(n, 1), "minds.end")
    for name in ("of", "sought"):
        values = getattr(orders.opponents, name)
        need(len(values) <= n, f"opponents.{name}")
        within(values, -1, n, f"opponents.{name}")
    need(whole(orders.bands), "its formations")
    _check_narrows(orders)
    if orders.guide is not None:
        for party in orders.guide.parties.values():
            _check_party(party, n, groups, len(orders.guide.registry.mouths))
        for hunt in orders.guide.hunts.of.values():
            _check_hunt(hunt, n)


def _check_units(units: Any, happened: Any) -> None:
    """Ids, each once and below those still to be given, and events that name them."""
    ids, given = units["ids"], units["given"]
    need(set(units) == set(KEPT) and isinstance(given, int), "its units")
    need(all(isinstance(units[k], int) for k in ("_sorted", "times_sorted")), "its units")
    need(ids.dtype == np.int64 and ids.shape == units["group_of"].shape, "the ids of units")
    within(ids, 0, given, "the ids of units")
    need(len(np.unique(ids)) == len(ids), "the ids of units")
    coming, now = happened
    for name, those in (*coming, *now):
        need(name in KINDS and those.dtype == np.int64 and those.ndim == 1, "its events")
        within(those, 0, given, "its events")


def _queue(orders: Any, groups: int) -> list[Queued]:
    entries: list[Queued] = orders.queue.entries
    for entry in entries:
        need(isinstance(entry, Queued) and isinstance(entry.goal, Goal), "orders.queue")
        need(0 <= entry.group < groups, "orders.queue")
    return entries


def _size(rows: Any, n: int) -> int:
    """How many rows of n units these are, a slice or an array."""
    if isinstance(rows, slice):
        need(0 <= rows.start <= rows.stop <= n, "party.rows")
        return int(rows.stop - rows.start)
    within(rows, 0, n, "party.rows")
    need(len(np.unique(rows)) == len(rows), "party.rows")
    return len(rows)


def _check_narrows(orders: Any) -> None:
    passages = 0 if orders.guide is None else len(orders.guide.registry.mouths)
    shared = int(orders.stops.max(initial=-1)) + 1
    need(orders.shared.shape == (shared, 2), "orders.shared")
    places = passages + shared
    narrows = orders.narrows
    need(narrows.every >= 1, "narrows.every")
    for values, name in ((narrows.turns.turn, "turns.turn"), (narrows.bound.place, "bound.place")):
        within(values, -1, max(places, 1), name)
    for values, name in ((narrows.turns.exit, "turns.exit"), (narrows.bound.exit, "bound.exit")):
        within(values, -1, MOUTHS + 1, name)
    within(narrows._last, -1, MOUTHS + 1, "narrows._last")


def _check_party(party: Party, n: int, groups: int, passages: int) -> None:
    size, stops = _size(party.rows, n), len(party.place)
    need(0 <= party.group < groups and isinstance(party.goal, Goal), "party.group")
    check_areas(party.areas)
    need(party.passages is None or isinstance(party.passages, Passages), "party.passages")
    first, ways = party.first, len(party.ways)
    need(len(first) == size + 1 and first[0] == 0 and first[-1] == stops, "party.first")
    need((np.diff(first) >= 1).all(), "party.first")
    for name in party.columns:
        need(len(getattr(party, name)) == size, f"party.{name}")
    need(ways == stops + size * party.loop == len(party.stop), "party.ways")
    within(party.place, 0, len(party.places), "party.place")
    need(((party.at >= first[:-1]) & (party.at < first[1:])).all(), "party.at")
    need(party.loop or not party._again.any(), "party.at")
    need((np.abs(party.places) <= LARGEST).all(), "party.places")
    within(party.field, -1, len(party.places), "party.field")
    within(party.route, -1, ways, "party.route")
    need(len(party.shared) == len(party.places), "party.shared")
    need(len(party.known) == len(party.asked) == ways, "party.known")
    need(all(way is not None for way, k in zip(party.ways, party.known, strict=True) if k), "ways")
    within(np.array([*party.fields, *party.quickest], int), 0, len(party.places), "party.fields")
    for kind, numbers in party.pending.values():
        need(kind in (FIELD, QUICKEST, WAYS) and numbers.dtype == np.int64, "party.pending")
        need(len(numbers) or kind == WAYS, "party.pending")
        within(numbers, -1, ways if kind == WAYS else len(party.places), "party.pending")
    _check_lines(party, ways, passages)


def _check_lines(party: Party, ways: int, passages: int) -> None:
    lines, met = party.lines, party.crossings
    need(lines.first.dtype == np.int64 and len(lines.first) in (1, ways + 1), "party.lines")
    need((np.diff(lines.first) >= 1).all() and lines.first[0] == 0, "party.lines")
    need(lines.first[-1] == len(lines.points) == len(lines.along), "party.lines")
    need(lines.points.dtype == lines.along.dtype == float and lines.loop.dtype == bool, "lines")
    need(lines.points.shape[1:] == (2,) and len(lines.loop) == len(lines.first) - 1, "lines")
    need(len(lines.first) == ways + 1 or (party.route < 0).all(), "party.lines")
    need(met.first.dtype == met.through.dtype == np.int64 and met.span.dtype == float, "crossings")
    need((np.diff(met.first) >= 0).all() and met.first[0] == 0, "party.crossings")
    need(met.first[-1] == len(met.span) == len(met.through), "party.crossings")
    need(met.span.shape[1:] == (2,) and met.through.shape[1:] == (3,), "party.crossings")
    within(met.through[:, 0], -1, max(passages, 1), "party.crossings")
    within(met.through[:, 1:], -1, MOUTHS + 1, "party.crossings")


def _check_hunt(hunt: Any, n: int) -> None:
    size = hunt.rows.stop - hunt.rows.start
    need(0 <= hunt.rows.start <= hunt.rows.stop <= n, "hunt.rows")
    for name in hunt.columns:
        need(len(getattr(hunt, name)) == size, f"hunt.{name}")
    for name in ("who", "_nearest", "_numbers", "_asked_for"):
        within(getattr(hunt, name), -1, n, f"hunt.{name}")
    if hunt.trails is not None:
        need(isinstance(hunt.trails, Trails), "hunt.trails")
        nearest, shape = hunt.trails.nearest, hunt.trails.field.distance.shape
        need(nearest.dtype == np.int64 and nearest.shape == shape, "hunt.trails")
        within(nearest, -1, max(len(hunt._numbers), 1), "hunt.trails")
