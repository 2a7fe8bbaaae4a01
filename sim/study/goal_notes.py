"""Where units were sent in the course of a run, as a recording keeps it: so it can be measured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.errors import BadInput, reading, shortened
from sim.core.limits import LARGEST
from sim.study.report import Known, Sent, can_be_sent, setting_of
from sim.study.setting import NO_GOAL, POINTS, REGION, Goals, Setting
from sim.world import World

COLUMNS = {"ids": (int, ()), "kind": (int, ()), "count": (int, ()), "tolerance": (float, ()),
           "region": (float, (4,)), "leave": (bool, ()), "speed": (float, ()),
           "hull": (int, ()), "radius": (float, ())}  # fmt: skip
"""Of each unit that a change names: its kind of number, and how many."""
OF_POINTS = {"points": (float, (2,)), "stays": (bool, ())}
"""The same of each point that they are sent to."""


class GoalNotes:
    """Notes which units come, and where units are sent, after the first frame."""

    def __init__(self) -> None:
        self._known: Known | None = None
        self._before: Setting | None = None
        self._told: list[dict[str, Any]] = []

    def observe(self, frame: int, world: World) -> None:
        """Take in a world as it is at a frame."""
        known, now = self._known, Known.of(world)
        self._known = now
        if known is not None and known.is_all_of(now):
            return
        setting, before = setting_of(world), self._before
        goals, self._before = setting.goals, setting
        if known is None or before is None:
            return
        at = {unit: row for row, unit in enumerate(known.ids.tolist())}
        old = np.array([at.get(unit, -1) for unit in world.ids.tolist()], np.int64)
        reshaped = (old >= 0) & (setting.hull != np.append(before.hull, -1)[old])
        others = goals.others(before.goals, old) | reshaped
        back = now.present & ~np.append(known.present, True)[old]  # sent anew while it was away
        changed = (old < 0) | back | others | (goals.kind == REGION)
        rows = np.flatnonzero(changed & can_be_sent(world, known))
        told = goals.joined(goals, rows)
        columns = vars(told) | {
            "ids": world.ids[rows], "count": np.diff(told.first), "speed": setting.speed[rows],
            "hull": setting.hull[rows], "radius": setting.radius[rows],
        }  # fmt: skip
        named = {name: columns[name].tolist() for name in (*COLUMNS, *OF_POINTS)}
        self._told.append({"frame": frame, **named})

    @property
    def described(self) -> str:
        """All changes, as JSON."""
        return json.dumps(self._told)


def read_sent(text: str, frames: int, units: int) -> dict[int, Sent]:
    """What `GoalNotes` has noted of a run, by the numbers of frames; the first frame has 0.

    Raises `BadInput` for anything else.
    """
    with reading("sent"):
        found = [(_frame(each, frames), _sent(each, units)) for each in json.loads(text)]
    if any(before >= after for (before, _), (after, _) in pairwise(found)):
        raise BadInput("sent: frames must increase")
    return dict(found)


def _frame(told: Any, frames: int) -> int:
    frame = told["frame"]
    if not isinstance(frame, int) or not 0 < frame < frames:
        raise BadInput(f"frame {shortened(frame)}: must be from 1 to {frames - 1}")
    return frame


def _sent(told: Any, units: int) -> Sent:
    size = len(told["ids"])
    column = _columns(told, COLUMNS, size)
    ids, count, speed, hull, radius = (
        column.pop(name) for name in ("ids", "count", "speed", "hull", "radius")
    )
    kind = column["kind"]
    if not ((ids >= 0) & (ids < units)).all() or len(np.unique(ids)) < size:
        raise BadInput(f"ids: must be different numbers from 0 to {units - 1}")
    if not np.isin(kind, (NO_GOAL, POINTS, REGION)).all():
        raise BadInput(f"kind: must be {NO_GOAL}, {POINTS} or {REGION}")
    right = (count >= (kind == POINTS)) & (count <= LARGEST)
    need_all("count", count, right, f"from 0, for points from 1, to {LARGEST:g}")
    for name, values in (("speed", speed), ("radius", radius)):
        need_all(name, values, values > 0, "greater than 0")
    column |= _columns(told, OF_POINTS, int(count.sum()))
    goals = Goals(first=np.append(0, np.cumsum(count)), **column)
    return Sent(ids, goals, speed, hull, radius)


def need_all(name: str, values: Ints | Floats, right: Bools, allowed: str) -> None:
    """Raise `BadInput` that names the first of some values that are not all right."""
    if not right.all():
        raise BadInput(f"{name} = {shortened(values[~right][0].item())}: must be {allowed}")


def _columns(told: Any, columns: Mapping[str, Any], size: int) -> dict[str, Any]:
    """The columns by name, each of n rows. Raises `BadInput` for others."""
    return {
        name: _array(told[name], kind, (size, *shape), name)
        for name, (kind, shape) in columns.items()
    }


def _array(values: Any, kind: type, shape: tuple[int, ...], name: str) -> Any:
    """Values as an array of a kind and a shape. Raises `BadInput` for others."""
    found = np.array(values, dtype=None if len(values) else kind).reshape(
        shape if not len(values) else np.shape(values)
    )
    right = {int: "iu", float: "iuf", bool: "b"}[kind]
    if found.dtype.kind not in right or found.shape != shape:
        raise BadInput(f"{name}: must be {shape} numbers")
    if kind is float and (np.abs(found[~np.isnan(found)]) > LARGEST).any():
        raise BadInput(f"{name}: must be numbers from {-LARGEST:g} to {LARGEST:g}")
    return found.astype(np.int64 if kind is int else kind)
