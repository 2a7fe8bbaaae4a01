"""A recorded run with a column for each stay of a unit in a group, so that it is drawn as of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.record.run import Run


class Hulls(Protocol):
    """Whose hulls k units have from a frame on: see `sim.study.report.Sent`."""

    @property
    def ids(self) -> Ints:
        """(k,) their columns."""

    @property
    def hull(self) -> Ints:
        """(k,) the number of the group that has such hulls."""

    @property
    def radius(self) -> Floats:
        """(k,) of these hulls, world units."""


class Stay(NamedTuple):
    """That a unit is in a group: its column, from which frame to before which, and in which."""

    unit: int
    begin: int
    end: int
    group: int
    radius: float


def by_stays(run: Run, names: Sequence[str], changes: Mapping[int, Hulls]) -> Run:
    """The run with one column more for each change of a unit from one of these groups to another.

    In each of its columns the unit is absent but for its stay in that group. `changes` are by
    frame; groups are numbered as their `names` are.
    """
    stays = _stays(run, names, changes)
    if len(stays) == len(run.group):
        return run
    unit, begin, end, group, radius = map(np.array, zip(*stays, strict=True))
    frame = np.arange(len(run.time))[:, None]
    away = (frame < begin) | (frame >= end)
    known = np.array([*names, ""])[group]
    return replace(
        run, position=np.where(away[..., None], np.nan, run.position[:, unit]),
        angle=np.where(away, np.nan, run.angle[:, unit]),
        group=np.where(group < 0, run.group[unit], known),
        leads=None if run.leads is None else run.leads[:, unit] & ~away,
        radius=None if run.radius is None else radius,
    )  # fmt: skip


def _stays(run: Run, names: Sequence[str], changes: Mapping[int, Hulls]) -> list[Stay]:
    """All stays, in the order of columns, and of time; a group that is not named is number -1."""
    number = {name: index for index, name in enumerate(names)}
    radius = np.full(len(run.group), np.nan) if run.radius is None else run.radius
    now = [
        Stay(unit, 0, len(run.time), number.get(name, -1), size)
        for unit, (name, size) in enumerate(zip(run.group.tolist(), radius.tolist(), strict=True))
    ]
    before: list[Stay] = []
    for frame, told in sorted(changes.items()):
        columns = told.ids.tolist(), told.hull.tolist(), told.radius.tolist()
        for unit, group, size in zip(*columns, strict=True):
            if 0 <= now[unit].group != group and 0 <= group < len(names):
                before.append(now[unit]._replace(end=frame))
                now[unit] = Stay(unit, frame, len(run.time), group, size)
    return sorted([*before, *now])
