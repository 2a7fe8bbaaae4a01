"""Slowing down for the hulls of a pack that one joins, and where these are."""

import numpy as np
import pytest

from sim import Hull
from sim.behaviours.avoidance.joining import JOINING, slowed
from sim.behaviours.avoidance.nearest import APART, HULL, JOINED, KNOWN, X, Y
from sim.core.overlap import Shapes, gap_between


def met(*others: tuple[float, float, bool]) -> np.ndarray:
    """A table of others of radius 0.5 at some places, and whether one joins them."""
    table = np.zeros(KNOWN)
    for n, (x, y, joins) in enumerate(others):
        table[np.add((X, Y, APART, HULL, JOINED), n)] = x, y, np.hypot(x, y), 0.5, joins
    return table


def test_slower_for_the_first_in_the_way():
    """In the time `JOINING` no farther than to the hull in front; whoever is beside counts not."""
    ahead, beside, behind = (3.0, 0.2, True), (1.2, 1.5, True), (-1.1, 0.0, True)
    wx, wy = slowed(met(ahead, beside, behind), 3, 12.0, 0.0, 0.5)
    assert wx == pytest.approx((np.hypot(3.0, 0.2) - 0.5) / JOINING)
    assert wy == 0.0
    assert slowed(met(beside, behind), 2, 12.0, 0.0, 0.5) == (12.0, 0.0)


def test_no_slower_for_others_nor_below_what_the_helm_follows():
    """Packs that a unit does not join, and a pack that is reached later anyhow, change nothing."""
    assert slowed(met((3.0, 0.0, False)), 1, 12.0, 0.0, 0.5) == (12.0, 0.0)
    assert slowed(met((3.0, 0.0, True)), 1, 1.3, 0.0, 0.5) == (1.3, 0.0)
    assert slowed(met((3.0, 0.0, True)), 1, 0.0, 0.0, 0.5) == (0.0, 0.0)


def outline(hull: Hull) -> tuple[np.ndarray, int]:
    """The corners of a hull, and how many."""
    shapes = Shapes.of([hull], np.zeros(1, np.int64))
    return shapes.corners[0], int(shapes.count[0])


@pytest.mark.parametrize(
    ("place", "gap", "along"),
    [
        ((5.0, 0.5), 1.0, (1, 0)),
        ((0.0, -3.5), 1.5, (0, -1)),
        ((7.0, 6.0), 5.0, (0.6, 0.8)),
        ((3.0, 0.0), -1.0, (1, 0)),
    ],
)
def test_gaps_between_boxes(place, gap, along):
    """Face to face, corner to corner, and how deep two overlap."""
    box = outline(Hull("box", 4.0, 2.0))
    found, nx, ny = gap_between(*box, *box, *place)
    assert found == pytest.approx(gap)
    assert (nx, ny) == pytest.approx(along)


def test_a_disc_beside_a_wedge():
    """From the point of the bow, and from a side."""
    wedge, disc = outline(Hull("wedge", 4.0, 2.0)), outline(Hull.disc(1.0))
    assert gap_between(*wedge, *disc, 5.0, 0.0) == pytest.approx((3.0, 1.0, 0.0))
    assert gap_between(*wedge, *disc, -1.0, 3.0) == pytest.approx((2.0, 0.0, 1.0))
    assert gap_between(*disc, *wedge, 1.0, -3.0) == pytest.approx((2.0, 0.0, -1.0))


def test_a_wall_before_a_corner():
    """The corner of a box comes nearest to the middle of a wall: the gap is along its normal."""
    box, wall = outline(Hull("box", 4.0, 2.0)), (np.array([(3.0, -9.0), (-3.0, 9.0)]), 2)
    normal = np.array([18.0, 6.0]) / np.hypot(18.0, 6.0)
    found, nx, ny = gap_between(*box, *wall, *(4.0 * normal))
    assert found == pytest.approx(4.0 - normal @ (2.0, 1.0))
    assert (nx, ny) == pytest.approx(tuple(normal))


@pytest.mark.parametrize("shape", ["box", "wedge"])
def test_gaps_to_walls_are_the_widest_over_all_directions(shape: str):
    """Of a hull from 300 walls: the gap is seen along the direction that is told, and no wider."""
    rng, (corners, count) = np.random.default_rng(3), outline(Hull(shape, 3.0, 1.0))
    turns, apart = np.linspace(0, 2 * np.pi, 3600), 0
    normals = np.stack([np.cos(turns), np.sin(turns)])
    for _ in range(300):
        ends = rng.uniform(-4.0, 4.0, (2, 2))
        gap, nx, ny = gap_between(corners, count, ends, 2, 0.0, 0.0)
        along = np.column_stack([(nx, ny), normals])
        seen = (ends @ along).min(axis=0) - (corners[:count] @ along).max(axis=0)
        assert np.hypot(nx, ny) == pytest.approx(1.0)
        assert seen[0] == pytest.approx(gap)
        assert seen.max() <= gap + 1e-9
        apart += gap > 0.0
    assert apart > 100
