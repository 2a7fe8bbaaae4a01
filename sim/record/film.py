"""Films by the ending of their file: GIF, animated WebP and APNG, MP4."""

from __future__ import annotations

from sim.core.errors import BadInput
from sim.core.files import AnyPath, check_target, path_of
from sim.record.apng import ApngWriter
from sim.record.gif import GifWriter, default_palette
from sim.record.mp4 import Mp4Writer
from sim.record.reel import Bytes, Film, check_fps
from sim.record.webp import WebpWriter

_TRUE_COLOR: dict[str, type[Film]] = {
    ".webp": WebpWriter,
    ".apng": ApngWriter,
    ".png": ApngWriter,
    ".mp4": Mp4Writer,
}
ENDINGS = (".gif", *_TRUE_COLOR)


def check_film(path: AnyPath, fps: float) -> None:
    """Raise `BadInput` for a film that `open_film` would refuse, while it is still cheap to say."""
    check_target(path)
    kind = GifWriter if _ending(path) == ".gif" else _true_color(path)
    check_fps(path, fps, kind.FASTEST)


def open_film(
    path: AnyPath, size: tuple[int, int], fps: float, colors: Bytes, loop: int = 0
) -> Film:
    """A film of the kind that the file's ending asks for.

    `size` is (width, height) in pixels, `fps` frames a second, `loop` how often it plays: 0 is
    without end. `colors` (m, 3) are the ones that a GIF, which has no more than 255, keeps exactly.
    Raises `BadInput` for other endings and values out of range.
    """
    if _ending(path) == ".gif":
        return GifWriter(path, size, fps, default_palette(colors), loop)
    return _true_color(path)(path, size, fps, loop)


def _true_color(path: AnyPath) -> type[Film]:
    """What writes films with this ending, if it is no GIF."""
    ending = _ending(path)
    if ending not in _TRUE_COLOR:
        raise BadInput(f"{path}: a film ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    return _TRUE_COLOR[ending]


def _ending(path: AnyPath) -> str:
    return path_of(path).suffix.lower()
