"""What a film is, as far as its file tells: how many pictures of which size, for how long."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from PIL import Image

from sim.core.errors import BadInput, printable
from sim.core.files import check_source

PICTURES = (".gif", ".webp", ".apng", ".png")
FILMS = (*PICTURES, ".mp4")
_HEAD = 8
"""Bytes of a box's length and name."""


@dataclass(frozen=True)
class Film:
    """A film: pictures (None where the file does not count them), pixels a side, seconds."""

    pictures: int | None
    size: tuple[int, int] | None
    seconds: float


def probe(path: Path) -> Film:
    """What a film is. Raises `BadInput` for a file that is none, or is cut short."""
    check_source(path)
    try:
        return _movie(path) if path.suffix.lower() == ".mp4" else _pictures(path)
    except BadInput:
        raise
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except Exception as error:  # whatever Pillow makes of a damaged file
        raise BadInput(f"{path}: not a film: {printable(str(error))}") from None


def _pictures(path: Path) -> Film:
    seconds, count = 0.0, 0
    with Image.open(path) as film:
        count = getattr(film, "n_frames", 1)
        for index in range(count):
            film.seek(index)
            film.load()  # every picture, so that one that is cut short is found
            seconds += film.info.get("duration", 0) / 1000
        return Film(count, film.size, seconds)


def _movie(path: Path) -> Film:
    """Of an MP4 the boxes alone (ISO/IEC 14496-12): they must fill the file, and tell the time."""
    seconds = None
    with path.open("rb") as file:
        length, place, first = path.stat().st_size, 0, True
        while place < length:
            size, name = _box(file, place)
            if first and name != b"ftyp":
                raise BadInput(f"{path}: not a film: it does not begin as an MP4 does")
            if size < _HEAD or place + size > length:
                raise BadInput(f"{path}: not all of the film is there")
            if name == b"moov":
                seconds = _seconds(file, place + _HEAD)
            place, first = place + size, False
    if seconds is None:
        raise BadInput(f"{path}: not all of the film is there: it does not tell how long it is")
    return Film(None, None, seconds)


def _box(file: IO[bytes], place: int) -> tuple[int, bytes]:
    """Length, head included, and name of the box at a place."""
    file.seek(place)
    head = file.read(_HEAD)
    if len(head) < _HEAD:
        return 0, b""
    size, name = struct.unpack(">I4s", head)
    if size == 1:  # a longer length stands behind the name
        return int.from_bytes(file.read(8), "big"), name
    return size, name


def _seconds(file: IO[bytes], place: int) -> float | None:
    """How long a film is, told by the box `mvhd` that a box `moov` begins with."""
    _, name = _box(file, place)
    if name != b"mvhd":
        return None
    if file.read(4)[:1] == b"\0":
        _, _, scale, units = struct.unpack(">4I", file.read(16))
    else:
        _, _, scale, units = struct.unpack(">QQIQ", file.read(28))
    return float(units / scale) if scale else None
