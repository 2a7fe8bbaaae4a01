"""Where every unit was, frame by frame: written while a run goes on, read back later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.errors import BadInput, naming, printable, shortened
from sim.core.files import AnyPath, check_source, path_of
from sim.core.limits import LARGEST, LEAST_STEP
from sim.core.units import Units
from sim.record.areas import AreaNotes
from sim.record.npz_format import NpzFrames, read_npz
from sim.record.parts import PartNotes
from sim.record.run import Names, Run
from sim.record.text_format import TextFrames, read_text

if TYPE_CHECKING:
    from sim.world import World

__all__ = ["Run", "Trajectory", "load"]

_FRAMES: dict[str, type[TextFrames] | type[NpzFrames]] = {".txt": TextFrames, ".npz": NpzFrames}
_READ = {".txt": read_text, ".npz": read_npz}


class Goals(Protocol):
    """What notes where units are sent: `sim.study.goal_notes.GoalNotes`."""

    def observe(self, frame: int, world: Any) -> None: ...
    @property
    def described(self) -> str: ...


class Trajectory:
    """A watcher that writes the start and then every `every`-th step to a .txt or .npz file.

    There is a column for each unit that is ever there, in the order of ids, and with it the name of
    the group that it was in first, and the radius that its hull had there. `text` is the scenario's
    text, `stage` that of `sim.record.stage` and `made_by` what made it, as JSON, kept with the run
    (a .txt has no room for leaders). How the parts of the ground were is kept too, where they
    changed, and which areas there were; with `goals` also where units were sent.
    Raises BadInput for any other suffix, a target that cannot be written, `every` below 1, and a
    disk that fills up.
    """

    def __init__(
        self, path: AnyPath, every: int = 1, text: str = "", stage: str = "", made_by: str = "",
        goals: Goals | None = None,
    ) -> None:  # fmt: skip
        suffix = _known_suffix(path)
        if not isinstance(every, int | np.integer) or not 1 <= every <= LARGEST:
            said = f"must be a whole number from 1 to {LARGEST:g}"
            raise BadInput(f"{path}: a frame every {shortened(every)} steps: {said}")
        self._path = path
        self._every = every
        self._told = text, stage, made_by
        self._calls = 0
        self._group: Names = np.zeros(0, dtype=np.str_)
        self._radius = np.zeros(0)
        self._notes, self._areas, self._goals = PartNotes(), AreaNotes(), goals
        self._frames = _FRAMES[suffix](path)

    def observe(self, world: World) -> None:
        """Take one frame if it is due: at the start, and after each step."""
        due = self._calls % self._every == 0
        self._calls += 1
        if not due:
            return
        now, known = moment(world), len(self._group)
        if len(now.units) > known:
            self._group = np.append(self._group, group_names(world)[known:])
            self._radius = np.append(self._radius, radii(world)[known:])
        interval = world.time_step * self._every
        changes = self._notes.changes(self._frames.frames, world.pieces)
        self._areas.observe(self._frames.frames, world.areas)
        if self._goals is not None:
            self._goals.observe(self._frames.frames, world)
        self._frames.add(interval, world.time, now.units, now.leads, changes)

    def close(self) -> None:
        """Finish the file and give it its name; nothing happens the second time.

        Raises BadInput, and leaves no file, when nothing was observed.
        """
        if self._frames.done:
            return
        if self._frames.frames == 0:
            self._frames.abort()
            raise BadInput(f"{self._path}: nothing was observed, so there is nothing to write")
        more = {"parts": self._notes.described, "areas": self._areas.described}
        if self._goals is not None:
            more["sent"] = self._goals.described
        self._frames.finish(self._group, self._radius, more, *self._told)

    def abort(self) -> None:
        """Remove what was written so far."""
        self._frames.abort()


def load(path: AnyPath) -> Run:
    """Read a trajectory that `Trajectory` wrote, or another text file that PedPy could read.

    Raises BadInput for a file that is missing or is not a trajectory.
    """
    read = _READ[_known_suffix(path)]
    check_source(path)
    with naming(f"{path}: "):
        try:
            run = read(path)
            _check(run)
        except BadInput:
            raise
        except FileNotFoundError:
            raise BadInput("no such file") from None
        except OSError as error:
            raise BadInput(f"cannot be read: {error.strerror or error}") from error
        except Exception as error:  # whatever zipfile, zlib, numpy and json make of a damaged file
            raise BadInput(f"not a trajectory: {printable(str(error))}") from error
    return run


def _check(run: Run) -> None:
    """Raise `BadInput` for numbers that nothing can be made of, and texts that none can write."""
    if len(run.time) > 1 and not np.diff(run.time).min() >= LEAST_STEP / 2:
        raise BadInput(f"time: must increase, by {LEAST_STEP:g} s or more from frame to frame")
    for name in ("time", "position", "angle", "radius"):
        values = getattr(run, name)
        if values is not None and np.nanmax(np.abs(values), initial=0.0) > LARGEST:
            raise BadInput(f"{name}: must be numbers from {-LARGEST:g} to {LARGEST:g}")
    if run.radius is not None and not (run.radius[~np.isnan(run.radius)] > 0).all():
        raise BadInput("radius: must be greater than 0, or NaN where it is not known")
    gone = np.isnan(run.position)
    if (gone[..., 0] != gone[..., 1]).any():
        raise BadInput("position: must be two numbers, or NaN both for an absent unit")
    names = () if run.parts is None else run.parts.names
    for text in (run.text, run.stage, run.made_by, *np.unique(run.group).tolist(), *names):
        text.encode()


class Moment(NamedTuple):
    """All M units that have ever been there, in the order of their ids."""

    units: Units
    """Units that are not there are absent; what else is said of them means nothing."""
    leads: Bools
    """(M,) which units led at the last step."""


def moment(world: World) -> Moment:
    """The world as it is now."""
    units, ids, count = world.units, world.ids, world.ids_given
    leads = np.zeros(len(units), np.bool_)
    for group in world.groups:
        leads[group.rows] = group.leads
    if count == len(ids) and (ids[1:] > ids[:-1]).all():
        return Moment(units, leads)
    here = np.zeros(count, np.bool_)
    here[ids] = units.present
    if not len(ids):
        return Moment(_nobody(count), here)
    row = np.zeros(count, np.int64)
    row[ids] = np.arange(len(ids))
    laid = Units(
        units.position[row], units.velocity[row], units.angle[row], units.spin[row],
        units.heading[row], here, units.group[row],
    )  # fmt: skip
    return Moment(laid, leads[row] & here)


def group_names(world: World) -> Names:
    """(M,) the name of each unit's group; "" for units that have no row any more."""
    names = np.full(world.ids_given, "", dtype=object)
    for group in world.groups:
        names[world.ids[group.rows]] = group.name
    return names.astype(np.str_)


def radii(world: World) -> Floats:
    """(M,) the radius of each unit's hull, world units; NaN for units without a row."""
    found = np.full(world.ids_given, np.nan)
    for group in world.groups:
        found[world.ids[group.rows]] = group.radii
    return found


def _nobody(count: int) -> Units:
    """`count` units of which none is there."""
    units = Units.blank(np.zeros(count, np.int64))
    units.present[:] = False
    return units


def _known_suffix(path: AnyPath) -> str:
    suffix = path_of(path).suffix.lower()
    if suffix not in _FRAMES:
        raise BadInput(f"{path}: suffix {suffix!r}: a trajectory is a .txt or .npz file")
    return suffix
