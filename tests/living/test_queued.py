"""Orders to come: each unit takes up its own, when it has done all before."""

import numpy as np
import pytest

import sim
from sim.scenario.build import build
from sim.scenario.load import load


def test_each_of_a_selection_goes_on_to_a_place_of_its_own(tmp_path):
    """They come at different times; one leaves, and the world is saved and read, before."""
    world = sim.World()
    group = world.add_group("red", [[0, 0], [0, 3], [0, 6], [0, 9]])
    squad = world.select(group.ids[::-1])  # the places are in the order of the selection
    squad.go_to([[14, 9], [11, 6], [8, 3], [3, 0]])
    squad.go_to([[20, 9], [20, 6], [20, 3], [20, 0]], queue=True)
    for _ in range(60):
        world.step()
    world.remove([1])
    world.save(tmp_path / "a.state")
    other = sim.World.load(tmp_path / "a.state")
    for _ in range(1500):
        world.step()
        other.step()
    assert squad.arrived.tolist() == [True, True, False, True]
    assert squad.position[[0, 1, 3]] == pytest.approx(
        np.array([[20, 9], [20, 6], [20, 0]]), abs=0.6
    )
    assert np.array_equal(other.units.position, world.units.position)


def test_a_file_may_queue_a_place_for_each(tmp_path):
    """An event with points, one a unit, and `queue`."""
    file = tmp_path / "a.toml"
    file.write_text(
        """
title = "t"
duration = 30.0
[[groups]]
name = "red"
spawn = { points = [[0, 0], [0, 5]] }
goal = { points = [[2, 0], [9, 5]] }
[[events]]
at = 0.5
order = "red"
goal = { points = [[2, -4], [9, 9]] }
queue = true
""",
        encoding="utf-8",
    )
    world = build(load(file))
    for _ in range(1200):
        world.step()
    assert world.units.position == pytest.approx(np.array([[2, -4], [9, 9]]), abs=0.6)


def passes(places, hull: sim.Hull, seconds: float) -> float:
    """When the last of a group has left one place and come to the next, s; `seconds` at most."""
    world = sim.World(seed=1)
    group = world.add_group("red", places, model="crowd", hull=hull, speed=1.5, heading=0.0)
    squad = world.select(group.ids)
    squad.go_to((5, 0))
    squad.go_to((5, 20), queue=True)
    while world.time < seconds:
        world.step()
        if squad.arrived.all() and (squad.position[:, 1] > 10).all():
            break
    return world.time


@pytest.mark.parametrize(
    ("hull", "seconds"),
    [
        (sim.Hull.box(1.5, 1.0), 85.0),
        pytest.param(sim.Hull.wedge(2.0, 1.0), 110.0, marks=pytest.mark.slow),
    ],
)
def test_long_hulls_take_turns_at_a_place_that_they_leave_again(hull, seconds):
    """Twenty that have more to do do not go round and round the first place.

    In turns the last of these boxes comes to the next place after 69 s, the last of the wedges
    after 88; before there were turns it was 108 and 136.
    """
    places = [(-3.0 * k, 3.0 * n - 4.5) for k in range(5) for n in range(4)]
    assert passes(places, hull, seconds) < seconds
