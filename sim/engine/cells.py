"""What may lie in the cells by which the engine finds the contacts of many units."""

from __future__ import annotations

import numpy as np
import pymunk

from sim.core.arrays import Floats
from sim.core.errors import BadInput
from sim.core.solids import Solids
from sim.engine.memory import INDEX, SIDE, field, is_tree, real, space_of

MOST_COVERED = 1 << 24
"""Cells that one shape may lie in: the engine goes through all of them, some 0.2 s a step."""


def check_solids(space: pymunk.Space, solids: Solids, what: str) -> None:
    """Raise `BadInput` that begins with `what` for solids that lie in too many cells."""
    if not solids.empty:
        low, high = solids.extent
        check_covered(space, high - low, what)


def check_covered(space: pymunk.Space, size: Floats, what: str) -> None:
    """Raise `BadInput` that begins with `what` for a shape of a size (2,) in too many cells.

    The engine has cells when there are many units, as wide as a few of these.
    """
    if is_tree(space):
        return
    side = real(field(space_of(space), INDEX), SIDE)
    width, height = size.tolist()
    if not few_enough(side, size):
        raise BadInput(
            f"{what}: {width:g} x {height:g} is too large beside a crowd of small units: must lie "
            f"in {MOST_COVERED:,} cells of {side:g} x {side:g} at most, which find their contacts; "
            "World(contact_cells=False) has none"
        )


def few_enough(side: float, size: Floats) -> bool:
    """Whether a shape of a size (2,) lies in no more cells of that width than it may."""
    return bool(np.prod(size / side + 1) <= MOST_COVERED)
