"""Fields of view: which directions a unit sees, and how far (rules A2 to A5).

After AI for Game Developers, ch. 4.2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import atan, inf, pi, tan
from typing import Literal

from sim.core.compiled import inlined
from sim.core.errors import BadInput, shortened
from sim.core.limits import check_range, in_range

FARTHEST = 1e6
"""The longest radius of a view, hull lengths of the unit that looks."""
SQUARE = 1e-9
"""A view this near to 180 degrees (rad) is one of what lies ahead."""
ViewName = Literal["wide", "limited", "narrow", "all"]
WIDE, LIMITED, NARROW, ALL = range(4)


@dataclass(frozen=True)
class View:
    """A field of view: shape, slope of its edges, radius in hull lengths of the unit."""

    name: ViewName
    shape: int
    factor: float
    radius: float
    about: str

    def __post_init__(self) -> None:
        """Raise `BadInput` for what is no view: states from files bring any number."""
        if self.shape not in (WIDE, LIMITED, NARROW, ALL) or isinstance(self.shape, float | bool):
            raise BadInput(f"view.shape = {shortened(self.shape)}: is no shape of a view")
        check_range(self.factor, "view.factor", 0.0, inf)
        check_range(self.radius, "view.radius", 0.0, FARTHEST)

    @property
    def angle(self) -> float:
        """How much of the circle is seen, radians: 2 pi for all of it."""
        return 2 * half_angle(self.shape, self.factor)

    def with_angle(self, angle: float) -> View:
        """The same view of another angle (radians). Raises `BadInput` unless 0 < angle <= 2 pi."""
        if not (in_range(angle, 0, 2 * pi * (1 + SQUARE)) and angle > 0):
            said = shortened(angle)
            raise BadInput(f"view_angle = {said}: must be greater than 0 and at most 2 pi")
        half = float(angle) / 2
        if half >= pi - SQUARE:
            return replace(self, shape=ALL, factor=0.0)
        if abs(half - pi / 2) < SQUARE:
            return replace(self, shape=LIMITED, factor=0.0)
        if half > pi / 2:
            return replace(self, shape=WIDE, factor=tan(pi - half))
        return replace(self, shape=NARROW, factor=tan(half))

    def with_radius(self, radius: float) -> View:
        """The same view of another radius, lengths. Raises `BadInput` unless finite and > 0."""
        if not (in_range(radius, 0, FARTHEST) and radius > 0):
            said = shortened(radius)
            raise BadInput(f"view_radius = {said}: must be greater than 0 and at most {FARTHEST:g}")
        return replace(self, radius=float(radius))


VIEWS: dict[str, View] = {
    "wide": View("wide", WIDE, 1.0, 200.0, "270 degrees: all but a blind wedge astern"),
    "limited": View("limited", LIMITED, 0.0, 30.0, "180 degrees: whatever is ahead"),
    "narrow": View("narrow", NARROW, 1.0, 50.0, "90 degrees: a cone ahead"),
    "all": View("all", ALL, 0.0, 200.0, "360 degrees: no field of view"),
}


def view(name: str) -> View:
    """The view of that name. Raises `BadInput` for any other."""
    if not (isinstance(name, str) and name in VIEWS):
        raise BadInput(f"view = {shortened(name)}: must be one of {', '.join(VIEWS)}")
    return VIEWS[name]


def half_angle(shape: int, factor: float) -> float:
    """From straight ahead to the edge of a view, radians: pi for a full circle (rules A2 to A4)."""
    if shape == ALL:
        return pi
    if shape == LIMITED:
        return pi / 2
    edge = atan(factor)
    return pi - edge if shape == WIDE else edge


@inlined
def in_view(shape: int, factor: float, ahead: float, starboard: float) -> bool:
    """Whether (ahead, starboard) lies within a view's angle; distances play no part.

    wide: ahead > 0, or abs(starboard) > factor x abs(ahead). limited: ahead > 0. narrow: ahead > 0
    and abs(starboard) < factor x ahead. A unit at the very same point is seen by all:
    touching is felt.
    """
    if shape == ALL or (ahead == 0.0 and starboard == 0.0):
        return True
    if shape == WIDE:
        return ahead > 0.0 or abs(starboard) > factor * abs(ahead)
    if shape == LIMITED:
        return ahead > 0.0
    return ahead > 0.0 and abs(starboard) < factor * ahead


def fold(shape: int, factor: float) -> tuple[float, float, float]:
    """A view as one comparison: side x abs(starboard) + fore x ahead > edge; returns these three.

    The same as `in_view` to the last bit (for a factor above 0), but for units at the very
    same point.
    """
    return {
        WIDE: (1.0, factor, 0.0),
        LIMITED: (0.0, 1.0, 0.0),
        NARROW: (-1.0, factor, 0.0),
        ALL: (0.0, 0.0, -1.0),
    }[shape]
