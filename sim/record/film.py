"""Films by the ending of their file: GIF, animated WebP and APNG, MP4."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from sim.errors import BadInput
from sim.files import AnyPath
from sim.record.apng import ApngWriter
from sim.record.gif import GifWriter
from sim.record.mp4 import Mp4Writer
from sim.record.palette import default_palette
from sim.record.reel import Bytes
from sim.record.webp import WebpWriter

MOST_LOOPS = 65_535
"""What two bytes hold."""


class Film(Protocol):
    """What every writer of films does."""

    frames: int

    def write(self, frame: Bytes) -> None:
        """Add one (height, width, 3) uint8 picture, shown for 1 / fps s."""

    def close(self) -> None:
        """Finish the file and give it its name."""

    def abort(self) -> None:
        """Remove what was written so far."""


_TRUE_COLOR: dict[str, Callable[[AnyPath, tuple[int, int], float, int], Film]] = {
    ".webp": WebpWriter,
    ".apng": ApngWriter,
    ".png": ApngWriter,
    ".mp4": Mp4Writer,
}
ENDINGS = (".gif", *_TRUE_COLOR)


def open_film(
    path: AnyPath, size: tuple[int, int], fps: float, colors: Bytes, loop: int = 0
) -> Film:
    """A film of the kind that the file's ending asks for.

    `size` is (width, height) in pixels, `fps` frames a second, `loop` how often it plays: 0 for
    ever. `colors` (m, 3) are those that a GIF, which has no more than 255, keeps exactly. Raises
    `BadInput` for other endings and values out of range.
    """
    ending = Path(path).suffix.lower()
    if not 0 <= loop <= MOST_LOOPS:
        raise BadInput(f"{path}: loop = {loop}: must be 0 to {MOST_LOOPS}")
    if ending == ".gif":
        # A GIF counts how often it is played again.
        again = loop - 1 if loop else 0
        return GifWriter(path, size, fps, default_palette(colors), again if loop != 1 else None)
    if ending not in _TRUE_COLOR:
        raise BadInput(f"{path}: a film ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    return _TRUE_COLOR[ending](path, size, fps, loop)
