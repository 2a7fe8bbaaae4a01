"""What a step of every model costs; and the default one's in streams, beside other people's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from sim.core.arrays import Floats
from sim.models import MODELS
from sim.orders.goal import GO, Goal
from sim.study.bench import whole_and_bare
from sim.study.bench_blocks import WARM_UP, Spread, columns, in_threads, in_turns, short
from sim.study.bench_world import NEIGHBOURS, bench_world
from sim.study.peers import PEERS
from sim.study.peers.metres import scaled
from sim.study.report import setting_of
from sim.world import World

STEP = 1 / 60
"""s, for all."""
RADIUS, SPEED = 0.25, 1.3
"""World units, and world units / s."""
DENSE, SPARSE = 0.56, 5.6
"""World units squared for each."""
GAP = 2.0
"""World units between the two at first."""
ONWARD = 20.0
"""World units that each goes on beyond the other's start."""


@dataclass(frozen=True)
class Streams:
    """Two blocks face to face, `west` and `east` (n, 2) each, and how far each is sent."""

    west: Floats
    east: Floats
    way: float

    @classmethod
    def of(cls, units: int, area: float) -> Streams:
        """The places of all units, on a lattice that is a little out of order; world units."""
        half, side = units // 2, float(np.sqrt(area))
        rows = int(np.ceil(np.sqrt(half)))
        lattice = side * np.stack(np.divmod(np.arange(half), rows), axis=1)
        free = max(side - 2 * RADIUS, 0.0) / 3
        rng = np.random.Generator(np.random.PCG64(1))
        west, east = (lattice + rng.uniform(-free, free, lattice.shape) for _ in range(2))
        west[:, 0], east[:, 0] = -GAP / 2 - west[:, 0], GAP / 2 + east[:, 0]
        return cls(west, east, 2 * float(np.ptp(lattice[:, 0])) + ONWARD)


def streams_world(units: int, model: str, area: float, **options: Any) -> World:
    """Two groups of a model that walk into each other; the scene is scaled by its hull.

    A model that cannot be sent anywhere moves by its rules.
    """
    streams, world = Streams.of(units, area), World(seed=1, time_step=STEP, **options)
    probe = World().add_group("one", [(0.0, 0.0)], model=model)
    scale = probe.hull.reach / RADIUS
    able = frozenset[str]().union(*(s.rule.serves for s in probe.settings.values()))
    for name, starts, way, heading in (
        ("west", streams.west, streams.way, 0.0), ("east", streams.east, -streams.way, np.pi),
    ):  # fmt: skip
        group = world.add_group(name, starts * scale, model=model, heading=heading)
        if model == "crowd":
            group.speed = SPEED * scale
        if GO in able:
            group.goal = Goal.to((starts + np.array([way, 0.0])) * scale)
    return world


def peers_streams(name: str, world: World) -> Callable[[], None]:
    """A step of a peer's crowd in the same streams; it is told once where all go."""
    setting = setting_of(world)
    setting = scaled(setting, RADIUS / float(setting.reach[0]))
    crowd = PEERS[name].make(setting, STEP, 1)
    crowd.aim(setting.goals.points, np.ones(len(setting), np.bool_))
    return crowd.step


SIZES = (1_000, 10_000)
BLOCKS = 7
UNIT_STEPS, FEWEST, MOST = 40_000, 5, 60
"""Unit-steps a block, and the least and most steps of one."""
FEW_NEIGHBOURS = 1.0
"""That a unit of a sparse flock sees; in a dense one it sees as many as in the other benches."""
FLOCKS = ("flock", "flock_book", "player")
"""Models timed in the flock's own bench; all others walk in two streams into each other."""
SCENES = ("dense", "sparse")
CROWDS = ("orca", "jps-cfsm", "jps-avm")
"""Peers of `sim.study.peers` that are timed, at the step of all."""


