"""How the parts of the ground were, frame by frame: noted as a run goes on, and looked up later."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats
from sim.core.errors import BadInput, naming, reading, shortened
from sim.core.limits import LARGEST
from sim.core.pieces import Piece, Pose, onward, told, understood
from sim.core.plane import Plane
from sim.core.solids import Solids

WIDTH = 6
"""Numbers of a change: frame, part, 1 where it is closed and 0 where it is open, x, y, angle."""
Changes = Sequence[tuple[float, ...]]
"""Rows of this many numbers."""

NO_SEAM = np.zeros(2)
"""The size of what is no torus."""


class State(NamedTuple):
    """How a part is at a moment."""

    closed: bool
    pose: Pose


ABSENT = State(closed=False, pose=(0.0, 0.0, 0.0))
"""Before a part comes."""


@dataclass(frozen=True)
class Parts:
    """The parts of a run, and what changed of them. Raises `BadInput` for what makes no sense."""

    names: tuple[str, ...]
    solids: tuple[Solids, ...]
    """What each looks like, in place."""
    changes: Floats
    """(K, 6) rows of frame, part, closed, x, y, angle, in the order of frames: see `WIDTH`."""

    def __post_init__(self) -> None:
        rows = self.changes
        if rows.ndim != 2 or rows.shape[1] != WIDTH:
            raise BadInput(f"part_changes has the shape {rows.shape}: must be (changes, {WIDTH})")
        frame, part, closed = rows[:, 0], rows[:, 1], rows[:, 2]
        if not (np.abs(rows) <= LARGEST).all():
            raise BadInput(f"part_changes: must be numbers from {-LARGEST:g} to {LARGEST:g}")
        if not ((frame >= 0) & (frame == np.floor(frame))).all() or (np.diff(frame) < 0).any():
            raise BadInput("part_changes: frames must be whole numbers that do not go back")
        if not np.isin(part, np.arange(len(self.names))).all():
            raise BadInput(f"part_changes: parts must be numbers below {len(self.names)}")
        if not np.isin(closed, (0, 1)).all():
            raise BadInput("part_changes: closed must be 0 or 1")

    @classmethod
    def read(cls, text: str, changes: Floats) -> Parts:
        """From what `described` wrote. Raises `BadInput` for anything else."""
        with reading("parts"):
            found = [(str(each["name"]), understood(each)) for each in json.loads(text)]
        return cls(tuple(name for name, _ in found), tuple(each for _, each in found), changes)

    def check(self, plane: Plane) -> None:
        """Raise `BadInput` for a part too far from a torus, or too large for it."""
        for name, solids in zip(self.names, self.solids, strict=True):
            with naming(f"part {shortened(name)}: "):
                solids.check(plane)

    def pieces(self, time: float, frames: Floats, size: Floats = NO_SEAM) -> list[Piece]:
        """How all are at a time (s), in a run with frames at these times (T,).

        Between two frames a part that stands there at both is on the straight line, on a torus of
        `size` (2,) on the shortest.
        """
        frame = max(0, int(np.searchsorted(frames, time + 1e-9, side="right")) - 1)
        following = min(frame + 1, len(frames) - 1)
        span = float(frames[following] - frames[frame])
        share = min(1.0, max(0.0, (time - float(frames[frame])) / span)) if span > 0 else 0.0
        return [
            Piece(
                part, self.names[part], self.solids[part], *self._between(part, frame, share, size)
            )
            for part in range(len(self.names))
        ]

    def state(self, part: int, frame: int) -> State:
        """How a part is at a frame."""
        at, states = self._known[part]
        row = bisect_right(at, frame) - 1
        return states[row] if row >= 0 else ABSENT

    def kept(self, frames: Sequence[int]) -> Parts:
        """The same in a run of which only these frames, in order, are kept."""
        rows = []
        for part in range(len(self.names)):
            states = [ABSENT, *(self.state(part, frame) for frame in frames)]
            for k, (was, now) in enumerate(pairwise(states)):
                if was != now:
                    rows.append((k, part, now.closed, *now.pose))
        rows.sort()
        return Parts(self.names, self.solids, np.array(rows, dtype=float).reshape(-1, WIDTH))

    def _between(self, part: int, frame: int, share: float, size: Floats) -> State:
        now, then = self.state(part, frame), self.state(part, frame + 1)
        if share == 0 or now.pose == then.pose or not (now.closed and then.closed):
            return now
        (x, y, angle), (x2, y2, angle2) = now.pose, onward(now.pose, then.pose, size)
        return State(True, (x + share * (x2 - x), y + share * (y2 - y),
                            angle + share * (angle2 - angle)))  # fmt: skip

    @cached_property
    def _known(self) -> list[tuple[list[int], list[State]]]:
        """For each part the frames at which it changed, and how it was from then on."""
        found: list[tuple[list[int], list[State]]] = [([], []) for _ in self.names]
        for frame, part, closed, x, y, angle in self.changes.tolist():
            at, states = found[int(part)]
            at.append(int(frame))
            states.append(State(closed == 1, (x, y, angle)))
        return found


class PartNotes:
    """Notes how parts change from frame to frame."""

    def __init__(self) -> None:
        self._number: dict[Hashable, int] = {}
        self._state: list[State] = []
        self._told: list[dict[str, object]] = []

    def changes(self, frame: int, pieces: Iterable[Piece]) -> Changes:
        """The rows (see `WIDTH`) of those parts that are other than at the last frame."""
        rows, there = [], set()
        for piece in pieces:
            number = self._number.setdefault(piece.key, len(self._number))
            there.add(number)
            if number == len(self._state):
                self._state.append(ABSENT)
                self._told.append({"name": piece.name, **told(piece.solids)})
            rows.append((number, State(piece.closed, piece.pose)))
        for number, was in enumerate(self._state):  # parts that were removed
            if number not in there:
                rows.append((number, State(False, was.pose)))
        fresh = [(number, now) for number, now in sorted(rows) if now != self._state[number]]
        for number, now in fresh:
            self._state[number] = now
        return [(frame, number, now.closed, *now.pose) for number, now in fresh]

    @property
    def described(self) -> str:
        """What all parts that were ever there look like, in place, as JSON."""
        return json.dumps(self._told, allow_nan=False)
