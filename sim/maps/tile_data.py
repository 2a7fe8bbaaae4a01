"""The tiles of a layer or chunk, as Tiled writes them: CSV, or base64 that may be compressed.

Formats: Tiled 1.11 manual, "TMX Map Format", <data>, and "Global Tile IDs".
"""

from __future__ import annotations

import base64
import binascii
import importlib
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.errors import BadInput

GIDS = NDArray[np.uint32]

WITHOUT_FLAGS = np.uint32(0x0FFFFFFF)
"""The upper four bits of a tile's number say how it is turned and mirrored."""
WINDOWS = {"zlib": 15, "gzip": 31}
ZSTD_WINDOW = 2**25


def decode(data: Any, encoding: str | None, compression: str | None, count: int) -> GIDS:
    """The numbers of `count` tiles, flags removed; 0 is no tile.

    Raises `BadInput` if their number is another, or if they cannot be read. At most `count`
    tiles are ever unpacked, whatever the data would unpack to.
    """
    if isinstance(data, list):
        return _numbers(data, count)
    if not isinstance(data, str):
        raise BadInput("must be an array or a text of tile numbers")
    if encoding in (None, "", "csv"):
        return _csv(data, count)
    if encoding != "base64":
        raise BadInput(f"encoding '{encoding}' is not known; must be csv or base64")
    raw = _unpacked(_base64(data), compression or "", 4 * count)
    return np.frombuffer(raw, dtype="<u4").astype(np.uint32) & WITHOUT_FLAGS


def _numbers(values: list[Any], count: int) -> GIDS:
    _check_count(len(values), count)
    if not set(map(type, values)) <= {int}:
        raise BadInput("must be whole numbers")
    if min(values) < 0 or max(values) >= 2**32:
        raise BadInput("tile numbers must be from 0 to 4294967295")
    return np.array(values, dtype=np.uint32) & WITHOUT_FLAGS


def _csv(text: str, count: int) -> GIDS:
    text = text.strip().removesuffix(",")
    _check_count(text.count(",") + 1 if text else 0, count)
    try:
        values = [int(each) for each in text.split(",")]
    except ValueError:
        raise BadInput("must be whole numbers with commas between them") from None
    return _numbers(values, count)


def _base64(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise BadInput("is not base64") from None


def _unpacked(raw: bytes, compression: str, size: int) -> bytes:
    """Exactly `size` bytes out of `raw`."""
    whole = True
    if compression in WINDOWS:
        unpacker = zlib.decompressobj(WINDOWS[compression])
        try:
            raw = unpacker.decompress(raw, size + 1)
        except zlib.error:
            raise BadInput(f"is not {compression} data") from None
        whole = unpacker.eof or len(raw) > size
    elif compression == "zstd":
        raw = _zstd(raw, size + 1)
    elif compression:
        raise BadInput(f"compression '{compression}' is not known; must be gzip, zlib or zstd")
    if not whole:
        raise BadInput(f"the {compression} data is cut off")
    if len(raw) > size:
        raise BadInput(f"holds more than the {size // 4} tiles it should")
    if len(raw) % 4:
        raise BadInput(f"holds {len(raw)} bytes, not four a tile")
    _check_count(len(raw) // 4, size // 4)
    return raw


def _zstd(raw: bytes, most: int) -> bytes:
    try:
        zstandard: Any = importlib.import_module("zstandard")
    except ModuleNotFoundError:
        raise BadInput(
            "zstd needs the package zstandard (pip install zstandard); or save the map with zlib"
        ) from None
    try:
        unpacker = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW)
        read: bytes = unpacker.stream_reader(raw).read(most)
    except zstandard.ZstdError:
        raise BadInput("is not zstd data") from None
    return read


def _check_count(found: int, wanted: int) -> None:
    if found != wanted:
        raise BadInput(f"holds {found} tiles instead of {wanted}")
