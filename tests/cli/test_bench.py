"""`python -m sim bench`: the whole step beside the engine's own, in figures that fit together."""

import json

import numpy as np
import pytest

from sim.engine.cells import CROWD
from sim.study.bench import PHASES, Stopwatch, measure
from sim.study.bench_world import bench_world, book_world, seen

QUICK = ("--units", "30", "--steps", "3", "--blocks", "5")


def test_json(cli):
    """One object with what the bench promises; the ratio is that of its own two figures."""
    said = cli("bench", *QUICK, "--json")
    found = json.loads(said.out)
    assert said.status == 0
    assert (found["units"], found["steps"], found["blocks"]) == (30, 3, 5)
    assert found["ratio"] == pytest.approx(found["whole_ms"] / found["bare_ms"])
    assert found["plain_ratio"] == pytest.approx(found["whole_ms"] / found["plain_ms"])
    assert found["unit_steps_per_s"] == pytest.approx(30 / found["whole_ms"] * 1000)
    assert set(found["phases_ms"]) == set(PHASES)
    assert all(ms > 0 for ms in found["phases_ms"].values())
    low, high = found["whole_spread_ms"]
    assert low <= found["whole_ms"] <= high


def test_two_sizes(cli):
    """Several sizes tell how the cost of a unit grows."""
    said = cli("bench", *QUICK, "--units", "60", "--json")
    found = json.loads(said.out)
    small, large = found["runs"]
    growth = (large["whole_ms"] / 60) / (small["whole_ms"] / 30)
    assert found["growth_per_unit"] == pytest.approx(growth)


def test_in_words(cli):
    """The same for people to read."""
    said = cli("bench", *QUICK)
    parts = "30 units of flock", "whole step", "bare Space.step", "as pymunk", "unit-steps a second"
    for part in parts:
        assert part in said.out


def test_the_books_own_case(cli):
    """Twenty units in the book's window, which few others are near in."""
    found = json.loads(cli("bench", "--book", "--steps", "3", "--blocks", "5", "--json").out)
    assert found["units"] == 20
    assert bench_world(20).plane.size.max() < book_world(20).plane.size.min()


def test_a_space_as_pymunk_makes_it_moves_all_alike():
    """How contacts are found changes what a step costs, and no more: the same ones are found."""
    cells, tree = bench_world(CROWD), bench_world(CROWD, contact_cells=False)
    for _ in range(10):
        cells.step()
        tree.step()
    np.testing.assert_allclose(cells.units.position, tree.units.position, atol=1e-6)


def test_too_many_threads(cli):
    """More threads than there are is refused in one line."""
    said = cli("bench", "--threads", "9999")
    assert said.status == 2
    assert said.err.startswith("error: threads = 9999: must be between 1 and")


def test_neighbours_as_stated():
    """Each unit sees about as many as asked, among discs that nobody stands in."""
    world = bench_world(600, neighbours=10)
    assert seen(world) == pytest.approx(10, rel=0.2)
    assert len(world.solids.discs) > 3
    assert world.solids.depth(world.units.position, world.plane).max() < 0


def test_blocks_begin_alike():
    """Putting a world back to a snapshot brings back all of its state."""
    world = bench_world(40)
    start = world.units
    for _ in range(5):
        world.step()
    world.roster.bridge.put(start)
    world.roster.read_anew()
    again = world.units
    for name in ("position", "velocity", "angle", "spin"):
        assert np.array_equal(getattr(start, name), getattr(again, name))


def test_stopwatch_leaves_no_trace():
    """A world runs the same with the watch on, and none of it is left behind."""
    watched, plain = bench_world(20), bench_world(20)
    with Stopwatch(watched) as watch:
        watched.step()
    plain.step()
    assert all(seconds > 0 for seconds in watch.spent.values())
    assert np.array_equal(watched.units.position, plain.units.position)
    assert not {"look", "_behave", "_helm"} & {*vars(watched), *vars(watched.looking)}
    assert measure(10, steps=2, blocks=5).units == 10
