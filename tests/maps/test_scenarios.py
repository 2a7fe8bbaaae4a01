"""Scenarios on tile maps."""

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.scenario.build import build
from sim.scenario.load import load
from sim.study.report import Report

from .making import ROOMS, layer, octile, tmx

PLACES = """<objectgroup id="2" name="places">
<object id="1" name="west" x="30" y="30" width="60" height="90"/>
<object id="2" name="door" x="105" y="75"><point/></object></objectgroup>"""
SCENARIO = """
title = "Rooms"
duration = 3
[map]
file = "rooms.tmx"
[[groups]]
name = "birds"
model = "flock"
count = 6
speed = 20
spawn = { object = "west" }
[[player]]
spawn = { object = "door", heading = 0 }
"""


@pytest.fixture
def scenario(tmp_path):
    """Loads the scenario, with changes, beside a map of two rooms."""

    def made(*changes, text=SCENARIO):
        (tmp_path / "rooms.tmx").write_text(tmx(layer(ROOMS) + PLACES))
        (tmp_path / "rooms.map").write_text(octile())
        (tmp_path / "rooms.toml").write_text(text)
        return load(tmp_path / "rooms.toml", changes)

    return made


def test_units_start_in_objects_and_stay_on_the_map(scenario):
    """Groups start inside a rectangle, one unit at a point; a flock among walls crosses none."""
    world = build(scenario())
    start = world.units.position
    assert ((start[:6] > (30, 30)) & (start[:6] < (90, 120))).all()
    assert start[6].tolist() == [105, 75]
    report = Report(world, "Rooms")
    report.observe(world)
    for _ in range(180):
        world.step()
        report.observe(world)
    figures = report.result(1.0)
    assert figures["wall_crossings"] == 0
    assert np.ptp(world.units.position, axis=0).max() > 10


def test_the_map_is_the_bounds(scenario):
    """Bounds may be left out or hold the whole map; the map's own hold, and are walls."""
    for more in ((), ("map.bounds=[-9, -9, 999, 999]",), ("map.edges=wall",)):
        world = build(scenario(*more))
        assert world.plane.bounds == (0, 0, 210, 150)
        assert world.plane.edges == "wall"


def test_other_solids_stand_on_the_map_too(scenario):
    """Walls, boxes and circles of the scenario are added to those of its map."""
    plain, more = build(scenario()), build(scenario("map.boxes=[[130, 40, 150, 50]]"))
    assert len(more.solids.boxes) == len(plain.solids.boxes) + 1
    assert len(more.space.shapes) == len(plain.space.shapes) + 1


def test_moving_ai_maps_take_their_tile_size(scenario):
    """`map.tile` says how large the tiles of a .map are."""
    text = SCENARIO.replace("rooms.tmx", "rooms.map").replace(
        'object = "west"', "region=[5,5,15,20]"
    )
    text = text[: text.index("[[player]]")].replace("count = 6", "count = 1")
    assert build(scenario("map.tile=5", text=text)).plane.bounds == (0, 0, 35, 25)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("map.edges=wrap", 'map.edges = "wrap": a tile map does not wrap'),
        ("map.bounds=[0, 0, 200, 150]",
         "map.bounds = [0, 0, 200, 150]: must hold the whole map, [0, 0, 210, 150]"),
        ("map.tile=31", "tile = 31: is for .map files; tiles of this one are 30 x 30"),
        ("groups.birds.spawn.object=wets",
         'groups.birds.spawn.object = "wets": the map has no such object; did you mean'),
        ("groups.birds.spawn.object=door",
         'groups.birds.spawn.object = "door": is a point in the map, where one unit can'),
        ("player.spawn.object=gate", 'player.spawn.object = "gate": the map has no such object'),
        ("map.file=none.tmx", "none.tmx: no such file"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_map(scenario, tmp_path, change, said):
    """One line with the scenario's file and the key, as for every other mistake."""
    with pytest.raises(BadInput) as error:
        scenario(change)
    assert str(error.value).startswith(f"{tmp_path / 'rooms.toml'}: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_goals_on_objects(scenario):
    """A goal may be an object of the map, which must be there."""
    with pytest.raises(BadInput, match=r'goal\.object = "exit": the map has no such object'):
        scenario('groups.birds.goal={ object = "exit" }')
    made = build(scenario('groups.birds.goal={ object = "door" }'))
    place = made.map.named("door")
    assert np.allclose(made.orders.points, place.centre)
