"""Tiled maps, `.tmx` and `.tmj`: finite and infinite, with embedded or external tilesets.

A tile is solid where its tileset gives it a true property "solid". A layer with that property, or
named or classed one of `COLLISION`, makes all tiles placed in it solid except those marked false; a
layer whose property is false makes none so. A group of layers passes on what it says. Whether a
layer is visible does not matter. Named objects are points and rectangles in world units.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

import numpy as np
from pydantic import BaseModel, ValidationError

from sim.core.arrays import Bools
from sim.core.errors import BadInput, naming, printable
from sim.maps import xml
from sim.maps.files import DEEPEST, MOST_NODES, Files
from sim.maps.grid import GIDS, Grid
from sim.maps.schema import Layer, Object, TiledMap, Tileset
from sim.maps.tile_map import MapObject, TileMap

COLLISION = ("collision", "collisions", "solid", "walls")
"""Names and classes of layers whose tiles are all solid, in any case."""
SHOWN = 60

Table = TypeVar("Table", bound=BaseModel)


def read_tiled(files: Files) -> TileMap:
    """The map in a file, by its suffix XML or JSON. Raises `BadInput` with what is wrong."""
    raw = files.read()
    is_xml = files.path.suffix.lower() == ".tmx"
    table = xml.map_table(xml.tree(raw, "map")) if is_xml else _json(raw)
    plan = checked(TiledMap, table)
    if plan.orientation != "orthogonal":
        raise BadInput(f"orientation = {plan.orientation[:SHOWN]}: must be orthogonal")
    size = None if plan.infinite else (plan.width, plan.height)
    reader = _Reader(Grid(size), Tilesets(_all_tilesets(plan, files)))
    reader.take(plan.layers, None, (0.0, 0.0), "layers", 0)
    origin, solid = reader.grid.solid()
    tile = (float(plan.tilewidth), float(plan.tileheight))
    corner = (origin[0] * tile[0], origin[1] * tile[1])
    return TileMap(solid, tile, corner, tuple(reader.objects))


class _Reader:
    """Goes through the layers, groups and all."""

    def __init__(self, grid: Grid, tilesets: Tilesets) -> None:
        self.grid, self._tilesets = grid, tilesets
        self.objects: list[MapObject] = []

    def take(
        self, layers: tuple[Layer, ...], said: bool | None, shift: tuple[float, float],
        where: str, depth: int,
    ) -> None:  # fmt: skip
        """Take in layers that lie in a group that says so, and is shifted so."""
        if depth > DEEPEST:
            raise BadInput(f"{where}: more groups inside one another than a map has")
        for index, layer in enumerate(layers):
            at = f"{where}[{index}]"
            word = _word(layer, said)
            moved = shift[0] + layer.offsetx, shift[1] + layer.offsety
            if layer.type == "group":
                self.take(layer.layers, word, moved, f"{at}.layers", depth + 1)
            elif layer.type == "objectgroup":
                self.objects += [_object(each, moved) for each in layer.objects if each.name]
            elif layer.type == "tilelayer":
                self._tiles(layer, word, moved, at)

    def _tiles(self, layer: Layer, word: bool | None, shift: tuple[float, float], at: str) -> None:
        name = f" ({layer.name[:SHOWN]})" if layer.name else ""
        with naming(f"{at}{name}: "):
            solids = False
            for x, y, numbers in self.grid.pieces(layer):
                solid = self._tilesets.solid(numbers, word)
                self.grid.put(x, y, solid, numbers > 0)
                solids = solids or bool(solid.any())
            if solids and shift != (0.0, 0.0):
                raise BadInput("has solid tiles and an offset; those must lie on the map's grid")


def _word(layer: Layer, said: bool | None) -> bool | None:
    """What a layer says of its tiles: all solid, none solid, or ask each."""
    if layer.says_solid is not None:
        return layer.says_solid
    named = {layer.name.strip().casefold(), layer.class_.strip().casefold()}
    return True if named & set(COLLISION) else said


def _object(each: Object, shift: tuple[float, float]) -> MapObject:
    x, y = each.x + shift[0], each.y + shift[1]
    # Tiles placed as objects stand on their lower left corner.
    top = y - each.height if each.gid else y
    if each.kind == "point":
        return MapObject(each.name, "point", (x, y, x, y))
    return MapObject(each.name, each.kind, (x, top, x + each.width, top + each.height))


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


def _all_tilesets(plan: TiledMap, files: Files) -> list[Tileset]:
    """The tilesets, those in files of their own read."""
    found = []
    for index, tileset in enumerate(plan.tilesets):
        if tileset.source is None:
            found.append(tileset)
            continue
        shown = json.dumps(tileset.source[:SHOWN], ensure_ascii=False)
        with naming(f"tilesets[{index}].source = {shown}: "):
            raw = files.beside(tileset.source)
            is_xml = raw.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")[:1] == b"<"
            table = xml.tileset_table(xml.tree(raw, "tileset")) if is_xml else _json(raw)
            inside = checked(Tileset, table)
        if inside.source is not None:
            raise BadInput(f"tilesets[{index}].source: is a tileset that names another file")
        found.append(inside.model_copy(update={"firstgid": tileset.firstgid}))
    return found


def checked(model: type[Table], table: Any) -> Table:
    """A table of the file as its model; what does not fit is `BadInput` in one line."""
    try:
        return model.model_validate(table)
    except ValidationError as errors:
        first = errors.errors(include_url=False)[0]
    where = ""
    for step in first["loc"]:
        where += f"[{step}]" if isinstance(step, int) else f".{step}" if where else step
    value, said = (
        first["input"],
        first["msg"].removeprefix("Input should be ").replace("tuple", "list"),
    )
    if first["type"] == "missing":
        raise BadInput(f"{where}: required")
    shown = "" if isinstance(value, dict | list) else f" = {value!s:.{SHOWN}}"
    raise BadInput(printable(f"{where or 'the file'}{shown}: must be {said}"))


def _json(raw: bytes) -> Any:
    if raw.count(b"[") + raw.count(b"{") > MOST_NODES:
        raise BadInput("more arrays and objects than a map has")
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_not_finite)
    except UnicodeDecodeError as error:
        raise BadInput(f"not UTF-8 text (byte {error.start})") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadInput(f"not JSON that can be read: {error.msg} ({where})") from None
    except BadInput:
        raise
    except (ValueError, RecursionError):
        raise BadInput("not JSON that can be read: nested too deep, or too long a number") from None


def _not_finite(name: str) -> NoReturn:
    raise BadInput(f"{name}: must be a finite number")
