"""Hulls that are not round, where these count; and slowing down for a pack that one joins."""

from __future__ import annotations

import numpy as np

from sim.behaviours.avoidance.nearest import APART, HULL, HX, HY, JOINED, X, Y
from sim.core.compiled import leaf
from sim.core.geometry import to_world
from sim.core.overlap import gap_between
from sim.orders.minds import FREE, PATIENCE

JOINING = 0.4
"""How far ahead those are foreseen that have arrived where one is bound for, s."""


@leaf
def slowed(met, found, wx, wy, reach):  # type: ignore[no-untyped-def]
    """The velocity wanted (wx, wy), slower where units that one joins are in the way.

    So slow that one is at the hull in front after `JOINING` at the earliest, within what the helm
    can do: a unit that came on at full speed would only be led round the pack, and round again.
    """
    want, share = np.sqrt(wx * wx + wy * wy), 1.0
    for n in range(found):
        before, beside = wx * met[X + n] + wy * met[Y + n], wx * met[Y + n] - wy * met[X + n]
        if met[JOINED + n] and before > 0.0 and abs(beside) < (reach + met[HULL + n]) * want:
            share = min(share, max(met[APART + n] - met[HULL + n], 0.0) / (JOINING * want))
    return share * wx, share * wy


@leaf
def looks_closely(minds, me):  # type: ignore[no-untyped-def]
    """Whether a unit has waited at a narrow place, where two long hulls would bar each other.

    Elsewhere they keep as far apart as they reach: a hull that turns sweeps that much.
    """
    return minds.blocked[me] > PATIENCE and minds.stance[me] != FREE


@leaf
def measure_hulls(i, me, each, near, found, crowd, met, turned):  # type: ignore[no-untyped-def]
    """Put those in `met` that one joins where their hulls are: as far off, and on that side.

    Else every unit is a disc as large as the hull reaches, whatever its shape, and a pack of boxes
    would have gaps in which others could pass. One that `looks_closely` does so at all of them.
    `turned` (2, k, 2) is memory for two outlines.
    """
    shapes, known, closely = crowd.shapes, False, looks_closely(crowd.minds, me)
    g = shapes.group[me]
    mine, other = turned[0], turned[1]
    for n in range(found):
        j = each.index[i, near[n]]
        h = shapes.group[j]
        round_ones = shapes.count[g] + shapes.count[h] == 2
        if round_ones or (met[JOINED + n] == 0.0 and not closely):
            continue
        if not known:
            known, scale = True, shapes.scale[me]
            for v in range(shapes.count[g]):
                mine[v, 0] = scale * shapes.corners[g, v, 0]
                mine[v, 1] = scale * shapes.corners[g, v, 1]
        c, s, scale = met[HX + n], met[HY + n], shapes.scale[j]
        for v in range(shapes.count[h]):
            a, b = scale * shapes.corners[h, v, 0], scale * shapes.corners[h, v, 1]
            other[v, 0], other[v, 1] = to_world(a, b, c, s)
        gap, nx, ny = gap_between(
            mine, shapes.count[g], other, shapes.count[h], met[X + n], met[Y + n]
        )
        gap -= shapes.rounding[me] + shapes.rounding[j]
        reach = crowd.bodies.reach[me]
        apart = max(reach + met[HULL + n] + gap, 1e-3 * reach)
        met[X + n], met[Y + n], met[APART + n] = nx * apart, ny * apart, apart
