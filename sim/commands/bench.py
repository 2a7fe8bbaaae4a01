"""`python -m sim bench`: what a step costs beside the engine's own share of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.commands.options import sorted_into, take_options
from sim.core.limits import MOST_UNITS
from sim.core.sharing import use_threads
from sim.screen import bench_draw
from sim.study import bench_curve, bench_models, bench_paths, bench_peers
from sim.study.bench import Report, measure
from sim.study.bench_blocks import Spread

MOST_TIMES = 1_000_000
"""Of steps, and of blocks."""
MOST_SEEN = 1000
"""More than hulls that do not overlap have within the reach of the rules."""
SIZES = [20, 1_000, 10_000]
OF_THE_BOOK = 20
"""Units of the book's own case, in its own window."""


@dataclass(frozen=True)
class Timed:
    """What is timed of the step, and among what."""

    steps: Annotated[int | None, typer.Option(min=1, max=MOST_TIMES, help="Steps a block.")] = None
    blocks: Annotated[int, typer.Option(min=5, max=MOST_TIMES, help="Blocks of each kind.")] = 11
    neighbours: Annotated[
        float, typer.Option(min=0.1, max=MOST_SEEN, help="How many each unit sees.")
    ] = 10.0
    rays: Annotated[
        bool, typer.Option("--rays", help="Among 200 discs and walls, each feeling by three rays.")
    ] = False
    book: Annotated[
        bool, typer.Option("--book", help="In the book's own window, 1024 x 768; of 20 units.")
    ] = False


@dataclass(frozen=True)
class Instead:
    """What is timed instead of the step."""

    curve: Annotated[
        bool, typer.Option("--curve", help="Instead: cost a unit from 20 to 50,000, and memory.")
    ] = False
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the curve.")] = None
    draw: Annotated[
        bool, typer.Option("--draw", help="Instead: frames of a window and of a film.")
    ] = False
    peers: Annotated[
        bool, typer.Option("--peers", help="Instead: other libraries, in turns with ours.")
    ] = False
    paths: Annotated[
        bool, typer.Option("--paths", help="Instead: ways and flow fields on 512 x 512 tiles.")
    ] = False
    models: Annotated[
        bool, typer.Option("--models", help="Instead: every model; crowd beside ORCA and JuPedSim.")
    ] = False

    @property
    def wanted(self) -> frozenset[str]:
        """The names of what was asked for."""
        asked = asdict(self) | {"curve": self.curve or self.plot is not None, "plot": False}
        return frozenset(name for name, on in asked.items() if on)


RECORDS = (Timed, Instead)


