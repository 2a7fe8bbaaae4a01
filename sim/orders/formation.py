"""Formations: where each of n units has its place round a point that they are all sent to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.arrays import Floats, make_plain
from sim.core.errors import BadInput, shortened
from sim.core.hull import Hull
from sim.core.limits import LARGEST, in_range, one_of, real_numbers

SHAPES = ("line", "column", "box", "wedge", "circle", "echelon")
SPACING = 2.0
"""Hull lengths between neighbours where nothing else is said."""
DIAGONAL = float(np.sqrt(0.5))
LEAST, MOST = 1.0, 1e6
"""Of a spacing, hull lengths."""


@dataclass(frozen=True)
class Formation:
    """A shape in which units stand round the point that they are sent to, the mean of its places.

    `shape` is one of "line" (abreast), "column" (in single file), "box" (ranks and files), "wedge"
    (a V, its point ahead), "circle" and "echelon" (each behind and to starboard of the one before).
    Instead of a shape `offsets` (k, 2) may name places: hull lengths ahead and to starboard of the
    point, one a unit. `spacing` is between neighbours, hull lengths, 2 unless given. `facing` is
    the heading of the formation, radians; that of its way where None. Raises `BadInput`.
    """

    shape: str = ""
    spacing: float | None = None
    facing: float | None = None
    offsets: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        make_plain(self)
        placed = not isinstance(self.offsets, tuple) or len(self.offsets) > 0
        shaped = not (isinstance(self.shape, str) and self.shape == "")
        if placed == shaped or (placed and self.spacing is not None):
            raise BadInput("formation: must have a shape (with a spacing), or offsets")
        if placed:
            object.__setattr__(self, "offsets", _offsets(self.offsets))
        else:
            one_of(self.shape, SHAPES, "formation.shape")
        for name, low, high in (("spacing", LEAST, MOST), ("facing", -LARGEST, LARGEST)):
            value = getattr(self, name)
            if value is not None and not in_range(value, low, high):
                raise BadInput(
                    f"formation.{name} = {shortened(value)}: must be a number from {low:g} to "
                    f"{high:g}"
                )

    def places(self, n: int) -> Floats:
        """(n, 2) places of n units: hull lengths ahead and to starboard of the point.

        Units beyond the number of offsets stand in the same pattern again, behind the first.
        """
        if self.offsets:
            known = np.array(self.offsets)
            depth = np.ptp(known[:, 0]) + SPACING
            again, which = np.divmod(np.arange(n), len(known))
            found: Floats = known[which] - again[:, None] * np.array([depth, 0.0])
            return found
        spacing = SPACING if self.spacing is None else self.spacing
        places: Floats = spacing * _PLACES[self.shape](n)
        return places - places.mean(axis=0) if n else places

    def check(self, n: int, hull: Hull) -> None:
        """Raise `BadInput` where it has not a place for each of n units with this hull."""
        if self.offsets and n > len(self.offsets):
            raise BadInput(
                f"goal.formation.offsets: has {len(self.offsets)} for {n} units; must be one a unit"
            )
        if hull.upright:  # it does not turn with the formation, so its reach decides
            room = 2 * hull.reach / hull.length
        else:
            room = max(hull.length, hull.width) / hull.length
        closest = nearest(self.places(n))
        if closest < room * (1 - 1e-9):
            spacing = SPACING if self.spacing is None else self.spacing
            said = f"offsets: two are {closest:g} hull lengths apart" if self.offsets else ""
            said = said or f"spacing = {spacing:g}"
            raise BadInput(f"goal.formation.{said}: must be at least {room:g} for this hull")


def nearest(places: Floats) -> float:
    """The least distance between two of the places (n, 2); infinite for fewer."""
    from scipy.spatial import cKDTree

    if len(places) < 2:
        return float("inf")
    apart, _ = cKDTree(places).query(places, k=2)
    return float(apart[:, 1].min())


def turned(places: Floats, heading: float) -> Floats:
    """Places (n, 2), ahead and to starboard, as offsets in the world for a heading, radians."""
    c, s = np.cos(heading), np.sin(heading)
    found: Floats = places @ np.array([[c, s], [-s, c]])
    return found


def _offsets(given: Any) -> tuple[tuple[float, float], ...]:
    try:
        rows = real_numbers(given)
    except (TypeError, ValueError, OverflowError):
        rows = np.zeros(0)
    if rows.ndim != 2 or rows.shape[1] != 2 or not len(rows) or not (np.abs(rows) <= MOST).all():
        raise BadInput(
            f"formation.offsets = {shortened(given)}: must be rows [ahead, starboard] of numbers "
            f"from {-MOST:g} to {MOST:g}, hull lengths"
        )
    return tuple((x, y) for x, y in rows.tolist())


def _box(n: int) -> Floats:
    """Ranks as wide as there are files; what is left stands in the middle of the last."""
    files = int(np.ceil(np.sqrt(n)))
    rank, file = np.divmod(np.arange(n), max(files, 1))
    wide = np.bincount(rank, minlength=1)[rank]
    return np.column_stack([-rank, file - (wide - 1) / 2])


def _wedge(n: int) -> Floats:
    """Arms at right angles to each other, the units in turn on the one and the other."""
    behind = (np.arange(n) + 1) // 2
    side = np.where(np.arange(n) % 2 == 1, 1.0, -1.0)
    return np.column_stack([-behind, side * behind]) * DIAGONAL


def _circle(n: int) -> Floats:
    angle: Floats = 2 * np.pi * np.arange(n) / max(n, 1)
    radius = float(0.5 / np.sin(np.pi / n)) if n > 1 else 0.0
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


_PLACES: dict[str, Callable[[int], Floats]] = {
    "line": lambda n: np.column_stack([np.zeros(n), np.arange(n)]),
    "column": lambda n: np.column_stack([-np.arange(n), np.zeros(n)]),
    "box": _box, "wedge": _wedge, "circle": _circle,
    "echelon": lambda n: DIAGONAL * np.arange(n)[:, None] * np.array([-1.0, 1.0]),
}  # fmt: skip
