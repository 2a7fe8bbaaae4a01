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
