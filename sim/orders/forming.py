"""Forming up: the ways of all units of a formation, from place to place in it.

On a route the formation goes from stop to stop and faces the way that it goes. At a stop all wait
until the last has come, then the formation turns to its next course: each unit goes to its place
in it, the nearest that keeps all ways short. So on the way to the next stop all keep their places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.errors import BadInput
from sim.core.solids import Solids
from sim.core.units import Units
from sim.orders.assigning import assign, wheel
from sim.orders.bands import NONE, Band, Halt
from sim.orders.folding import column, pitch_of
from sim.orders.formation import turned
from sim.orders.goal import Goal
from sim.orders.halts import halts_of, way_in
from sim.orders.ordered import Ordered
from sim.orders.reach import shown
from sim.orders.sending import take
from sim.orders.standing_room import Look, Room, free_on, settled
from sim.orders.stays import STANDS, TOGETHER

if TYPE_CHECKING:
    from sim.orders.orders import Orders


def form(orders: Orders, groups: Sequence[Ordered], units: Units, step: int) -> None:
    """Give all units of the formations that are new, or have gained or lost some, their places.

    One that was away when the others got theirs gets its own as soon as it is there.
    """
    bands = orders.bands
    if bands.known:
        late = (bands.of != NONE) & (bands.come == NONE) & units.present
        bands.loose |= set(bands.of[late].tolist())
    while bands.loose:
        number = min(bands.loose)
        bands.loose.discard(number)
        rows = np.flatnonzero((bands.of == number) & units.present)
        if not len(rows):
            continue
        here = units.position[rows]
        band = _under_way(bands.known[number], here, orders)
        of = units.group[rows]
        those = [groups[k] for k in np.unique(of).tolist()]
        room = room_for(orders, those, here)
        if not band.halts:
            band = _led_in(orders, band, (rows, of), room)
            band = bands.known[number] = band._replace(halts=halts_of(band, len(here), room))
        known = bands.come[rows][bands.come[rows] != NONE]
        done = int(known.min()) if len(known) else 0
        goal, note = plan(band, here, done, room)
        bands.come[rows] = done
        for group in those:
            members = np.flatnonzero(of == group.index)
            part = goal.part(members.tolist())
            try:
                orders.led(group, part, here[members])
            except BadInput:  # some are shut off from the places of the others
                part = replace(part, nearest=True)
            try:
                led = take(orders, group, part, rows[members], here[members], step)
                group.say(note or led)
            except BadInput as bad:  # and there is no room to move at all
                group.say(str(bad))


def _led_in(orders: Orders, band: Band, units: tuple[Ints, Ints], room: Room) -> Band:
    """A band that has gaps to pass before its loop begins: it goes to the first stop, by itself.

    The loop is queued, for these `units`: their rows, and the groups that they are of.
    """
    rows, of = units
    if not way_in(band, len(rows), room):
        return band
    goal = band.goal
    for group in np.unique(of).tolist():
        orders.add_to_come(group, goal, rows[of == group], led=True)
    return band._replace(goal=replace(goal, routes=(goal.routes[0][:1],), stays=(), loop=False))


def check(orders: Orders, group: Ordered, goal: Goal, position: Floats) -> None:
    """Raise `BadInput` where units at `position` (n, 2) cannot form up by a goal.

    Some free place about each stop is enough: units take the nearest free ones.
    """
    Band(goal).formation.check(len(position), group.hull)
    if not len(position):
        return
    room, plain = room_for(orders, [group], position), replace(goal, formation=None)
    band = _under_way(Band(goal), position, orders)
    nominal = band.formation.places(len(position))
    for halt in halts_of(band, len(position), room._replace(grid=None)):
        middle, places = np.array(halt.at), _places(halt, nominal, room)
        if not (room.free(places).any() or room.free(middle[None]).any()):
            orders.led(group, plain, position)
            if not goal.nearest:
                raise BadInput(f"goal: no place of the formation about {shown(middle)} is free")


def room_for(orders: Orders, groups: Sequence[Ordered], here: Floats) -> Room:
    """Where units of these groups, now at `here` (n, 2), can stand."""
    hulls, plane, guide = [group.hull for group in groups], orders.plane, orders.guide
    radius = max(hull.radius for hull in hulls)
    if guide is None:
        grid, free = None, free_on(Solids(), plane, radius, None, here)
    else:
        chart = guide.planner.latest if guide.bare is None else guide.bare
        grid = chart.grid(radius)
        free = free_on(chart.solids, plane, radius, grid, here)
    length, reach = max(hull.length for hull in hulls), max(hull.reach for hull in hulls)
    return Room(plane, length, radius, reach, free, grid)


def plan(band: Band, here: Floats, done: int, room: Room) -> tuple[Goal, str]:
    """The goal of units at `here` (n, 2), with a route for each, and what there is to say of it.

    The first `done` halts are behind them; on a loop it is counted on from round to round.
    """
    goal, halts = band.goal, band.halts
    first = done % len(halts) if goal.loop else min(done, len(halts) - 1)
    order = halts[first:] + (halts[:first] if goal.loop else ())
    nominal = band.formation.places(len(here))
    laid, moved, look = [], np.zeros(len(here), np.bool_), Look(room)
    for halt in order:
        places, away = settled(_places(halt, nominal, room), np.array(halt.at), look)
        laid.append(places)
        moved |= away & (halt.files == 0)
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


def _places(halt: Halt, nominal: Floats, room: Room) -> Floats:
    """(n, 2) where units halt that have these `nominal` places, whether they are free or not."""
    if halt.files:
        nominal = column(nominal, halt.files, pitch_of(nominal, room))
    return np.array(halt.at) + room.length * turned(nominal, halt.heading)


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
