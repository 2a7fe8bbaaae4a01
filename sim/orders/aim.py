"""Where the units of a group are bound for, as rules get it."""

from __future__ import annotations

from typing import NamedTuple

from sim.core.arrays import Bools, Floats


class Aim(NamedTuple):
    """Where the n units of a group are bound for, from where each is. Own frame."""

    offset: Floats
    """(n, 2) to the place to head for now; zeros for units that have none."""
    final: Floats
    """(n, 2) to the last place of the way."""
    remaining: Floats
    """(n,) length of the way left, world units."""
    tolerance: Floats
    """(n,) how near to a place is there, world units."""
    moving: Bools
    """(n,) whether a unit is on its way; the others have stopped, or were never sent."""
    by_field: Bools
    """(n,) which units a flow field leads; the others go along routes, or straight."""
    waiting: Bools
    """(n,) units that have to wait at a narrow place."""
    hold: Floats
    """(n, 2) where these go meanwhile: back from its mouth; zeros where they stand."""
