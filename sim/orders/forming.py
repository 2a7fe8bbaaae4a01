"""Forming up: the ways of all units of a formation, from place to place in it.

On a route the formation goes from stop to stop and faces the way that it goes. At a stop all wait
until the last has come, then the formation turns to its next course: each unit goes to its place
in it, the nearest that keeps all ways short. So on the way to the next stop all keep their places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import remainder, tau
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.errors import BadInput
from sim.core.solids import Solids
from sim.core.units import Units
from sim.orders.assigning import assign, wheel
from sim.orders.bands import NONE, Band
from sim.orders.bounds import shown
from sim.orders.formation import Formation, turned
from sim.orders.goal import Goal
from sim.orders.ordered import Ordered
from sim.orders.sending import take
from sim.orders.standing_room import Room, free_on, settled
from sim.orders.stays import STANDS, TOGETHER

if TYPE_CHECKING:
    from sim.orders.orders import Orders

DRESS = 0.5
"""How long a formation stands at a stop after the last has come, s."""
TURNS = 1e-6
"""A formation turns at a stop if its courses differ by more, radians."""


class Halt(NamedTuple):
    """A place and heading of a formation."""

    stop: int
    heading: float
    wait: float
    """How long all stay there, s."""
    turns: bool
    """Whether it only turns there, having come before."""


def form(orders: Orders, groups: Sequence[Ordered], units: Units, step: int) -> None:
    """Give all units of the formations that are new, or have gained or lost some, their places."""
    bands = orders.bands
    while bands.loose:
        number = min(bands.loose)
        bands.loose.discard(number)
        rows = np.flatnonzero((bands.of == number) & units.present)
        if not len(rows):
            continue
        here = units.position[rows]
        band = bands.known[number] = _under_way(bands.known[number], here, orders)
        of = units.group[rows]
        those = [groups[k] for k in np.unique(of).tolist()]
        known = bands.come[rows][bands.come[rows] != NONE]
        done = int(known.min()) if len(known) else 0
        goal, note = plan(band, here, done, room_for(orders, those, here))
        bands.come[rows] = done
        for group in those:
            members = np.flatnonzero(of == group.index)
            part = goal.part(members.tolist())
            try:
                orders.led(group, part, here[members])
            except BadInput:  # some are shut off from the places of the others
                part = replace(part, nearest=True)
            try:
                take(orders, group, part, rows[members], here[members], step)
                group.note = note or group.note
            except BadInput as bad:  # and there is no room to move at all
                group.note = str(bad)


def check(orders: Orders, group: Ordered, goal: Goal, position: Floats) -> None:
    """Raise `BadInput` where units at `position` (n, 2) cannot form up by a goal.

    Some free place about each stop is enough: units take the nearest free ones.
    """
    assert goal.formation is not None
    goal.formation.check(len(position), group.hull)
    if not len(position):
        return
    room, plain = room_for(orders, [group], position), replace(goal, formation=None)
    band = _under_way(Band(goal), position, orders)
    for middle, places in _nominal(band, len(position), room):
        if not (room.free(places).any() or room.free(middle[None]).any()):
            orders.led(group, plain, position)
            if not goal.nearest:
                raise BadInput(f"goal: no place of the formation about {shown(middle)} is free")


def room_for(orders: Orders, groups: Sequence[Ordered], here: Floats) -> Room:
    """Where units of these groups, now at `here` (n, 2), can stand."""
    hulls, plane, guide = [group.hull for group in groups], orders.plane, orders.guide
    radius = max(hull.radius for hull in hulls)
    if guide is None:
        free = free_on(Solids(), plane, radius, None, here)
    else:
        chart = guide.planner.latest if guide.bare is None else guide.bare
        free = free_on(chart.solids, plane, radius, chart.grid(radius), here)
    length, reach = max(hull.length for hull in hulls), max(hull.reach for hull in hulls)
    return Room(plane, length, radius, reach, free)


def plan(band: Band, here: Floats, done: int, room: Room) -> tuple[Goal, str]:
    """The goal of units at `here` (n, 2), with a route for each, and what there is to say of it.

    The first `done` halts are behind them; on a loop it is counted on from round to round.
    """
    goal, halts = band.goal, halts_of(band, room)
    assert goal.formation is not None
    first = done % len(halts) if goal.loop else min(done, len(halts) - 1)
    order = halts[first:] + (halts[:first] if goal.loop else [])
    nominal = goal.formation.places(len(here))
    stops, laid, moved = np.array(goal.routes[0]), [], np.zeros(len(here), np.bool_)
    for halt in order:
        middle = stops[halt.stop]
        places = middle + room.length * turned(nominal, halt.heading)
        places, away = settled(places, middle, room)
        laid.append(places)
        moved |= away
    which = _chain(order, laid, nominal, here, room)
    points = np.stack([places[each] for places, each in zip(laid, which, strict=True)], axis=1)
    if room.plane.wraps:
        points = room.plane.origin + np.mod(points - room.plane.origin, room.plane.size)
    stays = [(halt.wait, float(TOGETHER), halt.heading) for halt in order]
    if not goal.loop:
        stays[-1] = 0.0, float(STANDS), halts[-1].heading
    routes = tuple(tuple((x, y) for x, y in way) for way in points.tolist())
    whole = replace(goal, formation=None, routes=routes, stays=(tuple(stays),) * len(here))
    return whole, _note(moved)


def halts_of(band: Band, room: Room) -> list[Halt]:
    """Where a formation halts, in order: at each stop as it comes, and turned to go on."""
    goal, last = band.goal, len(band.goal.routes[0]) - 1
    heading, halts = _headings(band, room), []
    for stop in range(last + 1):
        wait = goal.stays[0][stop][0] if goal.stays else 0.0
        halts.append(Halt(stop, float(heading[stop]), max(wait, DRESS), turns=False))
        onward = float(heading[0] if stop == last else heading[stop + 1])
        goes_on = stop < last or (goal.loop and last > 0)
        if goes_on and abs(remainder(onward - heading[stop], tau)) > TURNS:
            halts.append(Halt(stop, onward, DRESS, turns=True))
    return halts


def _headings(band: Band, room: Room) -> Floats:
    """(m,) the heading of the formation at each stop as it comes there, radians."""
    goal = band.goal
    assert goal.formation is not None
    stops = np.array(goal.routes[0])
    if goal.formation.facing is not None:
        return np.full(len(stops), goal.formation.facing)
    before = np.roll(stops, 1, axis=0)
    if not goal.loop:
        before[0] = stops[0] if band.start is None else band.start
    way = room.plane.nearest(stops - before)
    goes = np.hypot(*way.T) > room.length * np.append(1.0, np.full(len(stops) - 1, 1e-9))
    if not goes.any():
        return np.zeros(len(stops))
    # one that goes nowhere keeps the course before; before the first there is only the next
    last = np.maximum.accumulate(np.where(goes, np.arange(len(stops)), -1))
    which = np.where(last < 0, int(np.argmax(goes)), last)
    found: Floats = np.arctan2(way[which, 1], way[which, 0])
    return found


def _nominal(band: Band, n: int, room: Room) -> Iterator[tuple[Floats, Floats]]:
    """The middle (2,) and the places (n, 2) of each halt, whether they are free or not."""
    formation = band.goal.formation
    assert isinstance(formation, Formation)
    for halt in halts_of(band, room):
        middle = np.array(band.goal.routes[0][halt.stop])
        yield middle, middle + room.length * turned(formation.places(n), halt.heading)


def _chain(
    order: Sequence[Halt], laid: Sequence[Floats], nominal: Floats, here: Floats, room: Room
) -> list[Ints]:
    """For each halt (n,) the number of every unit's place."""
    starts = laid[0].mean(axis=0) + room.plane.nearest(here - laid[0].mean(axis=0))
    which = [assign(starts, laid[0])]
    for halt, before, after in zip(order[1:], laid[:-1], laid[1:], strict=True):
        turn = wheel(before, after, nominal) if halt.turns else np.arange(len(nominal))
        which.append(turn[which[-1]])
    return which


def _under_way(band: Band, here: Floats, orders: Orders) -> Band:
    """The band with the mean of its places as it sets off, which then stays."""
    if band.start is not None:
        return band
    goal = np.array(band.goal.routes[0][0])
    off = orders.plane.nearest(here - goal)
    x, y = (goal + off[np.lexsort((off[:, 1], off[:, 0]))].mean(axis=0)).tolist()
    return band._replace(start=(x, y))


def _note(moved: Bools) -> str:
    """What there is to say of places that are not where the formation has them."""
    if not moved.any():
        return ""
    return (
        f"{int(moved.sum())} of {len(moved)} places of the formation are not free: the nearest "
        "free ones are taken instead"
    )
