"""The mouths of a piece of narrow ground: where it joins wide ground, and what leads from each."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from sim.core.arrays import Bools
from sim.core.shared_cache import njit

MOUTHS = 4
"""Mouths of a passage at most. Ground with more, such as a wood of pillars, has more ways round."""
JOINED = 2
"""Pieces of a mouth at most this many steps apart are one mouth."""
ALL_ROUND = np.ones((3, 3), np.bool_)
Numbers = NDArray[np.int32]


def mouths_of(inside: Bools, wide: Bools) -> tuple[list[tuple[float, float]], Numbers]:
    """The middle of each mouth of a piece, (row, column), and the mouth of each node, from 1 on.

    `inside` are the nodes of the piece. The nodes of a mouth are the first of `wide` ground.
    """
    edge = scipy.ndimage.binary_dilation(inside, ALL_ROUND) & wide
    if not edge.any():
        return [], np.zeros(inside.shape, np.int32)
    band = scipy.ndimage.binary_dilation(edge, ALL_ROUND, JOINED) & wide
    parts, _ = scipy.ndimage.label(band, ALL_ROUND)
    # ground across a thin wall is of the band, and of no mouth
    found = np.unique(parts[edge])
    middles: list[tuple[float, float]] = scipy.ndimage.center_of_mass(edge, parts, found)
    return middles, np.where(edge, np.searchsorted(found, parts) + 1, 0).astype(np.int32)


def is_passage(mouths: int) -> bool:
    """Whether ground with this number of mouths is a passage."""
    return 2 <= mouths <= MOUTHS


def are_joined(nodes: Bools, mouth: Numbers, mouths: int) -> bool:
    """Whether some `nodes` lead from each mouth of a passage to all others; `mouth` as above."""
    if not nodes.any():
        return False
    parts, count = scipy.ndimage.label(nodes, ALL_ROUND)
    beside = np.zeros((count + 1, mouths), np.bool_)
    _note_mouths(parts, mouth, beside)
    return bool(beside[1:].all(axis=1).any())


@njit(cache=True, error_model="numpy", nogil=True)
def _note_mouths(parts, mouth, beside):  # type: ignore[no-untyped-def]
    """Note which parts, from 1 on, lie beside which mouths (parts + 1, mouths)."""
    rows, columns = mouth.shape
    for y in range(rows):
        for x in range(columns):
            if mouth[y, x] == 0:
                continue
            for row in range(max(y - 1, 0), min(y + 2, rows)):
                for column in range(max(x - 1, 0), min(x + 2, columns)):
                    beside[parts[row, column], mouth[y, x] - 1] = True
