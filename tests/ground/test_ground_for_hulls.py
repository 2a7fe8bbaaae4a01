"""Walls at bounds, and what lies behind the edges of tile maps, suit hulls of all sizes."""

from pathlib import Path

import numpy as np

import sim
from sim import maps
from sim.engine.ground import SLAB

LEVEL = Path(__file__).resolve().parents[2] / "maps" / "level.tmx"


def test_a_small_craft_stays_out_of_a_corner_beside_large_hulls():
    """What lies behind the edges was laid for the first group: the nose got two lengths through."""
    world = sim.World(map=maps.read(LEVEL))
    world.add_group("large", [], model="crowd", hull=sim.Hull.disc(7.0))
    craft = world.add_group("craft", [(800, 100)], model="player", heading=-0.51)
    craft.controls = (0, 0, 1)
    for _ in range(400):
        world.step()
    assert world.solids.depth(world.units.position, world.plane)[0] < -0.5


def walled() -> sim.World:
    """Small discs, then large ones that push to the right."""
    world = sim.World(bounds=(0, 0, 40, 40), edges="wall", seed=1)
    world.add_group("small", [(5, 5), (6, 6)], hull=sim.Hull.disc(0.05, 1.0))
    push = sim.Goal.to((34.0, 20.0))
    world.add_group("large", [(20, 20), (28, 20)], hull=sim.Hull.disc(3.0, 80.0), goal=push)
    return world


def test_walls_at_the_bounds_are_thick_enough_for_the_largest():
    """Fifty radii of the first hulls are less than one of the second."""
    world = walled()
    left = min(shape.bb.left for shape in world.space.static_body.shapes)
    assert left <= -SLAB * 3.0


def test_a_world_with_such_walls_goes_on_from_its_state():
    """They are laid again with the numbers that they had."""
    world = walled()
    for _ in range(30):
        world.step()
    other = sim.World.load(world.save())
    for _ in range(120):
        world.step()
        other.step()
    assert np.array_equal(world.units.position, other.units.position)
