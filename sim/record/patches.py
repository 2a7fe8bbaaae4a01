"""Films in true colour, frame by frame: what WebP and APNG have in common.

Both put pictures with transparency over those before. After the first, a frame holds only the
rectangle that changed, and inside it the pixels that did not change are transparent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sim.errors import BadInput
from sim.record.files import AnyPath, AtomicFile

Bytes = NDArray[np.uint8]

FASTEST = 100.0
"""Frames a second: browsers play delays below 10 ms slowly."""
LONGEST = 65_535
"""Delay of a frame, ms: what two bytes hold (APNG)."""


class PatchFilm(ABC):
    """A film that grows on disk under a temporary name until `close`; memory holds two pictures.

    `size` is (width, height) in pixels, `fps` frames a second, `loop` how often it plays, 0 for
    ever. Delays are whole ms, and differ by one where they must for the film to last as long as its
    frames. Raises `BadInput` for values out of range.
    """

    WIDEST: ClassVar[int]
    """Pixels a side."""
    STEP: ClassVar[int] = 1
    """Patches begin at whole multiples of so many pixels."""

    def __init__(self, path: AnyPath, size: tuple[int, int], fps: float, loop: int = 0) -> None:
        if not 0 < fps <= FASTEST:
            raise BadInput(f"{path}: fps = {fps:g}: must be above 0 and at most {FASTEST:g}")
        if not all(1 <= side <= self.WIDEST for side in size):
            raise BadInput(
                f"{path}: size = {size[0]} x {size[1]}: must be 1 to {self.WIDEST} each way"
            )
        self.frames = 0
        self._path, self._size, self._fps, self._loop = path, size, fps, loop
        self._seen: Bytes = np.zeros((0, 0, 3), dtype=np.uint8)
        self._pending: tuple[int, int, Bytes] | None = None  # its delay is known at the next one
        self._delay = 0  # ms
        self._out = AtomicFile(path)
        self._begin()

    def write(self, frame: Bytes) -> None:
        """Add one (height, width, 3) uint8 picture, shown for 1 / fps s."""
        width, height = self._size
        if frame.shape != (height, width, 3) or frame.dtype != np.uint8:
            expected = f"{(height, width, 3)}, uint8"
            raise ValueError(f"frame of shape {frame.shape}, {frame.dtype}: must be {expected}")
        patch = self._patch(frame)
        if patch is not None:
            self._flush()
            self._pending = patch
        self._delay += _moment(self.frames + 1, self._fps) - _moment(self.frames, self._fps)
        self.frames += 1
        while self._delay > LONGEST:
            self._split_delay()

    def close(self) -> None:
        """Finish the file and give it its name; nothing happens the second time.

        Raises `BadInput`, and leaves no file, when no frame was written.
        """
        if self._out.done:
            return
        if self.frames == 0:
            self.abort()
            raise BadInput(f"{self._path}: no frame was drawn, so there is no picture to write")
        self._flush()
        self._end()
        self._out.commit()

    def abort(self) -> None:
        """Remove what was written so far."""
        self._out.abort()

    @abstractmethod
    def _begin(self) -> None:
        """Write what stands before the pictures."""

    @abstractmethod
    def _add(self, left: int, top: int, patch: Bytes, delay: int) -> None:
        """Write a picture (height, width, 4) that is put over what is there for so many ms."""

    @abstractmethod
    def _end(self) -> None:
        """Write what stands behind them, and what had to be left open."""

    def _patch(self, frame: Bytes) -> tuple[int, int, Bytes] | None:
        """Left, top and RGBA (height, width, 4) of what changed; None if nothing did."""
        if self.frames == 0:
            self._seen = frame.copy()
            return 0, 0, _opaque(frame, np.ones(frame.shape[:2], np.bool_))
        differs = frame != self._seen
        changed = differs[..., 0] | differs[..., 1] | differs[..., 2]
        rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        if not len(rows):
            return None
        np.copyto(self._seen, frame)
        left, top = (int(first) // self.STEP * self.STEP for first in (columns[0], rows[0]))
        box = np.s_[top : rows[-1] + 1, left : columns[-1] + 1]
        return left, top, _opaque(frame[box], changed[box])

    def _split_delay(self) -> None:
        """Carry on a delay that is too long for one picture with one of a transparent pixel."""
        rest, self._delay = self._delay - LONGEST, LONGEST
        self._flush()
        self._pending = 0, 0, np.zeros((1, 1, 4), dtype=np.uint8)
        self._delay = rest

    def _flush(self) -> None:
        if self._pending is not None:
            self._add(*self._pending, self._delay)
        self._pending, self._delay = None, 0


def _opaque(colors: Bytes, where: NDArray[np.bool_]) -> Bytes:
    """(h, w, 4): the colours (h, w, 3) where they count, nothing elsewhere."""
    patch = np.zeros((*where.shape, 4), dtype=np.uint8)
    np.copyto(patch[..., :3], colors, where=where[..., None])
    patch[..., 3] = where * np.uint8(255)
    return patch


def _moment(frame: int, fps: float) -> int:
    """When a frame begins, in whole ms; differences of these never drift."""
    return round(frame * 1000 / fps)
