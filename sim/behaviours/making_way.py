"""Who rests makes way for those that want to get by."""

from __future__ import annotations

import numpy as np
from numba import njit

from sim.orders.minds import PATIENCE


@njit(cache=True, error_model="numpy")
def stands_before(  # type: ignore[no-untyped-def]
    index, ahead, starboard, distance, near, found, minds, me, radii, close
):
    """Place in the list of the nearest of one for whom a unit that rests makes way; -1 for none.

    That is somebody close, on its way elsewhere, who has waited; or one close who rests as well,
    and before whom such a one stands on the far side: it can only make way if it is made way for.
    """
    for n in range(found):
        k = near[n]
        if distance[k] - radii[index[k]] < close and _has_waited(index[k], minds, me):
            return k
    for n in range(found):
        k, j = near[n], index[near[n]]
        if minds.moving[j] or distance[k] - radii[j] >= close:
            continue
        for m in range(found):
            i = near[m]
            x, y = ahead[i] - ahead[k], starboard[i] - starboard[k]
            beyond = x * ahead[k] + y * starboard[k] > 0.0
            if beyond and np.sqrt(x * x + y * y) - radii[index[i]] < close and _has_waited(
                index[i], minds, me
            ):  # fmt: skip
                return k
    return -1


@njit(cache=True, error_model="numpy")
def _has_waited(j, minds, me):  # type: ignore[no-untyped-def]
    """Whether somebody is on its way elsewhere than oneself, and has long been blocked."""
    on = minds.moving[j] and not minds.arrived[j] and minds.blocked[j] > PATIENCE
    return on and minds.end[j] != minds.end[me]
