"""Walls in the engine: nothing catches on them, and nothing gets through."""

import numpy as np
import pymunk
import pytest

from sim.core.errors import BadInput
from sim.core.hull import Hull
from sim.core.plane import Plane
from sim.engine.build import make_body, set_up
from sim.engine.ground import add_bounds, add_cores, add_edges, add_solids
from sim.maps import TileMap
from sim.world import World

from .making import solid

DISC, BOX, WEDGE = Hull.disc(7.0, 10.0), Hull("box", 14, 14, 10.0), Hull("wedge", 14, 7, 10.0)
# A wall of 40 tiles; what is behind it makes its boxes begin and end all along it.
LONG = ["." * 40] * 3 + ["#" * 40, "##.#.###..##.#..#.##" * 2, "#.#####.#..#..##.#.#" * 2]


def space_of(tiles, hull):
    """A space with a map's walls, as a world makes them for its first group."""
    space = pymunk.Space()
    set_up(space, [hull])
    add_solids(space, np.zeros((0, 3)), tiles.blocks, np.zeros((0, 4)))
    add_edges(space, tiles.edges)
    add_cores(space, tiles.cores, hull.radius)
    add_bounds(space, Plane(tiles.bounds, "wall"), hull.radius)
    return space


def put(space, hull, place, velocity=(0.0, 0.0), upright=False):
    """A body of this hull, without friction."""
    body, shape = make_body(hull)
    body.position, body.velocity, shape.friction = place, velocity, 0.0
    if upright:
        body.moment = float("inf")
    space.add(body, shape)
    return body


def slide(space, body, speed, press, steps):
    """Push a body along x, against what is below it; the slowest it gets."""
    slowest = speed
    for _ in range(steps):
        body.force = body.mass * 2 * (speed - body.velocity.x), body.mass * press
        space.step(1 / 60)
        slowest = min(slowest, body.velocity.x)
    return slowest


@pytest.mark.parametrize("press", [20.0, 1000.0])
@pytest.mark.parametrize("speed", [5.0, 80.0])
@pytest.mark.parametrize("shape", ["disc", "box", "upright", "wedge"])
def test_nothing_catches_on_a_long_wall(shape, speed, press):
    """Whatever slides along a wall of many tiles, pressed on it, keeps its speed."""
    hull = {"disc": DISC, "wedge": WEDGE}.get(shape, BOX)
    tiles = TileMap(solid(LONG), (30.0, 30.0))
    space = space_of(tiles, hull)
    body = put(space, hull, (45.3, 90 - hull.radius), (speed, 0.0), upright=shape == "upright")
    assert slide(space, body, speed, press, steps=700) > 0.999 * speed
    assert shape == "wedge" or abs(body.angle) < 0.01  # a wedge comes to lie on its flank


@pytest.mark.parametrize("hull", [DISC, BOX], ids=["disc", "box"])
def test_a_wall_of_one_box_a_tile_would_catch(hull):
    """The other way to build it, for comparison: it stops the same body, or turns it over."""
    space = pymunk.Space()
    set_up(space, [hull])
    for n in range(40):
        corners = [(30 * n, 90), (30 * n + 30, 90), (30 * n + 30, 120), (30 * n, 120)]
        space.add(pymunk.Poly(space.static_body, corners))
    body = put(space, hull, (45.3, 90 - hull.radius), (5.0, 0.0))
    assert slide(space, body, 5.0, 1000.0, steps=700) < 2.5


def test_a_body_goes_round_a_corner():
    """What leaves a wall at its end is not held there."""
    tiles = TileMap(solid(["......", "......", "###...", "......", "......"]), (30.0, 30.0))
    tiles = TileMap(np.pad(tiles.solid, ((0, 0), (2, 0)), mode="edge"), (30.0, 30.0))
    space = space_of(tiles, DISC)
    body = put(space, DISC, (20.0, 53.0), (40.0, 0.0))
    assert slide(space, body, 40.0, 200.0, steps=240) > 39
    assert body.position.y > 100


@pytest.mark.parametrize("speed", [100.0, 700.0])
@pytest.mark.parametrize("hull", [DISC, BOX], ids=["disc", "box"])
def test_what_comes_fast_is_thrown_back(hull, speed):
    """A body that crosses an edge by more than half in one step does not stay behind it."""
    tiles = TileMap(solid(["....", "####", "##.#", "####", "...."]), (30.0, 30.0))
    space = space_of(tiles, hull)
    body = put(space, hull, (61.0, 15.0), (0.0, speed))
    for _ in range(300):
        body.force = 0.0, 500.0 * body.mass
        space.step(1 / 60)
    assert body.position.y < 30.0


def test_a_pressed_crowd_stays_on_its_side():
    """A hundred bodies pushed against a wall one tile thick do not get into it."""
    tiles = TileMap(solid(["." * 10] * 7 + ["#" * 10, "....#....."]), (30.0, 30.0))
    space = space_of(tiles, BOX)
    bodies = [put(space, BOX, (20 + 26 * (i % 10), 190 - 20 * (i // 10))) for i in range(100)]
    for _ in range(240):
        for body in bodies:
            body.force = 0.0, 1000.0 * body.mass
        space.step(1 / 60)
    assert max(body.position.y for body in bodies) < 210


def test_a_world_stands_on_its_map():
    """Bounds and solids come from the map; outside it all is solid."""
    tiles = TileMap(solid(["....", ".##.", "....", "...."]), (30.0, 30.0), (10.0, 0.0))
    world = World(map=tiles)
    assert world.plane.bounds == tiles.bounds
    inside = np.array([[85.0, 40.0], [25.0, 15.0], [5.0, 15.0]])
    assert (world.solids.depth(inside, world.plane) > 0).tolist() == [True, False, True]
    with pytest.raises(BadInput, match="starts inside a solid"):
        world.add_group("birds", [[85.0, 40.0]], model="flock")
    for wrong in ({"edges": "wrap"}, {"bounds": (0, 0, 9, 9)}):
        with pytest.raises(BadInput, match="map: has bounds and walls of its own"):
            World(map=tiles, **wrong)


def test_empty_parts_have_no_shapes():
    """What a map costs is its walls, not its size."""
    small, large = np.zeros((4, 4), bool), np.zeros((512, 512), bool)
    small[1, 1] = large[100, 100] = True
    counts = [len(World(map=TileMap(tiles)).space.shapes) for tiles in (small, large)]
    assert counts == [1, 1]