@dataclass(frozen=True)
class ModelRow:
    """A model at one size in one scene; milliseconds a step."""

    model: str
    scene: str
    units: int
    whole_ms: Spread
    bare_ms: Spread
    """Of the bare `Space.step` of the same bodies in the same states."""

    @property
    def ratio(self) -> float:
        """The whole step over the bare one."""
        return self.whole_ms.median / self.bare_ms.median


@dataclass(frozen=True)
class CrowdRow:
    """The default model, or a peer's, in two dense streams, from the same starts in turns."""

    name: str
    units: int
    rate: Spread
    """Agent-steps a CPU second."""
    ratio: Spread
    """That of the default model over it, block by block."""


def measure_models(
    sizes: Sequence[int] = SIZES,
    models: Sequence[str] = tuple(MODELS),
    *,
    blocks: int = BLOCKS,
    steps: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> list[ModelRow]:
    """Time each model in a dense and a sparse scene of its own kind, whole and bare in turns."""
    rows = []
    for units in sizes:
        for scene in SCENES:
            for model in models:
                say(f"{model}, {units:,} units, {scene}")
                world, twin = (_world(model, scene, units) for _ in range(2))
                for _ in range(WARM_UP):
                    world.step()
                times = whole_and_bare(world, [twin], steps or _steps(units), blocks)
                rows.append(ModelRow(model, scene, units, *times))
    return rows


def measure_crowds(
    sizes: Sequence[int] = SIZES,
    *,
    blocks: int = BLOCKS,
    steps: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> list[CrowdRow]:
    """Time the default model beside ORCA and JuPedSim, one thread each, as far as installed.

    All start alike and walk on from block to block, so block by block the scenes are the same.
    """
    rows = []
    for units in sizes:
        say(f"crowds of {units:,}")
        world = streams_world(units, "crowd", DENSE)
        steppers = {"crowd": world.step}
        steppers |= {n: peers_streams(n, world) for n in CROWDS if PEERS[n].version is not None}
        timed = [partial(_cpu, step, steps or _steps(units)) for step in steppers.values()]
        with in_threads(1):
            for _ in range(WARM_UP):
                for step in steppers.values():
                    step()
            taken = in_turns(timed, blocks)
        for name, each in zip(steppers, taken, strict=True):
            ratio = Spread.of([b / a for a, b in zip(taken[0], each, strict=True)])
            rows.append(CrowdRow(name, units, Spread.of([units / s for s in each]), ratio))
    return rows


def format_models(rows: Sequence[ModelRow]) -> str:
    """The rows as a table, with the cost of a unit beside the flock's at that size and density."""
    flock = {(r.scene, r.units): r.whole_ms.median for r in rows if r.model == "flock"}
    table = [("model", "scene", "units", "step, ms", "bare, ms", "ratio", "beside flock")]
    for row in rows:
        base = flock.get((row.scene, row.units))
        beside = f"{row.whole_ms.median / base:.2f}" if base else ""
        table.append(
            (row.model, row.scene, f"{row.units:,}", row.whole_ms.show(short),
             row.bare_ms.show(short), f"{row.ratio:.2f}", beside)
        )  # fmt: skip
    return columns(table)


def format_crowds(rows: Sequence[CrowdRow]) -> str:
    """The rows as a table."""
    table = [("two dense streams, one thread", "agents", "thousand agent-steps/s", "crowd over it")]
    for row in rows:
        rate = row.rate.show(lambda each: f"{each / 1000:.0f}")
        table.append((row.name, f"{row.units:,}", rate, row.ratio.show(lambda each: f"{each:.2f}")))
    return columns(table)


def _world(model: str, scene: str, units: int) -> World:
    if model in FLOCKS:
        return bench_world(units, model, NEIGHBOURS if scene == "dense" else FEW_NEIGHBOURS)
    return streams_world(units, model, DENSE if scene == "dense" else SPARSE)


def _cpu(step: Callable[[], None], steps: int) -> float:
    """CPU seconds a step."""
    begun = process_time()
    for _ in range(steps):
        step()
    return (process_time() - begun) / steps


def _steps(units: int) -> int:
    return min(max(FEWEST, UNIT_STEPS // units), MOST)
