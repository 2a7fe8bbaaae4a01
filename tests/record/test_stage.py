"""What is kept beside the motion of a run: it comes back as it was, and nonsense is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from sim import Goal, World
from sim.core.errors import BadInput
from sim.maps.tile_map import TileMap
from sim.record.stage import Stage


def test_round_trip():
    """Bounds, solids, hulls, colours and parts of a world with all of them."""
    world = World(
        bounds=(0, 0, 100, 80), edges="wall", discs=[[50, 40, 3]], boxes=[[70, 10, 80, 20]],
        walls=[[5, 5, 9, 9]],
    )  # fmt: skip
    world.add_group("prey", [[20, 20]], model="player", heading=0.0)
    world.add_group("flock", [[40, 60]], model="flock", heading=0.0)
    world.add_group("h", [[20, 60]], model="flock", heading=0.0, goal=Goal("intercept", "prey"))
    world.add_group("crowd", [[90, 60]], model="crowd", heading=0.0)
    stage = Stage.of(world, "All of it")
    read = Stage.read(stage.text())
    assert (read.title, read.plane, read.casts) == ("All of it", world.plane, stage.casts)
    assert [cast.part for cast in read.casts] == ["player", "leads", "intercepts", "own"]
    assert read.units == 4
    for name in ("discs", "boxes", "walls"):
        assert np.array_equal(getattr(read.solids, name), getattr(world.solids, name))


def test_tiles_round_trip():
    """A map of tiles comes back tile by tile."""
    solid = np.pad(np.eye(4, dtype=bool), 1, constant_values=True)
    world = World(map=TileMap(solid, (2.0, 3.0), (7.0, 8.0)))
    world.add_group("a", [[14.0, 12.5]], model="squares", heading=0.0)
    read = Stage.read(Stage.of(world).text())
    assert read.map is not None
    assert np.array_equal(read.map.solid, solid)
    assert (read.map.tile, read.map.origin) == ((2.0, 3.0), (7.0, 8.0))
    assert np.array_equal(read.solids.boxes, world.solids.boxes)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("bounds", [1, 2]), ("edges", "round"), ("discs", [[1]]), ("discs", [[0, 0, -1]]),
        ("groups", 3), ("groups", [{}]), ("map", {"rows": []}), ("title", None),
    ],
)  # fmt: skip
def test_nonsense_is_refused(key, value):
    """Each wrong value, as bad input and not as an error of the program's."""
    world = World()
    world.add_group("a", [[0, 0]], model="flock", heading=0.0)
    whole = json.loads(Stage.of(world).text())
    whole[key] = value
    if key == "title":
        del whole[key]
    with pytest.raises(BadInput, match="stage: "):
        Stage.read(json.dumps(whole))


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "3"])
def test_no_object_is_refused(text):
    """Text that is no stage at all."""
    with pytest.raises(BadInput, match="stage: cannot be understood"):
        Stage.read(text)
