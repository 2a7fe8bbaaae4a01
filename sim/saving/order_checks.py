"""Whether the orders of a state that comes from a file are such as a world could have had.

All rows and numbers in them lead to what is there: see `checks`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.limits import LARGEST
from sim.navigation.mouths import MOUTHS
from sim.navigation.trails import Trails
from sim.orders import GO, Formation, Goal, Orders
from sim.orders.bands import NONE, Band, Bands, Halt
from sim.orders.party import FIELD, QUICKEST, WAYS, Party
from sim.orders.queue import Queued
from sim.orders.registry import Registry
from sim.saving.ground_checks import check_areas
from sim.saving.likeness import need, within
from sim.saving.plan_checks import check_crossings


def check_orders(orders: Any, n: int, groups: int) -> None:
    """Raise `ValueError` for orders that no world with this number of units and groups has."""
    need(isinstance(orders, Orders), "its orders")
    m = len(orders.points)
    need(len(orders.first) == n + 1 and orders.first[0] == 0, "orders.first")
    need((np.diff(orders.first) >= 0).all() and orders.first[-1] == m, "orders.first")
    need(len(orders.stops) == m, "orders.stops")
    need(orders.stays.shape == (m, 3), "orders.stays")
    within(orders.stops, -1, max(m, 1), "orders.stops")
    parts = ("patience", "staying", "bands", "pursuits", "narrows")
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
        need(len(values) == n, f"opponents.{name}")
        within(values, -1, n, f"opponents.{name}")
    need(_whole_bands(orders.bands), "its formations")
    for goal in orders.pursuits.goals:
        need(isinstance(goal, Goal) and goal.kind != GO, "orders.pursuits")
    within(orders.pursuits.of, -1, max(len(orders.pursuits.goals), 1), "orders.pursuits")
    _check_narrows(orders)
    if orders.guide is not None:
        for party in orders.guide.parties.values():
            _check_party(party, n, groups)
            legs = orders.leg[party.rows]
            need((legs < np.diff(party.first)).all(), "party.first")
            _check_passages(party, orders.guide.registry)
        for (group, pursuit), hunt in orders.guide.hunts.of.items():
            need(0 <= group < groups, "its hunts")
            need(0 <= pursuit < len(orders.pursuits.goals), "its hunts")
            _check_hunt(hunt, n)


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
    within(narrows.last, -1, MOUTHS + 1, "narrows.last")


def _check_party(party: Party, n: int, groups: int) -> None:
    size, stops = _size(party.rows, n), len(party.place)
    need(0 <= party.group < groups and isinstance(party.goal, Goal), "party.group")
    check_areas(party.areas)
    first, ways = party.first, len(party.ways)
    need(len(first) == size + 1 and first[0] == 0 and first[-1] == stops, "party.first")
    need((np.diff(first) >= 1).all(), "party.first")
    for name in party.columns:
        need(len(getattr(party, name)) == size, f"party.{name}")
    need(ways == stops + size * party.loop == len(party.stop), "party.ways")
    within(party.place, 0, len(party.places), "party.place")
    need(((party.at >= first[:-1]) & (party.at < first[1:])).all(), "party.at")
    need(party.loop or not party.lapped.any(), "party.at")
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
    _check_lines(party, ways)


def _check_passages(party: Party, registry: Registry) -> None:
    known = registry.known(party.radius)
    need(known is not None or not len(party.crossings.through), "party.passages")
    if known is not None and party.passages is not None:
        need(len(party.passages.mouths) <= len(known.mouths), "party.passages")
    check_crossings(party.crossings, party.passages)
    need(len(party.crossings.first) in (1, len(party.ways) + 1), "party.crossings")


def _check_lines(party: Party, ways: int) -> None:
    lines = party.lines
    need(lines.first.ndim == 1 and len(lines.first) in (1, ways + 1), "party.lines")
    need((np.diff(lines.first) >= 1).all() and lines.first[0] == 0, "party.lines")
    need(lines.first[-1] == len(lines.points) == len(lines.along), "party.lines")
    need(lines.points.shape[1:] == (2,), "party.lines")
    need(len(lines.first) == ways + 1 or (party.route < 0).all(), "party.lines")


def _check_hunt(hunt: Any, n: int) -> None:
    size = hunt.rows.stop - hunt.rows.start
    need(0 <= hunt.rows.start <= hunt.rows.stop <= n, "hunt.rows")
    for name in hunt.columns:
        need(len(getattr(hunt, name)) == size, f"hunt.{name}")
    for name in ("who", "nearest", "numbers", "asked_for"):
        within(getattr(hunt, name), -1, n, f"hunt.{name}")
    asked = None if hunt.ticket is None else hunt.ticket.result()
    need(asked is None or isinstance(asked, Trails), "hunt.trails")
    for trails, those in ((hunt.trails, hunt.numbers), (asked, hunt.asked_for)):
        need(trails is None or trails.nearest.max() < max(len(those), 1), "hunt.trails")


def _whole_bands(bands: Bands) -> bool:
    """Whether each has an order to form up and set off somewhere, and units are of no other."""
    numbers = all(isinstance(each, int) and 0 <= each < bands.given for each in bands.known)
    orders = all(_whole(band) for band in bands.known.values())
    return numbers and orders and not bands.loose and set(bands.of.tolist()) <= {NONE, *bands.known}


def _whole(band: object) -> bool:
    if not (isinstance(band, Band) and isinstance(band.goal, Goal)):
        return False
    start = np.array(band.start, dtype=float)
    formed = isinstance(band.goal.formation, Formation) and len(band.goal.routes[0]) > 0
    sets_off = start.shape == (2,) and bool(np.isfinite(start).all())
    return formed and sets_off and len(band.halts) > 0 and all(map(_stands, band.halts))


def _stands(halt: object) -> bool:
    """Whether a halt is a place with a heading, and has files of whole units."""
    if not isinstance(halt, Halt):
        return False
    numbers = np.array([*halt.at, halt.heading, halt.wait], dtype=float)
    files = isinstance(halt.files, int) and halt.files >= 0
    return numbers.shape == (4,) and bool(np.isfinite(numbers).all()) and files
