"""Narrow passages: where two streams cannot pass each other, found from the ground's clearance.

A place is wide where a hull lies within a disc of `STREAMS` hull radii that holds no solid: there
two streams pass. What is left of the free ground falls into pieces. A piece that joins wide ground
at two mouths or more is a passage: a door, a corridor with or without corners, a bridge. One with a
single mouth is a corner or a dead end. (Opening of a set by a disc: Serra, Image Analysis and
Mathematical Morphology, 1982.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats
from sim.navigation.grid import Grid
from sim.navigation.mouths import MOUTHS, Numbers, is_passage
from sim.navigation.survey import Survey, survey

NOWHERE = -1
NONE = np.zeros((0, MOUTHS, 2))


class Passages(NamedTuple):
    """The P passages for the hulls of a planning grid, on a lattice that reaches further out."""

    origin: Floats
    """(2,) the first node."""
    step: Floats
    """(2,) between neighbouring nodes."""
    number: Numbers
    """(rows, columns) the passage that each node lies in; -1 for none."""
    mouths: Floats
    """(P, MOUTHS, 2) the middle of each mouth; infinite where there are fewer."""
    lanes: NDArray[np.int64]
    """(P,) how many hulls go through abreast, one or two."""

    def alike(self, other: Passages) -> bool:
        """Whether others are these."""
        return self is other or all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in self._fields
        )


def find_passages(grid: Grid, look: Callable[[Grid], Survey] = survey) -> Passages:
    """The passages on the ground of a planning grid, in the order of their first nodes.

    `look` surveys it. On a torus none are looked for.
    """
    if grid.period[0] > 0:
        number = np.full((1, 1), NOWHERE, np.int32)
        return Passages(grid.origin, grid.step, number, NONE, np.zeros(0, np.int64))
    return passages_of(look(grid))


def passages_of(ground: Survey) -> Passages:
    """The passages of a survey."""
    counts = [len(each) for each in ground.mouths]
    kept = np.array([is_passage(count) for count in counts], dtype=np.bool_)
    numbers = np.append(NOWHERE, np.where(kept, np.cumsum(kept) - 1, NOWHERE)).astype(np.int32)
    table = np.full((int(kept.sum()), MOUTHS, 2), np.inf)
    for row, piece in enumerate(np.flatnonzero(kept).tolist()):
        table[row, : counts[piece]] = ground.mouths[piece]
    lanes = 1 + np.array(ground.abreast, dtype=np.int64)[kept]
    return Passages(ground.origin, ground.step, numbers[ground.pieces], table, lanes)
