"""Soldiers alone or in company on their way: along walls, to one point, across a ring."""

from itertools import pairwise

import numpy as np
import pytest

from sim import Goal, Hull, Region, World


@pytest.mark.parametrize(
    ("angle", "length"),
    [(2, 400), (5, 400), (20, 400), (45, 400), (20, 3), (45, 3),
     *(pytest.param(angle, length, marks=pytest.mark.slow)
       for angle, length in ((2, 3), (5, 3), (2, 20), (5, 20), (20, 20), (45, 20)))],
)  # fmt: skip
def test_a_wall_is_grazed(angle, length):
    """A unit that meets a wall at a small angle turns along it at any length, never back (B6)."""
    begin = 2.5 / np.tan(np.radians(angle)) - 1.0
    world = World(walls=[(begin - length / 2, 2.5, begin + length / 2, 2.5)])
    world.add_group("a", [(0, 0)], model="soldiers", heading=np.radians(angle))
    turned = 0.0
    for _ in range(int((begin + 10) / 0.9 * 60)):
        world.step()
        turned = max(turned, abs(float(world.units.angle[0])))
    assert turned < np.radians(angle + 30)
    assert world.units.position[0, 0] > begin


@pytest.mark.parametrize(("length", "pieces"), [(8, 5), (20, 25)])
def test_a_wall_in_pieces_is_grazed(length, pieces):
    """As one of the same length: pieces in line count as one, also those that join others alone."""
    ends = np.linspace(1.5 - length / 2, 1.5 + length / 2, pieces + 1)
    world = World(walls=[(a, 2.5, b, 2.5) for a, b in pairwise(ends)])
    world.add_group("a", [(0, 0)], model="soldiers", heading=np.radians(45))
    turned = 0.0
    for _ in range(800):
        world.step()
        turned = max(turned, abs(float(world.units.angle[0])))
    assert turned < np.radians(75)
    assert world.units.position[0, 0] > 2.5


@pytest.mark.parametrize("count", [1, 5, pytest.param(100, marks=pytest.mark.slow)])
def test_they_come_to_rest_at_a_point(count):
    """Soldiers that are sent to one point all arrive and rest around it."""
    world = World(seed=1)
    world.add_group(
        "a", Region(0, 0, 25, 25), count=count, model="soldiers", goal=Goal.to((45, 12))
    )
    for _ in range(90 * 60):
        world.step()
        if world.roster.orders.minds.arrived.all():
            break
    assert world.orders.minds.arrived.all()
    for _ in range(120):
        world.step()
    assert np.hypot(*world.units.velocity.T).max() < 0.05


@pytest.mark.parametrize("count", [3, *(pytest.param(k, marks=pytest.mark.slow) for k in (2, 8))])
def test_none_is_pushed_off_a_shared_place(count):
    """From any start the first keeps its place and the others come to rest at it, in 30 s."""
    for seed in range(2):
        world = World(seed=seed)
        group = world.add_group(
            "a", Region(-23, -4, -15, 4), count=count, model="soldiers", goal=Goal.to((0, 0))
        )
        while world.time < 30 and group.moving.any():
            world.step()
        assert group.arrived.all()
        assert not group.moving.any()
        assert np.hypot(*group.position.T).min() <= group.hull.radius


@pytest.mark.parametrize("count", [8, pytest.param(20, marks=pytest.mark.slow)])
def test_a_ring_changes_places(count):
    """Soldiers of one group cross a ring, each to the place opposite its own."""
    world = World()
    way = np.arange(count) / count * 2 * np.pi
    ring = count * np.stack([np.cos(way), np.sin(way)], axis=1)
    world.add_group("a", ring, model="soldiers", goal=Goal.across((0, 0)))
    for _ in range(90 * 60):
        world.step()
        if world.roster.orders.minds.arrived.all():
            break
    assert world.orders.minds.arrived.all()


def test_a_narrow_ring_changes_places():
    """Twenty on a ring so narrow that resting neighbours leave no gap: they let the last one in."""
    world = World()
    way = np.arange(20) / 20 * 2 * np.pi
    ring = 2.122 * np.stack([np.cos(way), np.sin(way)], axis=1)
    group = world.add_group(
        "a", ring, model="soldiers", hull=Hull.disc(0.2), speed=1.3,
        goal=Goal.across((0, 0), tolerance=0.5),
    )  # fmt: skip
    while world.time < 30 and group.moving.any():
        world.step()
    assert group.arrived.all()


def test_a_line_at_rest_lets_one_through():
    """Gaps of 0.4 hulls: soldiers press through, walkers step aside, and only by that rule."""
    assert passes("soldiers", {}) < 13.0
    aside, barred = (passes("walkers", behaviours) for behaviours in ({}, {"step_aside": False}))
    assert aside < 13.0
    assert barred > 1.5 * aside


def passes(model: str, behaviours: dict) -> float:
    """Seconds until a unit is 6 beyond a line of five at rest that shuts a gap of 4.4; 30 at most.

    Alone it takes 9.2.
    """
    walls = [(-1, -5, 1, -2.2), (-1, 2.2, 1, 5)]
    world = World(bounds=(-12, -5, 12, 5), boxes=walls)
    line, hull = np.stack([np.zeros(5), np.linspace(-1.7, 1.7, 5)], axis=1), Hull.disc(0.3)
    common = {"model": model, "hull": hull, "speed": 1.3, "behaviours": behaviours}
    world.add_group("rest", line, heading=0.0, goal=Goal.to(line), **common)
    one = world.add_group("one", [(-6, 0.1)], goal=Goal.to((6, 0)), **common)
    while world.time < 30 and not one.arrived.all():
        world.step()
    return world.time


def test_one_that_is_held_up_foresees_the_way_it_wants():
    """A mate stands in front of a soldier at rest: it avoids it bound ahead, not bound abeam."""
    for place, avoids in (((0, 9), False), ((9, 0), True)):
        world = World()
        group = world.add_group("a", [(0, 0)], model="soldiers", heading=0.0, goal=Goal.to(place))
        world.add_group("mate", [(1.5, 0)], model="soldiers", heading=0.0, goal=Goal.to((1.5, 0)))
        world.step()
        assert (np.hypot(*group.terms["unaligned_avoidance"][0]) > 0.1) == avoids


@pytest.mark.parametrize(
    ("goal", "gives_way"), [(Goal.to((0, 0)), False), (Goal.across((0, 0)), True)]
)
def test_right_is_kept_of_units_bound_elsewhere(goal, gives_way):
    """Two that face each other: each to starboard, unless both are bound for the same place."""
    world = World()
    group = world.add_group("a", [(-2, 0), (2, 0)], model="soldiers", goal=goal)
    world.step()
    assert (group.terms["keep_right"][:, 1] > 0).tolist() == [gives_way] * 2
