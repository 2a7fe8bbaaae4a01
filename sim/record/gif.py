"""Animated GIFs written frame by frame: memory holds one picture, however long the film.

The format: CompuServe, Graphics Interchange Format, version 89a (1990). One colour table serves
all frames. After the first, a frame holds only the rectangle that changed, and inside it the pixels
that did not change are transparent: long runs of one value, which LZW packs best. Which of at most
255 colours stands for each of the 16 million a picture may hold is looked up in a table.
"""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from sim.core.errors import BadInput
from sim.core.files import AnyPath
from sim.core.shared_cache import njit
from sim.record.reel import Bytes, Patch, Reel

MOST = 255
"""Colours of a GIF's table (256) less the one that means "as before"."""
_KEEP = 1 << 2  # disposal: the next picture is drawn over this one
_SEE_THROUGH = 1
_TRAILER = b";"
_CODE_BITS = 8  # Pillow's coder begins with codes for all 256 rows, however short the palette


class GifWriter(Reel):
    """A GIF that grows on disk; see `Reel`.

    `palette` is (k, 3) uint8 with at most 255 rows (`default_palette` makes one). Delays are whole
    hundredths of a second: viewers play those below 2/100 s slowly, most of them at 10 frames a
    second.
    """

    FASTEST = 50.0
    PARTS = 100

    def __init__(
        self,
        path: AnyPath,
        size: tuple[int, int],
        fps: float,
        palette: ArrayLike,
        loop: int = 0,
    ) -> None:
        self._colors = np.asarray(palette, dtype=np.uint8).reshape(-1, 3)
        if not 1 <= len(self._colors) <= MOST:
            raise BadInput(f"{path}: palette of {len(self._colors)} colours: must be 1 to {MOST}")
        self._table = nearest_table(self._colors)
        self._unchanged = len(self._colors)  # the row after the colours: transparent
        self._seen: Bytes = np.zeros((0, 0, 3), dtype=np.uint8)  # the last frame as given
        self._shown: Bytes = np.zeros((0, 0), dtype=np.uint8)  # the same as rows of the palette
        self._flags = _KEEP  # the first picture covers all, those after it show it through
        super().__init__(path, size, fps, loop)

    def _begin(self) -> None:
        self._out.write(_header(self._size, self._colors, self._loop))

    def _first(self, frame: Bytes) -> Patch:
        self._seen = frame.copy()
        self._shown = self._table[pack(frame)]
        return 0, 0, self._shown.copy()

    def _difference(self, frame: Bytes) -> Patch | None:
        """The smallest rectangle of other rows of the palette; not every new colour is one."""
        rows = np.empty(self._shown.shape, dtype=np.uint8)
        left, top, right, bottom = _compare(
            frame, self._seen, self._shown, self._table, self._unchanged, rows
        )
        return (left, top, rows[top:bottom, left:right]) if bottom else None

    def _nothing(self) -> Patch:
        return 0, 0, np.full((1, 1), self._unchanged, dtype=np.uint8)

    def _add(self, left: int, top: int, patch: Bytes, delay: int) -> None:
        control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, self._flags, delay, self._unchanged, 0)
        self._out.write(control + _picture(patch, (left, top)))
        self._flags = _KEEP | _SEE_THROUGH

    def _end(self) -> None:
        self._out.write(_TRAILER)


@njit(cache=True)
def _compare(frame, seen, shown, table, unchanged, rows):  # type: ignore[no-untyped-def]
    """Fill `rows` with the new rows of the palette, `unchanged` where they are the old ones.

    Takes down the frame in `seen` and `shown`; returns left, top, right and bottom of what changed,
    zeros for nothing.
    """
    height, width = shown.shape
    left, top, right, bottom = width, height, 0, 0
    for y in range(height):
        for x in range(width):
            rows[y, x] = unchanged
            r, g, b = frame[y, x, 0], frame[y, x, 1], frame[y, x, 2]
            if r == seen[y, x, 0] and g == seen[y, x, 1] and b == seen[y, x, 2]:
                continue
            seen[y, x, 0], seen[y, x, 1], seen[y, x, 2] = r, g, b
            row = table[np.int64(r) << 16 | np.int64(g) << 8 | np.int64(b)]
            if row != shown[y, x]:
                rows[y, x] = shown[y, x] = row
                left, right = min(left, x), max(right, x + 1)
                top, bottom = min(top, y), y + 1
    return (left, top, right, bottom) if bottom else (0, 0, 0, 0)


def _header(size: tuple[int, int], colors: Bytes, loop: int) -> bytes:
    """Signature, screen, colour table (a power of two of rows, one spare), loop extension.

    A film that plays once has no extension: the extension counts how often it is played again.
    """
    bits = len(colors).bit_length()
    table = colors.tobytes().ljust(3 << bits, b"\0")
    screen = struct.pack("<6sHHBBB", b"GIF89a", *size, 0xF0 | bits - 1, 0, 0)
    if loop == 1:
        return screen + table
    again = max(0, loop - 1)
    return (
        screen + table + struct.pack("<BBB11sBBHB", 0x21, 0xFF, 11, b"NETSCAPE2.0", 3, 1, again, 0)
    )


def _picture(rows: Bytes, offset: tuple[int, int]) -> bytes:
    """An image block: place, size and LZW data (Pillow's coder) of palette rows (height, width)."""
    height, width = rows.shape
    place = struct.pack("<BHHHHBB", 0x2C, *offset, width, height, 0, _CODE_BITS)
    return place + Image.fromarray(rows).tobytes("gif", "L") + b"\0"


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
    red, green, blue = np.moveaxis(colors.astype(np.int32), -1, 0)
    return np.asarray(red << 16 | green << 8 | blue)


def _cube(corners: int) -> Bytes:
    levels = np.linspace(0, 255, corners).round().astype(np.uint8)
    return np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1).reshape(-1, 3)


def _unique(colors: Bytes) -> Bytes:
    """The different colours, in the order of their first appearance."""
    _, first = np.unique(pack(colors), return_index=True)
    return colors[np.sort(first)]
