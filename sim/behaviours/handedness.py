"""Going round each other by handedness: the rules of squares on a tile map.

"Group Movement / Flocking Behavior" (rules C3 and C7). The terms are accelerations.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.behaviours.fleeing import Alarm, flee
from sim.behaviours.pursuit import Gap, Prediction, follow, pursue
from sim.behaviours.table import Terms, rule
from sim.compiled import Kernel
from sim.orders.goal import GO
from sim.perception.percepts import Percepts

VANISHES = 1e-3
"""A sum of unit vectors shorter than this is none."""
SLACK = 0.1
"""Share of the desired speed that may be missing before all the acceleration there is is used."""


@rule("errands", serves=GO, touches=True)
def press_on(me: Percepts) -> Terms:
    """Accelerate straight for the place one is bound for, unless something is to be gone round."""
    assert me.aim is not None
    free = me.aim.moving & ~_evading(me)
    return np.where(free[:, None], _course(me), 0.0)


@rule("pursuit", serves=("chase", "intercept"), touches=True, led=True)
def press_after(me: Percepts, *, prediction: Prediction = 2.0) -> Terms:
    """What `pursue` wants, as an acceleration, unless something is to be gone round."""
    return _accelerate(me, pursue(me, prediction=prediction))


@rule("pursuit", serves="follow", touches=True, led=True)
def press_behind(me: Percepts, *, gap: Gap = 1.0) -> Terms:
    """What `follow` wants, as an acceleration, unless something is to be gone round."""
    return _accelerate(me, follow(me, gap=gap))


@rule("pursuit", serves="flee", touches=True)
def press_away(me: Percepts, *, alarm: Alarm = 20.0) -> Terms:
    """What `flee` wants, as an acceleration, unless something is to be gone round."""
    return _accelerate(me, flee(me, alarm=alarm))


def _accelerate(me: Percepts, wanted: Terms) -> Terms:
    """What is missing to the velocity wanted, 1 at most; 0 for those that touch a unit."""
    missing = wanted - me.velocity / me.speed
    size = np.hypot(missing[:, 0], missing[:, 1])
    missing /= np.maximum(size, SLACK)[:, None]
    missing[_evading(me)] = 0.0
    return missing


@rule("handedness", touches=True)
def go_round(me: Percepts) -> Terms:
    """Follow the sides that one has struck, clockwise round those they belong to (rules C3, C7).

    The unit vectors of all struck sides are added up; where the sum vanishes it starts anew with
    the side at hand; what comes out is the direction of a full acceleration. Sides are taken from
    the one most astern to the one most ahead of the course, so that numbering is of no matter and
    what stands in the way has the last word. Only units have sides; walls are slid along. Only for
    those on their way, and those making way.
    """
    out = np.zeros(me.velocity.shape)
    contacts = me.contacts
    _follow(
        me.units.heading[me.rows], _course(me), _evading(me), me.hull.shape == "box", me.rows.start,
        contacts.first, contacts.other, contacts.normal, out,
    )  # fmt: skip
    return out


def _course(me: Percepts) -> Terms:
    """(n, 2) unit vectors to where one is bound for; straight ahead for those that are not."""
    offset = np.zeros(me.velocity.shape) if me.aim is None else me.aim.offset
    if me.quarry is not None:
        offset = np.where(me.quarry.led[:, None], me.quarry.way, me.quarry.offset)
    distance = np.hypot(offset[:, 0], offset[:, 1])[:, None]
    there = np.divide(offset, distance, where=distance > 0, out=np.zeros_like(offset))
    ahead: Terms = np.where(distance > 0, there, (1.0, 0.0))
    return ahead


def _evading(me: Percepts) -> NDArray[np.bool_]:
    """(n,) who touches a unit, and is on its way or making way."""
    first = me.contacts.first[me.rows.start : me.rows.stop + 1]
    touched = np.concatenate([[0], np.cumsum(me.contacts.other >= 0)])[first]
    awake: NDArray[np.bool_] = me.minds.moving[me.rows] | (me.minds.timer[me.rows] > 0)
    return awake & (np.diff(touched) > 0)


@Kernel
def _follow(begin, end, heading, course, evading, boxes, start, first, other, normal, out):  # type: ignore[no-untyped-def]
    """The normalised sum of the sides struck, own frame."""
    for i in range(begin, end):
        if not evading[i]:
            continue
        a, b = first[start + i], first[start + i + 1]
        sides, ahead = np.empty((b - a, 2)), np.empty(b - a)
        count = 0
        for k in range(a, b):
            if other[k] < 0:
                continue
            x = heading[i, 0] * normal[k, 0] + heading[i, 1] * normal[k, 1]
            y = heading[i, 0] * normal[k, 1] - heading[i, 1] * normal[k, 0]
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
