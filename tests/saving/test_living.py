"""Saving worlds whose units come, go and change group; what cannot be saved is refused."""

import numpy as np
import pymunk
import pytest

import sim
from sim.living.sources import Source
from sim.saving import made_with
from sim.world import World
from tests.saving.test_states import digest, forward

DOOR = [(10, 0, 11, 6), (10, 8, 11, 14)]
"""A wall with a door, left, top, right, bottom of each half."""


def living() -> World:
    """Units at a door of which some were removed, added, regrouped and sent elsewhere."""
    world = World(seed=2, bounds=(0, 0, 20, 14), edges="wall", boxes=DOOR)
    out = world.add_group("out", sim.Region(1, 1, 8, 13), count=20, goal=sim.Goal.to((17, 7)))
    back = world.add_group("back", sim.Region(12, 1, 19, 13), count=8, goal=sim.Goal.to((3, 7)))
    forward(world, 20)
    world.remove(out.ids[[3, 7]])
    back.add(sim.Region(12, 1, 19, 13), count=3)
    forward(world, 5)
    world.regroup(out.ids[[9, 2]], back)
    few = world.select(out.ids[[0, 5, 11]])
    few.go_to((4, 3))
    few.go_to((4, 11), queue=True)
    return world


def kept(world: World) -> tuple[object, ...]:
    """What tells units apart, what happened to them, and what they are still to do."""
    queued = [(entry.group, entry.waits.tolist()) for entry in world.orders.queue.entries]
    return world.ids.tolist(), world.ids_given, world.events, queued


@pytest.mark.parametrize(
    "before", [pytest.param(0, marks=pytest.mark.slow), 3, pytest.param(60, marks=pytest.mark.slow)]
)
def test_goes_on(before: int, tmp_path):
    """Ids, events, queued orders and all motion are the same from memory and from a file."""
    world = forward(living(), before)
    state = world.save(tmp_path / "run.state")
    read, other = World.load(tmp_path / "run.state"), World(**made_with(state))
    other.load(state)
    assert kept(read) == kept(other) == kept(world)
    for each in (world, read, other):
        forward(each, 90)
        each.group("out").add(sim.Region(1, 1, 8, 13), count=2)
        each.remove(each.group("back").ids[[1]])
        forward(each, 30)
    assert kept(read) == kept(other) == kept(world)
    assert digest(read) == digest(other) == digest(world)


def test_a_part_after_the_save(tmp_path):
    """A state stays as it was when the ground of its world changes; what was loaded may change."""
    world = forward(living(), 3)
    state = world.save(tmp_path / "run.state")
    others = World(**made_with(state)), World(**made_with(state))
    others[0].load(state)
    straight = digest(forward(others[0], 40))
    world.add_solid(sim.Box(10, 6, 11, 8), name="door")
    forward(world, 40)
    others[1].load(state)
    assert digest(forward(others[1], 40)) == straight
    read = World.load(tmp_path / "run.state")
    read.add_solid(sim.Box(10, 6, 11, 8), name="door")
    assert digest(forward(read, 40)) == digest(world)


def test_sources(tmp_path):
    """Units enter at the same times and places, at random or not, and wait alike."""
    world = World(seed=5, bounds=(0, 0, 20, 14), edges="wall")
    world.add_group("in", sim.Region(1, 1, 3, 3), count=1, goal=sim.Goal.to((17, 7), leave=True))
    world.agenda.sources += [
        Source("in", sim.Region(0, 4, 4, 10), poisson=6.0),
        Source("in", sim.Points([(2.0, 12.0)]), rate=4.0, total=9),
        Source("in", sim.Region(4, 1, 6, 3), times=(0.1, 1.5, 2.0)),
    ]
    forward(world, 70).save(tmp_path / "run.state")
    read = World.load(tmp_path / "run.state")
    assert world.agenda.sources[0].entered > 0
    for each in (read, world):
        forward(each, 80)
    assert kept(read) == kept(world)
    assert [s.kept for s in read.agenda.sources] == [s.kept for s in world.agenda.sources]
    assert digest(read) == digest(world)


