"""Whether formations that come from a file are such as a world has."""

from __future__ import annotations

import numpy as np

from sim.orders import Formation, Goal
from sim.orders.bands import NONE, Band, Bands


def whole(bands: Bands) -> bool:
    """Whether each has an order to form up and set off somewhere, and units are of no other."""
    numbers = all(isinstance(each, int) and 0 <= each < bands.given for each in bands.known)
    orders = all(_whole(band) for band in bands.known.values())
    return numbers and orders and not bands.loose and set(bands.of.tolist()) <= {NONE, *bands.known}


def _whole(band: object) -> bool:
    if not (isinstance(band, Band) and isinstance(band.goal, Goal)):
        return False
    start = np.array(band.start, dtype=float)
    formed = isinstance(band.goal.formation, Formation) and len(band.goal.routes[0]) > 0
    return formed and start.shape == (2,) and bool(np.isfinite(start).all())
