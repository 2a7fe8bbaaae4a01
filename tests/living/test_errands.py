"""What units are after is taken down, and they are sent back to it."""

import numpy as np
import pytest

import sim
from sim.living.errands import errands_of, send_back


def bound(world: sim.World, unit: int) -> list[list[float]]:
    """The places that a unit has still to go to, those queued left out."""
    orders = world.orders
    row = int(np.flatnonzero(world.ids == unit)[0])
    points = orders.points[orders.first[row] + orders.leg[row] : orders.first[row + 1]]
    return points.round(6).tolist()


def kinds_of(world: sim.World) -> str:
    """How all units go: round and round, out of the world, into a region, how near is there."""
    orders = world.orders
    near = np.where(np.diff(orders.first) > 0, orders.tolerance.round(6), 0.0)
    return str([each.tolist() for each in (orders.loop, orders.leave, orders.region, near)])


def walkers(**goal) -> tuple[sim.World, sim.Group]:
    """Three units that have walked for four seconds."""
    world = sim.World(seed=1)
    group = world.add_group("a", [(0, 0), (0, 3), (0, 6)], **goal)
    for _ in range(240):
        world.step()
    return world, group


GOALS = {
    "nothing": None,
    "a point": sim.Goal.to((30, 0)),
    "a point each": sim.Goal.to([(30, 0), (30, 5), (20, 9)]),
    "a route": sim.Goal.along([(3, 2), (30, 0), (40, 9)]),
    "a round": sim.Goal.along([(3, 2), (30, 0), (40, 9)], loop=True),
    "a region": sim.Goal.into((30, 0, 40, 9), leave=True),
}


@pytest.mark.parametrize("some", [False, True], ids=["all", "two"])
@pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS.keys())
def test_units_go_on_where_they_were_bound(goal, some):
    """To what was left of their way; the others were never disturbed."""
    world, group = walkers(goal=goal)
    before, kinds = [bound(world, k) for k in range(3)], kinds_of(world)
    ids = group.ids[:2] if some else group.ids
    taken = errands_of(world.roster, ids)
    world.select(ids).go_to((-9, -9))
    for _ in range(30):
        world.step()
    assert bound(world, 0) == [[-9, -9]]
    send_back(world.roster, taken)
    after = [bound(world, k) for k in range(3)]
    assert group.goal == goal or goal is GOALS["a point each"]
    assert kinds_of(world) == kinds
    if goal is GOALS["a round"]:  # all of it, from the stop that each is bound for
        after, before = [way[:1] for way in after], [way[:1] for way in before]
    if goal is not GOALS["a region"]:  # which is as near as it gets, from wherever one is
        assert after == before


def test_what_was_queued_is_queued_again():
    """In its order, for the units that it was for."""
    world, group = walkers(goal=sim.Goal.to((30, 0)))
    squad = world.select(group.ids[:2])
    squad.go_to((30, 9), queue=True)
    squad.go_to([(40, 9), (40, 12)], queue=True)
    taken = errands_of(world.roster, squad.ids)
    squad.go_to((-9, 0))
    assert not world.roster.orders.queue
    send_back(world.roster, taken)
    entries = world.roster.orders.queue.entries
    assert [entry.goal.routes for entry in entries] == [
        (((30.0, 9.0),),),
        (((40.0, 9.0),), ((40.0, 12.0),)),
    ]
    assert bound(world, 0) == [[30, 0]]


def test_whole_groups_pursue_again():
    """A chase is the goal of a group: it is taken up as it was."""
    world, group = walkers()
    world.add_group("b", [(20, 0)])
    group.goal = sim.Goal("chase", "b")
    world.step()
    taken = errands_of(world.roster, group.ids)
    world.select(group.ids).go_to((-9, 0))
    send_back(world.roster, taken)
    assert group.goal == sim.Goal("chase", "b")


def test_a_formation_forms_up_again():
    """All of it: each has a place of its own."""
    world, group = walkers()
    group.go_to((20, 5), formation=sim.Formation("line", spacing=2.0))
    for _ in range(60):
        world.step()
    taken = errands_of(world.roster, group.ids)
    world.select(group.ids).go_to((-9, 0))
    for _ in range(60):
        world.step()
    send_back(world.roster, taken)
    for _ in range(1800):
        world.step()
    assert world.select(group.ids).arrived.all()
    assert np.allclose(group.position.mean(axis=0), (20, 5), atol=0.5)


def test_units_that_left_since_are_left_out():
    """Each of the others has its own place again."""
    world, group = walkers(goal=sim.Goal.to([(30, 0), (30, 5), (20, 9)]))
    taken = errands_of(world.roster, group.ids)
    world.select(group.ids).go_to((-9, 0))
    world.remove([1])
    send_back(world.roster, taken[:])
    assert bound(world, 0) == [[30, 0]]
    assert bound(world, 2) == [[20, 9]]


def test_units_that_join_later_go_where_the_group_went_before():
    """A part chases; an order for all is undone, and the group has the goal that it had."""
    world, group = walkers(goal=sim.Goal.to((30, 0)))
    world.add_group("prey", [(60, 0)])
    world.select(group.ids[:1]).chase("prey")
    world.step()
    taken = errands_of(world.roster, group.ids)
    world.select(group.ids).go_to((-9, -9))
    world.step()
    send_back(world.roster, taken)
    world.step()
    assert group.goal == sim.Goal.to((30, 0))
    assert world.orders.pursuits.of.tolist() == [0, -1, -1, -1]
    new = group.add([(0, 12)])
    assert bound(world, int(new[0])) == bound(world, 1) == [[30, 0]]
