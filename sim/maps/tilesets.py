"""Which tile numbers are solid, by what the tilesets say of their tiles."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Bools
from sim.core.errors import BadInput
from sim.maps.schema import Tileset

GIDS = NDArray[np.uint32]


class Tilesets:
    """The tilesets of a map, by the first tile number (gid) of each.

    Raises `BadInput` for two that begin with the same number.
    """

    def __init__(self, tilesets: Iterable[Tileset]) -> None:
        known = sorted(tilesets, key=lambda each: each.firstgid)
        firsts = [each.firstgid for each in known]
        if len(set(firsts)) < len(firsts):
            raise BadInput("tilesets: two begin with the same firstgid")
        self._first = firsts[0] if known else 1
        self._past = _past(known[-1]) if known else 1
        said = [(t.firstgid + tile.id, tile.says_solid) for t in known for tile in t.tiles]
        self._solid = np.array([gid for gid, word in said if word is True], dtype=np.uint32)
        self._free = np.array([gid for gid, word in said if word is False], dtype=np.uint32)

    def solid(self, numbers: GIDS, word: bool | None) -> Bools:
        """Which of these tiles are solid in a layer whose word is: all, none, or None (ask each).

        Raises `BadInput` for a number that belongs to no tileset.
        """
        placed = numbers > 0
        unknown = placed & ((numbers < self._first) | (numbers >= self._past))
        if unknown.any():
            row, column = np.argwhere(unknown)[0]
            gid = numbers[row, column]
            raise BadInput(f"row {row}, column {column}: tile {gid} belongs to no tileset")
        if word is None:
            return np.isin(numbers, self._solid)
        if not word:
            return np.zeros(numbers.shape, dtype=np.bool_)
        return placed & ~np.isin(numbers, self._free)


def _past(tileset: Tileset) -> int:
    """One past the last tile number of the last tileset.

    Image collections number their tiles with gaps, and very old maps do not say how many there are.
    """
    if tileset.tilecount is None:
        return 2**28
    highest = max((tile.id for tile in tileset.tiles), default=-1)
    return tileset.firstgid + max(tileset.tilecount, highest + 1)
