"""Units that go after others go round what is solid."""

import numpy as np
import pytest

from sim import Box, Goal, Hull, World
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation.grid import planning_grid
from sim.navigation.trails import trails

WALL = [[5, -4, 5, 4]]


def hunt(world, kind="chase", model="mages", start=(0.0, 0.0), quarry=(10.0, 0.0), **more):
    """One that goes after one that stands still: soldiers without a goal would march on."""
    first = world.add_group("hunter", [start], model=model, heading=0.0, **more)
    stays = Goal.to(quarry) if model == "soldiers" else None
    world.add_group("quarry", [quarry], model=model, heading=0.0, goal=stays)
    first.goal = Goal(kind, "quarry")
    return first


def gap(world):
    """Distance of the first two units."""
    here, there = world.units.position[:2]
    return float(np.hypot(*world.plane.nearest(there - here)))


def until(world, seconds, near):
    """The time at which the first is so near to the second, or infinite."""
    while world.time < seconds:
        world.step()
        if gap(world) < near:
            return world.time
    return np.inf


@pytest.mark.parametrize(
    ("kind", "model"),
    [("chase", "mages"), ("intercept", "crowd"), ("follow", "crowd"), ("chase", "walkers"),
     ("follow", "walkers"),
     ("approach", "soldiers")],
)  # fmt: skip
def test_round_a_wall(kind, model):
    """It comes up to one behind a wall in little more than the way takes."""
    world = World(walls=WALL)
    group = hunt(world, kind, model)
    free = 2 * np.hypot(5, 4.6) / group.speed
    stop = 7.0 if kind == "approach" else 2.2
    assert until(world, 1.25 * free + 2, stop) < np.inf
    assert group.note == ""


def test_squares_chase_round_a_corner():
    """What moves by acceleration does so too."""
    world = World(boxes=[[60, -100, 90, 60]])
    group = hunt(world, "chase", "squares", (0.0, 0.0), (150.0, 0.0))
    assert until(world, 6, 2.5 * group.hull.length) < np.inf


@pytest.mark.parametrize("kind", ["chase", "follow"])
def test_in_free_sight_nothing_changes(kind):
    """With solids about, but none in the way, it is the run of an open plane, bit for bit."""
    runs = []
    for walls in ([], [[3, 30, 9, 31]]):
        world = World(walls=walls)
        hunt(world, kind)
        for _ in range(150):
            world.step()
        runs.append(world.units.position)
    np.testing.assert_array_equal(*runs)


def test_round_two_corners_after_one_that_walks_away():
    """Its trail is planned anew while it goes: it is caught in the next room but one."""
    world = World(boxes=[[8, -20, 9, 3], [16, -3, 17, 20]], bounds=(-5, -20, 30, 20), edges="wall")
    hunters = world.add_group("hunters", [(0, -8), (0, -12)], model="mages", speed=1.8, heading=0.0)
    world.add_group("quarry", [(5, 0)], model="mages", heading=0.0,
                    goal=Goal.along([[5, 8], [12, 8], [12, -12], [22, -12], [22, 0]]))  # fmt: skip
    hunters.goal = Goal("chase", "quarry")
    planned = {}  # kept, so that no number is used twice
    while world.time < 40:
        world.step()
        trails = world.roster.orders.guide.hunts.of[0, 0].trails
        planned[id(trails)] = trails
    off = world.units.position[:2] - world.units.position[2]
    assert np.hypot(*off.T).max() < 3.0
    assert len(planned) > 10


def test_one_that_cannot_be_reached():
    """They go to the nearest place, rest, and it is said so; then a way is open to another."""
    world = World(boxes=[(5, 0, 6, 10), (5, 0, 15, 1), (14, 0, 15, 10), (5, 9, 15, 10)])
    hunters = world.add_group("hunters", [(1, 2), (1, 8)], model="crowd", heading=0.0)
    inside = world.add_group("prey", [(8, 5), (12, 5)], model="crowd", heading=0.0)
    hunters.goal = Goal("chase", "prey")
    while world.time < 12:
        world.step()
    assert hunters.note == "no way leads to 'prey': some go to the nearest place instead"
    off = np.abs(world.units.position[:2, 0] - 4.5)
    assert off.min() < 0.2
    assert off.max() < 1.7
    assert np.hypot(*world.units.velocity[:2].T).max() < 0.1
    body = world.roster.bridge.bodies[inside.rows.start]
    body.position = (20.0, 5.0)
    world.roster.read_anew()
    while world.time < 45:
        world.step()
    assert hunters.note == ""
    off = world.units.position[:2] - world.units.position[2]
    assert np.hypot(*off.T).min() < 2.0


def test_a_quarry_that_leaves_the_world():
    """A unit with no quarry left stands still."""
    world = World(walls=WALL)
    hunters = world.add_group("hunters", [(0, 0), (0, 2)], model="crowd", heading=0.0)
    world.add_group("prey", [(10, 0), (12, 0)], model="crowd", heading=0.0,
                    goal=Goal.to([(14, 0), (16, 0)], leave=True))  # fmt: skip
    hunters.goal = Goal("chase", "prey")
    while world.time < 12:
        world.step()
    assert not world.units.present[2:].any()
    assert np.isfinite(world.units.position[:2]).all()
    assert np.hypot(*world.units.velocity[:2].T).max() < 0.05


