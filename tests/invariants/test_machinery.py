"""How a step is worked out makes no difference to what comes out, nor to how much Python runs."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pytest

from sim import BadInput, Goal, Region, World
from sim.core import compiled, sharing
from sim.core.sharing import threads, use_threads
from sim.core.units import Units


def flocks(count: int, side: float, **options) -> World:
    """Two flocks, one after the other, among discs on a torus."""
    bounds = (0.0, 0.0, side, side * 0.75)
    world = World(seed=4, bounds=bounds, edges="wrap", discs=[(side / 2, side / 3, 9)], **options)
    world.add_group("a", Region(*bounds), model="flock", count=count // 3, view="narrow")
    world.add_group(
        "b", Region(*bounds), model="flock", count=count - count // 3, goal=Goal("chase", "a")
    )
    return world


def alike(one: Units, other: Units) -> bool:
    """To the last bit."""
    names = ("position", "velocity", "angle", "spin")
    return all(np.array_equal(getattr(one, n), getattr(other, n)) for n in names)


@pytest.mark.parametrize("side", [90.0, 400.0, 3000.0])
def test_either_search(side):
    """The engine's queries and the cell grid make the same run, bit for bit."""
    grid, asked = flocks(45, side), flocks(45, side, neighbour_search="pymunk")
    for step in range(25):
        grid.step()
        asked.step()
        assert alike(grid.units, asked.units), step


def test_an_unknown_search():
    """Any other search is refused by name."""
    with pytest.raises(BadInput, match="neighbour_search = 'octree': must be 'grid' or 'pymunk'"):
        World(neighbour_search="octree")  # type: ignore[arg-type]


@pytest.mark.usefixtures("shared_out")
def test_any_number_of_threads():
    """One thread and all of them make the same run, bit for bit."""
    count, most = 400, threads()
    ends = []
    for number in (1, most):
        use_threads(number)
        try:
            world = flocks(count, 4000.0)
            for _ in range(4):
                world.step()
            ends.append(world.units)
        finally:
            use_threads(most)
    assert alike(*ends)


def test_threads_are_checked():
    """No threads at all is refused."""
    with pytest.raises(BadInput, match="threads = 0: must be between 1 and"):
        use_threads(0)


def calls(work: Callable[[], None]) -> int:
    """How many functions, Python's and C's, some work calls from Python."""
    count = 0

    def watch(_frame, event, _arg):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_python_runs_once_a_group_not_once_a_unit(monkeypatch):
    """A step makes as many calls for 500 units as for 50."""
    monkeypatch.setattr(compiled, "WORTH", np.inf)
    monkeypatch.setattr(sharing, "FINEST", 0)  # how long fewer rows take is not looked at
    found = []
    for count in (50, 500):
        world = flocks(count, 4000.0)
        for _ in range(3):
            world.step()
        # A unit that wraps, or a list that grows, costs a few calls more now and then.
        found.append(min(calls(world.step) for _ in range(12)))
    assert found[0] == found[1]
