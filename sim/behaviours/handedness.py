"""Going round each other by handedness: the rules of squares on a tile map.

"Group Movement / Flocking Behavior" (rules C3 and C7). The terms are accelerations.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from sim.behaviours.commands import ACCELERATION
from sim.behaviours.fleeing import Alarm, flee
from sim.behaviours.pursuit import Gap, Prediction, follow, pursue
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Bools
from sim.core.compiled import Kernel
from sim.core.geometry import to_own_frame
from sim.engine.contacts import Contacts
from sim.orders.aim import Aim
from sim.orders.goal import GO
from sim.perception.percepts import Percepts
from sim.perception.quarry import Quarry
from sim.perception.sights import Hunting

VANISHES = 1e-3
"""A sum of unit vectors shorter than this is none."""
SLACK = 0.1
"""Share of the desired speed that may be missing before all the acceleration there is is used."""
NEAR = 0.5
"""From how many seconds at the desired speed a place is near."""


@rule("errands", serves=GO, gives=ACCELERATION)
def press_on(me: Percepts, aim: Aim, contacts: Contacts) -> Terms:
    """Accelerate straight for the place one is bound for, unless something is to be gone round.

    Near the place a unit takes off what it moves past it: else it could go round it without end.
    """
    free, course = aim.moving & ~_evading(me, contacts), _course(me)
    past = me.velocity - (me.velocity * course).sum(axis=1)[:, None] * course
    near = np.hypot(aim.offset[:, 0], aim.offset[:, 1]) < NEAR * me.speeds
    wanted = course - np.where(near[:, None], past / me.speeds[:, None], 0.0)
    return np.where(free[:, None], wanted / np.hypot(wanted[:, 0], wanted[:, 1])[:, None], 0.0)


@rule("pursuit", serves=("chase", "intercept"), gives=ACCELERATION)
def press_after(
    me: Percepts,
    quarry: Annotated[Quarry, Hunting()],
    contacts: Contacts,
    *,
    prediction: Prediction = 2.0,
) -> Terms:
    """What `pursue` wants, as an acceleration, unless something is to be gone round."""
    return _accelerate(me, contacts, pursue(me, quarry, prediction=prediction))


@rule("pursuit", serves="follow", gives=ACCELERATION)
def press_behind(
    me: Percepts, quarry: Annotated[Quarry, Hunting()], contacts: Contacts, *, gap: Gap = 1.0
) -> Terms:
    """What `follow` wants, as an acceleration, unless something is to be gone round."""
    return _accelerate(me, contacts, follow(me, quarry, gap=gap))


@rule("pursuit", serves="flee", gives=ACCELERATION)
def press_away(me: Percepts, quarry: Quarry, contacts: Contacts, *, alarm: Alarm = 20.0) -> Terms:
    """What `flee` wants, as an acceleration, unless something is to be gone round."""
    return _accelerate(me, contacts, flee(me, quarry, alarm=alarm))


def _accelerate(me: Percepts, contacts: Contacts, wanted: Terms) -> Terms:
    """What is missing to the velocity wanted, 1 at most; 0 for units that touch another."""
    missing = wanted - me.velocity / me.speeds[:, None]
    size = np.hypot(missing[:, 0], missing[:, 1])
    missing /= np.maximum(size, SLACK)[:, None]
    missing[_evading(me, contacts)] = 0.0
    return missing


@rule("handedness", gives=ACCELERATION)
def go_round(me: Percepts, contacts: Contacts) -> Terms:
    """Follow the sides that one has struck, clockwise round those they belong to (rules C3, C7).

    The unit vectors of all struck sides are added up; where the sum vanishes it starts anew with
    the side at hand; what comes out is the direction of a full acceleration. Sides are taken from
    the one most astern to the one most ahead of the course, so that numbering is of no matter and
    what stands in the way has the last word. Only units have sides; walls are slid along. Only for
    those on their way, and those making way.
    """
    out = np.zeros(me.velocity.shape)
    boxes = me.hull.shape == "box"
    _follow(out, _course(me), _evading(me, contacts), boxes, me.bodies, contacts)
    return out


def _course(me: Percepts) -> Terms:
    """(n, 2) unit vectors to where one is bound for; straight ahead for units that are not."""
    offset = np.zeros(me.velocity.shape) if me.aim is None else me.aim.offset
    if me.quarry is not None:
        offset = np.where(me.quarry.led[:, None], me.quarry.way, me.quarry.offset)
    distance = np.hypot(offset[:, 0], offset[:, 1])[:, None]
    there = np.divide(offset, distance, where=distance > 0, out=np.zeros_like(offset))
    ahead: Terms = np.where(distance > 0, there, (1.0, 0.0))
    return ahead


def _evading(me: Percepts, contacts: Contacts) -> Bools:
    """(n,) units that touch another, and are on their way or make way."""
    first = contacts.first[me.rows.start : me.rows.stop + 1]
    touched = np.concatenate([[0], np.cumsum(contacts.other >= 0)])[first]
    awake: Bools = me.minds.moving[me.rows] | (me.minds.timer[me.rows] > 0)
    return awake & (np.diff(touched) > 0)


@Kernel
def _follow(begin, end, out, course, evading, boxes, bodies, contacts):  # type: ignore[no-untyped-def]
    """The normalised sum of the sides struck, own frame."""
    other, normal, start = contacts.other, contacts.normal, bodies.start
    for i in range(begin, end):
        if not evading[i]:
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
            at = count
            while at > 0 and (
                ahead[at - 1] > key or (ahead[at - 1] == key and sides[at - 1, 0] > y)
            ):
                sides[at], ahead[at] = sides[at - 1], ahead[at - 1]
                at -= 1
            sides[at, 0], sides[at, 1], ahead[at] = y, -x, key
            count += 1
        x, y = 0.0, 0.0
        for k in range(count):
            x, y = x + sides[k, 0], y + sides[k, 1]
            if abs(x) < VANISHES and abs(y) < VANISHES:
                x, y = sides[k, 0], sides[k, 1]
        size = np.sqrt(x * x + y * y)
        out[i, 0], out[i, 1] = x / size, y / size
    return 0
