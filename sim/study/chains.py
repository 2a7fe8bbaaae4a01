"""Chains of resting units: how a crowd round one point has arrived though only a few fit on it."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.overlap import Turned, core_distance
from sim.core.shared_cache import njit
from sim.study.frame import Frame
from sim.study.pairs import short_way, short_ways
from sim.study.setting import Setting

GAP = 0.5
"""Links of a chain are less than this share of the smaller radius apart."""


@njit(cache=True, error_model="numpy")
def links(
    pairs: Ints, resting: Bools, shared: Ints, position: Floats, size: Floats, radius: Floats,
    hulls: Turned,
) -> Ints:  # fmt: skip
    """The pairs (m, 2) of resting units with one point that are less than half a radius apart."""
    found, m, corners, count = np.empty_like(pairs), 0, hulls.corners, hulls.count
    for p in range(len(pairs)):
        i, j = pairs[p, 0], pairs[p, 1]
        if not (resting[i] and resting[j] and shared[i] == shared[j]):
            continue
        dx, dy = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
        dx, dy = short_way(dx, dy, size)
        skin, gap = hulls.rounding[i] + hulls.rounding[j], GAP * min(radius[i], radius[j])
        apart = core_distance(corners[i], count[i], corners[j], count[j], dx, dy, skin + gap)
        if apart - skin < gap:
            found[m, 0], found[m, 1] = pairs[p, 0], pairs[p, 1]
            m += 1
    return found[:m]


@njit(cache=True, error_model="numpy")
def spread(link: Ints, joined: Bools) -> None:
    """Let `joined` (N,) spread along the links until it spreads no further."""
    changed = True
    while changed:
        changed = False
        for p in range(len(link)):
            i, j = link[p, 0], link[p, 1]
            if joined[i] != joined[j]:
                joined[i] = joined[j] = changed = True


def chained(setting: Setting, frame: Frame, resting: Bools, final: Floats) -> Bools:
    """Which resting units (N,) are in a chain that ends at one within tolerance of the point.

    Every unit of a chain shares the point; `final` (N, 2) is each unit's. A gap is measured between
    the hulls, and compared with half the smaller of the two radii.
    """
    offset = short_ways(frame.position - final, setting.size)
    joined = resting & (np.hypot(offset[:, 0], offset[:, 1]) <= setting.goals.tolerance)
    if not joined.any():
        return joined
    link = links(
        frame.pairs, resting, setting.goals.shared, frame.position, setting.size, setting.radius,
        frame.hulls,
    )  # fmt: skip
    spread(link, joined)
    return joined
