"""Copies: a state goes anywhere, also to other processes; a world and its parts are there once."""

import copy
import pickle

import pytest

import sim
from sim.living.sources import Source
from sim.saving import State
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
