"""Units at rest make way for others that want to pass."""

from __future__ import annotations

import numpy as np

from sim.core.compiled import leaf
from sim.orders.minds import PATIENCE


@leaf
def stands_before(i, each, near, found, minds, me, radii, near_by):  # type: ignore[no-untyped-def]
    """Place in list i of the nearest unit that a unit at rest makes way for; -1 for none.

    That is a unit near by, on its way elsewhere, that has waited; or one near by that rests too,
    and has such a one near by on its far side: it can only make way if it is made way for. Gaps
    between hulls of up to `near_by` count.
    """
    index, distance = each.index[i], each.distance[i]
    ahead, starboard = each.ahead[i], each.starboard[i]
    for n in range(found):
        k = near[n]
        gap = distance[k] - radii[me] - radii[index[k]]
        if gap < near_by and _has_waited(index[k], minds, me):
            return k
    for n in range(found):
        k, j = near[n], index[near[n]]
        if minds.moving[j] or distance[k] - radii[me] - radii[j] >= near_by:
            continue
        for m in range(found):
            far = near[m]
            x, y = ahead[far] - ahead[k], starboard[far] - starboard[k]
            gap = np.sqrt(x * x + y * y) - radii[j] - radii[index[far]]
            beyond = x * ahead[k] + y * starboard[k] > 0.0
            if beyond and gap < near_by and _has_waited(index[far], minds, me):
                return k
    return -1


@leaf
def _has_waited(j, minds, me):  # type: ignore[no-untyped-def]
    """Whether unit j is on its way elsewhere than unit `me`, and has long been blocked."""
    on = minds.moving[j] and not minds.arrived[j] and minds.blocked[j] > PATIENCE
    return on and minds.end[j] != minds.end[me]
