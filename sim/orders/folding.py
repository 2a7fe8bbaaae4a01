"""Folding: a formation that is wider than a gap on its way becomes a column, and unfolds behind.

Along the planned way it is measured how far a hull can go aside. Where that is less than the
formation is wide there is a gap. Before it the formation halts in as many files as fit through it,
behind it in its own shape. Of a long column that would reach back behind where the formation
came from, files stand side by side before the gap.
"""

from __future__ import annotations

from math import ceil, floor
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.navigation.grid import Grid
from sim.navigation.paths import plan as planned
from sim.navigation.sight import in_sight
from sim.orders.bands import DRESS, Halt
from sim.orders.formation import SPACING, nearest, turned
from sim.orders.goal import Place
from sim.orders.standing_room import Room

CLEAR = 1.05
"""Least distance between two of a column, diameters of a hull's reach."""
OFF = 2.0
"""How far before a gap the first rank of a column stands, pitches."""
SAMPLE, MOST = 0.5, 2000
"""Hull lengths between places where the room is measured, and how many places at most."""
HALVINGS = 10
"""Of the room aside, as it is measured."""


class Walk(NamedTuple):
    """A way, measured at m places."""

    along: Floats
    """(m,) how far each is from the start."""
    places: Floats
    """(m, 2)."""
    course: Floats
    """(m,) where the way leads there, radians."""

    def at(self, along: float) -> int:
        """The number of the first place that is so far from the start."""
        return min(int(np.searchsorted(self.along, along)), len(self.along) - 1)


class Gap(NamedTuple):
    """A part of a way that is too narrow, between two distances from its start."""

    first: float
    last: float
    files: int
    """How many fit abreast."""


def column(nominal: Floats, files: int, pitch: float) -> Floats:
    """Places (n, 2) of a formation in a column: hull lengths ahead and to starboard of its front.

    Those ahead in the `nominal` places (n, 2) are ahead, `files` abreast, on the sides they were.
    """
    n = len(nominal)
    rank = np.empty(n, np.int64)
    rank[np.lexsort((nominal[:, 1], -nominal[:, 0]))] = np.arange(n) // files
    order = np.lexsort((nominal[:, 1], rank))
    wide = np.bincount(rank)
    file = np.empty(n)
    file[order] = np.arange(n) - np.searchsorted(rank[order], rank[order])
    return pitch * np.column_stack([-rank, file - (wide[rank] - 1) / 2])


def pitch_of(nominal: Floats, room: Room) -> float:
    """Between two of a column, hull lengths: as in the `nominal` places (n, 2), if not wider."""
    return max(min(nearest(nominal), SPACING), CLEAR * 2 * room.reach / room.length)


def folds(
    begin: Place, end: Place, nominal: Floats, heading: float, fixed: bool, room: Room
) -> list[Halt]:
    """The halts before and behind each gap on the way from `begin` to `end`.

    There are none about a gap that lets through as many abreast as the formation is wide. There the
    formation is too wide only because it faces askew to its way.

    `nominal` (n, 2) are the places of the formation, hull lengths ahead and to starboard; `heading`
    is the one that it has at the end, which is `fixed` or that of its way.
    """
    if room.grid is None or len(nominal) < 2:
        return []
    way = planned(room.grid, begin, end, nearest=True).points
    if len(way) < 2:
        return []
    walk, halts = _walk(way, room), list[Halt]()
    for gap in _gaps(walk, nominal, heading, room, room.grid):
        if not _narrows(nominal, gap.files, room):
            continue
        before = _before(gap, walk, nominal, room)
        behind = _behind(gap, walk, nominal, heading if fixed else None, room)
        halts += [halt for halt in (before, behind) if halt is not None]
    return halts


def _narrows(nominal: Floats, files: int, room: Room) -> bool:
    """Whether a column, `files` abreast, is narrower than the `nominal` places (n, 2)."""
    return pitch_of(nominal, room) * (files - 1) < float(np.ptp(nominal[:, 1]))


