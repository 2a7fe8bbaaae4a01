"""What a recorded run holds, whichever format it was kept in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Bools, Floats
from sim.core.errors import BadInput
from sim.record.areas import Areas
from sim.record.parts import Parts

Names = NDArray[np.str_]
Texts = Mapping[str, str]
"""What else a recording says, by name, each as JSON: parts, areas, sent."""
VERSION = 2
"""Of the files that runs are kept in. Since 2 they tell of parts; files that tell none are of 1."""


def check_version(version: object) -> None:
    """Raise `BadInput` for the version of a file that this program cannot read."""
    whole = isinstance(version, int | np.integer) and not isinstance(version, bool)
    if not (whole and 1 <= int(version) <= VERSION):  # type: ignore[call-overload]
        raise BadInput(
            f"version = {str(version)[:40]}: this program reads recordings of versions 1 to "
            f"{VERSION}: a later release of it may read this one"
        )


def texts_of(said: Mapping[str, Any], changes: Floats | None) -> dict[str, Any]:
    """What a file says beside the motion, as `Run` takes it; `changes` (K, 6) are of parts."""
    found: dict[str, Any] = {
        name: str(said.get(name, "")) for name in ("text", "stage", "made_by", "sent")
    }
    if "parts" in said and changes is not None:
        found["parts"] = Parts.read(str(said["parts"]), changes)
    if "areas" in said:
        found["areas"] = Areas.read(str(said["areas"]))
    return found


@dataclass(frozen=True)
class Run:
    """The motion of N units over T frames; rows of a unit that left are NaN.

    Raises BadInput when the arrays do not belong together, or hold what is no motion.
    """

    time: Floats
    """(T,) s."""
    position: Floats
    """(T, N, 2) centres, world units."""
    angle: Floats
    """(T, N) radians, clockwise on screen from +x."""
    group: Names
    """(N,) the name of each unit's group."""
    text: str = ""
    """The scenario that was run, as its file says it."""
    stage: str = ""
    """What it was played on and by which units: see `sim.record.stage.Stage.text`."""
    leads: Bools | None = None
    """(T, N) which units led, where that was kept."""
    made_by: str = ""
    """What made it, as JSON: see `sim.record.made_by`."""
    radius: Floats | None = None
    """(N,) of the hulls, world units, where that was kept; NaN where it is not known."""
    parts: Parts | None = None
    """What came, went and moved on the ground, where that was kept."""
    areas: Areas | None = None
    """Ground of its own, where that was kept."""
    sent: str = ""
    """Which units came, and where they were sent, as JSON: see `sim.study.goal_notes`."""

    def __post_init__(self) -> None:
        frames, units = len(self.time), len(self.group)
        for name, shape in (
            ("time", (frames,)),
            ("position", (frames, units, 2)),
            ("angle", (frames, units)),
            ("group", (units,)),
        ):
            found = getattr(self, name).shape
            if found != shape:
                raise BadInput(f"{name} has the shape {found}: must be {shape}")
        if self.radius is not None and self.radius.shape != (units,):
            raise BadInput(f"radius has the shape {self.radius.shape}: must be {(units,)}")
        if not (np.isfinite(self.time).all() and (np.diff(self.time) >= 0).all()):
            raise BadInput("time: must be finite numbers that do not go back")
        if np.isinf(self.position).any() or np.isinf(self.angle).any():
            raise BadInput("position, angle: must be finite numbers, or NaN for an absent unit")
        if self.leads is not None and self.leads.shape != (frames, units):
            raise BadInput(f"leads has the shape {self.leads.shape}: must be {(frames, units)}")
        if self.parts is not None and (self.parts.changes[:, 0] >= frames).any():
            raise BadInput(f"part_changes: frames must be numbers below {frames}")

    @property
    def present(self) -> Bools:
        """(T, N) whether the unit was in the world."""
        return ~np.isnan(self.position[..., 0])
