"""The tile map that a scenario names, and what the scenario says about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sim.core.errors import BadInput
from sim.maps import TileMap, read
from sim.scenario.messages import Path, Refusal, line
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
    for at, name, count in _named(scenario):
        try:
            found = tiles.named(name)
        except BadInput as error:
            yield Refusal(at, str(error))
            continue
        if at[0] == "areas" and found.kind == "point":
            yield Refusal(at, "is a point in the map, which has no inside")
        if count is not None and found.kind == "point" and count > 1:
            yield Refusal(at, f"is a point in the map, where one unit can start, not {count}")


def _named(scenario: Scenario) -> Iterator[tuple[Path, str, int | None]]:
    """Objects that a scenario names: where, the name, and how many units start there if any do."""
    for index, group in enumerate(scenario.groups):
        if group.spawn is not None and group.spawn.object is not None:
            yield ("groups", index, "spawn", "object"), group.spawn.object, group.size
        if group.goal is not None and group.goal.object is not None:
            yield ("groups", index, "goal", "object"), group.goal.object, None
    for index, source in enumerate(scenario.sources):
        if source.spawn is not None and source.spawn.object is not None:
            yield ("sources", index, "spawn", "object"), source.spawn.object, 1
    for index, event in enumerate(scenario.events):
        if event.goal is not None and event.goal.object is not None:
            yield ("events", index, "goal", "object"), event.goal.object, None
    for index, area in enumerate(scenario.areas):
        if area.object is not None:
            yield ("areas", index, "object"), area.object, None
    for player in scenario.player:
        if player.spawn.object is not None:
            yield ("player", 0, "spawn", "object"), player.spawn.object, 1
