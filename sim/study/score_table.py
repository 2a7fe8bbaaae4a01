"""The score table: what is said of each runner in each scene, and how it is written down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import stdev
from typing import Any

from sim.core.files import atomic
from sim.study.journal import Row, write_json
from sim.study.sweep_table import as_markdown


@dataclass(frozen=True)
class Cell:
    """One runner in one scene: over its seeds, means unless said otherwise; None is undefined."""

    scene: str
    runner: str
    runs: int
    error: str | None = None
    """Of the first run that failed: then there are no figures."""
    units: int = 0
    arrived_share: float | None = None
    whole: int | None = None
    """Runs in which all units arrived."""
    mean_time_s: float | None = None
    """As the ratio: of the whole runs if there are any."""
    mean_time_ratio: float | None = None
    """Of the whole runs if there are any: in others it is that of the units that came soonest."""
    time_ratio_spread: float | None = None
    """Standard deviation over the same runs (n - 1); None of fewer than two."""
    contacts_a_unit: float | None = None
    max_overlap_share: float | None = None
    """Greatest."""
    wall_crossings: int | None = None
    """Sum."""
    max_wall_overlap_share: float | None = None
    """Greatest."""
    jitter_flips: float | None = None
    """Greatest."""
    settled_share: float | None = None
    """The share of runs in which all units arrived and were at rest at the end."""
    settled_s: float | None = None
    """Of those runs."""
    composite01: float | None = None
    lane_order_start: float | None = None
    lane_order: float | None = None
    specific_flow: float | None = None
    flow_spread: float | None = None
    """Standard deviation over the runs (n - 1); None of fewer than two."""

    @property
    def solved(self) -> bool:
        """All units arrived in every run, through no wall."""
        return self.error is None and self.arrived_share == 1 and not self.wall_crossings


def cells(rows: Iterable[Row]) -> list[Cell]:
    """Rows by scene and runner, in the order in which these come."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["scene"], row["runner"]), []).append(row)
    return [_cell(scene, runner, found) for (scene, runner), found in groups.items()]


def _cell(scene: str, runner: str, rows: list[Row]) -> Cell:
    errors = [row["error"] for row in rows if row.get("error") is not None]
    if errors:
        return Cell(scene, runner, len(rows), errors[0])
    runs = [row["figures"] for row in rows]
    settled = [
        run["settled_s"]
        for run in runs
        if run["arrived_share"] == 1 and run["settled_s"] is not None
    ]
    whole = [run for run in runs if run["arrived_share"] == 1]
    ratios = [run["mean_time_ratio"] for run in whole or runs]
    means = ("arrived_share", "composite01", "lane_order_start", "lane_order", "specific_flow")
    worst = ("max_overlap_share", "max_wall_overlap_share", "jitter_flips")
    return Cell(
        scene, runner, len(rows), units=runs[0]["units"], whole=len(whole),
        contacts_a_unit=_mean([run["contacts"] / run["units"] for run in runs if run["units"]]),
        wall_crossings=sum(run["wall_crossings"] for run in runs),
        settled_share=len(settled) / len(runs), settled_s=_mean(settled),
        mean_time_s=_mean([run["mean_time_s"] for run in whole or runs]),
        mean_time_ratio=_mean(ratios), time_ratio_spread=_spread(ratios),
        flow_spread=_spread([run["specific_flow"] for run in runs]),
        **{key: _mean([run[key] for run in runs]) for key in means},
        **{key: max(_known(run[key] for run in runs), default=None) for key in worst},
    )  # fmt: skip


def _mean(values: Sequence[Any]) -> Any:
    """The mean of the defined figures, None without any."""
    known = _known(values)
    return sum(known) / len(known) if known else None


def _spread(values: Sequence[Any]) -> float | None:
    """The standard deviation (n - 1) of the defined figures, None of fewer than two."""
    known = _known(values)
    return stdev(known) if len(known) > 1 else None


def _known(values: Iterable[Any]) -> list[Any]:
    """The defined figures."""
    return [value for value in values if value is not None]


def markdown(found: Sequence[Cell]) -> str:
    """The cells as tables: how well, how cleanly, and the flows and lanes where there are any."""
    parts = [
        "Share arrived / mean time ratio / contacts a unit / deepest overlap as a share of a "
        "radius. Not all arrived: **bold**. Over several seeds: in how many runs all arrived if "
        "not in every one, and the ratio in these, mean ± standard deviation; the deepest overlap.",
        _table(found, _how_well),
        "Wall crossings / jitter (reversals a unit and second after arrival) / settled: seconds "
        "until all rest, where all arrived and do in every run.",
        _table(found, _how_cleanly),
    ]
    measured = [cell for cell in found if cell.specific_flow is not None]
    if measured:
        flow = _table(measured, lambda c: _with_spread(c.specific_flow, c.flow_spread))
        parts += ["Specific flow, units a second and unit of width.", flow]
    laned = [cell for cell in found if cell.lane_order is not None]
    if laned:
        lanes = _table(laned, lambda c: f"{_short(c.lane_order_start)} > {_short(c.lane_order)}")
        parts += ["Lane order (Rex and Löwen), at the start > at the end.", lanes]
    failed = [f"- {cell.scene}, {cell.runner}: {cell.error}" for cell in found if cell.error]
    if failed:
        parts.append("Failed:\n\n" + "\n".join(failed))
    return "\n\n".join(parts) + "\n"


def _table(found: Sequence[Cell], say: Any) -> str:
    runners = list(dict.fromkeys(cell.runner for cell in found))
    scenes = list(dict.fromkeys(cell.scene for cell in found))
    known = {(cell.scene, cell.runner): cell for cell in found}
    rows = []
    for scene in scenes:
        here = [known.get((scene, runner)) for runner in runners]
        units = max((cell.units for cell in here if cell), default=0)
        said = ["" if c is None else "error" if c.error else say(c) for c in here]
        rows.append([f"{scene} ({units})", *said])
    return as_markdown(["scene (units)", *runners], rows)


def _how_well(cell: Cell) -> str:
    share = cell.arrived_share
    head = "-" if share is None else _short(share) if share == 1 else f"**{min(share, 0.99):.2f}**"
    if share == 0:
        return "**0**"
    if cell.runs > 1 and cell.whole and cell.whole < cell.runs:
        head += f" ({cell.whole} of {cell.runs})"
    ratio = _with_spread(cell.mean_time_ratio, cell.time_ratio_spread)
    return "/".join([head, ratio, _short(cell.contacts_a_unit), _short(cell.max_overlap_share)])


def _how_cleanly(cell: Cell) -> str:
    settled = _short(cell.settled_s) if cell.settled_share == 1 else "no"
    return f"{cell.wall_crossings}/{_short(cell.jitter_flips)}/{settled}"


def _with_spread(mean: float | None, spread: float | None) -> str:
    return _short(mean) if spread is None else f"{_short(mean)} ± {spread:.2g}"


def _short(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 100 or value == round(value) else f"{value:.3g}"


def write_table(found: Sequence[Cell], rows: Sequence[Row], out: Path) -> None:
    """Write score.md and score.json into the folder."""
    with atomic(out / "score.md", "w") as file:
        file.write(markdown(found))
    told = {"cells": [asdict(each) for each in found], "runs": list(rows)}
    write_json(out / "score.json", told)
