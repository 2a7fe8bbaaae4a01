"""What `crossing_paths` makes of each neighbour, for pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from sim.behaviours.courses import Other
from sim.behaviours.crossing import Own, desired_course, judge
from sim.core.own import own
from sim.perception.lists import sees
from sim.perception.percepts import Percepts, Seen


class Verdict(NamedTuple):
    """What the rule makes of one neighbour."""

    other: int
    """Its row."""
    kind: int
    """`STANDING` and so on."""
    until: float
    """Seconds until it is where the courses cross; infinite if they do not."""
    push: tuple[float, float]
    """What it adds to the term (ahead, starboard), before the weight."""


def verdicts(me: Percepts, seen: Seen, given: Mapping[str, Any], member: int) -> list[Verdict]:
    """What `crossing_paths` makes of each neighbour that one of a group heeds; for pictures.

    `given` are the parameters of the rule, each one number or (n,).
    """
    near, ahead, strength = (
        float(own(given[name], member)) for name in ("near", "ahead", "strength")
    )
    each, wish, (vx, vy) = seen.each, desired_course(me)[member], me.velocity[member].tolist()
    mine = Own(float(wish[0]), float(wish[1]), vx, vy, float(me.speeds[member]), me.hull.width)
    reach = float(np.hypot(vx, vy) * near + me.hull.width / 2)
    c, s = me.units.heading[me.rows][member].tolist()
    found = []
    for k in range(int(each.count[member])):
        apart, j = float(each.distance[member, k]), int(each.index[member, k])
        if sees(each, member, k) and 0.0 < apart < reach:
            ox, oy = me.units.velocity[j].tolist()
            x, y = float(each.ahead[member, k]), float(each.starboard[member, k])
            other = Other(x, y, apart, c * ox + s * oy, c * oy - s * ox)
            kind, until, px, py = judge(mine, other, reach, ahead)
            size = strength * (1.0 - apart / reach)
            found.append(Verdict(j, kind, until, (size * px, size * py)))
    return found
