"""Narrow places of hulls of several sizes have numbers of their own, or share those of larger."""

import numpy as np
import pytest

from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation.grid import planning_grid
from sim.navigation.mouths import MOUTHS
from sim.navigation.passages import find_passages
from sim.orders.registry import Registry

RADII = (0.3, 0.45, 0.6)


def walls(seed):
    """Walls with gaps of many widths across a hall."""
    rng, boxes = np.random.default_rng(seed), []
    for x in (10.0, 20.0, 30.0):
        y = 0.0
        while y < 24:
            end = y + rng.uniform(1, 4)
            boxes.append((x, y, x + 1, min(end, 24)))
            y = end + rng.uniform(0.7, 2.5)
    return Solids(boxes=np.array(boxes))


def slowly(known):
    """Numbers and mouths by size, one passage after the other, the largest hulls first."""
    given, numbers = [], {}
    for radius in sorted(known, reverse=True):
        own = []
        for k in range(len(known[radius].mouths)):
            rows, columns = np.nonzero(known[radius].number == k)
            nodes = known[radius].origin + np.stack([columns, rows], 1) * known[radius].step
            found = -1
            for size, theirs in numbers.items():
                at = np.rint((nodes - known[size].origin) / known[size].step).astype(int)
                inside = ((at >= 0) & (at < known[size].number.shape[::-1])).all(axis=1)
                there = known[size].number[at[inside, 1], at[inside, 0]]
                if found < 0 and (there >= 0).any():
                    found = theirs[there[there >= 0][0]]
            if found < 0:
                found = len(given)
                given.append(known[radius].mouths[k])
            own.append(found)
        numbers[radius] = own
    return np.array(given), numbers


@pytest.mark.parametrize("seed", range(3))
def test_numbers(seed):
    """All are those of a search passage by passage, and each mouth is the nearest of that place."""
    plane = Plane((0, 0, 40, 24), "wall")
    known = {r: find_passages(planning_grid(walls(seed), plane, r)) for r in RADII}
    registry = Registry()
    for radius, passages in known.items():
        registry.add(radius, passages)
    given, numbers = slowly(known)
    assert np.array_equal(registry.mouths, given)
    assert max(map(len, numbers.values())) > 3
    for radius in RADII:
        found, names = registry._numbers[radius]
        assert found.tolist() == numbers[radius]
        for k, own in enumerate(known[radius].mouths):
            for m in np.flatnonzero(np.isfinite(own[:, 0])):
                apart = np.hypot(*(given[found[k]] - own[m]).T)
                assert apart[names[k, m]] == apart.min()
        assert (names[:, MOUTHS] == MOUTHS).all()


def test_the_same_again_changes_nothing():
    """Equal passages, found anew, are no other passages: turns that were given stay."""
    plane = Plane((0, 0, 40, 24), "wall")
    one, two = (find_passages(planning_grid(walls(1), plane, 0.3)) for _ in range(2))
    registry = Registry()
    registry.add(0.3, one)
    assert not registry.renew(0.3, two)
    assert registry.known(0.3) is two
    assert registry.renew(0.3, find_passages(planning_grid(walls(2), plane, 0.3)))
