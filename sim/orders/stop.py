"""Stops: places of a route where units stay before they go on."""

from __future__ import annotations

from typing import Any, NamedTuple

from sim.core.errors import BadInput, shortened
from sim.core.limits import LARGEST, in_range


class Stop(NamedTuple):
    """A place of a route where units stay before they go on."""

    x: float
    y: float
    wait: float = 0.0
    """Seconds that each stays there."""
    serve: float = 0.0
    """Seconds that each is served there, one at a time, in the order in which they come."""


def places_of(route: object) -> Any:
    """A route with its stops as mere places."""
    if not isinstance(route, list | tuple):
        return route
    return [place[:2] if isinstance(place, Stop) else place for place in route]


def stays_at(route: object) -> tuple[tuple[float, ...], ...]:
    """The seconds that units stay at each place of a route, 1 where they are served, and 0.

    The third number is for the heading of a formation, which is set later. Raises `BadInput` that
    begins with `goal.route`.
    """
    found = []
    for place in route if isinstance(route, list | tuple) else ():
        stop = place if isinstance(place, Stop) else Stop(0.0, 0.0)
        for name in ("wait", "serve"):
            seconds = getattr(stop, name)
            if not in_range(seconds, 0, LARGEST):
                raise BadInput(f"goal.route: {name} = {shortened(seconds)}: must be 0 s or more")
        if stop.wait and stop.serve:
            raise BadInput("goal.route: a stop has wait or serve, not both")
        found.append((float(stop.wait or stop.serve), float(stop.serve > 0), 0.0))
    return tuple(found)


def touched_once(
    way: tuple[Any, ...], stays: tuple[tuple[float, ...], ...]
) -> tuple[tuple[Any, ...], tuple[tuple[float, ...], ...]]:
    """A way and what `stays_at` says of it without the places that lie where the one before lies.

    Of places that follow each other at one point those at which units stay are left, or the first.
    """
    none = (0.0, 0.0, 0.0)
    kept: list[tuple[Any, tuple[float, ...]]] = []
    # A route of one point (x, y) has a stay for each number: the second is left out.
    for place, stay in zip(way, stays or [none] * len(way), strict=False):
        if kept and kept[-1][0] == place and not (kept[-1][1][0] and stay[0]):
            kept[-1] = place, max(stay, kept[-1][1])
        else:
            kept.append((place, stay))
    return tuple(place for place, _ in kept), tuple(stay for _, stay in kept) if stays else ()
