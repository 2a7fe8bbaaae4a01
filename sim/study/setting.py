"""What the figures must know of a run before its first frame: which units, how large, whereto."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.hull import Hull
from sim.core.plane import Bounds
from sim.core.relay import spread
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap

NO_GOAL, POINTS, REGION = 0, 1, 2
"""Kinds of goal: none that could be arrived at, points in order (one or more), a region."""


@dataclass(frozen=True)
class Goals:
    """The goals of all N units as arrays."""

    kind: Ints
    """(N,) NO_GOAL, POINTS or REGION."""
    points: Floats
    """(M, 2) the points of all units, unit by unit."""
    first: Ints
    """(N + 1,) unit i has points[first[i]:first[i + 1]]."""
    tolerance: Floats
    """(N,) world units."""
    region: Floats
    """(N, 4) left, top, right, bottom; zeros without a region."""
    leave: Bools
    """(N,) whether a unit is taken out of the world where it arrives."""
    stays: Bools
    """(M,) at which of the points units stay for a while."""

    def others(self, before: Goals, old_rows: Ints) -> Bools:
        """(N,) which units had another goal before, in their old rows; not those without one, -1.

        The point in a region moves with the unit, and is left out.
        """
        found, rows = np.zeros(len(self.kind), np.bool_), np.flatnonzero(old_rows >= 0)
        old, count, had = old_rows[rows], np.diff(self.first)[rows], np.diff(before.first)
        other = (self.kind[rows] != before.kind[old]) | (count != had[old])
        for name in ("tolerance", "leave"):
            other |= getattr(self, name)[rows] != getattr(before, name)[old]
        other |= (self.region[rows] != before.region[old]).any(axis=1)
        same = ~other & (self.kind[rows] == POINTS)
        mine = self.points[spread(self.first[rows[same]], count[same])]
        theirs = before.points[spread(before.first[old[same]], count[same])]
        moved = np.repeat(np.flatnonzero(same), count[same])[(mine != theirs).any(axis=1)]
        other[moved] = True
        found[rows] = other
        return found

    def joined(self, other: Goals, rows: Ints) -> Goals:
        """Those of units in some rows; of rows from N on those of the other goals."""
        ends = len(self.points)
        both = {
            name: np.concatenate([getattr(self, name), getattr(other, name)])
            for name in ("kind", "points", "tolerance", "region", "leave", "stays")
        }
        begin = np.concatenate([self.first[:-1], ends + other.first[:-1]])[rows]
        counts = np.concatenate([np.diff(self.first), np.diff(other.first)])[rows]
        at = spread(begin, counts)
        points, stays = both.pop("points")[at], both.pop("stays")[at]
        first = np.append(0, np.cumsum(counts))
        picked = {name: each[rows] for name, each in both.items()}
        return Goals(points=points, first=first, stays=stays, **picked)

    @cached_property
    def shared(self) -> Ints:
        """(N,) number of the final point that a unit shares with others; -1 where it shares none.

        A unit that leaves at its point does not rest at others there: it shares it with no unit.
        """
        shared = np.full(len(self.kind), -1, dtype=np.int64)
        rows = np.flatnonzero((self.kind == POINTS) & ~self.leave)
        if len(rows):
            final = self.points[self.first[rows + 1] - 1]
            _, number, count = np.unique(final, axis=0, return_inverse=True, return_counts=True)
            number = number.reshape(-1)
            shared[rows] = np.where(count[number] > 1, number, -1)
        return shared


@dataclass(frozen=True)
class Cohort:
    """One group."""

    name: str
    rows: slice
    """Those of its units."""
    hull: Hull
    """Of its units; a disc of some may have another radius."""


@dataclass(frozen=True)
class Setting:
    """Everything but the frames. Raises ValueError where the parts do not fit each other."""

    cohorts: tuple[Cohort, ...]
    """All groups, in the order of their rows."""
    goals: Goals
    """Of all N units."""
    start: Floats
    """(N, 2) where the units are in frame 0, world units."""
    speed: Floats
    """(N,) desired speeds, world units / s."""
    radius: Floats
    """(N,) hull radii, world units, half the shorter side of hulls with corners; discs of a group
    may differ."""
    time_step: float
    """Between two frames, s."""
    period: Floats = field(default_factory=lambda: np.array([np.inf, np.inf]))
    """(2,) the size of a torus, world units; infinite where the plane is open."""
    solids: Solids = field(default_factory=Solids)
    """All that is solid from the start."""
    bounds: Bounds | None = None
    """Left, top, right, bottom, world units, where they are walls."""
    tiles: TileMap | None = None
    """The map whose solids these are, if any."""
    own_hull: Ints | None = None
    """(N,) the number of the cohort whose hull each unit has; None: that of its own group."""

    def __post_init__(self) -> None:
        end = 0
        for cohort in self.cohorts:
            if cohort.rows.start != end or cohort.rows.stop < end:
                raise ValueError(
                    f"group {cohort.name}: rows {cohort.rows} do not follow on row {end}"
                )
            end = cohort.rows.stop
        if not len(self.goals.kind) == len(self.start) == end:
            raise ValueError(
                f"{end} units in groups, {len(self.goals.kind)} goals, {len(self.start)} starts"
            )
        if not self.time_step > 0:
            raise ValueError(f"time_step = {self.time_step}: must be greater than 0")

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def size(self) -> Floats:
        """(2,) the period with 0 where nothing wraps: what the kernels take."""
        return np.where(np.isfinite(self.period), self.period, 0.0)

    @cached_property
    def hull(self) -> Ints:
        """(N,) index of the cohort whose hull each unit has."""
        return self.group if self.own_hull is None else self.own_hull

    def _shaped(self, values: Sequence[float]) -> Floats:
        """(N,) what the hull of each unit has, of values by cohort."""
        return np.array(values, dtype=float)[self.hull]

    @cached_property
    def group(self) -> Ints:
        """(N,) index of each unit's group."""
        counts = [cohort.rows.stop - cohort.rows.start for cohort in self.cohorts]
        return np.repeat(np.arange(len(self.cohorts)), counts)

    @cached_property
    def length(self) -> Floats:
        """(N,) hull lengths."""
        return self._sized([cohort.hull.length for cohort in self.cohorts], 2.0)

    @cached_property
    def reach(self) -> Floats:
        """(N,) how far a hull reaches from its centre."""
        return self._sized([cohort.hull.reach for cohort in self.cohorts], 1.0)

    def _sized(self, values: Sequence[float], discs: float) -> Floats:
        """(N,) a length of each hull: of a disc `discs` radii, of others in proportion."""
        round_ = self._shaped([cohort.hull.shape == "disc" for cohort in self.cohorts]) > 0
        share = self.radius / self._shaped([cohort.hull.radius for cohort in self.cohorts])
        return np.where(round_, discs * self.radius, share * self._shaped(values))
