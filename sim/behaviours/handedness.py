"""Going round each other by handedness: the rules of squares on a tile map.

"Group Movement / Flocking Behavior" (rules C3 and C7). The terms are accelerations: the first rules
press on, `go_round` and `press_in_turn` change what these want.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.avoidance.making_way import Pace as Slowly
from sim.behaviours.avoidance.making_way import ways_off
from sim.behaviours.commands import ACCELERATION
from sim.behaviours.curves import directions
from sim.behaviours.fleeing import Alarm, flee
from sim.behaviours.parameters import Within
from sim.behaviours.pursuit import Gap, Prediction, follow, pursue
from sim.behaviours.table import Terms, rule
from sim.behaviours.taking_turns import TURNS, Pace, stand_back, wait_instead
from sim.core.arrays import Bools, Floats
from sim.core.compiled import Kernel
from sim.core.geometry import to_own_frame
from sim.core.own import Amount
from sim.engine.contacts import Contacts
from sim.orders.aim import Aim
from sim.orders.goal import GO
from sim.orders.minds import FREE, PATIENCE
from sim.perception.percepts import Percepts, Seen
from sim.perception.quarry import Quarry
from sim.perception.sights import Hunting

VANISHES = 1e-3
"""A sum of unit vectors shorter than this is none."""
SLACK = 0.1
"""Share of the desired speed that may be missing before all the acceleration there is is used."""
NEAR = 0.5
"""From how many seconds at the desired speed a place is near."""
Ahead = Annotated[
    Amount,
    Within(0, 180, "angle to the course up to which a unit that one touches bars it, degrees"),
]


@rule("errands", serves=GO, gives=ACCELERATION)
def press_on(me: Percepts, aim: Aim) -> Terms:
    """Accelerate straight for the place one is bound for.

    Near the place a unit takes off what it moves past it: else it could go round it without end.
    """
    course = _course(me)
    past = me.velocity - (me.velocity * course).sum(axis=1)[:, None] * course
    near = np.hypot(aim.offset[:, 0], aim.offset[:, 1]) < NEAR * me.speeds
    wanted = course - np.where(near[:, None], past / me.speeds[:, None], 0.0)
    on = aim.moving & ~me.minds.halts[me.rows]
    return np.where(on[:, None], wanted / np.hypot(wanted[:, 0], wanted[:, 1])[:, None], 0.0)


@rule("pursuit", serves=("chase", "intercept"), gives=ACCELERATION)
def press_after(
    me: Percepts,
    quarry: Annotated[Quarry, Hunting()],
    *,
    prediction: Prediction = 2.0,
) -> Terms:
    """What `pursue` wants, as an acceleration."""
    return _accelerate(me, pursue(me, quarry, prediction=prediction))


@rule("pursuit", serves="follow", gives=ACCELERATION)
def press_behind(me: Percepts, quarry: Annotated[Quarry, Hunting()], *, gap: Gap = 1.0) -> Terms:
    """What `follow` wants, as an acceleration."""
    return _accelerate(me, follow(me, quarry, gap=gap))


@rule("pursuit", serves="flee", gives=ACCELERATION)
def press_away(me: Percepts, quarry: Quarry, *, alarm: Alarm = 20.0) -> Terms:
    """What `flee` wants, as an acceleration."""
    return _accelerate(me, flee(me, quarry, alarm=alarm))


@rule("avoidance", looks="each", view="all", range=6.0, gives=ACCELERATION)
def press_aside(me: Percepts, seen: Seen, *, pace: Slowly = 0.5) -> Terms:
    """What `step_aside` wants, as an acceleration: off the way of one that has waited to pass.

    For units at rest. Gaps of up to half a hull length count.
    """
    ways = ways_off(me, seen, np.full(len(me.velocity), 0.5 * me.hull.length))
    asked: Bools = (ways != 0.0).any(axis=1)
    aside = _accelerate(me, np.reshape(pace, (-1, 1)) * ways)
    return np.where(asked[:, None], aside, 0.0)


@rule(TURNS, serves=GO, gives=ACCELERATION)
def press_in_turn(me: Percepts, aim: Aim, wanted: Terms, *, pace: Pace = 1.0) -> Terms:
    """What `take_turns` wants, as an acceleration: wait at a narrow place for one's turn."""
    return wait_instead(aim, wanted, lambda: _accelerate(me, stand_back(me, aim, pace)))


