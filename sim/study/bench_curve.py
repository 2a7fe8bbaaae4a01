"""How the cost of a unit's step grows with the size of the flock, and what memory it takes."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sim.core.errors import BadInput
from sim.core.files import AnyPath, check_target
from sim.core.sharing import threads
from sim.study.bench_blocks import Flock, Spread, alternate, columns, short
from sim.study.bench_world import seen
from sim.study.plots import figure_class, save

SIZES = (20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
BASE = 1_000
"""The size that the others' cost is compared with."""
BLOCKS, BLOCK = 7, 0.2
"""Blocks of each size, and the least seconds of one."""
FIRST, LAST = 600, 1800
"""Steps between which memory must not grow: before that calls of compiled code come to keep some
60 kB, for any number of units."""
PARTS = 4
"""Parts of these steps: a leak adds to each."""
SETTLED = 10
"""Steps before memory is traced: compiling holds some of its own."""


@dataclass(frozen=True)
class CurveRow:
    """One size of flock."""

    units: int
    neighbours: float
    """Neighbours that a unit sees, on average, after the last block."""
    step_ms: Spread
    unit_us: Spread
    """Microseconds of a step for each unit."""
    ratio: float
    """Its median over that of the base."""


@dataclass(frozen=True)
class Memory:
    """What a flock takes, in MB (10^6 bytes)."""

    units: int
    peak: float
    """The most that the whole process ever held."""
    held: tuple[float, ...]
    """What Python and numpy held after the first and the last of the steps, and evenly between."""
    steps: tuple[int, int]

    @property
    def growth(self) -> float:
        """The least that was added between two readings.

        What steps leak is added each time. What Python keeps at hand (freed objects, forms of
        arguments) is added at times.
        """
        return min(after - before for before, after in pairwise(self.held))

    @property
    def part(self) -> int:
        """Steps between two readings."""
        return (self.steps[1] - self.steps[0]) // (len(self.held) - 1)


def measure_curve(
    sizes: Sequence[int] = SIZES,
    *,
    blocks: int = BLOCKS,
    seconds: float = BLOCK,
    say: Callable[[str], None] = lambda _: None,
) -> list[CurveRow]:
    """Time flocks of all sizes in turns, so that their ratios are those of one and the same run.

    The base of the ratios is the flock of 1,000, or the first size if that is not among them.
    Raises `BadInput` for no size, or one below 1.
    """
    if not sizes or min(sizes) < 1:
        raise BadInput(f"sizes = {list(sizes)}: must be one or more numbers of units, 1 or greater")
    flocks = []
    for units in sizes:
        say(f"{units:,} units")
        flocks.append(Flock(units))
    alternate(flocks, 1, 0.0)
    taken = [Spread.of(each) for each in alternate(flocks, blocks, seconds, say=say)]
    costs = [t.median / units for t, units in zip(taken, sizes, strict=True)]
    base = costs[list(sizes).index(BASE) if BASE in sizes else 0]
    return [
        CurveRow(units, seen(flock.world), t.times(1e3), t.times(1e6 / units), cost / base)
        for units, flock, t, cost in zip(sizes, flocks, taken, costs, strict=True)
    ]


def measure_memory(
    units: int = SIZES[-1],
    first: int = FIRST,
    last: int = LAST,
    say: Callable[[str], None] = lambda _: None,
) -> Memory:
    """Run a flock, and read what is held in equal parts from its step `first` to its step `last`.

    The peak is that of the process so far: run this first, in a process of its own, to learn that
    of the flock. While flocks gather, lists of neighbours rightly grow, so this one does not: it is
    put back to its start at every tenth step, and `say` is told which one that is.
    """
    say(f"memory of {units:,} units")
    flock, held = Flock(units), []
    part = (last - first) // PARTS
    try:
        for step in range(1, last + 1):
            if step == SETTLED:
                tracemalloc.start()
            if step % 10 == 0:
                say(f"memory of {units:,} units: step {step:,} of {last:,}")
                flock.rest()
            flock.step()
            if (step - first) % part == 0:
                gc.collect()  # frees also what Python keeps at hand: it depends on what ran before
            if step >= first and (step - first) % part == 0:
                held.append(tracemalloc.get_traced_memory()[0] / 1e6)
    finally:
        tracemalloc.stop()
    return Memory(units, peak_mb(), tuple(held), (first, last))


def peak_mb() -> float:
    """The most memory this process ever held, MB; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6


def format_curve(rows: Sequence[CurveRow], memory: Memory) -> str:
    """The rows as a table, and the memory in a line."""
    base = next((row.units for row in rows if row.ratio == 1.0), rows[0].units)
    table = [("units", "seen", "step, ms", "a unit, us", f"x {base:,}'s", "unit-steps/s")]
    for row in rows:
        table.append(
            (f"{row.units:,}", f"{row.neighbours:.1f}", row.step_ms.show(short),
             row.unit_us.show(short), f"{row.ratio:.2f}", f"{1e6 / row.unit_us.median:,.0f}"),
        )  # fmt: skip
    first, last = memory.steps
    return (
        f"{threads()} threads; median (least - greatest) of blocks in turns\n{columns(table)}\n"
        f"memory at {memory.units:,} units: {memory.peak:.0f} MB at most; "
        f"{memory.growth:+.3f} MB more every {memory.part} steps from step {first} to step {last}"
    )


def plot_curve(rows: Sequence[CurveRow], path: AnyPath) -> None:
    """Draw cost a unit over size, both logarithmic, as a PNG.

    Raises `BadInput` where matplotlib is not installed or nothing can be written.
    """
    figure = check_plot(path)(figsize=(7, 4))
    axes = figure.add_subplot()
    sizes = [row.units for row in rows]
    low, high = ([getattr(row.unit_us, end) for row in rows] for end in ("low", "high"))
    axes.fill_between(sizes, low, high, alpha=0.25, linewidth=0)
    axes.plot(sizes, [row.unit_us.median for row in rows], "o-")
    axes.set(
        xscale="log", yscale="log", xlabel="units", ylabel="microseconds a unit and step",
        title=f"The full flock, {threads()} threads: median and range of blocks",
    )  # fmt: skip
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:,g}")
    axes.yaxis.set_minor_formatter("{x:,g}")
    axes.grid(which="both", alpha=0.3)
    save(figure, path, dpi=150)


def check_plot(path: AnyPath) -> Any:
    """What figures are made with; refused while it is still cheap to say so.

    Raises `BadInput` where matplotlib is not installed or nothing can be written.
    """
    check_target(path)
    return figure_class(f"{path}: a picture")
