"""Joining a pack: units that come last slow down for the hulls that rest at their place."""

from __future__ import annotations

import numpy as np

from sim.behaviours.avoidance.nearest import APART, HULL, JOINED, X, Y
from sim.core.compiled import leaf

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
