"""Plane geometry for kernels: images on a torus, own frames, the nearest point of a wall, cells.

All functions take and return plain numbers, in world units; `own_frame` alone takes arrays.
"""

from __future__ import annotations

from math import floor

import numpy as np

from sim.core.arrays import Floats
from sim.core.compiled import Kernel, leaf, leaf_and_function

FARTHEST = 1 << 52
"""No row or column is beyond this; so far, whole numbers and their neighbours are exact."""


@leaf
def periods(size):  # type: ignore[no-untyped-def]
    """Width and height of a torus and their inverses, for `nearest_image`; zeros for no torus.

    `size` (2,) is `Plane.size`.
    """
    width, height = size[0], size[1]
    return width, height, 1 / width if width > 0 else 0.0, 1 / height if height > 0 else 0.0


@leaf
def nearest_image(x, y, torus):  # type: ignore[no-untyped-def]
    """The shortest of the offsets that (x, y) stands for on a torus, as `periods` describes it."""
    width, height, per_width, per_height = torus
    return x - width * np.rint(x * per_width), y - height * np.rint(y * per_height)


@leaf
def short_way(x, y, size):  # type: ignore[no-untyped-def]
    """As `nearest_image`, of `Plane.size` itself; of many pairs `periods` saves the division."""
    if size[0] > 0.0:
        x -= size[0] * np.rint(x / size[0])
        y -= size[1] * np.rint(y / size[1])
    return x, y


@leaf
def image_near(x, y, px, py, size):  # type: ignore[no-untyped-def]
    """That image of a place (x, y) which is nearest to (px, py); itself where nothing wraps."""
    if size[0] > 0.0:
        x -= size[0] * np.rint((x - px) / size[0])
        y -= size[1] * np.rint((y - py) / size[1])
    return x, y


@leaf
def to_own_frame(x, y, cosine, sine):  # type: ignore[no-untyped-def]
    """A world vector as (ahead, starboard) of a heading (cosine, sine)."""
    return cosine * x + sine * y, cosine * y - sine * x


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


@leaf_and_function
def to_world(ahead, starboard, cosine, sine):  # type: ignore[no-untyped-def]
    """A vector (ahead, starboard) of a heading (cosine, sine) as a world vector."""
    return cosine * ahead - sine * starboard, sine * ahead + cosine * starboard


@leaf
def closest_on_segment(x, y, along_x, along_y):  # type: ignore[no-untyped-def]
    """Offset to the nearest point of a segment that begins at (x, y) and runs along a vector."""
    square = max(along_x * along_x + along_y * along_y, 1e-300)
    share = min(max(-(x * along_x + y * along_y) / square, 0.0), 1.0)
    return x + share * along_x, y + share * along_y


@leaf
def floored(value: float) -> int:
    """The whole number at or below a value, from -FARTHEST to FARTHEST; -FARTHEST for NaN.

    A bare `int(...)` of NaN, of infinity or of 1e300 is anything at all in compiled code, and an
    array indexed by it is read or written outside its memory.
    """
    if -FARTHEST < value < FARTHEST:
        return floor(value)
    return FARTHEST if value > 0 else -FARTHEST


@leaf
def cell_of(value: float, count: int) -> int:
    """The cell from 0 to count - 1 that a value lies in, counted in cells; else the nearest."""
    return min(max(floored(value), 0), count - 1)
