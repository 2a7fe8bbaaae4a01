"""What stands still: discs, boxes and walls, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.errors import BadInput
from sim.limits import LARGEST
from sim.plane import Plane

Floats = NDArray[np.float64]
MOST_PAIRS = 1 << 20
"""Places and boxes that are compared at once, which bounds the memory that it takes."""


def rows(values: ArrayLike, width: int, name: str) -> Floats:
    """Values as a float array (k, width), k = 0 for none.

    Raises `BadInput` with the name for anything that is not rows of so many numbers.
    """
    try:
        array = np.array(values, dtype=float)
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
    y2.
    """

    discs: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    boxes: Floats = field(default_factory=lambda: np.zeros((0, 4)))
    walls: Floats = field(default_factory=lambda: np.zeros((0, 4)))

    @classmethod
    def of(cls, discs: ArrayLike, boxes: ArrayLike, walls: ArrayLike) -> Solids:
        """Solids from rows of numbers. Raises `BadInput` for sizes that are none."""
        made = cls(rows(discs, 3, "discs"), rows(boxes, 4, "boxes"), rows(walls, 4, "walls"))
        _check("discs", made.discs, made.discs[:, 2] > 0, "the radius greater than 0")
        left, top, right, bottom = made.boxes.T
        _check("boxes", made.boxes, (left < right) & (top < bottom), "left < right, top < bottom")
        _check("walls", made.walls, np.ones(len(made.walls), np.bool_), "two ends")
        return made

    def faces(self, plane: Plane) -> Floats:
        """All that is flat, (k, 4) as x1, y1, x2, y2: walls, sides of boxes and walled bounds."""
        boxes = self.boxes
        if plane.edges == "wall" and plane.bounds is not None:
            boxes = np.concatenate([boxes, [plane.bounds]])
        left, top, right, bottom = boxes.T
        sides = [(left, top, right, top), (right, top, right, bottom)]
        sides += [(left, bottom, right, bottom), (left, top, left, bottom)]
        return np.concatenate([self.walls, *(np.stack(side, axis=1) for side in sides)])

    def check(self, plane: Plane) -> None:
        """Raise `BadInput` for what lies more than a period away from a torus: nobody meets it."""
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
            _refuse(name, solids, near, "must lie within one period of the torus's bounds")

    def depth(self, places: Floats, plane: Plane) -> Floats:
        """How deep each of (n, 2) places lies inside a solid, (n,); negative: how far from all.

        On a walled plane what lies outside the bounds is solid; the walls have no inside.
        """
        deepest = np.full(len(places), -np.inf)
        for x, y, radius in self.discs:
            away = plane.nearest(places - (x, y))
            deepest = np.maximum(deepest, radius - np.hypot(away[:, 0], away[:, 1]))
        _in_boxes(places, self.boxes, plane.size, deepest)
        for x1, y1, x2, y2 in self.walls:
            along = np.array([x2 - x1, y2 - y1])
            away = plane.nearest(places - (x1, y1))
            share = np.clip(away @ along / max(along @ along, 1e-300), 0, 1)
            deepest = np.maximum(deepest, -np.hypot(*(away - share[:, None] * along).T))
        if plane.edges == "wall" and plane.bounds is not None:
            left, top, right, bottom = plane.bounds
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


def _check(name: str, solids: Floats, good: NDArray[np.bool_], allowed: str) -> None:
    finite = np.isfinite(solids).all(axis=1)
    _refuse(name, solids, good & finite, f"must be finite numbers, {allowed}")
    near = np.all(np.abs(solids) <= LARGEST, axis=1)
    _refuse(name, solids, near, f"must be numbers from {-LARGEST:g} to {LARGEST:g}")


def _refuse(name: str, solids: Floats, good: NDArray[np.bool_], said: str) -> None:
    wrong = np.flatnonzero(~good)
    if len(wrong):
        shown = ", ".join(f"{each:g}" for each in solids[wrong[0]])
        raise BadInput(f"{name}[{wrong[0]}] = ({shown}): {said}")
