"""A velocity wished for: its course, where a unit looks meanwhile, and what bounds leave of it."""

from __future__ import annotations

import numpy as np

from sim.behaviours.avoidance.solver import nearest_soft
from sim.core.compiled import inlined, leaf

ASIDE = 0.5
"""Cosine of 60 degrees: where the bow points farther off, a unit looks where it wants to go. If all
did so always, the last of 25 would come 5.5 s late to the pack at their place, now 0.9; if only
those did that want to go astern, 20 against 20 would not get round a corner within 30 s."""


@inlined
def course(wish):  # type: ignore[no-untyped-def]
    """The speed of a velocity wished for, and its direction, of length 1: ahead if it is 0."""
    wx, wy = wish
    speed = np.sqrt(wx * wx + wy * wy)
    ux, uy = (wx / speed, wy / speed) if speed > 0.0 else (1.0, 0.0)
    return speed, ux, uy


@inlined
def view(wish):  # type: ignore[no-untyped-def]
    """The middle of a unit's view: ahead, or where it wishes to go if that is farther aside."""
    _, ux, uy = course(wish)
    return (1.0, 0.0) if ux >= ASIDE else (ux, uy)


@leaf
def nearest_within(wish, bounds, m, haste, little):  # type: ignore[no-untyped-def]
    """The velocity nearest to `wish` within m soft bounds, given along and across it.

    `bounds` (5, k) and `little` are as for `nearest_soft`; what is along the wish is stretched by
    the `haste`.
    """
    speed, ux, uy = course(wish)
    x, y = nearest_soft(haste * speed, bounds, m, little)
    x /= haste
    return x * ux - y * uy, x * uy + y * ux
