"""A peer's run, frame by frame at the scenario's rate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.plane import Plane
from sim.navigation.grid import Grid, planning_grid
from sim.navigation.paths import plan
from sim.study.peers.course import Course
from sim.study.peers.crowd import Crowd, Peer
from sim.study.setting import Setting

STILL = 1e-9
"""Hull lengths: a unit that moves less between two frames keeps its heading."""


class Frame(NamedTuple):
    """Where all N are at one time: position (N, 2), NaN for units that left; angle (N,)."""

    time: float
    position: Floats
    angle: Floats
    present: Bools


def frames(
    peer: Peer,
    setting: Setting,
    arrived: Callable[[], Bools],
    leave: Bools,
    seed: int = 0,
) -> Iterator[Frame]:
    """The start and then a frame every `setting.time_step`, without end.

    The peer steps at its own pace; between two of its steps every agent moves evenly, as its model
    has it. `arrived` (N,) tells which had arrived by the last frame: of these, the units that are
    to `leave` are gone in the next. The `seed` is for a peer that draws by lot. An angle is the
    direction of travel. Raises `BadInput` as `Peer.crowd` does.
    """
    crowd, course = peer.crowd(setting, seed), Course(setting, Ways(setting))
    steps = _Steps(crowd, course)
    position = setting.start.copy()
    ahead = course(position) - position
    angle, gone = np.arctan2(ahead[:, 1], ahead[:, 0]), np.zeros(len(setting), dtype=np.bool_)
    still, count = STILL * setting.length, 0
    while True:
        yield Frame(count * setting.time_step, position, angle, ~gone)
        leaving = arrived() & leave & ~gone
        if leaving.any():
            gone |= leaving
            steps.remove(leaving)
        count += 1
        before, position = position, steps.at(count * setting.time_step)
        moved = position - before
        turned = np.hypot(moved[:, 0], moved[:, 1]) > still  # never for NaN
        angle = np.where(turned, np.arctan2(moved[:, 1], moved[:, 0]), angle)


class _Steps:
    """The peer's own steps, of which any time in between can be asked for, in order."""

    def __init__(self, crowd: Crowd, course: Course) -> None:
        self._crowd, self._course, self._count = crowd, course, 0
        self._before = self._after = crowd.places()

    def at(self, time: float) -> Floats:
        """Where all are at a time (s), (N, 2)."""
        step = self._crowd.time_step
        while self._count * step < time - 1e-9 * step:
            self._before = self._after
            self._crowd.aim(self._course(self._before), self._course.onward)
            self._crowd.step()
            self._after, self._count = self._crowd.places(), self._count + 1
        share = 1 - (self._count - time / step)
        return self._before + min(1.0, max(0.0, share)) * (self._after - self._before)

    def remove(self, rows: Bools) -> None:
        """Take out some (N,)."""
        self._crowd.remove(np.flatnonzero(rows))
        self._before, self._after = self._before.copy(), self._after.copy()
        self._before[rows] = self._after[rows] = np.nan


class Ways:
    """Plans the way through a unit's stops as for our own models; one grid for each radius."""

    def __init__(self, setting: Setting) -> None:
        self._solids, self._tiles = setting.solids, setting.tiles
        walled = setting.bounds is not None
        self._plane = Plane(setting.bounds, "wall") if walled else Plane()
        self._grids: dict[float, Grid] = {}

    def __call__(self, radius: float, place: Floats, stops: Floats) -> Sequence[Floats]:
        """For each stop (k, 2) the points (m, 2) on the way from the one before, itself last.

        Where no way leads there, straight to it.
        """
        if radius not in self._grids:
            self._grids[radius] = planning_grid(self._solids, self._plane, radius, self._tiles)
        legs = []
        for stop in stops:
            way = plan(self._grids[radius], place, stop, nearest=True)
            legs.append(np.concatenate([way.points[1:-1], stop[None]]) if way.found else stop[None])
            place = stop
        return legs
