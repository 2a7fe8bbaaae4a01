"""What a step costs: the whole of it beside the engine's own share, in one process and in turns.

The world of the bench: the full model on a torus among solid discs, as dense as a flock that has
gathered. All three rules look five hull lengths, the book's distance of separation, with the wide
view, and each unit has about ten others within it. Every block starts from the same state.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.compiled import threads
from sim.units import Units
from sim.world import World

Floats = NDArray[np.float64]

BLOCKS = 11
"""Blocks of each kind; what is reported is their median."""
WARM_UP = 30
"""Steps before the first block: kernels compile and units get under way."""
UNIT_STEPS, FEWEST, MOST = 50_000, 20, 300
"""Unit-steps a block, in so many steps at least and most: in long blocks units would gather."""
NEIGHBOURS, WITHIN = 10.0, 5.0
"""So many does each unit see, within so many hull lengths."""
ASPECT = 4 / 3
DISCS, DISC_RADIUS = 8, 2.5
"""How many solid discs (fewer for fewer than 400 units), and how large in hull lengths."""
SEEN = 0.75
"""The share of the circle that the wide view sees."""
PHASES = ("read", "look", "behave", "helm", "write", "engine")


@dataclass(frozen=True)
class Report:
    """What one bench found; times are milliseconds a step, medians over blocks."""

    model: str
    units: int
    steps: int
    """A block."""
    blocks: int
    threads: int
    neighbours: float
    """Seen through the farthest sight, mean over units, in the middle of a block."""
    whole_ms: float
    whole_spread_ms: tuple[float, float]
    """The quickest and the slowest block."""
    bare_ms: float
    bare_spread_ms: tuple[float, float]
    phases_ms: dict[str, float]

    @property
    def ratio(self) -> float:
        """The whole step over the bare one."""
        return self.whole_ms / self.bare_ms

    @property
    def unit_steps_per_s(self) -> float:
        """How many units are moved on by one step each second."""
        return self.units / self.whole_ms * 1e3

    def as_json(self) -> dict[str, Any]:
        """All of it under plain keys."""
        return {**vars(self), "ratio": self.ratio, "unit_steps_per_s": self.unit_steps_per_s}


def measure(
    units: int,
    steps: int | None = None,
    blocks: int = BLOCKS,
    model: str = "flock",
    neighbours: float = NEIGHBOURS,
) -> Report:
    """Time blocks of whole steps, of bare `Space.step`s and of phases, in turns."""
    world, twin = (bench_world(units, model, neighbours) for _ in range(2))
    steps = steps or min(max(FEWEST, UNIT_STEPS // units), MOST)
    for _ in range(WARM_UP):
        world.step()
        twin.step()
    start = world.units
    whole, bare = [], []
    phases: dict[str, list[float]] = {name: [] for name in PHASES}
    gc.collect()
    gc.disable()
    try:
        for _ in range(blocks):
            whole.append(_time(world, start, steps, world.step))
            bare.append(_time(twin, start, steps, partial(twin.space.step, twin.time_step)))
            with Stopwatch(world) as watch:
                _time(world, start, steps, world.step)
            for name, seconds in watch.spent.items():
                phases[name].append(seconds / steps)
    finally:
        gc.enable()
    return Report(
        model, units, steps, blocks, threads(), seen(world),
        _ms(median(whole)), _spread(whole), _ms(median(bare)), _spread(bare),
        {name: _ms(median(each)) for name, each in phases.items()},
    )  # fmt: skip


def bench_world(units: int, model: str = "flock", neighbours: float = NEIGHBOURS) -> World:
    """The world of the bench, with so many neighbours within the reach of the flocking rules."""
    rules = {name: {"range": WITHIN} for name in ("cohesion", "alignment", "separation")}
    probe = World().add_group("one", [(0.0, 0.0)], model=model, view="wide", behaviours=rules)
    length, reach = probe.hull.length, probe.hull.reach
    count, radius = min(DISCS, units // 50), DISC_RADIUS * length
    kept_off = radius + reach
    area = units / neighbours * SEEN * np.pi * (WITHIN * length) ** 2 + count * np.pi * kept_off**2
    width, height = float(np.sqrt(area * ASPECT)), float(np.sqrt(area / ASPECT))
    rng = np.random.default_rng(1)
    centres = rng.uniform((0, 0), (width, height), (count, 2))
    places = _lattice(units, (width, height), reach, centres, kept_off, rng)
    discs = [(x, y, radius) for x, y in centres]
    world = World(bounds=(0.0, 0.0, width, height), edges="wrap", discs=discs, seed=1)
    world.add_group("flock", places, model=model, view="wide", behaviours=rules)
    return world


def seen(world: World) -> float:
    """How many each unit sees through the farthest sight, on average, now."""
    looker = world._look(world.units).looker
    farthest = int(looker.table.reach.argmax()) % looker.table.reach.shape[1]
    return float(looker.count[farthest].mean())


class Stopwatch:
    """Times the phases of a world's step while it is entered, in seconds by name."""

    def __init__(self, world: World) -> None:
        self.spent = dict.fromkeys(PHASES, 0.0)
        bridge, space = world._bridge, world.space
        self._watched = [
            (bridge, "read", "read"), (world, "_look", "look"), (world, "_behave", "behave"),
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


def _time(world: World, start: Units, steps: int, step: Callable[[], None]) -> float:
    """Seconds a step, from the same state each time."""
    world._bridge.put(start)
    step()
    begun = perf_counter()
    for _ in range(steps):
        step()
    return (perf_counter() - begun) / steps


def _lattice(
    units: int,
    size: tuple[float, float],
    reach: float,
    centres: Floats,
    kept_off: float,
    rng: np.random.Generator,
) -> Floats:
    """Places (units, 2) on a jittered lattice, clear of discs: a large world is made in no time."""
    cells = units
    while True:
        columns = int(np.ceil(np.sqrt(cells * ASPECT)))
        rows = -(-cells // columns)
        cell = np.array(size) / (columns, rows)
        lattice = np.stack(np.divmod(np.arange(columns * rows), columns), axis=1)[:, ::-1]
        room = np.maximum(1 - 2 * reach / cell, 0)
        places = (lattice + 0.5 + rng.uniform(-0.5, 0.5, lattice.shape) * room) * cell
        away = places[:, None] - centres
        away -= np.array(size) * np.rint(away / np.array(size))
        free = (np.hypot(away[..., 0], away[..., 1]) > kept_off).all(axis=1)
        if free.sum() >= units:
            return places[free][:units]
        cells += max(1, units - int(free.sum()))


def _ms(seconds: float) -> float:
    return seconds * 1e3


def _spread(seconds: list[float]) -> tuple[float, float]:
    return _ms(min(seconds)), _ms(max(seconds))
