"""The tile map that a scenario names, and what the scenario says about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sim.core.errors import BadInput
from sim.maps import TileMap, read
from sim.scenario.changes import objects_of
from sim.scenario.messages import Refusal, line
from sim.scenario.schema import Scenario


def read_tiles(file: str, document: dict[str, Any], scenario: Scenario) -> TileMap:
    """The map that `map.file` names.

    Raises `BadInput` for what is wrong with it, and for what the scenario says that does not fit.
    """
    name, tile = scenario.map.file, scenario.map.tile
    assert name is not None
    try:
        tiles = read(scenario.path.parent / name, tile)
    except BadInput as error:
        raise BadInput(line(file, document, Refusal(("map", "file"), str(error)))) from None
    for refusal in _misfits(scenario, tiles):
        raise BadInput(line(file, document, refusal))
    return tiles


def _misfits(scenario: Scenario, tiles: TileMap) -> Iterator[Refusal]:
    """What the scenario says that this map cannot be."""
    if scenario.map.edges == "wrap":
        said = "a tile map does not wrap: what lies outside it is solid"
        yield Refusal(("map", "edges"), said)
    if scenario.map.bounds is not None:
        (left, top, right, bottom), (x1, y1, x2, y2) = scenario.map.bounds, tiles.bounds
        if left > x1 or top > y1 or right < x2 or bottom < y2:
            said = f"must hold the whole map, [{x1:g}, {y1:g}, {x2:g}, {y2:g}], or be left out"
            yield Refusal(("map", "bounds"), said)
    for at, name, count in objects_of(scenario):
        try:
            found = tiles.named(name)
        except BadInput as error:
            yield Refusal(at, str(error))
            continue
        if at[0] == "areas" and found.kind == "point":
            yield Refusal(at, "is a point in the map, which has no inside")
        if count is not None and found.kind == "point" and count > 1:
            yield Refusal(at, f"is a point in the map, where one unit can start, not {count}")
