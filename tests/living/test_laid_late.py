"""Rows of units that were removed: laid anew when they are asked for, or with units that come."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import sim
from sim.core.errors import ReadOnly
from sim.living.population import Population

REGION = sim.Region(0, 0, 12, 12)


def pair() -> sim.World:
    """Two groups that press through each other's middle, after a few steps."""
    world = sim.World(seed=2, bounds=(0, 0, 12, 12), edges="wrap")
    goal = sim.Goal.along([(3, 3), (9, 9)], loop=True)
    world.add_group("a", REGION, count=30, goal=goal, speed=sim.Uniform(1.0, 1.5))
    world.add_group("b", REGION, count=20, goal=sim.Goal.to((6, 6)))
    for _ in range(5):
        world.step()
    return world


READERS = {
    "ids": lambda world: world.ids,
    "units": lambda world: world.units.position,
    "contacts": lambda world: world.contacts.other,
    "orders": lambda world: world.orders.minds.moving,
    "events": lambda world: [str(event) for event in world.events],
    "rows": lambda world: [(g.rows.start, g.rows.stop) for g in world.groups],
    "members": lambda world: [len(g) for g in world.groups],
    "group.ids": lambda world: np.concatenate([g.ids for g in world.groups]),
    "speeds": lambda world: world.groups[0].speeds,
    "radii": lambda world: world.groups[1].radii,
    "controls": lambda world: world.groups[1].controls,
    "command": lambda world: world.groups[0].command,
    "terms": lambda world: next(iter(world.groups[0].terms.values())),
    "figures": lambda world: dict(world.groups[0].figures),
    "leads": lambda world: world.groups[0].leads,
    "forces": lambda world: world.groups[0].forces[0],
    "stuck": lambda world: world.groups[1].stuck,
    "pick": lambda world: world.queries.pick((6, 6), 5.0),
    "select": lambda world: world.select([5, 45]).position,
}


@pytest.mark.parametrize("name", READERS)
def test_nothing_that_is_read_has_rows_of_units_that_were_removed(name):
    """Each tells the same as when the rows were laid before."""
    late, early = pair(), pair()
    for world in (late, early):
        world.remove([3, 4, 40])
    assert len(early.ids) == 47
    one, other = READERS[name](late), READERS[name](early)
    assert type(one) is type(other)
    assert np.array_equal(np.array(one), np.array(other))


def test_queries_that_somebody_holds_tell_rows_as_they_are():
    """Asked after a unit was removed, they name rows of those that are there."""
    world = pair()
    queries = world.queries
    at = world.units.position[49].tolist()
    world.remove([0])
    assert queries.pick(at) == 48
    assert world.ids[48] == 49


def test_rows_are_laid_once_for_units_that_go_and_come(monkeypatch):
    """Laying them took an eighth of a step of 10,000, twice; the run is the same as if twice."""
    laid, lay = [], Population._lay
    monkeypatch.setattr(
        Population, "_lay", lambda people, *rest: (laid.append(1), lay(people, *rest))[1]
    )
    late, early = pair(), pair()
    for k in range(12):
        for world in (late, early):
            laid.clear()
            world.remove([k])
            world.groups[1].remove([30 + k])
            assert not laid
            if world is early:
                assert len(world.groups[0]) + len(world.groups[1]) == 48
            for group in world.groups:
                group.add(REGION, count=1)
            assert len(laid) == (3 if world is early else 2)
            world.step()
    assert np.array_equal(late.ids, early.ids)
    assert np.array_equal(late.units.position, early.units.position)


def test_what_steps_set_cannot_be_set_while_rows_wait():
    """Such as a group's rows: the message is as at any other time."""
    world = pair()
    world.remove([0])
    with pytest.raises(ReadOnly, match="rows"):
        world.groups[0].rows = slice(0, 1)
    assert len(world.groups[0]) == 29


def test_a_state_of_a_world_whose_rows_wait_is_that_of_one_whose_rows_are_laid():
    """Saved, and loaded into: both go on as one."""
    late, early = pair(), pair()
    for world in (late, early):
        world.remove([3, 4, 40])
    assert len(early.ids) == 47
    states = [world.save() for world in (late, early)]
    late.remove([5])
    late.load(states[1])
    early.load(states[0])
    for world in (late, early):
        for _ in range(20):
            world.step()
    assert np.array_equal(late.units.position, early.units.position)
    assert np.array_equal(late.ids, early.ids)


def test_another_thread_is_refused_while_units_are_removed(monkeypatch):
    """Amid it some groups have no rows: they are neither read nor laid by another."""
    world = pair()
    asked, put_aside = [], type(world.groups[0]).put_aside

    def and_ask(group):
        found = put_aside(group)
        with ThreadPoolExecutor(1) as another:
            asked.append(another.submit(lambda: world.groups[0].rows).exception())
        return found

    monkeypatch.setattr(type(world.groups[0]), "put_aside", and_ask)
    world.remove([3])
    assert [type(error) for error in asked] == [sim.BadInput] * 2
    assert [len(group) for group in world.groups] == [29, 20]


def test_the_turn_is_given_up_where_laying_rows_fails(monkeypatch):
    """Another thread can go on: the rows are laid for it."""
    world = pair()
    queries = world.queries
    world.remove([3])
    with monkeypatch.context() as patch:
        patch.setattr(Population, "tidy", lambda _: [][0])
        with pytest.raises(IndexError):
            _ = world.ids
        with pytest.raises(IndexError):
            queries.pick((6, 6), 5.0)
    with ThreadPoolExecutor(1) as another:
        assert another.submit(lambda: len(world.ids)).result() == 49