@rule("handedness", gives=ACCELERATION)
def go_round(me: Percepts, contacts: Contacts, wanted: Terms, *, ahead: Ahead = 180.0) -> Terms:
    """Follow the sides that one has struck, clockwise round those they belong to (rules C3, C7).

    The unit vectors of all struck sides are added up; where the sum vanishes it starts anew with
    the side at hand; what comes out is the direction of a full acceleration, in place of what other
    rules want. Sides are taken from the one most astern to the one most ahead of the course, so
    that numbering is of no matter and what stands in the way has the last word. Only units have
    sides; walls are slid along. Only for those on their way, and those making way.

    The source follows all sides (`ahead` 180). In a queue this leads a unit backwards when others
    touch it on its left. With a smaller angle a unit on its way passes over the sides of others on
    their way that are farther off its course: they do not bar it. One that has been held up for
    a second follows all for a while (`sim.orders.minds`). One that is stuck goes the other way
    round, until it has got on by a hull length: between a wall and one at rest there may be no way.
    """
    minds, rows, out = me.minds, me.rows, np.zeros(me.velocity.shape)
    going_on = minds.moving & ~minds.halts
    awake: Bools = going_on[rows] | (minds.timer[rows] > 0)
    gets_on = going_on[rows] & (minds.blocked[rows] <= PATIENCE)
    bars = np.cos(np.radians(ahead)) - VANISHES  # less what rounding takes: at 180 degrees all do
    least = np.where(gets_on, bars, -np.inf)
    going = _Going(_course(me), awake, least, going_on)
    _follow(out, going, me.hull.shape == "box", me.bodies, contacts)
    out[(minds.stuck & (minds.stance == FREE))[rows]] *= -1.0  # no turn is waited for
    goes_round = np.any(out != 0.0, axis=1)
    out[goes_round] -= wanted[goes_round]
    return out


def _accelerate(me: Percepts, wanted: Terms) -> Terms:
    """What is missing to the velocity wanted, 1 at most."""
    missing = wanted - me.velocity / me.speeds[:, None]
    size = np.hypot(missing[:, 0], missing[:, 1])
    missing /= np.maximum(size, SLACK)[:, None]
    return missing


def _course(me: Percepts) -> Terms:
    """(n, 2) unit vectors to where one is bound for; straight ahead for units that are not."""
    offset = np.zeros(me.velocity.shape) if me.aim is None else me.aim.offset
    if me.quarry is not None:
        offset = np.where(me.quarry.led[:, None], me.quarry.way, me.quarry.offset)
    return directions(offset, nowhere=1.0)


class _Going(NamedTuple):
    """How n units of a group go on."""

    course: Terms
    """(n, 2) unit vectors, own frame."""
    awake: Bools
    """(n,) whether a unit is on its way, or makes way."""
    least: Floats
    """(n,) the least cosine of the angle to the course at which another unit on its way bars it."""
    moving: Bools
    """(N,) which of all units are on their way."""


@Kernel.making_arrays
def _follow(begin, end, out, going, boxes, bodies, contacts):  # type: ignore[no-untyped-def]
    """The normalised sum of the sides struck, own frame; zeros for a unit that follows none."""
    other, normal, start, course = contacts.other, contacts.normal, bodies.start, going.course
    for i in range(begin, end):
        if not going.awake[i]:
            continue
        a, b = contacts.first[start + i], contacts.first[start + i + 1]
        c, s = bodies.heading[start + i, 0], bodies.heading[start + i, 1]
        sides, ahead = np.empty((b - a, 2)), np.empty(b - a)
        count = 0
        for k in range(a, b):
            if other[k] < 0:
                continue
            x, y = to_own_frame(normal[k, 0], normal[k, 1], c, s)
            if boxes:  # a corner's normal may point anywhere, but belongs to a side
                along = abs(x) >= abs(y)
                x, y = np.sign(x) if along else 0.0, 0.0 if along else np.sign(y)
            key = x * course[i, 0] + y * course[i, 1]
            if key < going.least[i] and going.moving[other[k]]:
                continue
            at = count
            while at > 0 and (
                ahead[at - 1] > key or (ahead[at - 1] == key and sides[at - 1, 0] > y)
            ):
                sides[at, 0], sides[at, 1] = sides[at - 1, 0], sides[at - 1, 1]
                ahead[at] = ahead[at - 1]
                at -= 1
            sides[at, 0], sides[at, 1], ahead[at] = y, -x, key
            count += 1
        x, y = 0.0, 0.0
        for k in range(count):
            x, y = x + sides[k, 0], y + sides[k, 1]
            if abs(x) < VANISHES and abs(y) < VANISHES:
                x, y = sides[k, 0], sides[k, 1]
        if count:
            size = np.sqrt(x * x + y * y)
            out[i, 0], out[i, 1] = x / size, y / size
