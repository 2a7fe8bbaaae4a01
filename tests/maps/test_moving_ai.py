"""Moving AI maps: every letter, and how large their tiles are."""

import numpy as np
import pytest

from .making import ROOMS, octile, solid


def test_every_letter(reading):
    """Ground and swamp are free; trees, water and what is out of bounds are not."""
    tiles = reading("type octile\nheight 1\nwidth 7\nmap\n.G@OTSW\n", "a.map")
    assert tiles.solid.tolist() == [[False, False, True, True, True, False, True]]


@pytest.mark.parametrize(
    "text",
    [
        octile(),
        octile().replace("\n", "\r\n"),
        octile().rstrip("\n"),
        octile() + "\n\n",
        octile().replace("type octile\nheight 5\nwidth 7", "width 7\ntype tile\nheight 5"),
    ],
    ids=["plain", "windows", "no end", "blank end", "order"],
)
def test_ways_to_write_one_map(reading, text):
    """Line ends of either kind, and the header's lines in any order."""
    assert (reading(text, "a.map").solid == solid(ROOMS)).all()


def test_the_tile_size_is_the_readers(reading):
    """One world unit a tile unless it is said; the map begins at the world's origin."""
    assert reading(octile(), "a.map").bounds == (0, 0, 7, 5)
    tiles = reading(octile(), "a.map", tile=0.1)
    assert tiles.bounds == (0, 0, 7 * 0.1, 0.5)
    assert np.array_equal(tiles.corners((3, 4)), [3 * 0.1, 4 * 0.1])
    assert not tiles.objects