def _before(gap: Gap, walk: Walk, nominal: Floats, room: Room) -> Halt | None:
    """Folded before a gap; None where it starts there, or would be no narrower than it is."""
    pitch = pitch_of(nominal, room)
    front = gap.first - OFF * pitch * room.length
    deep = float(np.ptp(nominal[:, 0]))
    ranks = max(1, floor((front / room.length + deep / 2) / pitch))
    files = max(gap.files, ceil(len(nominal) / ranks))
    if front <= 0 or not _narrows(nominal, files, room):
        return None
    stands, mouth = walk.places[walk.at(front)], walk.places[walk.at(gap.first)]
    x, y = (mouth - stands).tolist()
    return Halt(_place(stands), float(np.arctan2(y, x)), DRESS, turns=True, files=files)


def _behind(
    gap: Gap, walk: Walk, nominal: Floats, heading: float | None, room: Room
) -> Halt | None:
    """Whole again behind a gap; None where that would be about the end of the way already."""
    course = float(walk.course[walk.at(gap.last)])
    faces = course if heading is None else heading
    ahead = room.length * turned(nominal, faces - course)[:, 0]
    middle = gap.last + pitch_of(nominal, room) * room.length - float(ahead.min())
    if middle + room.length * float(np.hypot(*nominal.T).max()) > walk.along[-1]:
        return None
    return Halt(_place(walk.places[walk.at(middle)]), faces, DRESS, turns=False)


def _walk(way: Floats, room: Room) -> Walk:
    """A way (k, 2) at places at even distances, each leg's course at the places on it."""
    legs = np.diff(way, axis=0)
    far = np.append(0.0, np.cumsum(np.hypot(*legs.T)))
    count = int(np.clip(far[-1] / (SAMPLE * room.length), 1, MOST)) + 1
    along = np.linspace(0.0, far[-1], count)
    leg = np.clip(np.searchsorted(far, along, side="right") - 1, 0, len(legs) - 1)
    course = np.arctan2(legs[leg, 1], legs[leg, 0])
    onward = (along - far[leg])[:, None] * np.column_stack([np.cos(course), np.sin(course)])
    return Walk(along, way[leg] + onward, course)


def _gaps(walk: Walk, nominal: Floats, heading: float, room: Room, grid: Grid) -> list[Gap]:
    """The parts of a way where a formation with this heading is wider than the room aside.

    Two that are too near to each other for it to unfold between count as one.
    """
    courses, which = np.unique(walk.course, return_inverse=True)
    across = [np.ptp(turned(nominal, heading - course)[:, 1]) for course in courses]
    wide = room.length * np.array(across)[which]
    aside = np.column_stack([-np.sin(walk.course), np.cos(walk.course)])
    free = _free(walk.places, aside, wide, grid) + _free(walk.places, -aside, wide, grid)
    narrow: Bools = free < wide * (1 - 2.0**-HALVINGS)
    ends = np.flatnonzero(np.diff(np.concatenate([[False], narrow, [False]])))
    pitch, deep = pitch_of(nominal, room) * room.length, float(np.ptp(nominal[:, 0])) * room.length
    gaps: list[Gap] = []
    for first, end in ends.reshape(-1, 2).tolist():
        files = 1 + floor(float(free[first:end].min()) / pitch)
        gap = Gap(float(walk.along[first]), float(walk.along[end - 1]), files)
        least = deep + pitch * (OFF + 1)
        if gaps and gap.first - gaps[-1].last < least:
            files, start = min(files, gaps[-1].files), gaps.pop().first
            gap = Gap(start, gap.last, files)
        gaps.append(gap)
    return gaps


def _free(places: Floats, aside: Floats, most: Floats, grid: Grid) -> Floats:
    """(m,) how far hulls can go straight aside (m, 2) from places (m, 2), at `most` so far (m,)."""
    there = in_sight(grid, places, places + most[:, None] * aside)
    low, high = np.where(there, most, 0.0), most.copy()
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        seen = in_sight(grid, places, places + middle[:, None] * aside)
        low, high = np.where(seen, middle, low), np.where(seen, high, middle)
    return low


def _place(point: Floats) -> Place:
    x, y = point.tolist()
    return x, y