def command(
    units: Annotated[
        list[int] | None,
        typer.Option(min=1, max=MOST_UNITS, help="How many units; may be given again."),
    ] = None,
    threads: Annotated[int | None, typer.Option(help="Of compiled code; default: all.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    **options: Any,
) -> None:
    """Time the whole step of the full flock, in turns with the bare Space.step of its bodies."""
    if threads is not None:
        use_threads(threads)
    timed, instead = sorted_into(RECORDS, options)
    if instead.wanted:
        others(units, instead.plot, instead.wanted, as_json)
        return
    reports, say = [], _say(as_json)
    for size in units or ([OF_THE_BOOK] if timed.book else SIZES[-1:] if timed.rays else SIZES):
        say(f"{size:,} units")
        reports.append(measure(size, **asdict(timed)))
        if not as_json:
            print(describe(reports[-1]), flush=True)
    growth = growth_per_unit(reports)
    if as_json:
        first = reports[0].as_json() if len(reports) == 1 else {}
        runs = [report.as_json() for report in reports]
        print(json.dumps({**first, "runs": runs, "growth_per_unit": growth}, indent=1))
    elif growth is not None:
        print(f"a unit's step at {reports[-1].units:,} costs {growth:.2f} times that at ", end="")
        print(f"{_base(reports).units:,}")


take_options(command, "units", RECORDS)


def others(
    units: Sequence[int] | None, plot: Path | None, wanted: frozenset[str], as_json: bool
) -> None:
    """What is timed instead of the step, one after another; `units` replaces the sizes of each."""
    if plot is not None:
        bench_curve.check_plot(plot)
    found: dict[str, Any] = {}
    say = _say(as_json)

    def show(name: str, result: Any, text: str) -> None:
        found[name] = result
        if not as_json:
            print(text, flush=True)

    if "curve" in wanted:
        sizes = units or bench_curve.SIZES
        memory = bench_curve.measure_memory(max(sizes), say=say)  # first: its peak is the process's
        rows = bench_curve.measure_curve(sizes, say=say)
        if plot is not None:
            bench_curve.plot_curve(rows, plot)
        found["memory"] = asdict(memory) | {"growth": memory.growth}
        show("curve", [asdict(row) for row in rows], bench_curve.format_curve(rows, memory))
    if "draw" in wanted:
        say("pictures of a window and of a film")
        reports = [bench_draw.measure_draw(size) for size in units or [bench_draw.UNITS]]
        text = "\n".join(map(bench_draw.format_draw, reports))
        show("draw", [asdict(report) for report in reports], text)
    if "peers" in wanted:
        table = bench_peers.measure_peers(sizes=units or bench_peers.SIZES, say=say)
        text = f"{bench_peers.head()}\n{bench_peers.format_peers(table)}"
        show("peers", [asdict(row) for row in table], text)
    if "paths" in wanted:
        say("ways and flow fields")
        report = bench_paths.measure_paths()
        show("paths", report.as_json(), bench_paths.format_paths(report))
    if "models" in wanted:
        sizes = units or bench_models.SIZES
        crowds = bench_models.measure_crowds(sizes, say=say)
        show("crowds", [asdict(row) for row in crowds], bench_models.format_crowds(crowds))
        models = bench_models.measure_models(sizes, say=say)
        text = bench_models.format_models(models)
        show("models", [asdict(row) | {"ratio": row.ratio} for row in models], text)
    if as_json:
        print(json.dumps(found, indent=1))


def _say(as_json: bool) -> Callable[[str], None]:
    """Tells people what is being timed, on a line that the next one replaces."""
    if as_json or not sys.stderr.isatty():
        return lambda _: None
    return lambda what: print(f"{what} ...".ljust(40), end="\r", file=sys.stderr, flush=True)


def describe(report: Report) -> str:
    """A report in a few lines."""
    phases = ", ".join(f"{name} {ms:.3f}" for name, ms in report.phases_ms.items())
    rays = f" and feeling by {report.rays} rays" if report.rays else ""
    return "\n".join(
        [
            f"{report.units:,} units of {report.model} on a torus, each seeing "
            f"{report.neighbours:.1f}{rays}; {report.blocks} x {report.steps} steps, "
            f"{report.threads} threads",
            f"  whole step       {_spread(report.whole)}",
            f"  bare Space.step  {_spread(report.bare)}: {report.ratio:.2f} times",
            f"  as pymunk comes  {_spread(report.plain)}: {report.plain_ratio:.2f} times",
            f"  unit-steps a second {report.unit_steps_per_s:,.0f}"
            f" ({1e3 / report.whole.median:,.0f} steps)",
            f"  phases, ms: {phases}",
        ]
    )


def _spread(times: Spread) -> str:
    return f"{times.median:9.3f} ms ({times.low:.3f} to {times.high:.3f})"


def growth_per_unit(reports: list[Report]) -> float | None:
    """Cost a unit at the largest size over that at 1,000, or at the smallest size without that."""
    if len(reports) < 2:
        return None
    base, last = _base(reports), reports[-1]
    return (last.whole.median / last.units) / (base.whole.median / base.units)


def _base(reports: list[Report]) -> Report:
    return next((r for r in reports if r.units == SIZES[1]), reports[0])
