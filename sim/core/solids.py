"""What is solid: discs, boxes, walls and convex polygons, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Bools, Floats
from sim.core.errors import BadInput
from sim.core.limits import LARGEST, real_numbers
from sim.core.plane import Plane
from sim.core.units import read_only

WITHIN_A_PERIOD = "must lie within one period of the torus's bounds"
MOST_PAIRS = 1 << 20
"""Places and boxes that are compared at once, which bounds the memory that it takes."""


def rows(values: ArrayLike, width: int, name: str) -> Floats:
    """Values as a float array (k, width), k = 0 for none.

    Raises `BadInput` with the name for anything that is not rows of `width` numbers.
    """
    try:
        array = real_numbers(values)
    except (TypeError, ValueError, OverflowError):
        array = np.zeros(1)
    if array.size == 0:
        return np.zeros((0, width))
    if array.ndim != 2 or array.shape[1] != width:
        raise BadInput(f"{name}: must be rows of {width} numbers")
    return array


@dataclass(frozen=True)
class Solids:
    """Solids as arrays, in world units.

    Discs (k, 3) are x, y, radius; boxes (k, 4) left, top, right, bottom; walls (k, 4) x1, y1, x2,
    y2; polygons the corners (c, 2) of each, convex, clockwise as seen on screen.
    """

    discs: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    boxes: Floats = field(default_factory=lambda: np.zeros((0, 4)))
    walls: Floats = field(default_factory=lambda: np.zeros((0, 4)))
    polygons: tuple[Floats, ...] = ()

    @classmethod
    def of(cls, discs: ArrayLike, boxes: ArrayLike, walls: ArrayLike) -> Solids:
        """Solids from rows of numbers. Raises `BadInput` for sizes that are none."""
        made = cls(rows(discs, 3, "discs"), rows(boxes, 4, "boxes"), rows(walls, 4, "walls"))
        _check("discs", made.discs, made.discs[:, 2] > 0, "the radius greater than 0")
        left, top, right, bottom = made.boxes.T
        _check("boxes", made.boxes, (left < right) & (top < bottom), "left < right, top < bottom")
        _check("walls", made.walls, np.ones(len(made.walls), np.bool_), "two ends")
        return made

    @property
    def empty(self) -> bool:
        """Whether nothing is solid."""
        return not (len(self.discs) + len(self.boxes) + len(self.walls) + len(self.polygons))

    @property
    def extent(self) -> tuple[Floats, Floats]:
        """The low and high corner (2,) of a box that holds all; infinite where nothing is solid."""
        discs = self.discs[:, :2], self.discs[:, 2:]
        corners = [discs[0] - discs[1], discs[0] + discs[1], *self.polygons]
        every = np.concatenate([*corners, self.boxes.reshape(-1, 2), self.walls.reshape(-1, 2)])
        return every.min(axis=0, initial=np.inf), every.max(axis=0, initial=-np.inf)

    @cached_property
    def shown(self) -> Solids:
        """The same, for others to read: its arrays are read-only."""
        return read_only(self)

    @property
    def sides(self) -> Floats:
        """The sides of all polygons, (k, 4) as x1, y1, x2, y2."""
        ends = [np.hstack([each, np.roll(each, -1, axis=0)]) for each in self.polygons]
        return np.concatenate([np.zeros((0, 4)), *ends])

    def alike(self, other: Solids) -> bool:
        """Whether the other is of the same solids at the same places, in the same order."""
        pairs = [(self.discs, other.discs), (self.boxes, other.boxes), (self.walls, other.walls)]
        pairs += zip(self.polygons, other.polygons, strict=False)
        as_many = len(self.polygons) == len(other.polygons)
        return as_many and all(np.array_equal(a, b) for a, b in pairs)

    def joined(self, others: Sequence[Solids]) -> Solids:
        """These solids, and after them the others."""
        if not others:
            return self
        every = [self, *others]
        return Solids(
            np.concatenate([each.discs for each in every]),
            np.concatenate([each.boxes for each in every]),
            np.concatenate([each.walls for each in every]),
            tuple(corners for each in every for corners in each.polygons),
        )

    def moved(self, dx: float, dy: float) -> Solids:
        """The same solids, moved by (dx, dy) world units."""
        off = np.array([dx, dy])
        return Solids(
            self.discs + np.array([dx, dy, 0.0]),
            self.boxes + np.tile(off, 2),
            self.walls + np.tile(off, 2),
            tuple(each + off for each in self.polygons),
        )

    @cached_property
    def flat(self) -> Floats:
        """All that is flat, (k, 4), as `faces`, on a plane without walls. Read-only."""
        return read_only(self.faces(Plane()))

    def faces(self, plane: Plane) -> Floats:
        """All that is flat, (k, 4): walls, sides of boxes, of walled bounds and of polygons."""
        boxes = self.boxes
        if plane.walls is not None:
            boxes = np.concatenate([boxes, [plane.walls]])
        left, top, right, bottom = boxes.T
        sides = [(left, top, right, top), (right, top, right, bottom)]
        sides += [(left, bottom, right, bottom), (left, top, left, bottom)]
        flat = [np.stack(side, axis=1) for side in sides]
        return np.concatenate([self.walls, *flat, self.sides])

    def check(self, plane: Plane) -> None:
        """Raise `BadInput` for what lies more than a period away from a torus: no unit meets it."""
        if not plane.wraps:
            return
        low, high = plane.origin - plane.size, plane.origin + 2 * plane.size
        for name in ("discs", "boxes", "walls"):
            solids = getattr(self, name)
            if not len(solids):
                continue
            places = solids[:, :2] if name == "discs" else solids
            ends = places.reshape(len(places), -1, 2)
            near = np.asarray(((ends >= low) & (ends <= high)).all(axis=(1, 2)))
            if name == "discs":
                near = near & (solids[:, 2] <= plane.size.max())
            _refuse(name, solids, near, WITHIN_A_PERIOD)
        for number, corners in enumerate(self.polygons):
            if not ((corners >= low) & (corners <= high)).all():
                raise BadInput(f"polygons[{number}]: {WITHIN_A_PERIOD}")

    def depth(self, places: Floats, plane: Plane) -> Floats:
        """How deep each of (n, 2) places lies inside a solid, (n,); negative: how far from all.

        On a walled plane what lies outside the bounds is solid; the walls have no inside.
        """
        deepest = np.full(len(places), -np.inf)
        for x, y, radius in self.discs:
            away = plane.nearest(places - (x, y))
            deepest = np.maximum(deepest, radius - np.hypot(away[:, 0], away[:, 1]))
        _in_boxes(places, self.boxes, plane.size, deepest)
        for corners in self.polygons:
            np.maximum(deepest, _in_polygon(places, corners, plane), out=deepest)
        for x1, y1, x2, y2 in self.walls:
            along = np.array([x2 - x1, y2 - y1])
            away = plane.nearest(places - (x1, y1))
            share = np.clip(away @ along / max(along @ along, 1e-300), 0, 1)
            deepest = np.maximum(deepest, -np.hypot(*(away - share[:, None] * along).T))
        if plane.walls is not None:
            left, top, right, bottom = plane.walls
            inward = np.minimum(places - (left, top), np.array([right, bottom]) - places)
            deepest = np.maximum(deepest, -inward.min(axis=1))
        return deepest


def _in_boxes(places: Floats, boxes: Floats, size: Floats, deepest: Floats) -> None:
    """Deepen `deepest` (n,) by how deep places (n, 2) lie in boxes; a tile map may have many."""
    at_once = max(1, MOST_PAIRS // max(len(places), 1))
    for begin in range(0, len(boxes), at_once):
        left, top, right, bottom = boxes[begin : begin + at_once].T
        x = places[:, :1] - (left + right) / 2
        y = places[:, 1:] - (top + bottom) / 2
        if size[0] > 0:
            x -= size[0] * np.rint(x / size[0])
            y -= size[1] * np.rint(y / size[1])
        x, y = np.abs(x) - (right - left) / 2, np.abs(y) - (bottom - top) / 2
        out = np.hypot(np.maximum(x, 0.0), np.maximum(y, 0.0))
        deep = np.where(out > 0, -out, -np.maximum(x, y))
        np.maximum(deepest, deep.max(axis=1), out=deepest)


def _in_polygon(places: Floats, corners: Floats, plane: Plane) -> Floats:
    """How deep places (n, 2) lie inside a convex polygon, (n,); negative: how far from it."""
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    here = middle + plane.nearest(places - middle)
    way = np.roll(corners, -1, axis=0) - corners
    length = np.hypot(*way.T)
    off = here[:, None] - corners
    inward = (way[:, 0] * off[..., 1] - way[:, 1] * off[..., 0]) / length
    share = np.clip((off * way).sum(axis=-1) / length**2, 0, 1)[..., None]
    outward = np.hypot(*np.moveaxis(off - share * way, -1, 0)).min(axis=1)
    deep: Floats = np.where((inward > 0).all(axis=1), inward.min(axis=1), -outward)
    return deep


def corners_of(boxes: Floats) -> Floats:
    """The corners of boxes (k, 4), clockwise as seen on screen: (k, 4, 2)."""
    return boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)


def convex(points: ArrayLike, name: str = "polygon") -> Floats:
    """The corners (k, 2) of a convex polygon, clockwise as seen on screen.

    Raises `BadInput` for anything else.
    """
    corners = rows(points, 2, name)
    if len(corners) < 3:
        raise BadInput(f"{name}: must be three or more corners (x, y)")
    if not (np.isfinite(corners).all() and np.abs(corners).max() <= LARGEST):
        raise BadInput(f"{name}: must be numbers from {-LARGEST:g} to {LARGEST:g}")
    way = np.roll(corners, -1, axis=0) - corners
    onward = np.roll(way, -1, axis=0)
    turns = way[:, 0] * onward[:, 1] - way[:, 1] * onward[:, 0]
    round_ = np.arctan2(turns, (way * onward).sum(axis=1)).sum() / (2 * np.pi)
    if not ((turns > 0).all() or (turns < 0).all()) or abs(abs(round_) - 1) > 0.1:
        raise BadInput(f"{name}: must be convex, each corner to the same side of the one before")
    return corners if turns[0] > 0 else corners[::-1].copy()


def _check(name: str, solids: Floats, good: Bools, allowed: str) -> None:
    finite = np.isfinite(solids).all(axis=1)
    _refuse(name, solids, good & finite, f"must be finite numbers, {allowed}")
    near = np.all(np.abs(solids) <= LARGEST, axis=1)
    _refuse(name, solids, near, f"must be numbers from {-LARGEST:g} to {LARGEST:g}")


def _refuse(name: str, solids: Floats, good: Bools, said: str) -> None:
    wrong = np.flatnonzero(~good)
    if len(wrong):
        shown = ", ".join(f"{each:g}" for each in solids[wrong[0]])
        raise BadInput(f"{name}[{wrong[0]}] = ({shown}): {said}")
