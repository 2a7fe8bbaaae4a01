"""Animated PNGs written frame by frame, in true colour, without loss.

The format: W3C, Portable Network Graphics (third edition, 2025), which has taken up the chunks
acTL, fcTL and fdAT of APNG. Viewers that know nothing of them show the first picture.
"""

from __future__ import annotations

import struct
import zlib

from sim.record.reel import Bytes, PatchFilm

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CONTROL_AT = len(_SIGNATURE) + 25  # behind the IHDR chunk, which has 13 bytes of its own and 12
_RGBA, _KEEP, _OVER = 6, 0, 1


class ApngWriter(PatchFilm):
    """An APNG that grows on disk; see `PatchFilm` and `Reel`."""

    def _begin(self) -> None:
        self._pictures = 0
        head = struct.pack(">IIBBBBB", *self._size, 8, _RGBA, 0, 0, 0)
        self._out.write(_SIGNATURE + _chunk(b"IHDR", head) + self._control())

    def _add(self, left: int, top: int, patch: Bytes, delay: int) -> None:
        height, width, _ = patch.shape
        # The first picture takes one number, the others two; none is taken before it is written.
        number = max(0, 2 * self._pictures - 1)
        place = struct.pack(">IIIII", number, width, height, left, top)
        control = place + struct.pack(">HHBB", delay, 1000, _KEEP, _OVER)
        data = _deflated(patch)
        if self._pictures == 0:
            picture = _chunk(b"IDAT", data)
        else:
            picture = _chunk(b"fdAT", struct.pack(">I", number + 1) + data)
        self._out.write(_chunk(b"fcTL", control) + picture)
        self._pictures += 1

    def _end(self) -> None:
        self._out.write(_chunk(b"IEND", b""))
        self._out.patch(_CONTROL_AT, self._control())

    def _control(self) -> bytes:
        """How many pictures there are, and how often they are played."""
        return _chunk(b"acTL", struct.pack(">II", max(1, self._pictures), self._loop))


def _deflated(patch: Bytes) -> bytes:
    """The rows of a picture, each behind a byte that says it is not filtered."""
    height, width, _ = patch.shape
    rows = patch.reshape(height, 4 * width)
    return zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows), 9)


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)
