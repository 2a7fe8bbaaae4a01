"""Keeping the headway of pedestrians: the less room there is ahead, the slower they walk."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.avoidance.nearest import NEAREST
from sim.behaviours.commands import VELOCITY
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.compiled import Kernel, leaf
from sim.core.geometry import to_own_frame
from sim.core.own import Amount, of_unit
from sim.orders.minds import Minds, rests
from sim.perception.bodies import Bodies
from sim.perception.lists import Neighbours, sees
from sim.perception.percepts import Percepts, Seen

Time = Annotated[Amount, Within(0, 60, "time in which the room ahead is used up, s")]
Strip = Annotated[Amount, Within(0.01, 10, "how far aside others count, in sums of two radii")]


class _Headway(NamedTuple):
    """The rule's parameters."""

    time: Amount
    strip: Amount


@rule("avoidance", looks="each", view="all", range=8.0, nearest=NEAREST, gives=VELOCITY)
def keep_headway(
    me: Percepts, seen: Seen, wanted: Terms, *, time: Time = 1.06, strip: Strip = 1.5
) -> Terms:
    """Walk no faster than the room to the next unit ahead, divided by `time`.

    v <= (d - l) / time for the next unit ahead on the way wanted, d away, l the sum of both reaches
    (from a hull's centre to its farthest point): people in single file need 0.36 m and 1.06 s times
    their speed (Seyfried et al., 2005). It is the optimal velocity of the model of Tordeux, Chraibi
    and Seyfried (2016). Units count that are on their way; one that walks aside by the share a of
    the strip, or at an angle with the cosine c to the way wanted, allows a^2 + 1 - c of the desired
    speed beside: so the bound fades out toward the edge of the strip, and units that cross or come
    the other way hold up none by this rule.
    """
    out = np.zeros(me.velocity.shape)
    _keep(out, wanted, tuple(seen.each), tuple(me.bodies), tuple(me.minds), _Headway(time, strip))
    return out


@Kernel
def _keep(begin, end, out, wanted, each, bodies, minds, headway):  # type: ignore[no-untyped-def]
    each, bodies, minds = Neighbours(*each), Bodies(*bodies), Minds(*minds)
    headway = _Headway(*headway)
    for i in range(begin, end):
        wx, wy = wanted[i, 0], wanted[i, 1]
        pace = np.sqrt(wx * wx + wy * wy)
        if pace == 0.0:
            continue
        may = _allowed(i, each, bodies, minds, of_unit(headway, i), (wx / pace, wy / pace))
        if may < pace:
            out[i, 0], out[i, 1] = wx * (may / pace - 1.0), wy * (may / pace - 1.0)


@leaf
def _allowed(i, each, bodies, minds, headway, way):  # type: ignore[no-untyped-def]
    """The speed that those ahead on the way (own frame) leave to unit i, as a share of its own."""
    me, (wx, wy), least = bodies.start + i, way, np.inf
    for k in range(each.count[i]):
        j, x, y = each.index[i, k], each.ahead[i, k], each.starboard[i, k]
        ahead, aside = x * wx + y * wy, abs(y * wx - x * wy)
        touching = bodies.reach[me] + bodies.reach[j]
        if ahead <= 0.0 or aside >= headway.strip * touching:
            continue
        if not sees(each, i, k) or rests(minds, j):
            continue
        heading = bodies.heading
        hx, hy = to_own_frame(heading[j, 0], heading[j, 1], heading[me, 0], heading[me, 1])
        room = max(np.sqrt(x * x + y * y) - touching, 0.0)
        beside = (aside / (headway.strip * touching)) ** 2 + 1.0 - (hx * wx + hy * wy)
        speed = bodies.speeds[i] * headway.time
        least = min(least, beside + (room / speed if speed > 0.0 else np.inf))
    return least
