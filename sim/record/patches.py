"""Films in true colour, frame by frame: what WebP and APNG have in common.

Both put pictures with transparency over those before. After the first, a frame holds only the
rectangle that changed, and inside it the pixels that did not change are transparent.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from sim.core.arrays import Bools
from sim.core.files import AnyPath
from sim.record.reel import Bytes, Patch, Reel


class PatchFilm(Reel):
    """A film of RGBA patches. `loop` is how often it plays, 0 without end; delays are whole ms."""

    FASTEST = 100.0
    PARTS = 1000
    STEP: ClassVar[int] = 1
    """Patches begin at whole multiples of this many pixels."""

    def __init__(self, path: AnyPath, size: tuple[int, int], fps: float, loop: int = 0) -> None:
        self._loop = loop
        self._seen: Bytes = np.zeros((0, 0, 3), dtype=np.uint8)
        super().__init__(path, size, fps)

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
