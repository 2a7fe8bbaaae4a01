"""Narrow places found anew only near what has changed are those found on all of the ground."""

import numpy as np
import pytest

from sim.core.plane import Plane
from sim.core.shapes import Box, Disc
from sim.core.solids import Solids
from sim.navigation import survey as surveys
from sim.navigation.grid import planning_grid
from sim.navigation.passages import find_passages, passages_of
from sim.navigation.renewal import renewed_grid
from sim.navigation.survey import survey

from .making import noise, tile_map
from .test_renewal import CORNERS, WALLED, some_shapes


def same(one, other):
    """All arrays of two surveys are equal, but for the order of solids."""
    for name in ("origin", "step", "bounds", "clearance", "passing", "roomy", "wide", "pieces"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert len(one.mouths) == len(other.mouths)
    assert all(map(np.array_equal, one.mouths, other.mouths))
    assert one.abreast == other.abreast


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(each, marks=pytest.mark.slow) for each in (2, 3))]
)
def test_shapes_that_come_and_go(seed):
    """After each of a row of changes, on a lattice that stays and on one that changes."""
    rng = np.random.default_rng(seed)
    shapes = list(some_shapes(rng, 24))
    there = set(range(0, 24, 2))
    base = CORNERS if seed % 2 else Solids()
    grid = planning_grid(base.joined([shapes[k] for k in sorted(there)]), WALLED, 0.4)
    known = survey(grid)
    for _ in range(10):
        there ^= set(rng.choice(24, 2, replace=False).tolist())
        solids = base.joined([shapes[k] for k in sorted(there)])
        grid = renewed_grid(grid, solids, WALLED, None)
        known, planned = survey(grid, known), planning_grid(solids, WALLED, 0.4)
        same(known, survey(planned))
        for one, other in zip(passages_of(known), find_passages(planned), strict=True):
            assert np.array_equal(one, other)


@pytest.mark.parametrize("seed", range(3))
def test_doors_among_tiles(seed):
    """Doors that shut off rooms, where wide ground falls apart into small places and back."""
    tiles, rng = tile_map(noise(30, seed, 0.12)), np.random.default_rng(seed)
    plane, base = Plane(tiles.bounds, "wall"), Solids(boxes=tiles.boxes)
    grid = planning_grid(base, plane, 0.3, tiles)
    known = survey(grid)
    for _ in range(6):
        x, y = rng.uniform(0, 28, 2)
        door = Box(x, y, x + 0.5, y + rng.uniform(1, 12)).solids
        for solids in (base.joined([door]), base):
            grid = renewed_grid(grid, solids, plane, tiles)
            known = survey(grid, known)
            same(known, survey(planning_grid(solids, plane, 0.3, tiles)))


def test_a_change_looks_at_few_pieces(monkeypatch):
    """A disc in one gap of a wall of gaps looks at that gap's piece and at no other."""
    posts = [Box(10, y, 11, y + 1.2).solids for y in np.arange(0.0, 30.0, 2.4)]
    base = CORNERS.joined(posts)
    grid = planning_grid(base, WALLED, 0.4)
    known, looked, mouths = survey(grid), [], surveys.mouths_of
    monkeypatch.setattr(surveys, "mouths_of", lambda *given: (looked.append(1), mouths(*given))[1])
    grid = renewed_grid(grid, base.joined([Disc(10.5, 13.25, 0.1).solids]), WALLED, None)
    found = survey(grid, known)
    assert 0 < len(looked) <= 3
    assert len(found.mouths) >= 10
