"""What a step costs: the whole of it beside the engine's own share, in one process and in turns.

In a `bench_world`; every block starts from the same state. The bare steps are those of the same
bodies at the same states: another world is put to what the first one came through, step by step,
and its `Space.step` alone is timed. Left to themselves, its units would crash into each other, and
the engine would have other work to do. Once the space is as a world sets it up (in large ones
contacts are found in cells), once as pymunk makes it (by its tree of boxes).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

from sim.core.collecting import paused
from sim.core.sharing import threads
from sim.core.units import Units
from sim.study.bench_blocks import WARM_UP, Spread, in_turns
from sim.study.bench_world import NEIGHBOURS, THREE, bench_world, book_world, seen
from sim.world import World

BLOCKS = 11
"""Blocks of each kind; what is reported is their median."""
UNIT_STEPS, FEWEST, MOST = 50_000, 20, 300
"""Unit-steps a block, and the least and most steps of one: in long blocks units would gather."""
PHASES = ("read", "look", "behave", "helm", "write", "engine")


@dataclass(frozen=True)
class Report:
    """What one bench found; times are milliseconds a step, over blocks."""

    model: str
    units: int
    rays: int
    """Of each unit."""
    steps: int
    """A block."""
    blocks: int
    threads: int
    neighbours: float
    """Seen through the farthest sight, mean over units, in the middle of a block."""
    whole: Spread
    bare: Spread
    """In a space as the world sets it up."""
    plain: Spread
    """In a space as pymunk makes it."""
    phases_ms: dict[str, float]
    """Medians."""

    @property
    def ratio(self) -> float:
        """The whole step over the bare one."""
        return self.whole.median / self.bare.median

    @property
    def plain_ratio(self) -> float:
        """The whole step over the bare one of a space as pymunk makes it."""
        return self.whole.median / self.plain.median

    @property
    def unit_steps_per_s(self) -> float:
        """How many units are moved on by one step each second."""
        return self.units / self.whole.median * 1e3

    def as_json(self) -> dict[str, Any]:
        """All of it under plain keys."""
        found = dict(vars(self))
        for name in ("whole", "bare", "plain"):
            spread = found.pop(name)
            found |= {f"{name}_ms": spread.median, f"{name}_spread_ms": (spread.low, spread.high)}
        ratios = {"ratio": self.ratio, "plain_ratio": self.plain_ratio}
        return {**found, **ratios, "unit_steps_per_s": self.unit_steps_per_s}


def measure(
    units: int,
    steps: int | None = None,
    blocks: int = BLOCKS,
    neighbours: float = NEIGHBOURS,
    rays: bool = False,
    book: bool = False,
) -> Report:
    """Time blocks of whole steps, of bare `Space.step`s and of phases, in turns.

    `book`: in the book's own window, where units have as many neighbours as they come by.
    """
    bench = partial(bench_world, units, neighbours=neighbours, rays=rays)
    build = partial(book_world, units) if book else bench
    world, twin, plain = build(), build(), build(contact_cells=False)
    steps = steps or min(max(FEWEST, UNIT_STEPS // units), MOST)
    for _ in range(WARM_UP):
        world.step()
        twin.step()
        plain.step()
    start = world.units
    phases: dict[str, list[float]] = {name: [] for name in PHASES}

    def time_phases() -> float:
        with Stopwatch(world) as watch:
            whole = time_block(world, start, steps, world.step)
        for name, seconds in watch.spent.items():
            phases[name].append(1e3 * seconds / steps)
        return whole

    whole, bare, tree, _ = whole_and_bare(world, (twin, plain), steps, blocks, [time_phases])
    return Report(
        "flock", units, len(THREE.abreast) if rays else 0, steps, blocks, threads(), seen(world),
        whole, bare, tree, {name: median(each) for name, each in phases.items()},
    )  # fmt: skip


def whole_and_bare(
    world: World, others: Sequence[World], steps: int, blocks: int,
    more: Sequence[Callable[[], float]] = (),
) -> list[Spread]:  # fmt: skip
    """Milliseconds of a world's step, of the bare one of others at its states, and of `more`."""
    start = world.units
    track = track_of(world, start, steps)
    timed: list[Callable[[], float]] = [partial(time_block, world, start, steps, world.step)]
    timed += [*(partial(time_bare, each, track) for each in others), *more]
    gc.collect()
    with paused():
        return [Spread.of(each).times(1e3) for each in in_turns(timed, blocks)]


class Stopwatch:
    """Times the phases of a world's step while it is entered, in seconds by name."""

    def __init__(self, world: World) -> None:
        self.spent = dict.fromkeys(PHASES, 0.0)
        bridge, space = world.roster.bridge, world.space
        self._watched = [
            (bridge, "read", "read"), (world.looking, "look", "look"), (world, "_behave", "behave"),
            (world, "_helm", "helm"), (bridge, "write", "write"), (space, "step", "engine"),
        ]  # fmt: skip

    def __enter__(self) -> Stopwatch:
        for holder, method, phase in self._watched:
            setattr(holder, method, self._timed(getattr(holder, method), phase))
        return self

    def __exit__(self, *_: object) -> None:
        for holder, method, _phase in self._watched:
            delattr(holder, method)

    def _timed(self, method: Callable[..., Any], phase: str) -> Callable[..., Any]:
        def timed(*given: Any) -> Any:
            begun = perf_counter()
            try:
                return method(*given)
            finally:
                self.spent[phase] += perf_counter() - begun

        return timed


def time_block(world: World, start: Units, steps: int, step: Callable[[], None]) -> float:
    """Seconds a step, from the same state each time."""
    world.roster.bridge.put(start)
    step()
    begun = perf_counter()
    for _ in range(steps):
        step()
    return (perf_counter() - begun) / steps


def track_of(world: World, start: Units, steps: int) -> list[Units]:
    """The states that a block of steps begins with, one by one."""
    world.roster.bridge.put(start)
    world.step()
    states = []
    for _ in range(steps):
        states.append(world.units)
        world.step()
    return states


def time_bare(world: World, track: list[Units]) -> float:
    """Seconds that the engine alone takes for a step, from each of some states.

    What it keeps of where all are is brought up to the first of these before.
    """
    world.roster.bridge.put(track[0])
    world.space.step(world.time_step)
    spent = 0.0
    for state in track:
        world.roster.bridge.put(state)
        begun = perf_counter()
        world.space.step(world.time_step)
        spent += perf_counter() - begun
    return spent / len(track)
