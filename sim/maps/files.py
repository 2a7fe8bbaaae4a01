"""Reading map files: plain files only, inside the map's folder, and how large a map may be.

A file can claim, or unpack to, far more than it is long: bounds hold before memory is taken.
"""

from __future__ import annotations

import stat
from pathlib import Path

from sim.core.errors import BadInput

MOST_BYTES = 16 * 2**20
"""Of a map and the tileset files it names, together."""
MOST_TILES = 2048 * 2048
"""Of a map."""
MOST_CELLS = 4 * MOST_TILES
"""Of all its layers."""
MOST_CORNERS = 400_000
"""Of its walls: each wall is a shape of its own to the engine."""
MOST_NODES = 100_000
"""XML elements, or JSON arrays and objects, of a file; tiles that are elements do not count."""
MOST_TILE_NODES = 1_000_000
"""Tiles of a file that are elements, as very old maps have them."""
DEEPEST = 64
"""XML elements inside one another, and layers in groups."""
FARTHEST = 1_000_000
"""Tiles from the origin that a chunk may lie, and the most columns or rows."""
LARGEST = 1e9
"""Any coordinate or size, world units."""


class Files:
    """A map file and those beside it that it names, read within one budget of bytes.

    Refusals are `BadInput` with what is wrong; the caller adds the file's or the key's name.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._left = MOST_BYTES

    def read(self) -> bytes:
        """The map file itself."""
        return self._bytes(self.path)

    def beside(self, name: str) -> bytes:
        """A file that the map names, by a path relative to the map that stays in its folder."""
        try:
            folder = self.path.parent.resolve()
            target = (folder / name).resolve()
            inside = target.is_relative_to(folder)
        except (OSError, ValueError, RuntimeError):
            raise BadInput("is not the name of a file") from None
        if Path(name).is_absolute() or not inside:
            raise BadInput("lies outside the map's folder")
        return self._bytes(target)

    def _bytes(self, path: Path) -> bytes:
        try:
            mode = path.stat().st_mode
            # Reading a pipe would wait for the program that writes to it.
            raw = self._start_of(path) if stat.S_ISREG(mode) else None
        except FileNotFoundError:
            raise BadInput("no such file") from None
        except OSError as error:
            raise BadInput(f"cannot be read: {error.strerror}") from None
        except ValueError:
            raise BadInput("is not the name of a file") from None
        if raw is None:
            raise BadInput("is a directory" if stat.S_ISDIR(mode) else "is not a plain file")
        self._left -= len(raw)
        if self._left < 0:
            raise BadInput(f"longer than the {MOST_BYTES // 2**20} MB that a map may take")
        return raw

    def _start_of(self, path: Path) -> bytes:
        with path.open("rb") as file:
            return file.read(self._left + 1)
