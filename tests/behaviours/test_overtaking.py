"""A unit ahead that walks steadily but slower is overtaken where there is room; a queue is not."""

import numpy as np
import pytest

from sim import Goal, Hull, World

WALLS = [[-20, 1.25, 20, 3], [-20, -3, 20, -1.25]]
BODY = Hull.disc(0.5, 80.0)


def walk(lane: float, seconds: float, boxes=WALLS, others=(), **change) -> np.ndarray:
    """Places (steps, units, 2) of a slow unit, a quick one 3 behind it, others that walk back."""
    world = World(boxes=boxes)
    rule = {"keep_clear": change}
    for name, x, speed in (("slow", -7.0, 0.9), ("quick", -10.0, 1.6)):
        world.add_group(name, [[x, lane]], model="crowd", hull=BODY, speed=speed, heading=0.0,
                        goal=Goal.to([15.0, lane]), behaviours=rule)  # fmt: skip
    for number, (x, y) in enumerate(others):
        world.add_group(f"back {number}", [[x, y]], model="crowd", hull=BODY, speed=1.3,
                        heading=np.pi, goal=Goal.to([-18.0, y]), behaviours=rule)  # fmt: skip
    places = []
    for _ in range(round(60 * seconds)):
        world.step()
        places.append(world.units.position.copy())
    return np.array(places)


def apart(places: np.ndarray) -> float:
    """How near the slow and the quick one came to each other."""
    return float(np.hypot(*(places[:, 0] - places[:, 1]).T).min())


@pytest.mark.parametrize("lane", [0.5, 0.0, pytest.param(-0.5, marks=pytest.mark.slow)])
def test_overtakes_where_there_is_room(lane: float):
    """From 2.5 bodies of room on one side, or in the open, one loses less than a second."""
    boxes = WALLS if lane else ()
    places = walk(lane, 14.5, boxes)
    ahead = places[:, 1, 0] - places[:, 0, 0]
    assert ahead[-1] > 3.0
    # 14.5 s at 1.6 from -10 lead to 13.2; three tenths of that second go with the start from rest.
    assert places[-1, 1, 0] > 13.2 - 1.6
    assert apart(places) > 1.0
    assert walk(lane, 14.5, boxes, overtake=0.0)[-1, 1, 0] < places[-1, 1, 0] - 3.0


def test_follows_calmly_where_there_is_none():
    """In a passage too narrow to pass, one follows and keeps to its lane."""
    places = walk(0.0, 10.0, [[-20, 0.95, 20, 3], [-20, -3, 20, -0.95]])
    assert (places[:, 1, 0] < places[:, 0, 0] - 1.0).all()
    assert np.abs(places[:, 1, 1]).max() < 0.05


@pytest.mark.parametrize(("side", "seconds"), [(1, 12.0), (-1, 15.0)])
def test_waits_for_a_unit_that_comes_the_other_way(side: int, seconds: float):
    """While the other lane is taken one stays behind; once it is free one passes, to either side.

    To make room for them the quick one has gone to the wall, close behind: it has to step back.
    Where they meet on the port side, each first crosses to its starboard: that takes three seconds.
    """
    boxes = [[-20, 1.6, 20, 3], [-20, -3, 20, -1.6]]
    oncoming = [(x, -0.8 * side) for x in (-4.0, -2.0, 0.0, 2.0)]
    places = walk(0.8 * side, seconds, boxes, oncoming)
    ahead = places[:, 1, 0] - places[:, 0, 0]
    first = int(np.argmax(ahead > 0))
    assert first > 0
    assert (places[first, 2:, 0] < places[first, 1, 0]).all()
    assert ahead[-1] > 1.0
    assert apart(places) > 0.95


def test_a_unit_that_wants_no_more_is_content():
    """Where all want the same speed nobody overtakes: in a queue before a door nothing changes."""
    runs = []
    for overtake in (0.0, 0.9):
        world = World(boxes=[[0, -6, 0.5, -0.5], [0, 0.5, 0.5, 6]], seed=2)
        spots = [[-1.5 - 0.6 * row, 0.6 * column] for row in range(4) for column in (-1, 0, 1)]
        world.add_group(
            "queue", spots, model="crowd", hull=Hull.disc(0.25, 80.0), goal=Goal.to([4.0, 0.0]),
            behaviours={"keep_clear": {"overtake": overtake}},
        )  # fmt: skip
        for _ in range(60 * 8):
            world.step()
        runs.append(world.units.position)
    assert (runs[0] == runs[1]).all()
