"""States that claim more of the engine than their units can have used: refused, or soon done."""

import json

import numpy as np
import pymunk
import pytest
from pymunk._chipmunk_cffi import lib

import sim
from sim.engine.checked import MOST_LAID, MOST_TIMES, SIZES
from sim.engine.memory import INDEX, STATIC_INDEX
from sim.engine.order import enlarge, lay_cells, read_order, read_size
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
        World.load(claiming(saved, tmp_path / "x", "room", 0, room))


@pytest.mark.parametrize(
    ("number", "value"), [(0, 1e-12), (0, 1.0), (0, 1e-300), (1, 1e7), (1, 0.0), (2, 1e9)]
)
def test_cells_that_no_hulls_are_sorted_by(number, value, saved, tmp_path):
    """With cells of 1e-12 each unit lies in 1e24 of them, and the load had no end."""
    assert read(saved).engine.cells[0] == 2.5 * 2 * 0.5
    with pytest.raises(sim.BadInput, match="its cells"):
        World.load(claiming(saved, tmp_path / "x", "cells", number, value))


def test_room_that_units_took_which_have_left(saved, tmp_path, monkeypatch):
    """It is made without the shapes that took it: for a million there was 1 GB put in and out."""
    added: list[object] = []
    add = pymunk.Space.add
    monkeypatch.setattr(
        pymunk.Space, "add", lambda space, *new: (added.extend(new), add(space, *new))
    )
    claimed = claiming(saved, tmp_path / "x", "room", 0, SIZES[-1])
    world = World.load(claiming(claimed, tmp_path / "y", "clock", 2, 2.0**40))
    assert len(added) == 2 * UNITS
    assert read_size(world.roster.space) == SIZES[-1]
    other = World.load(saved)
    for each in (world, other):
        each.group("a").add(sim.Region(0, 200, 90, 290), count=UNITS)
    assert read_size(world.roster.space) == SIZES[-1]
    assert digest(forward(world, 2)) == digest(forward(other, 2))


def test_a_table_of_shapes_grows_on_from_where_it_was_put():
    """The engine takes over the room that was made for it, and frees both with the space."""
    space = pymunk.Space()
    space.step(1e-9)
    bodies = [pymunk.Body(1, 1) for _ in range(400)]
    shapes = [pymunk.Circle(body, 1) for body in bodies]
    for number in range(400):
        space.add(bodies[number], shapes[number])
        if number == 10:
            enlarge(space, SIZES[4])
            assert read_size(space) == SIZES[4]
            assert sorted(read_order(space)[0]) == list(range(11))
    assert sorted(read_order(space)[0]) == list(range(400))
    space.remove(*bodies, *shapes)
    assert not len(read_order(space)[0])


def test_cells_that_were_laid_over_and_over(saved, tmp_path, monkeypatch):
    """An order of shapes that comes back is not waited for: 256 times took 86 s."""
    laid: list[int] = []
    lay = pymunk.Space.use_spatial_hash
    monkeypatch.setattr(
        pymunk.Space, "use_spatial_hash", lambda space, *of: (laid.append(1), lay(space, *of))
    )
    for times in (50, MOST_LAID):
        laid.clear()
        World.load(claiming(saved, tmp_path / "x", "cells", 2, float(times)))
        assert len(laid) < 10


def test_cells_are_as_if_laid_each_time():
    """Shapes stand in the order that the engine brings them to, one time after the other."""
    for numbers in (range(300), [7 * 97 * k % 1543 for k in range(300)]):
        for times in (1, 2, 3, 8, 21):
            spaces = [pymunk.Space() for _ in range(2)]
            for space in spaces:
                space.step(1e-9)
                for number in numbers:
                    lib.cpSpaceSetShapeIDCounter(space._space, number)
                    body = space.static_body if number % 3 else pymunk.Body(1, 1)
                    shape = pymunk.Circle(body, 1, (number % 20, number / 20))
                    space.add(shape, *([] if number % 3 else [body]))
            lay_cells(spaces[0], 2.5, 1000, times)
            for _ in range(times):
                spaces[1].use_spatial_hash(2.5, 1000)
            for index in (INDEX, STATIC_INDEX):
                one, other = (read_order(space, index)[0].tolist() for space in spaces)
                assert one == other


def test_a_world_of_many_groups_is_loaded(tmp_path):
    """Its cells are laid for each group that comes: for more than 256 its file was refused."""
    world = World()
    for k in range(620):
        world.add_group(f"g{k}", [(3 * k, 0), (3 * k, 3), (3 * k, 6)])
    assert world.roster.people.times_sorted > MOST_TIMES
    forward(world, 2).save(tmp_path / "run.state")
    other = World.load(tmp_path / "run.state")
    assert digest(forward(other, 5)) == digest(forward(world, 5))


def test_a_state_of_few_that_were_many_goes_on(tmp_path):
    """The room of those that have left is there again, and the run goes on to the bit."""
    world = lot(contact_cells=False)
    world.remove(world.ids[40:])
    forward(world, 2).save(tmp_path / "few.state")
    assert read(tmp_path / "few.state").engine.room[0] > UNITS
    other = World.load(tmp_path / "few.state")
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
