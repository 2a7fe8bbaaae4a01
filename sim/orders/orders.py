"""Orders: the goals of all units as arrays, and how far each has come with its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.hull import Hull
from sim.navigation.jams import Traffic
from sim.orders.bounds import inside_walls
from sim.orders.goal import GO, Goal
from sim.orders.guide import Guide, near
from sim.orders.minds import WAITING, Minds, numbered, wait
from sim.orders.narrows import Narrows, shared_stops, take_turns_at_places
from sim.orders.opponents import Opponents
from sim.orders.progress import advance
from sim.orders.resting import go_round, settle
from sim.orders.settle import Patience
from sim.overlap import Outlines
from sim.plane import Plane
from sim.units import Units

if TYPE_CHECKING:
    from sim.group import Group

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
QUEUED = 0.3
"""From so long a time on in which one hardly got on one stands in a queue, s."""
NOBODY: Ints = np.zeros(0, np.int64)


class Aim(NamedTuple):
    """Where the n units of a group are bound for, from where each is. Own frame."""

    offset: Floats
    """(n, 2) to the place to head for now; zeros for those that have none."""
    final: Floats
    """(n, 2) to the last place of the way."""
    remaining: Floats
    """(n,) length of the way left, world units."""
    tolerance: Floats
    """(n,) how near to a place is there, world units."""
    moving: Bools
    """(n,) whether a unit is on its way; the others have stopped, or were never sent."""
    by_field: Bools
    """(n,) whom a flow field leads; the others go along routes, or straight."""
    waiting: Bools
    """(n,) units that have to wait at a narrow place."""
    hold: Floats
    """(n, 2) where these go meanwhile: back from its mouth; zeros where they stand."""


class Orders:
    """Keeps the goals of all units of a world. Groups change them; `update` follows them up.

    A `guide` leads them round what is solid; without one they go straight.
    """

    def __init__(self, plane: Plane, guide: Guide | None = None, dt: float = 1 / 60) -> None:
        self.plane, self.guide = plane, guide
        self._goals: list[Goal | None] = []
        self.patience, self._exits = Patience(0), False
        self.narrows = Narrows(dt)
        """Right of way at narrow places."""
        self.stops = np.zeros(0, np.int64)
        self._hulls: list[Hull] = []
        self._group: Ints = np.zeros(0, np.int64)
        self.outlines = Outlines([], self._group)
        self.minds, self.opponents = Minds.blank(0), Opponents()
        self.points = np.zeros((0, 2))
        """(M, 2) the places of all units, unit by unit; in a region the one to walk on to."""
        self.first = np.zeros(1, np.int64)
        """(N + 1,) unit i has points[first[i]:first[i + 1]]."""
        self.leg = np.zeros(0, np.int64)
        """(N,) how many of these each has been to."""
        self.tolerance = np.zeros(0)
        """(N,) world units."""
        self.radius = np.zeros(0)
        """(N,) of their hulls, world units."""
        self.region = np.zeros((0, 4))
        """(N, 4) left, top, right, bottom; NaN for those not sent to a region."""
        self.loop, self.leave, self.alone = np.zeros((3, 0), np.bool_)
        """(N,) who goes round and round, who goes at an exit, and for whom it does not count that
        others rest: it gives up by a timer of its model, or circles where it has arrived."""
        self.packs = np.zeros(0, np.bool_)
        """(N,) who stays at a point that others are sent to as well, and packs with them there."""
        self.aim = np.zeros((0, 2))
        """(N, 2) the place each heads for now; NaN for those that have none."""
        self.round = np.zeros(0, np.int8)
        """(N,) 1 or -1 for units that go round a pack, clockwise on screen or not; 0 else."""
        self.hold = np.zeros((0, 2))
        """(N, 2) where units that have to wait go meanwhile, from where each is; zeros else."""
        self.remaining = np.zeros(0)
        """(N,) length of the way left to the last place, world units; NaN without a place."""

    def admit(self, units: int, hull: Hull) -> None:
        """Make room for the units of a new group."""
        self._hulls.append(hull)
        self._group = np.append(self._group, np.full(units, len(self._goals)))
        self.outlines = Outlines(self._hulls, self._group)
        self.minds = Minds(*(_more(old, units) for old in self.minds))
        self.first = np.append(self.first, np.full(units, self.first[-1]))
        self.leg, self.tolerance = _more(self.leg, units), _more(self.tolerance, units)
        self.radius = _more(self.radius, units)
        self.packs = _more(self.packs, units)
        self.patience = Patience(len(self.leg))
        self.region = np.concatenate([self.region, np.full((units, 4), np.nan)])
        flags = self.loop, self.leave, self.alone
        self.loop, self.leave, self.alone = (_more(old, units) for old in flags)
        self.aim = np.concatenate([self.aim, np.full((units, 2), np.nan)])
        self.round = np.append(self.round, np.zeros(units, np.int8))
        self.hold = np.concatenate([self.hold, np.zeros((units, 2))])
        self.remaining = np.append(self.remaining, np.full(units, np.nan))
        self._goals.append(None)
        self.narrows.admit(units)

    def check(self, group: Group, goal: Goal | None, position: Floats) -> None:
        """Raise `BadInput` for places that the units of a group, at `position`, cannot get to."""
        if goal is not None and goal.kind == GO:
            self._led(group, goal, position)

    def _led(self, group: Group, goal: Goal, position: Floats) -> tuple[Floats, str]:
        """Where the units of a group are led (m, 2), and what there is to say of it."""
        if self.guide is not None:
            return self.guide.check(group, goal, position)
        places = goal.ways(position).points
        return inside_walls(self.plane, group.hull.radius, goal, places, near(goal, group))

    def send(self, group: Group, position: Floats, step: int) -> None:
        """Take down a group's goal anew; its units start on it from `position` (n, 2)."""
        goal, rows = group.goal, group.rows
        self._goals[group.index] = goal
        places, count = np.zeros((0, 2)), np.zeros(len(group), np.int64)
        if self.guide is not None:
            self.guide.forget(group)
        if goal is not None and goal.kind == GO:
            places, count = goal.ways(position)
            self.tolerance[rows] = near(goal, group)
            self.radius[rows], self.minds.speed[rows] = group.hull.radius, group.speed
            led, group.note = self._led(group, goal, position)
            places = led if goal.nearest else places
            if self.guide is not None:
                self.guide.send(group, led, np.append(0, np.cumsum(count)), position, step)
        counts = np.diff(self.first)
        before, after = self.first[rows.start], self.first[rows.stop]
        self.points = np.concatenate([self.points[:before], places, self.points[after:]])
        counts[rows] = count
        self.first = np.concatenate([[0], np.cumsum(counts)])
        self.region[rows] = np.nan if goal is None or goal.region is None else goal.region
        self.loop[rows] = goal is not None and goal.loop
        self.leave[rows] = goal is not None and goal.leave
        self._exits = bool(self.leave.any())
        self.stops = shared_stops(self.points, self.first, self.loop)
        self.leg[rows] = 0
        self.alone[rows] = group.model.timers is not None or group.model.circles
        self.minds.blocked[rows] = 0.0
        self.minds.moving[rows], self.minds.arrived[rows] = count > 0, False
        self.aim[rows], self.remaining[rows], self.minds.timer[rows] = np.nan, np.nan, 0.0
        self.patience.renew(rows)
        self.round[rows] = 0
        ends = self.points[np.maximum(self.first[1:] - 1, 0)] if len(self.points) else self.aim
        single = np.isnan(self.region[:, 0]) & (np.diff(self.first) > 0)
        self.minds.end[:] = numbered(ends, single, self.leave)
        alike = np.bincount(self.minds.end)[self.minds.end] > 1
        self.packs = alike & single & ~self.loop & ~self.leave & ~self.alone

    def lead_anew(self, group: Group, position: Floats, step: int) -> None:
        """Have the guide lead a group that is on its way, from `position` (n, 2) on."""
        ends = self.first[group.rows.start : group.rows.stop + 1]
        if self.guide is not None:
            places = self.points[ends[0] : ends[-1]]
            self.guide.send(group, places, ends - ends[0], position, step)

    def update(self, units: Units, step: int, dt: float, takers: Bools | None = None) -> None:
        """Follow up all goals: which units have come to the next place, have arrived, and stop.

        `takers` (N,) are the units that take turns at narrow places; nobody where None.
        """
        if self.first[-1] == 0:
            return
        minds = self.minds
        wait(units.velocity, minds.speed, dt, minds.moving, minds.blocked)
        advance(
            units.position, units.velocity, units.present, self.plane.size, self.points, self.first,
            self.tolerance, self.radius, self.region, self.loop, self.packs, self.leg,
            self.minds.moving, self.minds.arrived, self.aim, self.remaining,
        )  # fmt: skip
        if self.guide is not None:
            self._lead(self.guide, units, step)
        go_round(self, units)
        if takers is not None:
            take_turns_at_places(self, units, step, takers)
        settle(self, units, step, dt)

    def _lead(self, guide: Guide, units: Units, step: int) -> None:
        """Round what is solid: the aim, and what is left up to the next place."""
        guide.take_up(step)
        guide.renewals.look_after(self, units, step)
        if guide.hurried:
            guide.review(step, self._traffic(units))
        for party in guide.parties.values():
            rows = party.rows
            here, aim = units.position[rows], self.aim[rows]
            straight = np.hypot(*self.plane.nearest(aim - here).T)
            left = straight.copy()
            going = self.minds.moving[rows] & units.present[rows]
            party.lead(step, here, going, self.leg[rows], aim, left)
            self.remaining[rows] += left - straight

    def _traffic(self, units: Units) -> Traffic:
        """Those that have been held up for a while."""
        held = self.minds.moving & units.present & (self.minds.blocked > QUEUED)
        pace = np.hypot(*units.velocity[held].T) / self.minds.speed[held]
        return Traffic(units.position[held], pace, self.radius[held])

    def dismiss(self, units: Units) -> Ints:
        """Rows of the units at their exit; from now on they are bound for nowhere."""
        if not self._exits:
            return NOBODY
        rows = np.flatnonzero(self.leave & self.minds.arrived & units.present)
        self.minds.moving[rows], self.minds.blocked[rows], self.minds.timer[rows] = False, 0.0, 0.0
        self.aim[rows], self.remaining[rows] = np.nan, np.nan
        return rows

    def of(self, group: Group, units: Units, turn: Callable[[Floats, Floats], Floats]) -> Aim:
        """Where the units of a group are bound for; `turn` brings offsets into their own frames."""
        rows = group.rows
        here, heading = units.position[rows], units.heading[rows]
        last = self.points[np.maximum(self.first[1:][rows] - 1, 0)]
        sent = np.diff(self.first)[rows] > 0
        offset, final = (
            turn(np.where(sent[:, None], self.plane.nearest(place - here), 0.0), heading)
            for place in (self.aim[rows], last)
        )
        moving = self.minds.moving[rows]
        by_field = self.guide.by_field(group) if self.guide else np.zeros(len(moving), np.bool_)
        return Aim(
            offset, final, self.remaining[rows], self.tolerance[rows], moving, by_field,
            self.minds.stance[rows] == WAITING, turn(self.hold[rows], heading),
        )  # fmt: skip


def _more(old: NDArray[Any], units: int) -> NDArray[Any]:
    return np.append(old, np.zeros(units, old.dtype))
