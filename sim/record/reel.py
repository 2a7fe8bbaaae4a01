"""What films that are written frame by frame have in common, whatever their format.

In a reel a frame becomes the rectangle that has changed since the last one, and lasts until the
next change. WebP and APNG put pictures with transparency over those before: inside the rectangle
the pixels that did not change are transparent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Bools
from sim.core.errors import BadInput, shortened
from sim.core.files import AnyPath, AtomicFile
from sim.core.limits import check_range, is_row

Bytes = NDArray[np.uint8]
Patch = tuple[int, int, NDArray[Any]]
"""Left, top, and the pixels of a rectangle, in whatever form the film holds them."""
SLOWEST = 1e-3
"""Frames a second: slower ones would be mostly fillers, since a picture lasts no longer than two
bytes can tell."""
MOST_LOOPS = 65_535
"""What two bytes hold."""


def check_fps(path: AnyPath, fps: float, fastest: float) -> None:
    """Raise `BadInput` for frames a second that a film cannot have."""
    check_range(fps, f"{path}: fps", SLOWEST, fastest)


def check_size(path: AnyPath, size: Any, widest: int) -> None:
    """Raise `BadInput` for what is no width and height in pixels, of 1 to `widest` each."""
    whole = is_row(size, 2) and all(isinstance(side, int | np.integer) for side in size)
    if not (whole and all(1 <= side <= widest for side in size)):
        shown = f"{size[0]} x {size[1]}" if whole else shortened(size)
        raise BadInput(f"{path}: size = {shown}: must be 1 to {widest} each way")


class Film(ABC):
    """A film that grows on disk under a temporary name until `close`.

    `size` is (width, height) in pixels, `fps` frames a second, `loop` how often it plays, 0 without
    end. Raises `BadInput` for values out of range.
    """

    FASTEST: ClassVar[float]
    """Frames a second: viewers play quicker films slowly."""
    WIDEST: ClassVar[int] = 65_535
    """Pixels a side."""

    def __init__(self, path: AnyPath, size: tuple[int, int], fps: float, loop: int = 0) -> None:
        check_fps(path, fps, self.FASTEST)
        check_size(path, size, self.WIDEST)
        if not isinstance(loop, int) or not 0 <= loop <= MOST_LOOPS:
            raise BadInput(f"{path}: loop = {shortened(loop)}: must be 0 to {MOST_LOOPS}")
        self.frames = 0
        self._path, self._size, self._fps, self._loop = path, size, fps, loop
        self._out = AtomicFile(path)

    def write(self, frame: Bytes) -> None:
        """Add one (height, width, 3) uint8 picture, shown for 1 / fps s."""
        width, height = self._size
        if frame.shape != (height, width, 3) or frame.dtype != np.uint8:
            expected = f"{(height, width, 3)}, uint8"
            raise ValueError(f"frame of shape {frame.shape}, {frame.dtype}: must be {expected}")
        self._take(frame)
        self.frames += 1

    def close(self) -> None:
        """Finish the file and give it its name; nothing happens the second time.

        Raises `BadInput`, and leaves no file, when no frame was written, or it cannot be finished.
        """
        if self._out.done:
            return
        if self.frames == 0:
            self.abort()
            raise BadInput(f"{self._path}: no frame was drawn, so there is no picture to write")
        self._finish()

    def abort(self) -> None:
        """Remove what was written so far."""
        self._out.abort()

    @abstractmethod
    def _take(self, frame: Bytes) -> None:
        """Take in a frame."""

    @abstractmethod
    def _finish(self) -> None:
        """Write what is left, and commit the file."""


class Reel(Film):
    """A film of pictures that are put over each other; memory holds two of them.

    Delays are whole parts of a second, and differ by one where they must for the film to last as
    long as its frames.
    """

    LONGEST: ClassVar[int] = 65_535
    """Delay of a frame, in parts of a second: what two bytes hold."""
    PARTS: ClassVar[int]
    """How many of them a second has."""

    def __init__(self, path: AnyPath, size: tuple[int, int], fps: float, loop: int = 0) -> None:
        super().__init__(path, size, fps, loop)
        self._pending: Patch | None = None  # its delay is known when the next one comes
        self._delay = 0
        self._begin()

    def _take(self, frame: Bytes) -> None:
        patch = self._first(frame) if self.frames == 0 else self._difference(frame)
        if patch is not None:
            self._flush()
            self._pending = patch
        self._delay += self._moment(self.frames + 1) - self._moment(self.frames)
        while self._delay > self.LONGEST:
            self._split_delay()

    def _finish(self) -> None:
        self._flush()
        self._end()
        self._out.commit()

    @abstractmethod
    def _begin(self) -> None:
        """Write what stands before the pictures."""

    @abstractmethod
    def _first(self, frame: Bytes) -> Patch:
        """The first frame, as the film holds it."""

    @abstractmethod
    def _difference(self, frame: Bytes) -> Patch | None:
        """What differs from the last frame; None if nothing does."""

    @abstractmethod
    def _nothing(self) -> Patch:
        """A pixel that changes nothing."""

    @abstractmethod
    def _add(self, left: int, top: int, patch: NDArray[Any], delay: int) -> None:
        """Write a picture that is put over what is there for so long."""

    @abstractmethod
    def _end(self) -> None:
        """Write what stands behind them, and what had to be left open."""

    def _split_delay(self) -> None:
        """Carry on a delay that is too long for one picture with one that changes nothing."""
        rest, self._delay = self._delay - self.LONGEST, self.LONGEST
        self._flush()
        self._pending, self._delay = self._nothing(), rest

    def _flush(self) -> None:
        if self._pending is not None:
            self._add(*self._pending, self._delay)
        self._pending, self._delay = None, 0

    def _moment(self, frame: int) -> int:
        """When a frame begins, in whole parts of a second; differences of these never drift."""
        return round(frame * self.PARTS / self._fps)


class PatchFilm(Reel):
    """A film of RGBA patches, whose delays are whole ms."""

    FASTEST = 100.0
    PARTS = 1000
    STEP: ClassVar[int] = 1
    """Patches begin at whole multiples of this many pixels."""

    def __init__(self, path: AnyPath, size: tuple[int, int], fps: float, loop: int = 0) -> None:
        self._seen: Bytes = np.zeros((0, 0, 3), dtype=np.uint8)
        super().__init__(path, size, fps, loop)

    def _first(self, frame: Bytes) -> Patch:
        self._seen = frame.copy()
        return 0, 0, _opaque(frame, np.ones(frame.shape[:2], np.bool_))

    def _difference(self, frame: Bytes) -> Patch | None:
        differs = frame != self._seen
        changed = differs[..., 0] | differs[..., 1] | differs[..., 2]
        rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        if not len(rows):
            return None
        np.copyto(self._seen, frame)
        left, top = (int(first) // self.STEP * self.STEP for first in (columns[0], rows[0]))
        box = np.s_[top : rows[-1] + 1, left : columns[-1] + 1]
        return left, top, _opaque(frame[box], changed[box])

    def _nothing(self) -> Patch:
        return 0, 0, np.zeros((1, 1, 4), dtype=np.uint8)


def _opaque(colors: Bytes, where: Bools) -> Bytes:
    """(h, w, 4): the colours (h, w, 3) where they count, nothing elsewhere."""
    patch = np.zeros((*where.shape, 4), dtype=np.uint8)
    np.copyto(patch[..., :3], colors, where=where[..., None])
    patch[..., 3] = where * np.uint8(255)
    return patch
