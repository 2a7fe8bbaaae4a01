"""The maps that come with the program."""

from pathlib import Path

import numpy as np
import pytest
from scipy import ndimage

from sim.maps import read

FOLDER = Path(__file__).parents[2] / "maps"
SHIPPED = ["choke", "field", "hallway", "level", "maze"]


def free_parts(tiles):
    """The free tiles by region, (rows, columns); 0 is a wall."""
    return ndimage.label(~tiles.solid)[0]


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_maps(name):
    """Tiles of 30, walled all round, one region, and places to start and go to on free ground."""
    tiles = read(FOLDER / f"{name}.tmx")
    assert tiles.tile == (30, 30)
    assert tiles.origin == (0, 0)
    border = np.ones_like(tiles.solid)
    border[1:-1, 1:-1] = False
    assert tiles.solid[border].all()
    assert len(tiles.regions) == 1
    for wanted in ("red", "blue", "target"):
        place = tiles.named(wanted)
        left, top, right, bottom = (int(edge / 30) for edge in place.box)
        assert not tiles.solid[top : max(bottom, top + 1), left : max(right, left + 1)].any()


def narrowest(tiles, axis):
    """The least number of free tiles between walls along the rows (1) or columns (0)."""
    lines = tiles.solid if axis == 1 else tiles.solid.T
    gaps = [
        len(run) for line in lines for run in "".join("# "[not s] for s in line).split("#") if run
    ]
    return min(gaps)


def test_gaps():
    """Two tiles through the choke and in the level; one and two in the hallway."""
    choke = read(FOLDER / "choke.tmx")
    assert (~choke.solid[:, 15]).sum() == (~choke.solid[:, 16]).sum() == 2
    hallway = read(FOLDER / "hallway.tmx")
    assert (~hallway.solid[:, 20]).sum() == 3
    assert min(narrowest(read(FOLDER / "level.tmx"), axis) for axis in (0, 1)) == 2
    assert min(narrowest(read(FOLDER / "maze.tmx"), axis) for axis in (0, 1)) == 2
