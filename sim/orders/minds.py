"""What units carry in mind from step to step; which of them do not get on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import Kernel, inlined
from sim.core.units import Units
from sim.navigation.jams import Traffic
from sim.orders.pursuits import NONE

if TYPE_CHECKING:
    from sim.orders.orders import Orders


HARDLY = 0.25
"""A unit that makes less than this share of its desired speed hardly gets on."""
PATIENCE, ASIDE = 1.0, 4.0
"""Time after which a blocked unit turns aside, and for how long, s."""
STOPS = 0.4
"""Time in which a unit comes to a stop, s."""
STUCK = 10.0
"""A unit is stuck that has not got a hull length away from where it was for so long, s."""
TO_AND_FRO, BEFORE = 3.0, 8.0
"""Time after which a unit counts as blocked that comes no nearer to a place of its own, s, and up
to how far off it, hull radii. A slow one has as long as it takes to walk one radius."""


FREE, WAITING, ITS_TURN, UNASKED = 0, 1, 2, 3
"""Whether a unit waits at a narrow place, has its turn there, or has it while no other asks."""


class Minds(NamedTuple):
    """What all N units carry in mind from step to step."""

    moving: Bools
    """(N,) whether a unit is on its way: it has a place to go to and has not stopped."""
    arrived: Bools
    """(N,) whether it has been where it was sent."""
    timer: Floats
    """(N,) s, for models that give up or make way by time; see `timers`."""
    blocked: Floats
    """(N,) s for which a unit on its way has hardly got on; above `PATIENCE` it turns aside, for so
    much longer."""
    end: Ints
    """(N,) numbers the last places: alike for units that are sent to one point and stay there."""
    speed: Floats
    """(N,) desired, world units / s: of units that were sent to a place and have pursued no others
    since, and of units that strangers hold up as they pursue others (`sim.orders.standing_by`); 0
    for the rest."""
    stance: Ints
    """(N,) `WAITING` at a narrow place, `ITS_TURN` there, `UNASKED` there, or `FREE`."""
    gate: Ints
    """(N,) numbers the mouths of narrow places: that which a unit is near to, or in, on its way; -1
    for none, and for units that wait for their turn there."""
    ahead: Floats
    """(N,) the way to that mouth, world units."""
    still: Floats
    """(N,) s since a unit on its way last got on by a hull length, looked at now and then; from
    `STUCK` on it is stuck."""
    halts: Bools
    """(N,) whether a unit on its way stands where it is meant to for now: at its place in a
    formation, until the others have come, or by one that it follows or chases and that cannot get
    on, or rests, or as none that it is after is there; false for craft that circle."""

    @classmethod
    def blank(cls, units: int) -> Minds:
        """Of units that have just come."""
        moving, arrived, halts = np.zeros((3, units), np.bool_)
        timer, blocked, speed, ahead, still = np.zeros((5, units))
        end, stance = np.zeros((2, units), np.int64)
        gate = np.full(units, -1)
        return cls(moving, arrived, timer, blocked, end, speed, stance, gate, ahead, still, halts)

    @property
    def stuck(self) -> Bools:
        """(N,) units on their way that have not got on by a hull length for `STUCK` seconds."""
        return np.greater_equal(self.still, STUCK)


def numbered(ends: Ints, single: Bools, leave: Bools) -> Ints:
    """(N,) numbers of the last places: alike for units that share one, as `ends` (N,) says.

    Units that are not sent to a `single` point, but into a region where they need not stand where
    others do, or nowhere at all, have numbers of their own. Units that leave at a place share none
    with units that stay there. All are below N.
    """
    place = 2 * ends + leave
    used = np.bincount(place[single], minlength=int(place.max(initial=-1)) + 1) > 0
    own = np.count_nonzero(used) + np.cumsum(~single) - 1
    return np.where(single, (np.cumsum(used) - 1)[place], own)


def packs_and_own(last: Bools, alike: Bools, ends: Ints, leave: Bools) -> tuple[Bools, Bools]:
    """(N,) which units stay at a point with others, and which are bound for one apart from these.

    Such a point is a unit's own, or one where it is to leave amid others that stay: these are not
    of its pack. `last` (N,) are the units whose way ends at a point, `alike` (N,) share it.
    """
    stay = last & ~leave
    kept = np.bincount(ends[stay], minlength=int(ends.max(initial=-1)) + 1)[ends] > 0
    return stay & alike, last & np.where(leave, kept, ~alike)


@inlined
def rests(minds, i):  # type: ignore[no-untyped-def]
    """Whether unit i is at rest: it has stopped, or halts on its way."""
    return not minds.moving[i] or minds.halts[i]


@Kernel
def wait(begin, end, velocity, walk, dt, moving, blocked):  # type: ignore[no-untyped-def]
    """Count up how long each unit on its way has hardly moved; half as fast down when it moves.

    One that comes no nearer to a place of its own, though near, has hardly moved either: it goes to
    and fro before it, or round others that rest there. `walk` holds (N,) the desired speeds, how
    far each has to go, its radius, the time since it came nearer, and whether that is so of its
    place. A unit that has waited long enough turns aside for a fixed time, which is never renewed.
    """
    speeds, remaining, radius, since, own = walk
    for i in range(begin, end):
        pace = np.sqrt(velocity[i, 0] ** 2 + velocity[i, 1] ** 2)
        idles = since[i] > TO_AND_FRO and since[i] * speeds[i] > radius[i]
        if own[i] and idles and remaining[i] < BEFORE * radius[i]:
            pace = 0.0
        if not moving[i]:
            blocked[i] = 0.0
        elif blocked[i] > PATIENCE:
            blocked[i] -= dt
            if blocked[i] <= PATIENCE:
                blocked[i] = 0.0
        elif pace < HARDLY * speeds[i]:
            blocked[i] += dt
            if blocked[i] > PATIENCE:
                blocked[i] = PATIENCE + ASIDE
        else:
            blocked[i] = max(0.0, blocked[i] - dt / 2)


QUEUED = 0.3
"""From so long a time on in which one hardly got on one stands in a queue, s."""
LOOK = 0.5
"""Time between two looks at which units get on, s."""


def watch(orders: Orders, units: Units) -> None:
    """Find out which units on their way have got on by a hull length, `LOOK` s after the last time.

    Units at a stop at which they stay for a time, or in line there, count as if they had got on.
    """
    minds, length = orders.minds, 2 * orders.radius
    away = np.hypot(*orders.plane.nearest(units.position - orders.spot).T)
    bound = minds.moving & (orders.staying.off(units, orders) > length)
    bound &= ~(minds.halts & (orders.pursuits.of == NONE))
    on = ~((away < length) & bound)
    orders.spot[on] = units.position[on]
    minds.still[:] = np.where(on, 0.0, minds.still + LOOK)


def traffic(units: Units, minds: Minds, radius: Floats) -> Traffic:
    """The units that have been held up for a while."""
    held = minds.moving & units.present & (minds.blocked > QUEUED) & (minds.speed > 0)
    pace = np.hypot(*units.velocity[held].T) / minds.speed[held]
    return Traffic(units.position[held], pace, radius[held])
