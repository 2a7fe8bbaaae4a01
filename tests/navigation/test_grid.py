"""Planning grids: where a hull has room, and which ways lead on."""

import numpy as np
import pytest
from scipy import ndimage

from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation import planning_grid
from sim.navigation.marking import ACROSS, DOWN

from .making import OPEN, clearance, clearances, noise, on_tiles, places, rooms, tile_map

MIXED = Solids.of(
    [[3.0, 3.0, 1.5], [9.0, 6.5, 0.3]],
    [[6.0, 1.0, 8.0, 4.0]],
    [[1.0, 8.0, 7.0, 9.0], [12, 2, 12, 8]],
)


def joined(grid, direction):
    """Pairs of places (k, 2) that a direction's exits join."""
    mask = grid.exits >> direction & 1
    start = places(grid, mask)
    return start, start + np.array([ACROSS[direction], DOWN[direction]]) * grid.step


@pytest.mark.parametrize(
    ("ground", "plane", "radius"),
    [
        (MIXED, OPEN, 0.5),
        (MIXED, Plane((0, 0, 14, 10), "wall"), 0.8),
        (MIXED, Plane((-40, -9, 14, 30), "wall"), 0.2),
    ],
)
def test_walkable_is_what_keeps_its_distance(ground, plane, radius):
    """A node is walkable just where the distance from all solids is the radius or more."""
    grid = planning_grid(ground, plane, radius)
    rows, columns = grid.free.shape
    everywhere = places(grid, np.ones((rows, columns)))
    room = -ground.depth(everywhere, plane)
    assert (grid.free.ravel()[room > radius * (1 + 1e-6)] == 1).all()
    assert (grid.free.ravel()[room < radius * (1 - 1e-6)] == 0).all()


@pytest.mark.parametrize("direction", range(8))
def test_exits_keep_their_distance(direction):
    """Two neighbours are joined just where the whole way between them keeps the distance."""
    grid = planning_grid(MIXED, OPEN, 0.5)
    assert clearances(*joined(grid, direction), MIXED, OPEN).min() >= 0.5 * (1 - 1e-6)
    mask = np.zeros_like(grid.free)
    inner = np.s_[1:-1, 1:-1]
    beside = np.roll(grid.free, (-DOWN[direction], -ACROSS[direction]), (0, 1))
    mask[inner] = (grid.free & beside & ~(grid.exits >> direction))[inner] & 1
    start = places(grid, mask)
    shift = np.array([ACROSS[direction], DOWN[direction]]) * grid.step
    assert (clearances(start, start + shift, MIXED, OPEN, 0.001) < 0.5 + 1e-4).all()


@pytest.mark.parametrize("radius", [0.5, 0.3, 0.12])
def test_one_tile_corridors_are_walkable(radius):
    """A corridor just as wide as the hull is a way, with all its corners."""
    grid, ground, plane = on_tiles(tile_map(["#####", "....#", "###.#", "###.."]), radius)
    ends_ = [grid.label[tuple(np.rint((np.array(p) - grid.origin) / grid.step).astype(int)[::-1])]
             for p in ((0.5, 1.5), (4.5, 3.5))]  # fmt: skip
    assert ends_[0] == ends_[1] >= 0
    assert (-ground.depth(places(grid), plane) >= radius * (1 - 1e-6)).all()


@pytest.mark.parametrize("radius", [0.75, 1.0])
def test_two_tile_corridors_are_walkable_for_wide_hulls(radius):
    """A hull wider than a tile goes along the middle of a corridor of two, and not of one."""
    picture = [
        "#######",
        "......#",
        "......#",
        "####..#",
        "####...",
        "####...",
        "######.",
        "######.",
    ]
    grid, _, _ = on_tiles(tile_map(picture), radius)

    def part(x, y):
        at = np.rint((np.array([x, y]) - grid.origin) / grid.step).astype(int)
        return grid.label[at[1], at[0]]

    assert part(1, 2) == part(5, 3) == part(6, 5) >= 0
    assert part(6.5, 7) == -1


def test_diagonals_never_cut_a_corner():
    """However small the hull, it does not slip between two solids that touch at a corner."""
    grid, _, _ = on_tiles(tile_map(["..#", "..#", "##.", "##."]), 0.01)
    assert len(np.unique(grid.label[grid.label >= 0])) == 2


@pytest.mark.parametrize("tiles", [rooms(33, 8, 1), noise(24, 2)], ids=["rooms", "noise"])
@pytest.mark.parametrize("radius", [0.5, 0.25])
def test_free_tiles_are_free(tiles, radius):
    """For hulls no wider than a tile, parts of the grid are those of the tiles, by their sides."""
    grid, ground, plane = on_tiles(tiles, radius)
    middles = np.stack(np.nonzero(~tiles)[::-1], axis=1) + 0.5
    at = np.rint((middles - grid.origin) / grid.step).astype(int)
    label = grid.label[at[:, 1], at[:, 0]]
    assert (label >= 0).all()
    own = ndimage.label(~tiles)[0][np.nonzero(~tiles)]
    pairs = {*zip(own.tolist(), label.tolist(), strict=True)}
    assert len(pairs) == own.max() == len({each for _, each in pairs})
    assert clearance(places(grid)[[0, 0]], ground, plane) >= radius * (1 - 1e-6)


def test_gaps_say_how_far_all_is_clear():
    """Within the gap of a cell no cell has a solid near."""
    grid = planning_grid(MIXED, OPEN, 0.5)
    blocked = np.argwhere(grid.gap == 0)
    for y, x in np.argwhere(grid.gap > 0)[::97]:
        assert np.abs(blocked - (y, x)).max(axis=1).min() == grid.gap[y, x]
    assert (planning_grid(Solids(), OPEN, 0.5).gap > 0).all()


@pytest.mark.parametrize("scale", [3.0, 0.01])
def test_a_scaled_world_has_the_same_grid(scale):
    """Nothing depends on what a unit of length is."""
    grid = planning_grid(MIXED, OPEN, 0.5)
    large = planning_grid(
        Solids(MIXED.discs * scale, MIXED.boxes * scale, MIXED.walls * scale), OPEN, 0.5 * scale
    )
    assert np.array_equal(grid.free, large.free)
    assert np.array_equal(grid.exits, large.exits)
    tiles = noise(20, 3)
    assert np.array_equal(
        on_tiles(tiles, 0.3)[0].exits, on_tiles(tiles, 0.3 * scale, scale)[0].exits
    )


def test_what_is_no_hull_is_refused():
    """With the value and what is allowed."""
    for radius in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(BadInput, match=r"radius = .*: must be a finite number greater than 0"):
            planning_grid(MIXED, OPEN, radius)


@pytest.mark.parametrize("radius", [5e-324, 1e-300, 1e13, np.nan, np.inf, 0.0])
def test_a_radius_that_no_hull_has_is_refused(radius):
    """Steps of a lattice are counted by quotients by it: those left what a float can hold."""
    for tiles in (tile_map(["..#", "..."]), None):
        with pytest.raises(BadInput, match="radius = "):
            planning_grid(Solids.of([], [(0, 0, 1, 1)], []), Plane(), radius, tiles)
