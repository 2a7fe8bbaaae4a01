"""Copies: a state goes anywhere, also to other processes; a world and its parts are there once."""

import copy
import pickle

import numpy as np
import pytest

import sim
from sim.living.sources import Source
from sim.saving import State
from sim.saving.copies import frozen
from sim.world import World
from tests.saving.test_states import crowd, digest, forward


@pytest.mark.parametrize("way", [copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
def test_a_copied_state_goes_on(way):
    """It held locks of the planner, and could not be given to another process."""
    world = forward(crowd(discs=[(15, 13, 1)]), 4)
    state = way(world.save(about={"level": 2}))
    assert isinstance(state, State)
    assert state.about == {"level": 2}
    after = digest(forward(world, 10))
    world.load(state)
    assert digest(forward(world, 10)) == after


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, pickle.dumps])
def test_what_is_there_once(way):
    """A shallow copy shared half of its world with it; a deep one failed on a lock of a planner."""
    world = World(bounds=(0, 0, 20, 20), edges="wall")
    group = world.add_group("a", [(3, 3), (5, 5)])
    part = world.add_solid(sim.Box(9, 9, 11, 11))
    for each in (world, group, part, world.select(world.ids)):
        with pytest.raises(sim.BadInput, match=f"{type(each).__name__}: cannot be copied, use"):
            way(each)


def test_sources_and_goals_are_values():
    """They may be copied, and sent to other processes."""
    source = Source("a", sim.Region(0, 0, 2, 2), rate=1.0)
    assert copy.deepcopy(source) == source == pickle.loads(pickle.dumps(source))
    goal = sim.Goal.along([(1, 2), (3, 4)])
    assert copy.deepcopy(goal) == goal == pickle.loads(pickle.dumps(goal))


@pytest.mark.parametrize("first", [0.0, np.nan, -0.0, 7, True])
def test_rows_that_are_alike_are_kept_once(first):
    """In the memory of one row, whatever it holds; it reads as before, and cannot be written to."""
    given = np.full((1000, 3), first)
    kept = frozen(given)
    assert kept.strides[0] == 0
    assert kept.dtype == given.dtype
    assert kept.tobytes() == given.tobytes()
    assert kept.copy().flags.c_contiguous
    with pytest.raises(ValueError, match="cannot set WRITEABLE"):
        kept.flags.writeable = True


@pytest.mark.parametrize("row", [0, 1, 500, 998, 999])
def test_rows_that_differ_are_all_kept(row):
    """By one number of one row, or one bit: 0 and -0 are two."""
    given = np.zeros((1000, 3))
    given[row, 2] = -0.0
    kept = frozen(given)
    assert kept.tobytes() == given.tobytes()
    assert not np.shares_memory(kept, given)


@pytest.mark.parametrize("given", [
    np.zeros((0, 3)), np.zeros((200, 0)), np.array(3.0), np.full(200, "a"),
    np.zeros(200, np.longdouble), np.asfortranarray(np.arange(600.0).reshape(200, 3)),
])  # fmt: skip
def test_arrays_of_any_shape_and_kind_are_copied(given):
    """Empty ones, single numbers, letters, other orders of memory."""
    kept = frozen(given)
    assert kept.shape == given.shape
    assert kept.tobytes() == given.tobytes()
    assert not kept.flags.writeable


def test_a_state_of_a_plain_crowd_is_small():
    """Units without stays, regions, bands and narrow places: a third of what they carry is kept."""
    world = World(bounds=(0, 0, 60, 60), edges="wall")
    world.add_group("a", sim.Region(5, 5, 55, 55), count=200, model="crowd").go_to((50, 50))
    orders = world.save().parts["orders"]
    carried = orders.region, orders.stays, orders.hold, orders.staying.place, orders.narrows.lane
    assert [each.strides[0] for each in carried] == [0] * 5
    assert len(orders.region) == 200
