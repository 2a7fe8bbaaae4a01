"""What the planner can be asked for, as data: so it can be asked for again, and saved.

Each is called with a chart and returns what was asked for, as planned on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sim.core.arrays import Floats
from sim.navigation.areas import Area
from sim.navigation.bends import ANYWHERE, bends
from sim.navigation.chart import Chart
from sim.navigation.flow import FlowField
from sim.navigation.jams import Quickest, Traffic, quickest
from sim.navigation.paths import Path, plan
from sim.navigation.tickets import Led, Marked, Renewed, Way
from sim.navigation.trails import Trails, trails


@dataclass(frozen=True, eq=False)
class FieldJob:
    """A flow field to targets (k, 4) over some areas."""

    targets: Floats
    radius: float
    areas: tuple[Area, ...]

    def __call__(self, chart: Chart) -> FlowField:
        """The field."""
        return chart.flow(self.targets, self.radius, self.areas)


@dataclass(frozen=True, eq=False)
class QuickestJob:
    """The quickest ways where a field leads, among units that stand in queues."""

    shortest: FlowField
    traffic: Traffic

    def __call__(self, chart: Chart) -> Quickest:
        """The ways."""
        found = quickest(self.shortest, self.traffic)
        return replace(found, field=chart.with_passages(found.field))


@dataclass(frozen=True, eq=False)
class TrailsJob:
    """The trails to places (m, 2) for units at (n, 2)."""

    places: Floats
    units: Floats
    radius: float

    def __call__(self, chart: Chart) -> Trails:
        """The trails."""
        return replace(trails(chart.grid(self.radius), self.places, self.units), chart=chart)


@dataclass(frozen=True, eq=False)
class PathsJob:
    """The ways from starts (k, 2) to goals (k, 2); with `crossings` they know the passages."""

    starts: Floats
    goals: Floats
    radius: float
    crossings: bool

    def __call__(self, chart: Chart) -> list[Path]:
        """The ways."""
        grid, both = chart.grid(self.radius), zip(self.starts, self.goals, strict=True)
        ways = [plan(grid, start, goal) for start, goal in both]
        return [chart.with_crossings(way, self.radius) for way in ways] if self.crossings else ways


@dataclass(frozen=True, eq=False)
class RenewedJob:
    """The ground after a change, with the fields as they are there."""

    fields: Sequence[Led]
    piled: bool
    """Whether other fields than these will lead units when this takes effect: another change comes
    before."""

    def __call__(self, chart: Chart) -> Renewed:
        """The chart itself, with all grids that the chart before had."""
        reshaped = chart.follow()
        now = [chart.renewed(field, areas) for field, areas in self.fields]
        bent = [
            ANYWHERE if self.piled else bends(field, again)
            for (field, _), again in zip(self.fields, now, strict=True)
        ]
        return Renewed(chart, now, bent, reshaped)


@dataclass(frozen=True, eq=False)
class MarkedJob:
    """The narrow passages for hulls of some radii, and those along some fields and ways."""

    radii: Sequence[float]
    fields: Sequence[FlowField]
    ways: Sequence[Way]

    def __call__(self, chart: Chart) -> Marked:
        """The passages."""
        return Marked(
            {radius: chart.passages(radius) for radius in self.radii},
            [chart.with_passages(field) for field in self.fields],
            [chart.with_crossings(way, radius) for way, radius in self.ways],
        )


JOBS = (FieldJob, QuickestJob, TrailsJob, PathsJob, RenewedJob, MarkedJob)
