"""States that claim more of the engine than their units can have used: refused, or soon done."""

import json

import numpy as np
import pymunk
import pytest

import sim
from sim.engine.checked import SIZES
from sim.engine.order import read_size
from sim.engine.saved import _enlarge
from sim.engine.trees import read_tree
from sim.saving import read
from sim.world import World
from tests.saving.test_files import spoilt
from tests.saving.test_states import digest, forward

UNITS = 1_100
"""More than the engine takes for a crowd, of which it finds the contacts by cells."""


def lot(**given) -> World:
    """Many units on an open plane."""
    world = World(**given)
    world.add_group("a", sim.Region(0, 0, 90, 90), count=UNITS)
    return world


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The file of such a world."""
    path = tmp_path_factory.mktemp("claims") / "run.state"
    forward(lot(), 2).save(path)
    return path


def claiming(saved, target, part, number, value):
    """A copy whose engine says another number in one of its arrays."""

    def change(values):
        values[number] = value
        return values

    name = json.loads(str(np.load(saved)["state"]))["engine"]["Engine"][part]["array"]
    return spoilt(saved, target, **{name: change})


@pytest.mark.parametrize("room", [3, SIZES[-1], SIZES[-1] + 1, 2**21, 2**40])
def test_room_that_no_units_ever_took(room, saved, tmp_path):
    """A table of two million shapes took 2 GB and longer than a minute to come by."""
    with pytest.raises(sim.BadInput, match="the room of its shapes"):
        World.from_file(claiming(saved, tmp_path / "x", "room", 0, room))


@pytest.mark.parametrize(
    ("number", "value"), [(0, 1e-12), (0, 1.0), (0, 1e-300), (1, 1e7), (1, 0.0), (2, 1e9)]
)
def test_cells_that_no_hulls_are_sorted_by(number, value, saved, tmp_path):
    """With cells of 1e-12 each unit lies in 1e24 of them, and the load had no end."""
    assert read(saved).engine.cells[0] == 2.5 * 2 * 0.5
    with pytest.raises(sim.BadInput, match="its cells"):
        World.from_file(claiming(saved, tmp_path / "x", "cells", number, value))


def test_room_that_units_took_which_have_left():
    """Shapes that are put in for a moment make no tree as deep as they are many: 200 s of load.

    Twice the depth of a tree that halves at every branch, and some.
    """
    depths: list[int] = []

    class Watched(pymunk.Space):
        def remove(self, *gone) -> None:
            depths.append(depth_of(read_tree(self).form.tolist()))
            super().remove(*gone)

    space = Watched()
    space.step(1e-9)
    _enlarge(space, 3_079)
    assert read_size(space) == 3_079
    assert not space.shapes
    assert depths[0] < 4 * np.log2(3_079)


def depth_of(form: list[int]) -> int:
    """How deep a tree is that is written down branch by branch, -1 for a branch."""
    deepest, open_parts = 0, [1]
    for each in form:
        deepest = max(deepest, len(open_parts))
        open_parts[-1] -= 1
        if each < 0:
            open_parts.append(2)
        while open_parts and open_parts[-1] == 0:
            open_parts.pop()
    return deepest


def test_a_state_of_few_that_were_many_goes_on(tmp_path):
    """The room of those that have left is there again, and the run goes on to the bit."""
    world = lot(contact_cells=False)
    world.remove(world.ids[40:])
    forward(world, 2).save(tmp_path / "few.state")
    assert read(tmp_path / "few.state").engine.room[0] > UNITS
    other = World.from_file(tmp_path / "few.state")
    assert digest(forward(other, 20)) == digest(forward(world, 20))


@pytest.mark.parametrize("open_first", [True, False])
def test_a_part_too_large_for_the_cells_is_refused(open_first):
    """It lies in each of the cells of the crowd: one 1e6 wide had the engine at work for an hour.

    At once where the crowd is there, else as it is closed; without cells all is well.
    """
    vast = sim.Box(1_000, 0, 1e8 + 1_000, 1e8)
    if open_first:
        world = World()
        gate = world.add_solid(vast, name="gate", open=True)
        world.add_group("a", sim.Region(0, 0, 90, 90), count=UNITS)
        with pytest.raises(sim.BadInput, match=r"part 'gate': 1e\+08 x 1e\+08 is too large"):
            gate.close()
    else:
        world = lot()
        with pytest.raises(sim.BadInput, match=r"part 'gate': .* World\(contact_cells=False\)"):
            world.add_solid(vast, name="gate")
        assert not world.parts
    world.step()
    assert lot(contact_cells=False).add_solid(vast).closed


def test_a_part_that_was_there_first_leaves_the_crowd_without_cells():
    """The engine keeps its tree of boxes, as it does for solids that never change."""
    world = World()
    world.add_solid(sim.Box(1_000, 0, 1e8, 1e8))
    world.add_group("a", sim.Region(0, 0, 90, 90), count=UNITS)
    world.step()
    assert not len(world.save().engine.cells)


def test_a_hull_too_large_for_the_cells_is_refused():
    """As a part is: a unit a million times as wide as those of the crowd."""
    world = lot()
    with pytest.raises(sim.BadInput, match="hull: 2e"):
        world.add_group("b", [(-2e7, 0)], hull=sim.Hull.disc(1e7))
    world.step()
