"""Parts of the ground: named solids that can be closed and opened, moved and taken away."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats
from sim.core.errors import BadInput, shortened
from sim.core.guarded import Guarded
from sim.core.limits import LARGEST, is_row, within_reach
from sim.core.plane import Plane
from sim.core.shapes import Shape
from sim.core.solids import Solids, rows
from sim.core.units import read_only

if TYPE_CHECKING:
    from sim.engine.build import Body

STILL = (0.0, 0.0)
KEPT = (
    "name", "shape", "closed", "wanted", "note", "path", "loop", "offset", "clock", "_velocity"
)  # fmt: skip


OTHER_PART = "take it away (remove) and add another (world.add_solid)"
CHANGED_BY = {
    **dict.fromkeys(("name", "shape", "path", "loop"), OTHER_PART),
    **dict.fromkeys(("closed", "wanted", "body"), "use close and open"),
    **dict.fromkeys(("clock", "note"), "it follows from the steps taken"),
    "offset": "set velocity, or give it a path", "removed": "use remove",
}  # fmt: skip
"""What changes what cannot be set."""


class Part(Guarded, changed_by=CHANGED_BY, alone=True):
    """A solid with a name. `World.add_solid` makes one.

    A part is closed where it stands and open where it does not. One with a path, or a velocity,
    moves, and pushes units out of its way.
    """

    def __init__(
        self,
        name: str,
        shape: Shape,
        path: Floats | None,
        loop: bool,
        changed: Callable[[Part], None],
    ) -> None:
        self.name, self.shape = name, shape
        self.closed = False
        """Whether it stands there now."""
        self.wanted = True
        """Whether it is to stand there: it closes as soon as no unit stands in its place."""
        self.removed = False
        """Whether it was taken away for good."""
        self.note = ""
        """Why it has not closed yet, or does not move on; "" where there is nothing to say."""
        self.path, self.loop = path, loop
        self._offset = read_only(np.zeros(2))
        self.clock = 0.0
        """How far along its path it has come, s: it stands still while it is open or held up."""
        self._velocity, self._changed = STILL, changed
        self.body: Body | None = None
        """What stands for it in the engine while it is closed."""
        self._seal(Part)

    def __repr__(self) -> str:
        return f"Part({self.name!r}, {self.shape}, {'closed' if self.closed else 'open'})"

    def close(self) -> None:
        """Put it in its place: at once, or as soon as no unit stands there (`note` says so)."""
        self._want(True)

    def open(self) -> None:
        """Take it out of its place, at once."""
        self._want(False)

    def remove(self) -> None:
        """Take it away for good. Its name is free again."""
        self._want(False)
        self.keep(removed=True)
        self._changed(self)

    def _check_there(self) -> None:
        if self.removed:
            raise BadInput(f"part {self.name!r}: was removed")

    def _want(self, closed: bool) -> None:
        self._check_there()
        self.keep(wanted=closed, note="")
        self._changed(self)

    @property
    def kept(self) -> dict[str, Any]:
        """All that it goes on with, but for its body, by name."""
        return {name: getattr(self, name) for name in KEPT}

    def resume(self, kept: Mapping[str, Any], body: Body | None) -> None:
        """Go on as it was `kept`, with this body in the engine if it is closed."""
        self.keep(**{name: kept[name] for name in KEPT if name != "offset"})
        self.keep(removed=False, body=body)
        self._offset = read_only(np.array(kept["offset"], dtype=float))

    @property
    def offset(self) -> Floats:
        """(2,) how far it has moved from where its shape lies; on a torus the image inside."""
        return self._offset

    def put(self, offset: Floats, plane: Plane) -> None:
        """It lies at an offset (2,) now: on a torus at the image that has its middle inside.

        Images in the engine and in pictures reach one period on, not further.
        """
        if plane.wraps:
            middle = np.mean(self.shape.solids.extent, axis=0) + offset
            rounds = np.floor((middle - plane.origin) / plane.size)
            offset = offset - rounds * plane.size if rounds.any() else offset
        self._offset = read_only(np.array(offset, dtype=float))

    @property
    def velocity(self) -> tuple[float, float]:
        """How fast it is to move, world units / s. Settable for a part without a path."""
        return self._velocity

    @velocity.setter
    def velocity(self, velocity: Sequence[float]) -> None:
        self._check_there()
        if self.path is not None:
            raise BadInput(f"part {self.name!r}: velocity: follows from its path")
        if not is_row(velocity, 2) or not within_reach(velocity):
            said = f"velocity = {shortened(velocity)}: must be two finite numbers"
            raise BadInput(f"part {self.name!r}: {said}")
        self._velocity = float(velocity[0]), float(velocity[1])

    @property
    def moves(self) -> bool:
        """Whether it is on its way: it has a velocity, or not come to the end of its path."""
        if self.path is None:
            return self._velocity != STILL
        return self.loop or self.clock < self.path[-1, 0]

    @property
    def solids(self) -> Solids:
        """The solid where it is now."""
        if not self.offset.any():
            return self.shape.solids
        return self.shape.solids.moved(*self.offset.tolist())

    def next_offset(self, dt: float) -> Floats:
        """(2,) its offset in dt s if nothing is in the way."""
        if self.path is None:
            return self.offset + dt * np.array(self._velocity)
        return along(self.path, self.clock + dt, self.loop)


def along(path: Floats, time: float, loop: bool) -> Floats:
    """(2,) where a path, rows of t, dx, dy, is at a time (s); it ends or loops at its last row."""
    if loop:
        time = time % path[-1, 0]
    return np.array([np.interp(time, path[:, 0], path[:, k]) for k in (1, 2)])


def checked_path(path: ArrayLike | None, loop: Any, where: str) -> Floats | None:
    """A path as an array (k, 3). Raises `BadInput` that begins with `where`."""
    if not isinstance(loop, bool):
        raise BadInput(f"{where}: loop = {shortened(loop)}: must be true or false")
    if path is None:
        if loop:
            raise BadInput(f"{where}: loop: needs a path")
        return None
    found = rows(path, 3, f"{where}: path")
    said = f"{where}: path: must be"
    if len(found) < 2 or not (np.isfinite(found).all() and np.abs(found).max() <= LARGEST):
        raise BadInput(f"{said} two or more rows of finite numbers t (s), dx, dy")
    if found[0, 0] != 0 or (np.diff(found[:, 0]) <= 0).any():
        raise BadInput(f"{said} rows in order of time t, from 0 on")
    if loop and (found[0, 1:] != found[-1, 1:]).any():
        raise BadInput(f"{said} back where it began, for a loop")
    return read_only(found)
