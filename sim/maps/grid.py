"""The tiles of a Tiled map: how layers and chunks write them, and the grid they are laid on.

They come as CSV, or as base64 that may be compressed. Formats: Tiled 1.11 manual, "TMX Map Format",
<data>, and "Global Tile IDs".
"""

from __future__ import annotations

import base64
import binascii
import importlib
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Bools, Ints
from sim.core.errors import BadInput, naming
from sim.maps.files import MOST_CELLS, MOST_TILES
from sim.maps.schema import Layer

GIDS = NDArray[np.uint32]

WITHOUT_FLAGS = np.uint32(0x0FFFFFFF)
"""The upper four bits of a tile's number say how it is turned and mirrored."""
WINDOWS = {"zlib": 15, "gzip": 31}
ZSTD_WINDOW = 2**25


class Grid:
    """Collects solid tiles. Of a finite map `size` is (columns, rows), of an infinite one None.

    An infinite map reaches as far as tiles are placed, in whatever layer. Raises `BadInput` for
    more tiles than `limits` allows, before any memory is taken for them.
    """

    def __init__(self, size: tuple[int, int] | None) -> None:
        self._size = size
        if size is not None and size[0] * size[1] > MOST_TILES:
            raise BadInput(f"{size[0]} x {size[1]} tiles: at most {MOST_TILES} are read")
        self._left = MOST_CELLS
        self._parts: list[tuple[int, int, Bools]] = []
        self._low = np.full(2, np.iinfo(np.int64).max)
        self._high = np.full(2, np.iinfo(np.int64).min)

    def pieces(self, layer: Layer) -> Iterator[tuple[int, int, GIDS]]:
        """The parts of a tile layer: column, row, and tile numbers (rows, columns)."""
        if self._size is not None:
            yield 0, 0, self._whole(layer, self._size)
            return
        if not layer.chunks and layer.data not in (None, "", []):
            raise BadInput("must come in chunks, since the map is infinite")
        for index, chunk in enumerate(layer.chunks):
            with naming(f"chunks[{index}]: "):
                numbers = self._decoded(chunk.data, layer, chunk.width, chunk.height)
            yield chunk.x, chunk.y, numbers

    def put(self, x: int, y: int, solid: Bools, placed: Bools) -> None:
        """Lay a piece at a column and row; `placed` says where it has tiles at all."""
        rows, columns = np.flatnonzero(placed.any(axis=1)), np.flatnonzero(placed.any(axis=0))
        if not len(rows):
            return
        self._low = np.minimum(self._low, (x + columns[0], y + rows[0]))
        self._high = np.maximum(self._high, (x + columns[-1] + 1, y + rows[-1] + 1))
        self._parts.append((x, y, solid))

    def solid(self) -> tuple[tuple[int, int], Bools]:
        """Column and row of the upper left corner, and which tiles are solid (rows, columns)."""
        low, high = self._extent()
        columns, rows = (high - low).tolist()
        if columns * rows > MOST_TILES:
            raise BadInput(f"{columns} x {rows} tiles between the outermost: at most {MOST_TILES}")
        # Pieces reach beyond the tiles placed in them; what does holds no tile.
        solid = np.zeros((rows, columns), dtype=np.bool_)
        for x, y, part in self._parts:
            left, top = max(int(low[0]) - x, 0), max(int(low[1]) - y, 0)
            part = part[top:, left:]
            at_x, at_y = max(x - int(low[0]), 0), max(y - int(low[1]), 0)
            room = solid[at_y : at_y + part.shape[0], at_x : at_x + part.shape[1]]
            room |= part[: room.shape[0], : room.shape[1]]
        return (int(low[0]), int(low[1])), solid

    def _extent(self) -> tuple[Ints, Ints]:
        if self._size is not None:
            return np.zeros(2, dtype=np.int64), np.array(self._size, dtype=np.int64)
        if not self._parts:
            raise BadInput("no tiles are placed in this infinite map")
        return self._low, self._high

    def _whole(self, layer: Layer, size: tuple[int, int]) -> GIDS:
        given = (layer.width, layer.height)
        if layer.chunks:
            raise BadInput("comes in chunks, but the map is not infinite")
        if given != size:
            shown = " x ".join("?" if each is None else str(each) for each in given)
            raise BadInput(f"is {shown} tiles, but the map is {size[0]} x {size[1]}")
        if layer.data is None:
            raise BadInput("has no data")
        return self._decoded(layer.data, layer, *size)

    def _decoded(self, data: object, layer: Layer, columns: int, rows: int) -> GIDS:
        self._left -= columns * rows
        if self._left < 0:
            raise BadInput(f"more than {MOST_CELLS} tiles in all layers")
        numbers = decode(data, layer.encoding, layer.compression, columns * rows)
        return numbers.reshape(rows, columns)


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
