"""Animated GIFs written frame by frame: memory holds one picture, however long the film.

The format: CompuServe, Graphics Interchange Format, version 89a (1990). One colour table serves
all frames. After the first, a frame holds only the rectangle that changed, and inside it the pixels
that did not change are transparent: long runs of one value, which LZW packs best.
"""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from sim.errors import BadInput
from sim.record.files import AnyPath, AtomicFile
from sim.record.palette import MOST, Bytes, nearest_table, pack

FASTEST = 50.0
"""Frames a second: viewers play delays below 2/100 s slowly, most of them at 10 frames a second."""

_LONGEST_DELAY = 65535  # 1/100 s: what two bytes hold
_KEEP = 1 << 2  # disposal: the next picture is drawn over this one
_SEE_THROUGH = 1
_TRAILER = b";"
_CODE_BITS = 8  # Pillow's coder begins with codes for all 256 rows, however short the palette


class GifWriter:
    """A GIF that grows on disk under a temporary name until `close`.

    `size` is (width, height) in pixels, `fps` frames a second, `palette` (k, 3) uint8 with at most
    255 rows (`sim.record.palette.default_palette` makes one), `loop` how often to repeat: 0 for
    ever, None not at all. Delays are whole hundredths of a second, so they alternate where they
    must for the film to last as long as its frames. Raises BadInput for values out of range.
    """

    def __init__(
        self,
        path: AnyPath,
        size: tuple[int, int],
        fps: float,
        palette: ArrayLike,
        loop: int | None = 0,
    ) -> None:
        colors = np.asarray(palette, dtype=np.uint8).reshape(-1, 3)
        _check(path, size, fps, colors, loop)
        self.frames = 0
        self._path = path
        self._size = size
        self._fps = fps
        self._table = nearest_table(colors)
        self._unchanged = len(colors)  # the row after the colours: transparent
        self._seen: Bytes = np.zeros((0, 0, 3), dtype=np.uint8)  # the last frame as given
        self._shown: Bytes = np.zeros((0, 0), dtype=np.uint8)  # the same as rows of the palette
        self._pending = b""  # the last picture; its delay is known when the next one comes
        self._delay = 0  # 1/100 s
        self._flags = _KEEP  # the first picture covers all, those after it show it through
        self._out = AtomicFile(path)
        self._out.write(_header(size, colors, loop))

    def write(self, frame: Bytes) -> None:
        """Add one (height, width, 3) uint8 picture, shown for 1 / fps s."""
        width, height = self._size
        if frame.shape != (height, width, 3) or frame.dtype != np.uint8:
            expected = f"{(height, width, 3)}, uint8"
            raise ValueError(f"frame of shape {frame.shape}, {frame.dtype}: must be {expected}")
        picture = self._first(frame) if self.frames == 0 else self._difference(frame)
        if picture:
            self._flush()
            self._pending = picture
        self._delay += _moment(self.frames + 1, self._fps) - _moment(self.frames, self._fps)
        self.frames += 1
        while self._delay > _LONGEST_DELAY:
            self._split_delay()

    def close(self) -> None:
        """Finish the file and give it its name; nothing happens the second time.

        Raises BadInput, and leaves no file, when no frame was written.
        """
        if self._out.done:
            return
        if self.frames == 0:
            self.abort()
            raise BadInput(f"{self._path}: no frame was drawn, so there is no picture to write")
        self._flush()
        self._out.write(_TRAILER)
        self._out.commit()

    def abort(self) -> None:
        """Remove what was written so far."""
        self._out.abort()

    def _first(self, frame: Bytes) -> bytes:
        self._seen = frame.copy()
        self._shown = self._table[pack(frame)]
        return _picture(self._shown, (0, 0))

    def _difference(self, frame: Bytes) -> bytes:
        """The pixels that differ from the last frame, as a picture; empty if none does."""
        differs = frame != self._seen
        where = np.flatnonzero(differs[..., 0] | differs[..., 1] | differs[..., 2])
        rows, columns = np.divmod(where, self._size[0])
        colors = frame[rows, columns]
        self._seen[rows, columns] = colors
        new = self._table[pack(colors)]
        # Not every new colour is another one in the palette.
        other = new != self._shown[rows, columns]
        rows, columns, new = rows[other], columns[other], new[other]
        if not len(rows):
            return b""
        self._shown[rows, columns] = new
        return _patch(rows, columns, new, self._unchanged)

    def _split_delay(self) -> None:
        """Carry on a delay that two bytes cannot hold with a picture of one unchanged pixel."""
        rest = self._delay - _LONGEST_DELAY
        self._delay = _LONGEST_DELAY
        self._flush()
        self._pending = _picture(np.full((1, 1), self._unchanged, dtype=np.uint8), (0, 0))
        self._delay = rest

    def _flush(self) -> None:
        if not self._pending:
            return
        control = struct.pack(
            "<BBBBHBB", 0x21, 0xF9, 4, self._flags, self._delay, self._unchanged, 0
        )
        self._out.write(control + self._pending)
        self._pending = b""
        self._delay = 0
        self._flags = _KEEP | _SEE_THROUGH


def _moment(frame: int, fps: float) -> int:
    """When a frame begins, in whole 1/100 s; differences of these never drift."""
    return round(frame * 100 / fps)


def _check(
    path: AnyPath, size: tuple[int, int], fps: float, colors: Bytes, loop: int | None
) -> None:
    if not 0 < fps <= FASTEST:
        raise BadInput(f"{path}: fps = {fps:g}: must be above 0 and at most {FASTEST:g} in a GIF")
    if not all(1 <= side <= 65535 for side in size):
        raise BadInput(f"{path}: size = {size[0]} x {size[1]}: must be 1 to 65535 each way")
    if not 1 <= len(colors) <= MOST:
        raise BadInput(f"{path}: palette of {len(colors)} colours: must be 1 to {MOST}")
    if loop is not None and not 0 <= loop <= 65535:
        raise BadInput(f"{path}: loop = {loop}: must be 0 to 65535")


def _header(size: tuple[int, int], colors: Bytes, loop: int | None) -> bytes:
    """Signature, screen, colour table (a power of two of rows, one spare), loop extension."""
    bits = len(colors).bit_length()
    table = colors.tobytes().ljust(3 << bits, b"\0")
    screen = struct.pack("<6sHHBBB", b"GIF89a", *size, 0xF0 | bits - 1, 0, 0)
    if loop is None:
        return screen + table
    again = struct.pack("<BBB11sBBHB", 0x21, 0xFF, 11, b"NETSCAPE2.0", 3, 1, loop, 0)
    return screen + table + again


def _patch(rows: NDArray[np.intp], columns: NDArray[np.intp], new: Bytes, unchanged: int) -> bytes:
    """The smallest rectangle that holds the given pixels; all others in it are `unchanged`."""
    top, bottom = rows[0], rows[-1] + 1
    left, right = columns.min(), columns.max() + 1
    patch = np.full((bottom - top, right - left), unchanged, dtype=np.uint8)
    patch[rows - top, columns - left] = new
    return _picture(patch, (int(left), int(top)))


def _picture(rows: Bytes, offset: tuple[int, int]) -> bytes:
    """An image block: place, size and LZW data (Pillow's coder) of palette rows (height, width)."""
    height, width = rows.shape
    place = struct.pack("<BHHHHBB", 0x2C, *offset, width, height, 0, _CODE_BITS)
    return place + Image.fromarray(rows).tobytes("gif", "L") + b"\0"
