"""Parts, areas and events in scenario files."""

import pytest

from sim.core.errors import BadInput
from sim.scenario.build import build
from sim.scenario.load import loads

from .test_parts import run

FILE = """
title = "Door"
duration = 20
[map]
bounds = [0, 0, 40, 20]
edges = "wall"
boxes = [[20, 0, 21, 9], [20, 11, 21, 20]]
[map.parts]
gate = { box = [20, 9, 21, 11], open = true }
fan = { polygon = [[30, 3], [33, 3], [31, 6]] }
post = { circle = [25, 15, 1] }
fence = { wall = [5, 2, 9, 2] }
lift = { box = [30, 12, 32, 13], path = [[0, 0, 0], [2, 4, 0], [4, 0, 0]], loop = true }
[[areas]]
region = [0, 0, 10, 5]
speed = 0.5
[[events]]
at = 2.0
open = "gate"
[[events]]
at = 1.0
close = "gate"
[[groups]]
name = "a"
spawn = { points = [[4, 10]] }
goal = { point = [35, 10] }
"""


def made(text=FILE):
    """The world of a file."""
    return build(loads(text, "door.toml"))


def test_all_is_as_the_file_says():
    """Parts of all shapes stand, move, close and open at their times; areas have their factors."""
    world = made()
    assert list(world.parts) == ["gate", "fan", "post", "fence", "lift"]
    assert [part.closed for part in world.parts.values()] == [False, True, True, True, True]
    assert (world.areas[0].speed, world.areas[0].cost) == (0.5, 2.0)
    run(world, 59)
    assert not world.parts["gate"].closed
    run(world, 2)
    assert world.parts["gate"].closed
    run(world, 59)
    assert world.parts["gate"].closed
    assert world.parts["lift"].body.position.x == pytest.approx(4, abs=0.1)
    run(world, 1)
    assert not world.parts["gate"].closed


@pytest.mark.parametrize(("old", "new", "said"), [
    ("box = [20, 9, 21, 11], open", "opens", "map.parts.gate.opens = true: unknown key"),
    ("gate = { box = [20, 9, 21, 11],", "gate = {", "map.parts.gate: must say one of: box, wall"),
    ("{ circle = [25, 15, 1] }", "{ circle = [25, 15, 1], box = [0, 0, 1, 1] }", "only one"),
    ("[25, 15, 1]", "[25, 15, -1]", "map.parts.post.circle"),
    ("[31, 6]]", "[31, 3]]", "map.parts.fan.polygon"),
    ("[4, 0, 0]]", "[4, 1, 0]]", "map.parts.lift.path"),
    ("[2, 4, 0],", "[-2, 4, 0],", "map.parts.lift.path"),
    ("[2, 4, 0],", "[9, 4, 0],", "in order of time"),
    ("speed = 0.5", "speed = 0", "areas[0].speed = 0: must be from 0.001 to 1000"),
    ("speed = 0.5", 'groups = ["b"]', "no such group: 'b'"),
    ("region = [0, 0, 10, 5]", 'object = "mud"', "needs a Tiled map that has this object"),
    ('open = "gate"', 'open = "gat"', 'events[0].open = "gat": no such part of the map'),
    ('open = "gate"', 'open = "gate"\nclose = "gate"', "says open and close; must say only one"),
    ("at = 2.0", "at = -1", "events[0].at = -1: must be from 0"),
    ("at = 2.0", "", "events[0].at: required"),
])  # fmt: skip
def test_refused(old, new, said):
    """What is wrong is refused with file, key, value and what is allowed."""
    assert old in FILE
    with pytest.raises(BadInput) as refused:
        made(FILE.replace(old, new, 1))
    assert str(refused.value).startswith("door.toml: ")
    assert said in str(refused.value)
