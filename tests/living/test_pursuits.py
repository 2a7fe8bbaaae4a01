"""Selections that follow or chase a group."""

import numpy as np
import pytest

import sim


def world_of_two() -> tuple[sim.World, sim.Group, sim.Group]:
    """Three units, one of which leaves at once, and two that walk off."""
    world = sim.World(seed=1)
    dogs = world.add_group("dogs", [(0, 0), (0, 3), (0, 6)])
    sheep = world.add_group("sheep", [(20, 0), (20, 3)], goal=sim.Goal.to((60, 0)))
    return world, dogs, sheep


@pytest.mark.parametrize("kind", ["follow", "chase"])
def test_some_of_a_group_are_refused_with_what_to_do(kind):
    """What the message says can be done, and the units then pursue; the others stay as they are."""
    world, dogs, sheep = world_of_two()
    squad = world.select(dogs.ids[:2])
    with pytest.raises(sim.BadInput, match=r"join a group of their own, world.regroup") as refused:
        getattr(squad, kind)(sheep)
    assert "world.add_group(NAME, [], model=MODEL)" in str(refused.value)
    assert dogs.goal is None
    own = world.add_group("pack", [], model="crowd")
    world.regroup(squad.ids, own)
    getattr(squad, kind)(sheep)
    assert own.goal == sim.Goal(kind, "sheep")
    for _ in range(120):
        world.step()
    assert (squad.position[:, 0] > 1.0).all()
    assert np.hypot(*(dogs.position[0] - (0, 6))) < 1e-6


def test_a_selection_is_no_group_to_follow():
    """The message says what is, and how to make one of it."""
    world, dogs, sheep = world_of_two()
    with pytest.raises(sim.BadInput, match=r"takes a group or its name, no selection: .*regroup"):
        world.select(dogs.ids).follow(world.select(sheep.ids))


def test_units_that_left_are_not_missed():
    """All units of a group are the ones that are still there."""
    world, dogs, _ = world_of_two()
    world.select(dogs.ids[:1]).order(sim.Goal.to((0.5, 0), leave=True))
    for _ in range(120):
        world.step()
    assert world.units.present[:3].tolist() == [False, True, True]
    world.select(dogs.ids[1:]).chase("sheep")
    assert dogs.goal == sim.Goal("chase", "sheep")


def test_all_groups_follow_or_none():
    """Where a model of one cannot, no other has been ordered."""
    world, dogs, sheep = world_of_two()
    book = world.add_group("book", [(9, 9)], model="flock_book")
    with pytest.raises(sim.BadInput, match="model 'flock_book' cannot do that"):
        world.select([*dogs.ids, *book.ids]).follow(sheep)
    assert dogs.goal is None