def test_across_the_seam_of_a_torus():
    """The way through the seam is taken where it is shorter."""
    world = World(bounds=(0, 0, 40, 20), edges="wrap", walls=[[20, 0, 20, 20], [30, 4, 30, 20]])
    hunt(world, "chase", "mages", (18.0, 10.0), (22.0, 10.0))
    assert until(world, 40, 2.0) < np.inf


def test_a_quarry_pressed_into_the_bounds_can_be_reached():
    """A hull of radius 0.5, 0.01 deep in them, far from all solids: none is told that it cannot."""
    solids = [[19, 0, 20, 3.2], [19, 4.8, 20, 8]]
    plane = Plane((0.0, 0.0, 40.0, 8.0), "wall")
    grid = planning_grid(Solids(boxes=np.array(solids, float)), plane, 0.5)
    found = trails(grid, np.array([[3.0, 7.51]]), np.array([[25.0, 4.0], [4.0, 7.4], [6.0, 7.51]]))
    assert not found.cut.any()
    assert found.nearest_of(np.array([[25.0, 4.0]])).tolist() == [0]


def test_the_same_run_bit_for_bit_watched_or_not():
    """However the planning thread is scheduled, and whether percepts are asked for or not."""
    runs = []
    for watched in (False, True):
        world = World(walls=[*WALL, [5, 6, 12, 6]], seed=2)
        places = [(0.0, 1.5 * k - 4) for k in range(6)]
        hunters = world.add_group("a", places, model="crowd", heading=0.0)
        world.add_group("b", [(8, 0), (9, 3), (8, 9)], model="crowd", heading=0.0,
                        goal=Goal.along([[8, -5], [14, 0], [8, 4]], loop=True))  # fmt: skip
        hunters.goal = Goal("chase", "b")
        for _ in range(400):
            world.step()
            if watched:
                world.percepts(hunters)
                [ticket.result() for ticket in world.roster.orders_now().guide.planner._open]
        runs.append(world.units.position)
    np.testing.assert_array_equal(*runs)


def test_numbering_is_no_matter():
    """Hunters given in another order take the same ways."""
    places = np.array([(0.0, 2.0 * k - 4) for k in range(5)])
    runs = []
    for order in (np.arange(5), np.array([3, 0, 4, 1, 2])):
        world = World(walls=WALL)
        hunters = world.add_group("a", places[order], model="crowd", heading=0.0)
        world.add_group("b", [(9, 0), (9, 3)], model="crowd", heading=0.0)
        hunters.goal = Goal("chase", "b")
        for _ in range(200):
            world.step()
        runs.append(world.units.position[np.argsort(order)])
    np.testing.assert_allclose(*runs, atol=1e-6)


def test_planning_is_bounded():
    """Many hunters and groups: one plans at a time, and no sooner than its grid allows."""
    world = World(walls=WALL)
    for name, y in (("a", -9.0), ("b", 9.0)):
        places = [(x, y) for x in range(-8, 0, 2)]
        world.add_group(name, places, model="mages", heading=0.0)
    world.add_group("c", [(10, 0)], model="mages", heading=0.0,
                    goal=Goal.along([[8, 0], [12, 0]], loop=True))  # fmt: skip
    for name in "ab":
        world.group(name).goal = Goal("chase", "c")
    open_, asked = [], 0
    for _ in range(240):
        world.step()
        planner = world.roster.orders.guide.planner
        open_.append(len(planner._open))
        asked = planner._asked
    assert max(open_[10:]) == 1
    assert 0 < asked <= 240 // planner.delay + 2


@pytest.mark.parametrize("ends", ["stopped", "quarry gone"])
def test_a_note_goes_with_the_hunt(ends):
    """That no way leads to what some pursue is said as long as they pursue it, and no longer."""
    world = World(seed=1, boxes=[[10, -5, 11, 10], [10, -6, 30, -5], [10, 10, 30, 11]])
    world.add_solid(Box(29, -5, 30, 10))
    prey = world.add_group("prey", [(20, 0)])
    group = world.add_group("pack", [(0, 0), (0, 3), (0, 6)])
    some = world.select(group.ids[:2])
    some.chase(prey)
    for _ in range(120):
        world.step()
    assert group.note.startswith("no way leads to 'prey'")
    if ends == "stopped":
        some.stop()
    else:
        world.remove(prey.ids)
    world.step()
    assert not group.note


@pytest.mark.parametrize("kind", ["chase", "follow"])
def test_a_quarry_at_the_wall_is_not_lost(kind):
    """Where it stands closer to the bounds than the hunter can, the hunter comes up beside it.

    It did not see it there, went to where the planned ground ends, 12 away, and stayed.
    """
    door = [(9.5, -8, 10.5, -0.8), (9.5, 0.8, 10.5, 8)]
    world = World(bounds=(0, -8, 24, 8), edges="wall", boxes=door, time_step=0.05, seed=1)
    world.add_group("quarry", [(23.7, -1.3)], hull=Hull.disc(0.3, 80.0), heading=0.0)
    hunter = world.add_group(
        "hunter", [(4, -1)], hull=Hull.disc(0.7, 80.0), heading=0.0, goal=Goal(kind, "quarry")
    )
    while world.time < 25:
        world.step()
    assert np.hypot(*(hunter.position[0] - (23.7, -1.3))) < 3.2  # a length and a half, and the gap
