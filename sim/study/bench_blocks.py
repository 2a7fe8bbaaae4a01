"""Timing things against each other: in turns, so that a busy moment hits all alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from sim.core.sharing import threads, use_threads
from sim.study.bench_world import bench_world

WARM_UP = 30
"""Steps before the first block: kernels compile and units get under way."""
MOST = 120
"""Steps of a block: a flock gathers while it runs, and would be another world at the end."""

Clock = Callable[[], float]


class Runner(Protocol):
    """Something that can be stepped, and timed."""

    def rest(self) -> None:
        """Get ready for a block; this is not timed."""

    def step(self) -> None:
        """One step."""


@dataclass(frozen=True)
class Spread:
    """A figure measured several times: the middle one, the least and the greatest."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: ArrayLike) -> Spread:
        """The spread of one or more figures."""
        found = np.asarray(values, dtype=float)
        return cls(float(np.median(found)), float(found.min()), float(found.max()))

    def times(self, factor: float) -> Spread:
        """The same in another unit of measure."""
        return Spread(self.median * factor, self.low * factor, self.high * factor)

    def show(self, write: Callable[[float], str]) -> str:
        """The median, and in brackets the range, each written as asked."""
        return f"{write(self.median)} ({write(self.low)} - {write(self.high)})"


def block(runner: Runner, seconds: float, clock: Clock = perf_counter) -> float:
    """Mean seconds of a step, stepping for so long: at least once, at most `MOST` times."""
    runner.rest()
    begun, steps = clock(), 0
    while True:
        runner.step()
        steps += 1
        spent = clock() - begun
        if spent >= seconds or steps == MOST:
            return spent / steps


def in_turns(
    timed: Sequence[Callable[[], float]], blocks: int, say: Callable[[str], None] = lambda _: None
) -> list[list[float]]:
    """What each gives, a figure a block; they take turns. `say` is told which block begins."""
    taken: list[list[float]] = [[] for _ in timed]
    for number in range(blocks):
        say(f"block {number + 1} of {blocks}")
        for each, take in zip(taken, timed, strict=True):
            each.append(take())
    return taken


def alternate(
    runners: Sequence[Runner],
    blocks: int,
    seconds: float,
    clock: Clock = perf_counter,
    say: Callable[[str], None] = lambda _: None,
) -> list[list[float]]:
    """Seconds a step for each runner, as `in_turns`."""
    return in_turns([partial(block, each, seconds, clock) for each in runners], blocks, say)


class Flock:
    """A `bench_world` as a runner: each block begins with the same scattered flock."""

    def __init__(self, units: int) -> None:
        self.world = bench_world(units)
        for _ in range(WARM_UP):
            self.world.step()
        self._start = self.world.save()

    def rest(self) -> None:
        """Bring all units back, and what the engine knows of their contacts."""
        self.world.load(self._start)
        self.world.step()

    def step(self) -> None:
        """A step of the world."""
        self.world.step()


@contextmanager
def in_threads(count: int) -> Iterator[None]:
    """Compiled code runs in this number of threads, for a while."""
    before = threads()
    use_threads(count)
    try:
        yield
    finally:
        use_threads(before)


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows of words as a table: the first column starts, all others end where the widest does."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def short(value: float) -> str:
    """A number in three digits, or as many as it has before the point."""
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"
