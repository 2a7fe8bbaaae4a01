"""The cells by which the engine finds the contacts of many units, and what may lie in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pymunk

from sim.core.arrays import Floats
from sim.core.errors import BadInput
from sim.core.hull import Hull
from sim.core.solids import Solids
from sim.engine.memory import INDEX, SIDE, field, is_tree, real, space_of

CROWD = 1000
"""Units from which the engine finds neighbours by cells, and not by its tree of boxes.

Measured, the engine's share of a step: for 1,000 units 0.28 ms instead of 0.33; for 10,000 with ten
neighbours each 4.7 instead of 7.8, with forty 31 instead of 73 (on a busy machine, all alike).
"""
ACROSS, PER_UNIT = 2.5, 4
"""Width of such a cell in diameters of the largest hull, and how many are kept a unit."""
ALIKE = 4.0
"""Hulls that differ more than this many times in size fit no common cell."""
MOST_CELLS = 1 << 18
"""What stands still lies in every cell that its box covers: in more than these, the tree stays."""
MOST_COVERED = 1 << 24
"""Cells that one shape may lie in: the engine goes through all of them, some 0.2 s a step."""


def sort_by_cells(space: pymunk.Space, hulls: Sequence[Hull], units: int) -> bool:
    """Let the engine find contacts by cells where that is quicker; whether it does now.

    To be called when bodies and ground are in the space.
    """
    if units < CROWD:
        return False
    reach = [hull.reach for hull in hulls]
    side = width_of(max(reach))
    if max(reach) > ALIKE * min(reach):
        return False
    moved = (b for b in space.bodies if b.body_type == pymunk.Body.KINEMATIC)
    boxes = [shape.bb for body in (space.static_body, *moved) for shape in body.shapes]
    covered = sum(((b.right - b.left) / side + 1) * ((b.top - b.bottom) / side + 1) for b in boxes)
    if covered > MOST_CELLS:
        return False
    space.use_spatial_hash(side, PER_UNIT * units)
    return True


def width_of(reach: float) -> float:
    """The width of the cells for hulls that reach so far."""
    return ACROSS * 2 * reach


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
