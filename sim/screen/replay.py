"""What can be shown: a world, or a recorded run, which can be painted like one."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats
from sim.core.errors import BadInput
from sim.core.pieces import Piece, standing
from sim.core.plane import Bounds, Plane
from sim.core.units import Units
from sim.group import Group
from sim.navigation.areas import Area
from sim.record.run import Run
from sim.record.stage import Cast, Stage
from sim.world import World


class Actor:
    """Stands in for a group that is painted."""

    def __init__(self, cast: Cast, index: int, first: int, radius: Floats | None) -> None:
        self.cast, self.index, self.name, self.hull = cast, index, cast.name, cast.hull
        self.rows = slice(first, first + cast.count)
        self.radii = np.full(cast.count, cast.hull.radius)
        """(n,) of their hulls, world units."""
        if radius is not None:
            known = np.isfinite(radius[self.rows])
            self.radii[known] = radius[self.rows][known]
        self.same_size = bool((self.radii == cast.hull.radius).all())
        """Whether all hulls are as large as the group's."""
        self.leads = np.zeros(cast.count, np.bool_)
        """(n,) which units lead just now."""

    def __len__(self) -> int:
        return self.cast.count


class Replay:
    """Stands in for a world that is painted: every unit is where a run has it at `time`.

    Between two frames that is on the straight line from the one to the other; after the last one
    every unit stays. `bounds` frames the picture where the stage does not. Raises `BadInput` for a
    run without a frame, and for one of other units than the stage's.
    """

    def __init__(self, stage: Stage, run: Run, bounds: Bounds | None = None) -> None:
        if stage.units != len(run.group):
            raise BadInput(f"a run of {len(run.group)} units on a stage of {stage.units}")
        if not len(run.time):
            raise BadInput("a run without a frame")
        known = stage.plane.bounds is not None or bounds is None
        self.plane = stage.plane if known else Plane(bounds)
        self._stage, self.map = stage, stage.map
        self.solids = stage.solids.joined([] if stage.standing.empty else [stage.standing])
        """All that is solid at `time`."""
        self._placed: list[Piece] | None = None
        self.areas: tuple[Area, ...] = ()
        first = np.cumsum([0, *(cast.count for cast in stage.casts)]).tolist()
        self.groups = [Actor(cast, k, first[k], run.radius) for k, cast in enumerate(stage.casts)]
        self._group = np.repeat(np.arange(len(self.groups)), [len(each) for each in self.groups])
        self._run = run
        self.ids = np.arange(len(run.group))
        """(N,) the columns of the run."""
        self.start, self.end = float(run.time[0]), float(run.time[-1])
        gaps = np.diff(run.time)
        self.time_step = float(np.median(gaps)) if len(gaps) else 1.0
        """Seconds from one frame to the next."""
        self.time = self.start

    @property
    def time(self) -> float:
        """Which moment is shown (s)."""
        return self._time

    @time.setter
    def time(self, time: float) -> None:
        self._time = min(max(time, self.start), self.end)
        self.units = self._units()
        self._place_parts()
        if self._run.areas is not None:
            self.areas = self._run.areas.at(self.frame)
        leads = self._run.leads
        if leads is not None:
            for group in self.groups:
                group.leads = leads[self.frame, group.rows]

    @property
    def frame(self) -> int:
        """The latest frame that is not later."""
        return max(0, int(np.searchsorted(self._run.time, self._time + 1e-9, side="right")) - 1)

    def beside(self, frames: int) -> float:
        """The time of the frame `frames` further on, s."""
        frame = min(max(self.frame + frames, 0), len(self._run.time) - 1)
        return float(self._run.time[frame])

    def _place_parts(self) -> None:
        """Put the parts where they are at this time; all stays the same object if none moved."""
        if self._run.parts is None:
            return
        now = self._run.parts.pieces(self._time, self._run.time, self.plane.size)
        if self._placed is None or any(a != b for a, b in zip(now, self._placed, strict=True)):
            self.solids = self._stage.solids.joined([standing(now)])
            self._placed = now

    def _units(self) -> Units:
        run, frame = self._run, self.frame
        following = min(frame + 1, len(run.time) - 1)
        span = max(float(run.time[following] - run.time[frame]), 1e-12)
        share = (self._time - float(run.time[frame])) / span
        way = self.plane.nearest(run.position[following] - run.position[frame])
        turn = np.remainder(run.angle[following] - run.angle[frame] + np.pi, 2 * np.pi) - np.pi
        stays = np.isnan(way).any(axis=1)  # a unit that is gone by then waits where it is
        way[stays], turn[np.isnan(turn)] = 0.0, 0.0
        position = self._inside(run.position[frame] + share * way)
        angle = run.angle[frame] + share * turn
        unknown = np.isnan(angle)  # others' trajectories tell of none: the way they go, then
        angle[unknown] = np.arctan2(way[unknown, 1], way[unknown, 0])
        heading = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        present = run.present[frame]
        angle = np.where(present, angle, np.nan)
        return Units(position, way / span, angle, turn / span, heading, present, self._group)

    def _inside(self, position: Floats) -> Floats:
        """On a torus a unit that crosses the seam comes in at the other side."""
        if not self.plane.wraps:
            return position
        return self.plane.origin + np.mod(position - self.plane.origin, self.plane.size)


Shown = World | Replay
"""What a picture shows, and a film; its `ids` stay the same array while it has the same units."""
ShownGroup = Group | Actor
"""A group that is painted: n units in rows that follow one another."""
