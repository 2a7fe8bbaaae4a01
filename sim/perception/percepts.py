"""What a group knows at one step: computed once, passed to every rule as values.

A rule asks for a part that not all groups have by a parameter of that name: `seen`, `felt`,
`aim`, `quarry`, `contacts` or `wanted`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.hull import Hull
from sim.core.overlap import Shapes
from sim.core.own import Amount
from sim.core.plane import Plane
from sim.core.units import Units
from sim.engine.contacts import Contacts
from sim.orders.aim import Aim
from sim.orders.minds import Minds
from sim.perception.bodies import STILL, Bodies, Moving, Spared
from sim.perception.felt import Felt
from sim.perception.lists import Neighbours
from sim.perception.neighbours import Summary
from sim.perception.quarry import Quarry
from sim.perception.surroundings import Nearby

AT_PLACE = 5.0
"""Hull lengths from a shared place within which units let the nearer one go first: farther off all
keep clear of each other, as packs seldom reach so far."""


class Seen(NamedTuple):
    """What one rule sees: through its own view, within its own range."""

    summary: Summary
    """Of rules that look at each it holds the count alone."""
    each: Neighbours
    """One by one; those of other rules of the group stand among them (`lists.sees`)."""
    range: Amount
    """How far the rule looks, world units: (n,) where units differ in it."""


class Percepts(NamedTuple):
    """What n units of one group know. Rules read it; nothing here may be written to.

    "Own frame" is (ahead, starboard) of each unit.
    """

    units: Units
    """Everyone's state, all N rows."""
    rows: slice
    """The group's rows in `units`."""
    hull: Hull
    velocity: Floats
    """(n, 2) each unit's own velocity, own frame."""
    speeds: Floats
    """(n,) the desired speed of each, world units / s."""
    bodies: Bodies
    """The state of all units as kernels take it."""
    discs: Nearby
    """Solid discs: x, y, radius."""
    faces: Nearby
    """Walls and sides of solids: x1, y1, x2, y2, with their images across a seam."""
    plane: Plane
    quarry: Quarry | None
    """None where the group has no target."""
    aim: Aim | None
    """None where the group has not been sent to a place."""
    minds: Minds
    """Whether each of all N units is on its way, has arrived, and its timer."""
    bound_for: Floats
    """(N, 2) the place that each of all N units heads for now; NaN for units that have none."""
    remaining: Floats
    """(N,) length of the way that each of all N units has before it, world units: on a loop to the
    end of the round. NaN for units that have no place, as units that pursue others."""
    shapes: Shapes
    """The outlines of all N hulls."""
    contacts: Contacts
    """What each of all N units touches; empty unless a rule of the world `touches`."""
    who_leads: Callable[[], Bools]
    """Behind `leads`."""
    controls: Floats
    """(n, 3) thrusters of a steered unit: port, starboard, thrust, each 0 to 1."""
    moving: Moving = STILL
    """Solids that move, and how; they are among `discs` and `faces` too."""
    seen: Seen | None = None  # the last three are each rule's own, as `of_rule` and `amending` set
    """None for rules that look at no unit."""
    felt: Felt | None = None
    """None for rules that feel nothing."""
    wanted: Floats | None = None
    """(n, 2) the sum of all other rules' terms; None for rules that do not amend it."""

    def of_rule(self, seen: Seen | None, felt: Felt | None) -> Percepts:
        """The same with what one rule sees and feels."""
        return Percepts._make((*self[:-3], seen, felt, None))

    def amending(self, wanted: Floats) -> Percepts:
        """The same for a rule that amends what all others want, (n, 2)."""
        return Percepts._make((*self[:-1], wanted))

    @property
    def resting(self) -> Bools:
        """(n,) units that were sent somewhere, or are after others, and have stopped, or halt."""
        halts = self.minds.halts[self.rows]
        if self.aim is None:
            return np.zeros_like(halts) if self.quarry is None else halts
        return ~self.aim.moving | halts

    @property
    def leads(self) -> Bools:
        """(n,) units that see no mate ahead, and so lead; looked up when asked for."""
        return self.who_leads()

    @property
    def pursued(self) -> Ints:
        """(n,) the row in `units` of the unit that each pursues; -1 for none."""
        return np.full(len(self.velocity), -1) if self.quarry is None else self.quarry.who

    @property
    def spared(self) -> Spared:
        """Units that are not kept clear of: the one pursued, and some that share one's place.

        Places have numbers, alike for units that are sent to the same one.
        """
        minds = self.minds
        place = np.where(minds.moving | minds.arrived, minds.end, -1)
        final = np.zeros(self.velocity.shape) if self.aim is None else self.aim.final
        rests = minds.arrived & ~minds.moving
        near = AT_PLACE * self.hull.length
        return Spared(self.pursued, place, rests, final, near, self.rows.start)

    @property
    def engaged(self) -> Bools:
        """(n,) units that march no more: the enemy is near, or they have stopped at their place."""
        if self.quarry is not None:
            return self.quarry.paired | self.quarry.near | self.minds.halts[self.rows]
        return self.resting if self.aim is None else ~self.aim.moving
