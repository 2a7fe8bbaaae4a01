"""Timers: a unit that cannot get to its place gives up, and one that stands in the way makes way.

The timers of "Ordered Movement / Flocking Behavior" (rules C4 to C6). One timer a unit serves both:
it counts up while a unit on its way touches stopped ones, and down while a stopped one makes way.
Below 0 it says for how long a stopped unit has rested from trying, far from its place: it gave up
there, or was pushed off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import Kernel, inlined
from sim.core.errors import BadInput
from sim.core.units import Units
from sim.engine.contacts import Contacts
from sim.orders.minds import HARDLY, Minds
from sim.orders.ordered import Ordered
from sim.orders.packs import resting_in_pack, room_of_pack
from sim.orders.pursuits import NONE

if TYPE_CHECKING:
    from sim.orders.orders import Orders


BEFORE = 0.5
"""Cosine of the angle to its place within which a unit that it touches stands before another."""


@dataclass(frozen=True)
class Timers:
    """How long units of a model try, and make way.

    Raises `BadInput` for what is not a time or a rate.
    """

    make_way: float = 5.0
    """How long a stopped unit makes way after it was touched by one on its way, s."""
    recovery: float = 0.5
    """Seconds of trying that a second without a touch makes good."""
    patience: float = 1.0
    """How long a unit tries, in times of its way to its place; inf: it never gives up, in the pack
    there neither."""

    def __post_init__(self) -> None:
        for name in ("make_way", "recovery"):
            if not 0 <= getattr(self, name) < np.inf:
                raise BadInput(
                    f"timers.{name} = {getattr(self, name)}: must be a finite number, 0 or more"
                )
        if not self.patience >= 0:
            raise BadInput(f"timers.patience = {self.patience}: must be 0 or more, or inf")

    def count(
        self,
        rows: slice,
        offset: Floats,
        speed: Floats,
        packed: Bools,
        dt: float,
        contacts: Contacts,
        minds: Minds,
    ) -> tuple[Bools, Floats]:
        """Whether each unit still moves, (n,), and their timers, (n,) s, one step of dt s later.

        `offset` (n, 2) is from each unit to the last place of its way, infinite for units that do
        not give up; `speed` (n,) is their top speed. A stopped unit that is `packed` (n,) stands
        in the pack that forms at its place: it makes way for none that is to join it. One farther
        off tries again after a rest, see `rest_from_trying`; one that gave up there does at once
        when a unit on its way touches it.
        `minds` are those of all N units before the step, and are left as they are: all units decide
        from the same.
        """
        still, left = minds.moving[rows].copy(), minds.timer[rows].copy()
        before = _Before(
            rows.start, contacts.first, contacts.other, contacts.normal, minds.moving,
            minds.arrived, minds.timer, minds.end,
        )  # fmt: skip
        timing = (dt, self.make_way, self.recovery, self.patience)
        _count(offset, speed, packed, timing, before, (still, left))
        return still, left


def count(
    groups: Sequence[Ordered], orders: Orders, units: Units, contacts: Contacts, dt: float
) -> None:
    """A step of dt s of the timers of all groups whose models have any."""
    minds = orders.minds
    timed = [(each, each.model.timers) for each in groups if each.model.timers]
    if not timed or not len(orders.points):
        return
    # A stopped one that moves is pushed, or makes way: it has to rest anew before it tries again.
    moves = np.hypot(*units.velocity.T) > HARDLY * minds.speed
    timer = np.where(moves, np.maximum(minds.timer, 0.0), minds.timer)
    before = minds._replace(moving=minds.moving.copy(), timer=timer)
    offset = orders.plane.nearest(orders.ends - units.position)
    packed = _packed(orders, units, np.hypot(*offset.T))
    own = orders.leave | orders.returns  # no other has its place
    offset[own | orders.narrows.queue | ~orders.sent] = np.inf
    for group, timers in timed:
        rows = group.rows
        moving, timer = timers.count(
            rows, offset[rows], group.each_speed(), packed[rows], dt, contacts, before
        )
        goes = orders.pursuits.of[rows] == NONE
        minds.moving[rows][goes], minds.timer[rows][goes] = moving[goes], timer[goes]


def _packed(orders: Orders, units: Units, off: Floats) -> Bools:
    """(N,) which units are in the room of the pack at their place, and not before a mouth.

    There they would be in the way of others (`Narrows.in_the_way`). `off` (N,) is how far their
    places are, straight.
    """
    area, end = orders.outlines.area, orders.minds.end
    rests = units.present & ~orders.minds.moving & orders.sent
    room = room_of_pack(area, end, resting_in_pack(area, end, off, rests))
    packed: Bools = off < room
    return packed & ~orders.narrows.in_the_way(units.position, orders.plane, 2 * orders.radius, off)


@inlined
def try_on(timer, touches_stopped, tries, dt, recovery):  # type: ignore[no-untyped-def]
    """Whether a unit on its way stops, and its timer: rule C4.

    `tries` is for how long, s. A timer that has stopped its unit starts anew at 0: it must not be
    taken for time to make way.
    """
    if touches_stopped:
        timer += dt
        stops = timer > tries
        return stops, 0.0 if stops else timer
    return False, max(0.0, timer - recovery * dt)


@inlined
def make_way(timer, touches, touches_moving, longest, dt, span):  # type: ignore[no-untyped-def]
    """The timer of a stopped unit: rule C5. It makes way while this is above 0.

    `longest` is the largest timer of the stopped units that it touches.
    """
    if touches_moving:
        return span
    if timer > 0:
        return max(0.0, timer - dt) if touches else 0.0
    if touches and longest > 0:
        # Less one step, so that no unit can copy its own time back: it only ever runs out.
        return max(0.0, longest - dt)
    return 0.0


@inlined
def rest_from_trying(timer, behind_mate, span, dt):  # type: ignore[no-untyped-def]
    """Whether a unit far from its place sets out again, and its timer: below 0 while it rests.

    It rests for a `span`, s: as long as it may try (`try_on`), and as long as others make way. What
    it met may have gone on by then. Behind a stopped unit of the same place it leaves that to the
    one before it.
    """
    timer = 0.0 if behind_mate else timer - dt
    again = -timer > span
    return again, 0.0 if again else timer


class _Before(NamedTuple):
    """What all N units decide from, and the row of the first that is counted."""

    start: int
    first: Ints
    other: Ints
    normal: Floats
    """What each touches, and in which direction: as in `Contacts`."""
    moving: Bools
    arrived: Bools
    timer: Floats
    end: Ints
    """Of `Minds`."""


@Kernel
def _count(begin, end, offset, speed, packed, timing, before, out):  # type: ignore[no-untyped-def]
    (dt, span, recovery, patience), (still, left) = timing, out
    first, other, moving, timer = before.first, before.other, before.moving, before.timer
    for i in range(begin, end):
        me = before.start + i
        touches, opposite, comes_up, behind_mate, longest = False, False, False, False, 0.0
        far = np.sqrt(offset[i, 0] ** 2 + offset[i, 1] ** 2)
        for contact in range(first[me], first[me + 1]):
            j = other[contact]
            if j < 0:
                continue
            touches = True
            same = before.end[j] == before.end[me]
            mates = packed[i] and same
            toward = before.normal[contact, 0] * offset[i, 0]
            toward += before.normal[contact, 1] * offset[i, 1]
            comes_up = comes_up or (mates and not moving[j] and toward > BEFORE * far)
            opposite = opposite or (moving[j] != moving[me] and not (mates and moving[j]))
            if not moving[j]:
                longest = max(longest, timer[j])
                behind_mate = behind_mate or (same and toward > BEFORE * far)
        way = abs(offset[i, 0]) + abs(offset[i, 1])
        if moving[me]:
            tries = patience * way / speed[i] if way > 0.0 else 0.0
            stops, left[i] = try_on(timer[me], opposite, tries, dt, recovery)
            still[i] = not (stops or (comes_up and patience < np.inf))
        else:
            left[i] = make_way(timer[me], touches, opposite, longest, dt, span)
            far_off = not packed[i] and way < np.inf
            if far_off and opposite and not before.arrived[me]:
                still[i], left[i] = True, 0.0
            elif far_off and left[i] == 0:
                idle, rest = min(timer[me], 0.0), max(way / speed[i], span)
                still[i], left[i] = rest_from_trying(idle, behind_mate, rest, dt)
