"""Orders: the goals of all units as arrays, and how far each has come with its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import NO_ROWS, Bools, Floats, Ints
from sim.core.columns import Columns
from sim.core.hull import Hull, Sizes
from sim.core.overlap import Outlines
from sim.core.plane import Plane
from sim.core.relay import NEW, Relay, spans_kept, spread
from sim.core.units import Units, read_only
from sim.navigation.planner import Planner
from sim.orders import forming
from sim.orders.aim import unbent_for
from sim.orders.bands import NONE, Bands
from sim.orders.entering import take_turns_at_places
from sim.orders.goal import GO, Goal
from sim.orders.guide import Guide, near
from sim.orders.minds import LOOK, Minds, numbered, packs_and_own, traffic, wait, watch
from sim.orders.narrows import Narrows
from sim.orders.opponents import Opponents
from sim.orders.ordered import Ordered
from sim.orders.progress import go_on
from sim.orders.pursuits import Pursuits
from sim.orders.queue import Queue
from sim.orders.reach import inside_walls
from sim.orders.resting import go_round, settle
from sim.orders.sending import take
from sim.orders.settle import Patience
from sim.orders.shared_stops import number_stops
from sim.orders.stays import Stays


class Orders(Columns):
    """Keeps the goals of all units of a world. Groups change them; `update` follows them up.

    A `guide` leads them round what is solid; without one they go straight.
    """

    columns: ClassVar = {
        "minds": read_only(Minds.blank(1)), "leg": 0, "tolerance": 0.0, "radius": 0.0, "round": 0,
        "region": np.nan, "loop": False, "leave": False, "alone": False, "packs": False,
        "own": False, "aim": np.nan, "hold": 0.0, "remaining": np.nan, "unbent": np.inf,
        "returns": False, "circles": False, "spot": np.nan,
    }  # fmt: skip

    guide: Guide | None

    def __init__(self, plane: Plane, guide: Guide | None = None, dt: float = 1 / 60) -> None:
        self.plane, self.guide = plane, guide
        self.patience, self.staying, self._exits, self.version = Patience(0), Stays(), False, 0
        """Counts the orders that were given."""
        self.queue, self.narrows = Queue(), Narrows(dt)
        self.bands, self.pursuits, self.opponents = Bands(), Pursuits(), Opponents()
        self.stops, self.shared = np.zeros(0, np.int64), np.zeros((0, 2))
        """(M,) numbers of the places that many touch and leave, -1 for others; (K, 2) where."""
        self._changed = False  # since the places were numbered
        self.minds, self.outlines = Minds.blank(0), Outlines([], np.zeros(0, np.int64))
        self.points, self.stays = np.zeros((0, 2)), np.zeros((0, 3))
        """(M, 2) the places of all units, unit by unit, in a region the one to walk on to; (M, 3) s
        that one stays at each of these, how (see `stays`), and which way it faces."""
        self.first = np.zeros(1, np.int64)
        """(N + 1,) unit i has points[first[i]:first[i + 1]]."""
        self.leg = np.zeros(0, np.int64)
        """(N,) how many of these each has been to."""
        self.tolerance, self.radius = np.zeros((2, 0))
        """(N,) how near to a place is there, and the radii of hulls, world units."""
        self.region = np.zeros((0, 4))
        """(N, 4) left, top, right, bottom; NaN for those not sent to a region."""
        self.loop, self.leave, self.alone = np.zeros((3, 0), np.bool_)
        """(N,) units that go round and round or leave at an exit, or for which it does not count
        that others rest: they give up by a timer, or circle where they have arrived."""
        self.returns, self.circles = np.zeros((2, 0), np.bool_)
        """(N,) units that keep their place in a formation, and go back when pushed off it; craft,
        which cannot stand."""
        self.packs, self.own = np.zeros((2, 0), np.bool_)
        """(N,) units that stay at a point with others, and units bound for one apart from these."""
        self.aim = np.zeros((0, 2))
        """(N, 2) the place each heads for now; NaN for units that have none."""
        self.round = np.zeros(0, np.int8)
        """(N,) 1 or -1 for units that go round a pack, clockwise on screen or not; 0 else."""
        self.hold = np.zeros((0, 2))
        """(N, 2) where units that have to wait go meanwhile, from where each is; zeros else."""
        self.remaining = np.zeros(0)
        """(N,) length of the way left to the last place, world units; NaN without a place."""
        self.unbent = np.zeros(0)
        """(N,) how far each may have gone since its way last bent; infinite for straight ways."""
        self.spot = np.zeros((0, 2))
        """(N, 2) where each was when it last got on by a hull length; NaN before it was looked."""

    def regroup(self, relay: Relay, groups: Ints, hulls: Sequence[Hull], each: Sizes) -> None:
        """Units, with hulls `each`, come, go and change group: those of all are `groups` (M,)."""
        count = len(self.leg)
        self._stops(*spans_kept(self.first, relay.old_rows))
        for part in (self, self.patience, self.narrows, self.opponents, self.staying, self.bands,
                     self.pursuits):  # fmt: skip
            part.rearrange(relay)
        self.queue.rearrange(relay, groups)
        self.outlines = Outlines(hulls, groups, each)
        if self.guide is not None:
            self.guide.rearrange(relay, count, groups)

    def _stops(
        self, begin: Ints, counts: Ints, places: ArrayLike = np.nan, stays: ArrayLike = np.nan
    ) -> None:
        """Units have `counts` (N,) of the points, one after the other from `begin` (N,) on.

        Units that begin at `NEW` have new ones: these places and `stays`, unit by unit.
        """
        self.version += 1
        relay = Relay(begin, counts)
        self.points = relay.carried(self.points, places)
        self.stays = relay.carried(self.stays, stays)
        self.first = np.append(0, np.cumsum(counts))
        self._changed = True

    def lay_stops(self, rows: Ints, places: Floats, count: Ints, stays: Floats) -> None:
        """Units in some rows have these places (m, 2) and `stays` (m, 3) now, `count` (n,) each."""
        begin, counts = self.first[:-1].copy(), np.diff(self.first)
        begin[rows], counts[rows] = NEW, count
        order = np.argsort(rows, kind="stable")
        those = spread((np.cumsum(count) - count)[order], count[order])
        self._stops(begin, counts, places[those], stays[those])

    def check(self, group: Ordered, goal: Goal | None, position: Floats) -> None:
        """Raise `BadInput` for places that the units of a group, at `position`, cannot get to."""
        if goal is not None and goal.formation is not None:
            forming.check(self, group, goal, position)
        elif goal is not None and goal.kind == GO:
            self.led(group, goal, position)

    def led(self, group: Ordered, goal: Goal, position: Floats) -> tuple[Floats, str]:
        """Where the units of a group are led (m, 2), and a note; `BadInput` where they cannot."""
        if self.guide is not None:
            return self.guide.check(group, goal, position)
        places = goal.ways(position).points
        return inside_walls(self.plane, group.hull.largest.radius, goal, places, near(goal, group))

    def send(
        self, group: Ordered, goal: Goal | None, rows: Ints, position: Floats, step: int,
        led: bool = False,
    ) -> None:  # fmt: skip
        """Units of a group in these rows are after a goal now; they start from `position` (n, 2).

        A goal that names the places of other units leaves them without one. Units that form up
        stand until they get their places: for a loop first at its first stop, unless `led` there.
        """
        self.bands.leave(rows)
        if goal is not None and goal.formation is not None:
            self.bands.join(rows, goal, led)
            goal = None
        note = take(self, group, goal, rows, position, step)
        if goal is not None and goal.kind == GO:
            group.say(note)

    def add_to_come(self, group: int, goal: Goal, rows: Ints, led: bool = False) -> None:
        """Units of a group are to do this last; see `Queue.add`."""
        self.queue.add(group, goal, rows, len(self.leg), led)
        self._changed = True  # the last place is left again

    def number(self) -> None:
        """Number the last places, and the stops that many share, where orders have changed."""
        if not self._changed:
            return
        self._changed, self._exits = False, bool(self.leave.any())
        last, numbers = self.first[1:] - 1, number_stops(self)
        ends = numbers.take(last, mode="clip") if len(numbers) else np.zeros_like(last)
        single = np.isnan(self.region[:, 0]) & self.sent
        self.minds.end[:] = numbered(ends, single, self.leave)
        alike = np.bincount(self.minds.end)[self.minds.end] > 1
        alike |= self.bands.of != NONE  # it takes its very place in the formation, as far as it can
        to_point = single & ~self.loop & ~self.alone
        self.packs[:], self.own[:] = packs_and_own(to_point, alike, ends, self.leave)

    def update(self, units: Units, step: int, dt: float, takers: Bools) -> None:
        """Follow up all goals: which units have come to the next place, have arrived, and stop.

        `takers` (N,) are the units that take turns at narrow places.
        """
        minds, sent = self.minds, self.first[-1] > 0
        if sent or self.pursuits.goals:
            walk = minds.speed, self.remaining, self.radius, self.patience.since, self.own
            wait(units.velocity, walk, dt, minds.moving, minds.blocked)
        if not sent:
            return
        before = self.leg.copy() if np.count_nonzero(self.stays) else None
        go_on(self, units)
        if self.guide is not None:
            self._lead(self.guide, units, step)
        if before is not None:
            self.staying.follow(self, before, units, step, dt)
        go_round(self, units)
        take_turns_at_places(self, units, step, takers)
        settle(self, units, step, dt)
        if step % max(1, round(LOOK / dt)) == 0:
            watch(self, units)

    def _lead(self, guide: Guide, units: Units, step: int) -> None:
        """Round what is solid: the aim, and what is left up to the next place."""
        guide.take_up(step, units.position)
        guide.renewals.look_after(self, units, step)
        if guide.hurried:
            guide.review(step, traffic(units, self.minds, self.radius))
        for party in guide.parties.values():
            rows = party.rows
            here, aim = units.position[rows], self.aim[rows]
            straight = np.hypot(*self.plane.nearest(aim - here).T)
            left = straight.copy()
            going = self.minds.moving[rows] & units.present[rows]
            party.lead(step, here, going, self.leg[rows], aim, left)
            self.aim[rows] = aim
            self.remaining[rows] += left - straight
            self.unbent[rows] = unbent_for(self.unbent[rows] + party.stride, straight, left)

    @property
    def planner(self) -> Planner | None:
        """What plans ways, if anything is solid."""
        return None if self.guide is None else self.guide.planner

    @property
    def ends(self) -> Floats:
        """(N, 2) the last place of each unit; any place for one that is not `sent`."""
        return np.asarray(self.points[np.maximum(self.first[1:] - 1, 0)])

    @property
    def sent(self) -> Bools:
        """(N,) which units are sent to any place."""
        return np.asarray(np.diff(self.first) > 0)

    @property
    def cut(self) -> Bools:
        """(N,) which units no way leads on for, as long as something is closed."""
        guide, n = self.guide, len(self.leg)
        return np.zeros(n, np.bool_) if guide is None else guide.cut(n)

    def dismiss(self, units: Units) -> Ints:
        """Rows of the units at their exit; from now on they are bound for nowhere."""
        if not self._exits:
            return NO_ROWS
        minds = self.minds
        rows = np.flatnonzero(self.leave & minds.arrived & units.present)
        minds.moving[rows], minds.blocked[rows], minds.timer[rows] = False, 0.0, 0.0
        self.aim[rows], self.remaining[rows], self.unbent[rows] = np.nan, np.nan, np.inf
        return rows
