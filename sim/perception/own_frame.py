"""World vectors as units see them."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats
from sim.core.compiled import Kernel
from sim.core.geometry import to_own_frame


def own_frame(vectors: Floats, heading: Floats) -> Floats:
    """(n, 2) world vectors as (ahead, starboard) of headings (n, 2), which are unit vectors."""
    out = np.empty(vectors.shape)
    _rotate(vectors, heading, out)
    return out


@Kernel
def _rotate(begin, end, vectors, heading, out):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        out[i, 0], out[i, 1] = to_own_frame(
            vectors[i, 0], vectors[i, 1], heading[i, 0], heading[i, 1]
        )
