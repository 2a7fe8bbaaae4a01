"""Solid tiles as edges, blocks and boxes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import ndimage

from sim.core.errors import BadInput
from sim.maps import TileMap, outline

from .making import solid

SOLIDS = arrays(np.bool_, st.tuples(st.integers(1, 8), st.integers(1, 8)))


def one_by_one(tiles):
    """Every side between a solid and a free tile, as one tile long edges with the solid right."""
    rows, columns = tiles.shape
    found = set()
    for y in range(rows):
        for x in range(columns):
            if y and tiles[y, x] != tiles[y - 1, x]:
                found.add((x, y, x + 1, y) if tiles[y, x] else (x + 1, y, x, y))
            if x and tiles[y, x] != tiles[y, x - 1]:
                found.add((x, y + 1, x, y) if tiles[y, x] else (x, y, x, y + 1))
    return found


def cut_up(edges):
    """Edges as pieces one tile long."""
    for x1, y1, x2, y2 in edges[:, 2:6].tolist():
        n = abs(x2 - x1) + abs(y2 - y1)
        dx, dy = (x2 - x1) // n, (y2 - y1) // n
        for k in range(n):
            yield x1 + k * dx, y1 + k * dy, x1 + (k + 1) * dx, y1 + (k + 1) * dy


@given(SOLIDS)
def test_edges_are_all_walls_once(tiles):
    """Every side of a wall is part of one edge, with the solid on its right."""
    pieces = list(cut_up(outline.edges(tiles)))
    assert len(pieces) == len(set(pieces))
    assert set(pieces) == one_by_one(tiles)


@given(SOLIDS)
def test_edges_are_as_long_as_walls_are_straight(tiles):
    """No edge goes on where another one ended: that would be a seam to catch on."""
    edges = outline.edges(tiles)
    ends = {(*e[4:6], *np.sign(e[4:6] - e[2:4])) for e in edges}
    starts = {(*e[2:4], *np.sign(e[4:6] - e[2:4])) for e in edges}
    assert not ends & starts


@given(SOLIDS)
def test_neighbours_are_edges_that_meet(tiles):
    """The outer corners of an edge belong to the edges before and after it, where there are any."""
    edges = outline.edges(tiles)
    rows, columns = tiles.shape
    spans = {(*e[2:4], *e[4:6]) for e in edges}
    for e in edges.tolist():
        before, start, end, after = (tuple(e[i : i + 2]) for i in (0, 2, 4, 6))
        along = np.sign(np.subtract(end, start))
        for corner, span, on in ((end, (*end, *after), after), (start, (*before, *start), before)):
            if corner[0] in (0, columns) or corner[1] in (0, rows):
                assert abs(np.subtract(on, corner) @ along) == 1
            else:
                assert span in spans
                assert np.subtract(on, corner) @ along == 0


def test_solids_that_touch_at_a_corner_count_as_one():
    """The edge of one solid goes on along the other: what lies between them is closed."""
    edges = outline.edges(np.pad(np.eye(2, dtype=bool), 1))
    south = next(e for e in edges.tolist() if e[2:6] == [2, 1, 2, 2])
    assert south[6:] == [3, 2]


@given(SOLIDS)
def test_boxes_cover_solid_tiles_once(tiles):
    """Boxes lie beside one another, and cover what is solid and nothing else."""
    covered = np.zeros(tiles.shape, int)
    for left, top, right, bottom in outline.boxes(tiles):
        covered[top:bottom, left:right] += 1
    assert (covered == tiles).all()


@given(SOLIDS)
def test_rectangles_that_stand_alone(tiles):
    """A solid is a block if it fills the rectangle round it, and touches nothing at its corners."""
    labels, _ = ndimage.label(tiles, np.ones((3, 3)))
    alone = np.zeros(tiles.shape, bool)
    for number, place in enumerate(ndimage.find_objects(labels), 1):
        alone[place] |= (labels[place] == number).all()
    assert (outline.alone(tiles) == alone).all()


def test_few_shapes():
    """A long wall with a bend is one box more and six edges; a lone block is one box."""
    tiles = TileMap(solid(["......", ".####.", ".#....", ".#..#.", "......"]), (2.0, 3.0), (10, 20))
    assert (len(tiles.edges), len(tiles.cores)) == (6, 2)
    assert tiles.blocks.tolist() == [[18, 29, 20, 32]]
    assert len(tiles.boxes) == 3


def test_regions_are_not_connected_at_corners():
    """Two rooms that touch at a corner are two regions."""
    assert TileMap(solid(["..#", "###", "#.."])).regions == [2, 2]
    assert TileMap(solid([".#.", "#..", "..."])).regions == [6, 1]
    assert TileMap(solid(["##"])).regions == []


@pytest.mark.parametrize(
    ("tiles", "options"),
    [
        (np.zeros((0, 3), bool), {}),
        (np.zeros(3, bool), {}),
        (np.zeros((1, 1), bool), {"tile": (0.0, 1.0)}),
        (np.zeros((1, 1), bool), {"tile": (1.0, float("nan"))}),
        (np.zeros((1, 1), bool), {"origin": (float("inf"), 0.0)}),
    ],
)
def test_maps_made_in_python_are_checked(tiles, options):
    """There is a tile, and its size is positive and finite."""
    with pytest.raises(BadInput):
        TileMap(tiles, **options)
