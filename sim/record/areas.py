"""Which areas the ground had, frame by frame: noted as a run goes on, and looked up later."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sim.core.errors import BadInput, reading, shortened
from sim.core.limits import positive
from sim.core.pieces import told, understood
from sim.core.shapes import Box, Disc, Polygon, Shape
from sim.core.solids import Solids
from sim.navigation.areas import Area


class Stretch(NamedTuple):
    """An area, and the frames at which it was there: from the first up to but not with the end."""

    first: int
    end: int | None
    """None where it was there to the last frame."""
    area: Area


@dataclass(frozen=True)
class Areas:
    """The areas of a run."""

    stretches: tuple[Stretch, ...]

    @classmethod
    def read(cls, text: str) -> Areas:
        """From what `AreaNotes.described` wrote. Raises `BadInput` for anything else."""
        with reading("areas"):
            return cls(tuple(_stretch(each) for each in json.loads(text)))

    def at(self, frame: int) -> tuple[Area, ...]:
        """The areas at a frame: the same objects as long as they stay."""
        return tuple(
            each.area for each in self.stretches
            if each.first <= frame and (each.end is None or frame < each.end)
        )  # fmt: skip

    def kept(self, frames: Sequence[int]) -> Areas:
        """The same in a run of which only these frames, in order, are kept."""
        moved = (
            Stretch(
                bisect_left(frames, each.first),
                None if each.end is None else bisect_left(frames, each.end),
                each.area,
            )
            for each in self.stretches
        )
        return Areas(tuple(e for e in moved if e.first < (len(frames) if e.end is None else e.end)))


class AreaNotes:
    """Notes which areas there are from frame to frame."""

    def __init__(self) -> None:
        self._there: tuple[Area, ...] = ()
        self._kept: list[Stretch] = []

    def observe(self, frame: int, areas: Sequence[Area]) -> None:
        """Take in what areas there are at a frame."""
        now = tuple(areas)
        if now == self._there:
            return
        for k, each in enumerate(self._kept):
            if each.end is None and each.area not in now:
                self._kept[k] = each._replace(end=frame)
        self._kept += [Stretch(frame, None, area) for area in now if area not in self._there]
        self._there = now

    @property
    def described(self) -> str:
        """All areas that were ever there, and when, as JSON."""
        every = [
            {
                "first": each.first, "end": each.end, "speed": each.area.speed,
                "cost": each.area.cost,
                "groups": None if each.area.groups is None else sorted(each.area.groups),
                **told(each.area.shape.solids),
            }
            for each in self._kept
        ]  # fmt: skip
        return json.dumps(every, allow_nan=False)


def _stretch(told: Any) -> Stretch:
    first, end, groups = told["first"], told["end"], told["groups"]
    for frame in (first, 0 if end is None else end):
        if not isinstance(frame, int) or isinstance(frame, bool) or frame < 0:
            raise BadInput(f"frame {shortened(frame)}: must be a whole number, 0 or more")
    if groups is not None and not all(isinstance(name, str) for name in groups):
        raise BadInput(f"groups = {shortened(groups)}: must be names")
    speed, cost = (positive(told[name], name, 1e-3, 1e3) for name in ("speed", "cost"))
    area = Area(
        _shape(understood(told)), speed, cost, None if groups is None else frozenset(groups)
    )
    return Stretch(first, end, area)


def _shape(solids: Solids) -> Shape:
    """The one shape that some solids are. Raises `BadInput` for any others."""
    found: list[Shape] = [
        *(Disc(*row) for row in solids.discs.tolist()),
        *(Box(*row) for row in solids.boxes.tolist()),
        *(Polygon(np.asarray(corners).tolist()) for corners in solids.polygons),
    ]
    if len(found) != 1 or len(solids.walls):
        raise BadInput("an area must be one disc, box or polygon")
    return found[0]
