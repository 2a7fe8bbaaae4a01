"""World vectors as units see them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.compiled import Kernel

Floats = NDArray[np.float64]


def own_frame(vectors: Floats, heading: Floats) -> Floats:
    """(n, 2) world vectors as (ahead, starboard) of headings (n, 2), which are unit vectors."""
    out = np.empty(vectors.shape)
    _rotate(vectors, heading, out)
    return out


@Kernel
def _rotate(begin, end, vectors, heading, out):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        c, s = heading[i, 0], heading[i, 1]
        out[i, 0] = c * vectors[i, 0] + s * vectors[i, 1]
        out[i, 1] = c * vectors[i, 1] - s * vectors[i, 0]
