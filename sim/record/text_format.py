"""Trajectories as text, one row a unit and frame: what PedPy's `load_trajectory` reads.

PedPy takes the first number behind "framerate" and the unit of length from "x/m" in the comments at
the top (https://pedpy.readthedocs.io, `load_trajectory`), then the columns id, frame, x and y; it
ignores the rest. So one world unit counts as one metre there. What only this project needs (the
groups, the scenario, frames that everyone had left) stands in one comment at the END: at the top, a
scenario that says "widths in cm" would be taken for a unit of length. What changes of the parts of
the ground stands in comments behind the rows of its frame.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.errors import BadInput
from sim.core.files import AnyPath, AtomicFile
from sim.core.units import Units
from sim.record.parts import WIDTH, Changes
from sim.record.run import VERSION, Names, Run, Texts, check_version, texts_of

_ABOUT, _PART = "# run: ", "# part: "
_COLUMNS = "# id frame x/m y/m angle/rad"
# Cells (frames x units) that a row must account for at least; else ids or frames are nonsense.
_CELLS_A_ROW = 10_000


class TextFrames:
    """The frames of a run, each written as text as it comes."""

    def __init__(self, path: AnyPath) -> None:
        self.frames = 0
        self._out = AtomicFile(path)

    @property
    def done(self) -> bool:
        """Whether the file was finished or removed."""
        return self._out.done

    def add(
        self, interval: float, _time: float, units: Units, _leads: Bools, changes: Changes
    ) -> None:
        """Write the rows of one frame, and what changed of parts since the frame before.

        `interval` is the time between frames in s.
        """
        if self.frames == 0:
            self._out.write(f"# framerate: {1 / interval!r}\n{_COLUMNS}\n".encode())
        noted = "".join(f"{_PART}{' '.join(map(repr, map(float, row)))}\n" for row in changes)
        self._out.write((_rows(self.frames, units) + noted).encode())
        self.frames += 1

    def finish(
        self, group: Names, radius: Floats, more: Texts, text: str, stage: str, made_by: str = ""
    ) -> None:
        """Add each unit's group and radius and the texts: scenario, stage and what made it."""
        known = [None if np.isnan(each) else each for each in radius.tolist()]
        about = {"frames": self.frames, "group": group.tolist(), "text": text, "stage": stage}
        about |= {"radius": known, "made_by": made_by, "version": VERSION, **more}
        self._out.write(f"{_ABOUT}{json.dumps(about)}\n".encode())
        self._out.commit()

    def abort(self) -> None:
        """Remove what was written so far."""
        self._out.abort()


def _rows(frame: int, units: Units) -> str:
    """The rows of the units that are present; floats in the shortest form that reads back."""
    ids = np.flatnonzero(units.present)
    cells: list[Any] = [None] * (4 * len(ids))
    cells[0::4] = ids.tolist()
    cells[1::4] = units.position[ids, 0].tolist()
    cells[2::4] = units.position[ids, 1].tolist()
    cells[3::4] = units.angle[ids].tolist()
    return (f"%d {frame} %r %r %r\n" * len(ids)) % tuple(cells)


def read_text(path: AnyPath) -> Run:
    """Read a trajectory in text form, ours or another's.

    In files of other origin the units are numbered by ascending id, groups have no name, and angles
    are NaN unless a comment names such a column. Raises BadInput for anything that is not one.
    """
    top, about, changes = _comments(path)
    framerate = _framerate(path, top)
    columns = 5 if "angle" in top else 4
    rows = _numbers(path, columns)
    if about is None:
        first = int(rows[:, 1].min()) if len(rows) else 0
        frames = int(rows[:, 1].max()) + 1 - first if len(rows) else 0
        ids, unit = np.unique(rows[:, 0], return_inverse=True)
        group, radius = np.full(len(ids), "", dtype=np.str_), None
    else:
        check_version(about.get("version", 1))
        first, frames, unit = 0, int(about["frames"]), rows[:, 0].astype(np.intp)
        group = np.array(about["group"], dtype=np.str_)
        radius = np.array(about["radius"], dtype=float) if "radius" in about else None
    frame = rows[:, 1].astype(np.intp) - first
    _check_range(path, frame, frames, unit, len(group))
    position = np.full((frames, len(group), 2), np.nan)
    angle = np.full((frames, len(group)), np.nan)
    position[frame, unit] = rows[:, 2:4]
    if columns == 5:
        angle[frame, unit] = rows[:, 4]
    time = (first + np.arange(frames)) / framerate
    return Run(time, position, angle, group, radius=radius, **texts_of(about or {}, changes))


def _comments(path: AnyPath) -> tuple[str, dict[str, Any] | None, Floats]:
    """The comments at the top, what our own comment at the end says, and the changes of parts.

    None of the second for files that are not ours.
    """
    top, last, heading, changes = "", "", True, []
    with Path(path).open(encoding="utf-8-sig") as file:
        for line in file:
            if not line.startswith("#"):
                heading = False
            elif line.startswith(_PART):
                changes.append([float(word) for word in line[len(_PART) :].split()])
            elif heading and not line.startswith(_ABOUT):
                top += line
            else:
                last = line
    if not last.startswith(_ABOUT):
        return top, None, np.zeros((0, WIDTH))
    about = json.loads(last[len(_ABOUT) :])
    if not isinstance(about, dict) or not {"frames", "group", "text"} <= about.keys():
        raise BadInput(f"{path}: the comment at the end does not tell frames, group and text")
    return top, about, np.array(changes, dtype=float).reshape(-1, WIDTH)


def _framerate(path: AnyPath, top: str) -> float:
    for line in top.splitlines():
        if "framerate" not in line:
            continue
        for word in line.split():
            try:
                value = float(word)
            except ValueError:
                continue
            if not 0 < value < np.inf:
                raise BadInput(f"{path}: framerate = {word}: must be greater than 0")
            return value
    raise BadInput(f"{path}: no '# framerate: F' at the top")


def _numbers(path: AnyPath, columns: int) -> Floats:
    """(rows, columns) as float64; ids and frames are whole numbers, not negative."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # no rows: everyone may have left
        rows = np.loadtxt(path, comments="#", usecols=range(columns), ndmin=2, encoding="utf-8-sig")
    rows = rows.reshape(-1, columns)
    counted = rows[:, :2]
    if not ((counted >= 0) & (counted == np.floor(counted)) & (counted < 2**53)).all():
        raise BadInput(f"{path}: ids and frames must be whole numbers, 0 or greater")
    return rows


def _check_range(path: AnyPath, frame: Any, frames: int, unit: Any, units: int) -> None:
    if frames * units > _CELLS_A_ROW * (len(frame) + 1000):
        raise BadInput(f"{path}: {frames} frames of {units} units for {len(frame)} rows")
    if len(frame) and (frame.max() >= frames or unit.max() >= units):
        raise BadInput(f"{path}: rows beyond the {frames} frames of {units} units it tells of")
