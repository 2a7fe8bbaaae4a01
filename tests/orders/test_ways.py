"""Orders lead units round what is solid, and say where no way leads."""

import numpy as np
import pytest

from sim import Goal, Hull, Region, World
from sim.core.errors import BadInput
from sim.navigation import plan

from . import halls

FAR = (22.0, 12.0)


def lone(world: World, goal: Goal | None, start=(2.0, 2.0), **more):
    """One mage."""
    return world.add_group(
        "a", [start], model="mages", hull=halls.HULL, speed=2.0, goal=goal, **more
    )


def test_one_takes_the_shortest_way():
    """Alone, a unit arrives after little more than the planned length takes at its speed."""
    world = halls.bent(2.0)
    lone(world, Goal.to(FAR))
    grid = world.roster.orders_now().guide.planner.grid(halls.HULL.radius)
    length = plan(grid, (2, 2), FAR).length
    watch = halls.Watch(world, 30)
    assert length / 2.0 - halls.HULL.radius < watch.time[0] < 1.08 * length / 2.0 + 0.5
    assert watch.crossings == 0


@pytest.mark.parametrize("width", [1.0, 2.0])
def test_a_hallway_just_as_wide_as_the_hull_or_as_two(width):
    """One that fits without any play rolls round the corners, and is not held up there."""
    world = halls.bent(width)
    world.add_group("a", [(4, 4)], model="mages", hull=Hull.disc(0.5), speed=2.0, goal=Goal.to(FAR))
    watch = halls.Watch(world, 40)
    assert watch.time[0] < 20
    assert watch.still[0] < 1.0


def test_what_is_left_is_the_way_and_not_the_beeline():
    """Both a route and a field tell the length that is left, to a few per cent."""
    for count, kind in ((1, "route"), (5, "field")):
        world = halls.bent(2.0)
        group = halls.party(world, count, Goal.to(FAR))
        for _ in range(8):
            world.step()
        grid = world.roster.orders_now().guide.planner.grid(halls.HULL.radius)
        lengths = [plan(grid, place, FAR).length for place in world.units.position]
        np.testing.assert_allclose(world.orders.remaining, lengths, rtol=0.04)
        party = world.orders.guide.parties[group.index]
        assert ((party.route if kind == "route" else party.field) >= 0).all()


def test_a_unit_sets_off_at_once():
    """It goes straight for its place until its route comes, a tenth of a second later."""
    world = halls.bent(2.0)
    lone(world, Goal.to(FAR))
    world.step()
    party = world.roster.orders_now().guide.parties[0]
    assert party.route[0] < 0
    assert world.orders.minds.moving[0]
    np.testing.assert_allclose(world.orders.aim[0], FAR)
    for _ in range(6):
        world.step()
    assert party.route[0] >= 0
    assert world.orders.aim[0, 1] < 6.0


@pytest.mark.parametrize("count", [1, 4])
def test_no_way_there_is_refused(count):
    """At once, with the reason, and the old goal stays; also when the group is added."""
    world = World(boxes=[(5, 0, 6, 10), (5, 0, 15, 1), (14, 0, 15, 10), (5, 9, 15, 10)])
    points = [(1.0, 2.0 + 2 * k) for k in range(count)]
    group = world.add_group("a", points, model="mages", goal=Goal.to((1, 20)))
    with pytest.raises(BadInput, match=r"goal: no way leads from .* to \(10, 5\) for a hull"):
        group.go_to((10, 5))
    assert group.goal == Goal.to((1, 20))
    with pytest.raises(BadInput, match="no way leads"):
        world.add_group("b", [(20, 20)], model="mages", goal=Goal.into((8, 4, 11, 6)))


@pytest.mark.parametrize("place", [(9.0, 5.0), (9.5, 5.0), (10.9, 5.0)])
@pytest.mark.parametrize("count", [1, 8])
def test_a_place_at_a_wall_that_no_unit_comes_near_is_refused(count: int, place):
    """In a box from 9 to 11, or at its side: it was taken, and a unit of 0.5 stood beside it."""
    world = World(boxes=[(9, 2, 11, 8)], seed=1)
    hull, region = Hull.disc(0.5, 80.0), Region(1, 1, 6, 9)
    with pytest.raises(BadInput, match=r"no way leads from .* for a hull"):
        world.add_group("a", region, count=count, hull=hull, goal=Goal.to(place))
    group = world.add_group("b", region, count=count, hull=hull, goal=Goal.to((8.7, 5.0)))
    while world.time < 10 and not group.arrived.all():
        world.step()
    assert group.arrived.all()


@pytest.mark.parametrize("model", ["crowd", "mages", "soldiers", "squares", "walkers"])
def test_a_region_in_which_no_centre_has_room_is_refused(model: str):
    """A strip along a wall, narrower than a hull's radius: all pressed on to it without end.

    One a little wider is reached, though it is narrower than the nodes of the grid are apart.
    """
    radius = World().add_group("a", [(0.0, 0.0)], model=model).hull.radius
    world = World(boxes=[(-radius, -20 * radius, 0.0, 20 * radius)])
    strip, place = np.array([0.1, -1.0, 0.95, 1.0]) * radius, (20.0 * radius, 0.3 * radius)
    with pytest.raises(BadInput, match=r"the region .* has no room for a hull of radius"):
        world.add_group("a", [place], model=model, goal=Goal.into(strip))
    reached = Goal.into(strip * (1.0, 1.0, 1.1, 1.0))
    group = world.add_group("a", [place], model=model, goal=reached)
    while world.time < 40 and not group.arrived.all():
        world.step()
    assert group.arrived.all()


