"""Whether formations that come from a file are such as a world has."""

from __future__ import annotations

import numpy as np

from sim.orders import Formation, Goal
from sim.orders.bands import NONE, Band, Bands, Halt


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
    sets_off = start.shape == (2,) and bool(np.isfinite(start).all())
    return formed and sets_off and len(band.halts) > 0 and all(map(_stands, band.halts))


def _stands(halt: object) -> bool:
    """Whether a halt is a place with a heading, and has files of whole units."""
    if not isinstance(halt, Halt):
        return False
    numbers = np.array([*halt.at, halt.heading, halt.wait], dtype=float)
    files = isinstance(halt.files, int) and halt.files >= 0
    return numbers.shape == (4,) and bool(np.isfinite(numbers).all()) and files
