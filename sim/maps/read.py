"""Reading a map file of any kind."""

from __future__ import annotations

from pathlib import Path

from sim.core.errors import BadInput, printable, shortened
from sim.core.files import path_of
from sim.core.limits import is_number
from sim.maps.files import LARGEST, Files
from sim.maps.moving_ai import parse_moving_ai
from sim.maps.tile_map import TileMap


def read(path: str | Path, tile: float | None = None) -> TileMap:
    """The map in a file: Tiled (`.tmx`, `.tmj`) or Moving AI (`.map`).

    `tile` is the width of a Moving AI tile in world units, 1 if it is not given; Tiled maps carry
    their own, a world unit being a pixel. Files may come from anywhere: they are read within the
    bounds of `limits`, and name no file outside their folder. Raises `BadInput`, one line that
    begins with the path.
    """
    place = path_of(path)
    file = printable(str(path))
    try:
        return _read(Files(place), tile)
    except BadInput as error:
        raise BadInput(f"{file}: {printable(str(error))}") from None
    except (RecursionError, MemoryError):
        raise BadInput(f"{file}: nested too deep, or too large, to be read") from None


def _read(files: Files, tile: float | None) -> TileMap:
    suffix = files.path.suffix.lower()
    if suffix not in (".tmx", ".tmj", ".map"):
        raise BadInput("must be a .tmx, .tmj or .map file")
    if suffix == ".map":
        size = 1.0 if tile is None else tile
        if not (is_number(size) and 0 < size <= LARGEST):
            said = "must be a finite number greater than 0, up to 1e9"
            raise BadInput(f"tile = {shortened(size)}: {said}")
        return parse_moving_ai(files.read(), size)
    from sim.maps.tiled import read_tiled  # brings in pydantic, which others do without

    tiles = read_tiled(files)
    if tile is not None and tiles.tile != (tile, tile):
        own = "{:g} x {:g}".format(*tiles.tile)
        shown = f"{tile:g}" if is_number(tile) else shortened(tile)
        raise BadInput(f"tile = {shown}: is for .map files; tiles of this one are {own}")
    return tiles
