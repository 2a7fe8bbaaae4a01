"""Which of at most 255 colours stands for each of the 16 million a picture may hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.core.errors import BadInput

MOST = 255
"""Colours of a GIF's table (256) less the one that means "as before"."""

Bytes = NDArray[np.uint8]


def default_palette(colors: ArrayLike) -> Bytes:
    """(k, 3) colours: the given (m, 3) ones first and exactly, then an even cube for all others.

    The cube has 6 x 6 x 6 corners, or as many as the given colours leave room for. Raises BadInput
    for more than 255 given colours.
    """
    given = _unique(np.asarray(colors, dtype=np.uint8).reshape(-1, 3))
    if len(given) > MOST:
        raise BadInput(f"palette: {len(given)} different colours: a GIF has room for {MOST}")
    for corners in (6, 5, 4, 3, 2):
        palette = _unique(np.concatenate([given, _cube(corners)]))
        if len(palette) <= MOST:
            return palette
    return given


def nearest_table(palette: Bytes) -> Bytes:
    """(2^24,) row of the palette for each colour packed as red, green, blue in 8 bits each.

    The nearest colour is looked for in 32 steps a channel; a palette colour itself is always met
    exactly, also where two of them share a step. Of equal colours the first counts.
    """
    steps = np.arange(32, dtype=np.float32) * 8 + 3.5
    coarse = np.empty((32, 32, 32), dtype=np.uint8)
    channels = palette.astype(np.float32)
    green_blue = np.square(steps[:, None, None] - channels[:, 1])
    green_blue = green_blue + np.square(steps[None, :, None] - channels[:, 2])
    for i, red in enumerate(steps):
        coarse[i] = np.argmin(green_blue + np.square(red - channels[:, 0]), axis=2)
    table = coarse.repeat(8, axis=0).repeat(8, axis=1).repeat(8, axis=2).ravel()
    backwards = slice(None, None, -1)  # the last assignment wins, and the first colour should
    table[pack(palette)[backwards]] = np.arange(len(palette), dtype=np.uint8)[backwards]
    return table


def pack(colors: Bytes) -> NDArray[np.int32]:
    """(..., 3) colours as (...) whole numbers: red, green, blue in 8 bits each."""
    packed = colors[..., 0].astype(np.int32)
    packed <<= 8
    packed |= colors[..., 1]
    packed <<= 8
    packed |= colors[..., 2]
    return packed


def _cube(corners: int) -> Bytes:
    levels = np.linspace(0, 255, corners).round().astype(np.uint8)
    return np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(-1, 3)


def _unique(colors: Bytes) -> Bytes:
    """The different colours, in the order of their first appearance."""
    _, first = np.unique(pack(colors), return_index=True)
    return colors[np.sort(first)]
