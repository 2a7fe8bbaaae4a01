"""Rules that foresee take in how solids move, not only where they are."""

import numpy as np
import pymunk
import pytest

import sim
from sim.core.solids import Solids
from sim.perception.bodies import MOST, moving_discs


def touches(world: sim.World, steps: int = 900) -> int:
    """Steps in which a unit touches anything."""
    found = 0
    for _ in range(steps):
        world.step()
        found += len(world.contacts.other) > 0
    return found


def walker(goal=(34, 10)) -> sim.World:
    """A walled plane of 40 x 20, and one that walks along it."""
    world = sim.World(bounds=(0, 0, 40, 20), edges="wall", seed=1)
    world.add_group("a", [(6, 10)], goal=sim.Goal.to(goal))
    return world


@pytest.mark.parametrize(
    "speed", [0.6, 2.2, *(pytest.param(each, marks=pytest.mark.slow) for each in (1.0, 1.7))]
)
def test_a_box_that_comes_head_on_is_got_out_of_the_way_of(speed):
    """Three hulls wide, slower or faster than the walker. It was pushed along for 2.5 to 8 s."""
    world = walker((36, 10))
    world.add_solid(sim.Box(30, 8, 32, 11)).velocity = (-speed, 0)
    assert touches(world) == 0


@pytest.mark.parametrize(
    "speed", [0.75, 0.9, *(pytest.param(each, marks=pytest.mark.slow) for each in (0.8, 0.85))]
)
def test_a_disc_that_crosses_is_let_by_or_passed(speed):
    """It would meet the walker half-way, and pushed it aside for 2 to 5 s; 10 steps are a graze."""
    world = walker()
    world.add_solid(sim.Disc(20, 1, 1.5)).velocity = (0, speed)
    assert touches(world) <= 10


def test_a_body_of_the_users_own_is_foreseen():
    """A kinematic one that comes head-on, seen by `World.see`."""
    space = pymunk.Space()
    world = sim.World(space=space)
    world.add_group("a", [(6, 10)], goal=sim.Goal.to((36, 10)))
    body = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    space.add(body, pymunk.Circle(body, 1.5))
    body.position, body.velocity = (30, 10), (-1.5, 0)
    world.see(body)
    assert touches(world) == 0


def test_across_the_seam_of_a_torus():
    """A box that comes from beyond the edge is foreseen as one within: it pushed for 64 steps."""
    world = sim.World(bounds=(0, 0, 40, 20), edges="wrap", seed=1)
    world.add_group("a", [(30, 10)], goal=sim.Goal.along([(39.5, 10), (10, 10)]))
    world.add_solid(sim.Box(20, 8, 22, 11)).velocity = (-1.5, 0)
    assert touches(world, 700) == 0


def test_one_that_only_stands_is_pushed_along():
    """It wants to go nowhere: it waits for what comes, as before."""
    world = sim.World(bounds=(0, 0, 40, 20), edges="wall", seed=1)
    world.add_group("a", [(20, 10)])
    world.add_solid(sim.Box(24, 8, 26, 12)).velocity = (-2, 0)
    assert touches(world, 240) > 30
    assert world.units.position[0, 0] < 18


def test_a_gate_that_slides_along_itself_keeps_nobody_off_its_side():
    """A long wall is no disc as long as it is: one walks beside it as beside any wall."""
    times = []
    for speed in (0.0, 0.5):
        world = walker()
        world.add_solid(sim.Box(14, 11, 24, 11.2)).velocity = (speed, 0)
        while not world.group("a").arrived[0] and world.time < 40:
            world.step()
        times.append(world.time)
    assert max(times) < 1.03 * min(times)


def test_discs_cover_what_moves():
    """Every corner and edge of it lies in one of them, as few as are needed along its way."""
    rng = np.random.default_rng(4)
    corners = np.array([(0, 0), (4, 1), (3, 5), (-1, 3)], float)
    solids = Solids(
        np.array([(9.0, 9.0, 2.0)]), np.array([(1.0, 2.0, 9.0, 3.0)]),
        np.array([(0.0, 0.0, 6.0, 2.0)]), (corners,),
    )  # fmt: skip
    for angle in rng.uniform(-np.pi, np.pi, 20):
        way = np.cos(angle), np.sin(angle)
        found = moving_discs([(solids, way)])
        assert np.allclose(found.velocity, way)
        assert len(found.discs) <= 1 + 3 * MOST
        outline = [np.roll(corners, -1, axis=0) * t + corners * (1 - t) for t in (0, 0.3, 0.7)]
        box = [(x, y) for x in np.linspace(1, 9, 30) for y in (2, 3)]
        wall = np.linspace(0, 1, 30)[:, None] * (6, 2)
        for place in np.concatenate([*outline, box, wall]):
            off = np.hypot(*(found.discs[:, :2] - place).T) - found.discs[:, 2]
            assert off.min() < 1e-9
    along, across = (moving_discs([(Solids(boxes=solids.boxes), way)]) for way in ((1, 0), (0, 1)))
    assert (len(along.discs), len(across.discs)) == (8, 1)
    assert along.discs[:, 2].max() < 0.75


def test_nothing_that_stands_is_foreseen():
    """A part that waits, or has come to the end of its path, is avoided as any wall."""
    world = walker()
    part = world.add_solid(sim.Box(30, 1, 32, 3), path=[(0, 0, 0), (1, 0, 4)])
    world.step()
    assert len(world.site.terrain.moving.discs) == 1
    for _ in range(70):
        world.step()
    assert not part.moves
    assert not len(world.site.terrain.moving.discs)