def test_a_function_to_come(tmp_path):
    """An event that is a function is kept in memory, and refused to a file, which is not begun."""
    world = World(seed=2, bounds=(0, 0, 20, 14), edges="wall")
    out = world.add_group("out", sim.Region(1, 1, 8, 13), count=3)
    world.at(0.1, lambda world: world.group("out").go_to((17, 7)))
    state = world.save()
    forward(world, 20)
    assert out.moving.all()
    world.load(state)
    assert not out.moving.any()
    assert forward(world, 20).group("out").moving.all()
    world.load(state)
    with pytest.raises(sim.BadInput, match=r"event at 0\.1 s is a function of your own"):
        world.save(tmp_path / "run.state")
    assert not list(tmp_path.iterdir())


def test_bodies_of_ones_own_are_refused():
    """A world that sees a body of its user's is not saved."""
    world = World(bounds=(0, 0, 20, 14), edges="wall")
    body = next(iter(world.space.bodies), world.space.static_body)
    world.see(body)
    with pytest.raises(sim.BadInput, match="bodies of your own"):
        world.save()


def test_bodies_taken_out_are_no_hindrance():
    """Once the user's own body is out of the space, the world is saved, and goes on from there."""
    world = World(seed=1)
    world.add_group("a", [(0, 0)], goal=sim.Goal.to((9, 0)))
    body = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    world.space.add(body, pymunk.Circle(body, 1.0))
    body.position = 4, 0
    world.see(body)
    world.step()
    world.space.remove(body, *body.shapes)
    other = World.load(forward(world, 5).save())
    assert np.array_equal(forward(world, 60).units.position, forward(other, 60).units.position)


def test_other_solids_are_refused():
    """As many solids elsewhere are other solids."""
    worlds = [World(seed=2, discs=[(x, 5, 1)]) for x in (3, 4)]
    with pytest.raises(sim.BadInput, match="load: the state is of a world with other solids"):
        worlds[0].load(worlds[1].save())
    assert np.array_equal(worlds[0].solids.discs, [(3, 5, 1)])


def test_amid_a_stay(tmp_path):
    """A unit that waits at a stop waits on after a load, as long as one that was not saved."""
    world = World()
    world.add_group("a", [(0, 0), (0, 2)], goal=sim.Goal.along([sim.Stop(3, 0, serve=2), (6, 3)]))
    world = forward(world, 200)
    assert world.orders.staying.left.any()
    world.save(tmp_path / "run.state")
    other = World.load(tmp_path / "run.state")
    for each in (world, other):
        forward(each, 200)
    assert np.array_equal(world.units.position, other.units.position)


def test_units_that_forgot_their_places_and_became_fewer(tmp_path):
    """Numbers of last places are those of the units that there are: the file can be read."""
    world = World(seed=1)
    group = world.add_group("a", [(0, 3 * k) for k in range(6)], goal=sim.Goal.to((20, 8)))
    forward(world, 2)
    group.goal = None
    forward(world, 2)
    world.remove(group.ids[:4])
    world.save(tmp_path / "run.state")
    read = World.load(tmp_path / "run.state")
    assert digest(forward(read, 10)) == digest(forward(world, 10))


def test_the_last_that_has_a_way_goes(tmp_path):
    """Of two with a way each one is cut off and the other goes: the file is taken."""
    with World(seed=1, bounds=(0, 0, 20, 14), edges="wall", boxes=DOOR) as world:
        door = world.add_solid(sim.Box(10, 6, 11, 8), open=True)
        places = sim.Goal.to([(17, 4), (3, 12)])
        both = world.add_group("both", [(2, 4), (2, 2)], goal=places)
        forward(world, 20)
        door.close()
        forward(world, 60)
        world.remove(both.ids[[1]])
        world.save(tmp_path / "run.state")
        with World.load(tmp_path / "run.state") as read:
            assert digest(forward(read, 60)) == digest(forward(world, 60))


def test_units_with_and_without_a_shared_place(tmp_path):
    """Units of one point beside others of a region: a file of their state is read again."""
    world = World(seed=1)
    world.add_group("a", [(0, 0), (30, 0)], goal=sim.Goal.to((20, 40)))
    world.add_group("b", [(0, 60), (30, 60)], goal=sim.Goal.into((0, 90, 60, 140)))
    world.step()
    ends = world.orders.minds.end
    assert ends[0] == ends[1]
    assert len(set(ends.tolist())) == 3
    world.save(tmp_path / "run.state")
    other = World.load(tmp_path / "run.state")
    for each in (world, other):
        for _ in range(5):
            each.step()
    assert digest(world) == digest(other)
