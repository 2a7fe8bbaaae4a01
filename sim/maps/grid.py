"""The grid that the layers of a Tiled map are laid on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Bools, Ints
from sim.core.errors import BadInput, naming
from sim.maps.limits import MOST_CELLS, MOST_TILES
from sim.maps.schema import Layer
from sim.maps.tile_data import decode

GIDS = NDArray[np.uint32]


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