def test_a_region_behind_a_wall_is_not_reached_from_before_it():
    """The nearest place in it lies at the wall, and its nearest node on this side of it."""
    world = World(boxes=[(5, -9, 5.2, 9), (5, -9, 15, -8.8), (14.8, -9, 15, 9), (5, 8.8, 15, 9)])
    with pytest.raises(BadInput, match="goal: no way leads"):
        lone(world, Goal.into((5.2, -8, 12, 8)))


def test_the_nearest_place_instead():
    """With `nearest` they go as near as they can, and it is said so."""
    world = World(boxes=[(5, 0, 6, 10), (5, 0, 15, 1), (14, 0, 15, 10), (5, 9, 15, 10)])
    group = world.add_group("a", [(1.0, 5.0)], model="mages")
    group.go_to((7, 5), nearest=True)
    world.step()
    assert "the nearest place is (4.5, 5)" in group.note
    while world.time < 5 and not world.roster.orders.minds.arrived.all():
        world.step()
    assert np.hypot(*(world.units.position[0] - (4.5, 5))) < 0.6
    group.go_to((1, 5))
    assert group.note == ""


def test_a_place_in_a_solid_will_do_within_its_tolerance():
    """A pillar's middle is reached by standing beside it, if the tolerance is wide enough."""
    world = World(discs=[(10, 0, 1.0)])
    group = lone(world, Goal.to((10, 0), tolerance=1.6), start=(2.0, 0.5))
    watch = halls.Watch(world, 10)
    assert np.isfinite(watch.time).all()
    with pytest.raises(BadInput, match="no way leads"):
        group.go_to((10, 0), tolerance=0.5)


def test_pushed_out_of_sight_it_plans_anew():
    """A unit that is carried off finds a way from where it is put down."""
    world = halls.bent(2.0)
    lone(world, Goal.to(FAR))
    for _ in range(240):
        world.step()
    assert world.units.position[0, 0] > 8
    body = world.roster.bridge.bodies[0]
    body.position, body.velocity = (1.0, 7.0), (0.0, 0.0)
    world.roster.read_anew()
    watch = halls.Watch(world, 40)
    assert np.isfinite(watch.time).all()
    assert watch.crossings == 0


def test_routes_with_stops_and_loops():
    """Every stop is come to in its order, whatever stands between them; a loop goes on."""
    stops = [(22, 12), (2, 6), (6, 2)]
    world = halls.bent(2.0)
    lone(world, Goal.along(stops, loop=True))
    seen = []
    while world.time < 75 and len(seen) < 6:
        world.step()
        leg = int(world.roster.orders.leg[0])
        if not seen or seen[-1] != leg:
            seen.append(leg)
    assert seen == [0, 1, 2, 0, 1, 2]
    assert not world.orders.minds.arrived[0]


def test_the_same_run_bit_for_bit():
    """However the planning thread is scheduled, a seed gives one run."""
    runs = []
    for hurry in (False, True):
        world = halls.bent(2.0, seed=3)
        halls.party(world, 6, Goal.to(FAR))
        halls.party(world, 2, Goal.to([(3, 3), (4, 4)]), "b", (18, 8, 26, 16))
        for step in range(200):
            if hurry and step == 3:
                world.roster.orders_now().guide.planner.due(0)
                [t.result() for t in world.roster.orders_now().guide.planner._open]
            world.step()
        runs.append(world.units.position)
    np.testing.assert_array_equal(*runs)


def test_a_unit_that_left_is_led_no_more():
    """Exits behind a corner: all go through, and the others are led on."""
    world = halls.bent(2.0)
    group = halls.party(world, 5, Goal.into((23, 9, 26, 15), leave=True))
    while world.time < 30 and world.units.present.any():
        world.step()
    assert not world.units.present.any()
    assert world.orders.minds.arrived[group.rows].all()


def test_nothing_solid_takes_no_planning():
    """On an open plane units go straight, and nobody keeps a guide."""
    world = World()
    world.add_group("a", [(0, 0)], model="mages", hull=Hull.disc(1.0), goal=Goal.to((5, 0)))
    assert world.orders.guide is None


def test_each_is_led_by_one_rule():
    """`follow_route` and `follow_flow` share the units between them, and come to `arrive`."""
    world = halls.bent(2.0)
    rules = {"arrive": {}, "personal_space": False, "cohesion": False, "alignment": False}
    friends = {"model": "mages", "hull": halls.HULL, "goal": Goal.to(FAR), "behaviours": rules}
    groups = [lone(world, Goal.to(FAR), behaviours=rules)]
    groups.append(world.add_group("b", [(4, 3), (4, 4), (4, 5)], **friends))
    for _ in range(20):
        world.step()
    for group, leads, idle in zip(
        groups, ("follow_route", "follow_flow"), ("follow_flow", "follow_route"), strict=True
    ):
        np.testing.assert_array_equal(group.terms[leads], group.terms["arrive"])
        assert group.terms[leads].any(axis=1).all()
        assert not group.terms[idle].any()
