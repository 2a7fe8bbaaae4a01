"""Animated WebPs written frame by frame, in true colour, without loss.

The container: Google, WebP Container Specification (RFC 9649, 2024). Each picture is one that
Pillow codes by itself, so that memory does not grow with the film.
"""

from __future__ import annotations

import io
import struct

from PIL import Image

from sim.record.reel import Bytes, PatchFilm

_ANIMATED, _ALPHA = 0x02, 0x10
_BLEND_AND_KEEP = 0
_BEFORE = 8
"""Bytes before what the length of a file counts."""
_HEAD = 12
"""Bytes of the file's and of a still picture's own head: RIFF, length, WEBP."""
_EFFORT = {"lossless": True, "quality": 60, "method": 3}


class WebpWriter(PatchFilm):
    """A WebP that grows on disk; see `PatchFilm` and `Reel`."""

    WIDEST = 16_383
    STEP = 2

    def _begin(self) -> None:
        width, height = self._size
        head = bytes([_ANIMATED | _ALPHA, 0, 0, 0]) + _three(width - 1) + _three(height - 1)
        film = struct.pack("<IH", 0, self._loop)  # the colour behind it, and how often it plays
        self._out.write(b"RIFF\0\0\0\0WEBP")
        self._out.write(_chunk(b"VP8X", head) + _chunk(b"ANIM", film))

    def _add(self, left: int, top: int, patch: Bytes, delay: int) -> None:
        height, width, _ = patch.shape
        place = b"".join(map(_three, (left // 2, top // 2, width - 1, height - 1, delay)))
        self._out.write(_chunk(b"ANMF", place + bytes([_BLEND_AND_KEEP]) + _coded(patch)))

    def _end(self) -> None:
        self._out.patch(4, struct.pack("<I", self._out.length - _BEFORE))


def _coded(patch: Bytes) -> bytes:
    """The chunks of a still picture that hold its pixels."""
    still = io.BytesIO()
    Image.fromarray(patch, "RGBA").save(still, "WEBP", **_EFFORT)
    data, kept, at = still.getvalue(), b"", _HEAD
    while at < len(data):
        kind, length = struct.unpack_from("<4sI", data, at)
        whole = 8 + length + length % 2
        if kind in (b"ALPH", b"VP8 ", b"VP8L"):
            kept += data[at : at + whole]
        at += whole
    return kept


def _chunk(kind: bytes, data: bytes) -> bytes:
    return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")
