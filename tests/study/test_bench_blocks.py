"""Clocking things in turns, and the squares and flocks that are clocked."""

from contextlib import suppress

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.sharing import threads
from sim.study.bench_blocks import MOST, Flock, Spread, alternate, block, columns, in_threads
from sim.study.bench_world import seen
from sim.study.density import Density, scattered


def test_neighbours_are_counted_on_the_torus():
    """Against all pairs, one by one, at the nearest image."""
    places = np.random.Generator(np.random.PCG64(3)).random((60, 2)) * 10
    offsets = places[:, None] - places
    offsets -= 10 * np.rint(offsets / 10)
    near = (np.hypot(*offsets.transpose(2, 0, 1)) <= 2.0).sum(axis=1) - 1
    assert Density(2.0).neighbours(places, 10.0) == pytest.approx(near.mean())


def test_density_fixes_the_square():
    """Places drawn at random in the square of a density have its number of neighbours."""
    density = Density(3.0)
    side = density.side(4000, 10.0)
    places = np.random.Generator(np.random.PCG64(3)).random((4000, 2)) * side
    assert density.neighbours(places, side) == pytest.approx(10, rel=0.05)


def test_one_unit_has_no_neighbours():
    """No square gives it any."""
    with pytest.raises(BadInput, match="units = 1: must be 2 or greater"):
        Density(3.0).side(1, 10.0)


def test_scattered_places_keep_their_distance():
    """Any two are at least the gap apart, across the edges too, and all lie in the square."""
    places = scattered(500, 100.0, 2.0, np.random.Generator(np.random.PCG64(1)))
    assert len(places) >= 500
    assert (places >= 1).all()
    assert (places <= 99).all()
    assert Density(1.999).neighbours(places) == 0


def test_every_block_begins_with_the_same_flock():
    """However far it went in the last block; and its units see about ten others."""
    flock, starts = Flock(200), []
    for _ in range(2):
        flock.rest()
        starts.append(flock.world.units.position)
        for _ in range(20):
            flock.step()
    assert np.array_equal(*starts)
    assert seen(flock.world) == pytest.approx(10, abs=2)


class Ticks:
    """A runner and the clock that its steps move on, one second each."""

    def __init__(self, log, name=""):
        self.log, self.name, self.now = log, name, 0.0

    def rest(self):
        """Takes long."""
        self.log.append(f"{self.name} rests")
        self.now += 100

    def step(self):
        """Takes a second."""
        self.log.append(self.name)
        self.now += 1


def test_blocks_last_as_long_as_asked_and_rest_is_free():
    """A block ends with the step that fills its time, or with the last one allowed."""
    log = []
    runner = Ticks(log)
    assert block(runner, 3.0, lambda: runner.now) == 1.0
    assert log == [" rests", "", "", ""]
    log.clear()
    block(runner, 0.0, lambda: runner.now)
    assert log == [" rests", ""]
    log.clear()
    assert block(runner, 1e9, lambda: 0.0) == 0.0
    assert len(log) == MOST + 1


def test_runners_take_turns():
    """Block by block, so that a busy machine slows all of them."""
    log = []
    taken = alternate([Ticks(log, "a"), Ticks(log, "b")], 2, 0.0)
    assert log == ["a rests", "a", "b rests", "b"] * 2
    assert [len(each) for each in taken] == [2, 2]


def test_threads_are_given_back():
    """The setting lasts for the block, also where it fails."""
    before = threads()
    with suppress(ZeroDivisionError), in_threads(1):
        assert threads() == 1
        raise ZeroDivisionError
    assert threads() == before


def test_spread_and_columns():
    """The middle of several figures with their range; numbers end in one line."""
    spread = Spread.of([3, 1, 2])
    assert spread == Spread(2.0, 1.0, 3.0)
    assert spread.show("{:.1f}".format) == "2.0 (1.0 - 3.0)"
    assert columns([("a", "bb"), ("ccc", "d")]) == "a    bb\nccc   d"
