"""Whether units can get to where they are sent, among solids or within walls alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import kinds
from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.navigation.beyond import inside_bounds, room_of
from sim.navigation.grid import Grid, place_of
from sim.navigation.joined import joined_within, nearest_reached, parts_at
from sim.navigation.renewal import EVERYWHERE
from sim.navigation.sight import SLACK, in_sight, rooms_at
from sim.navigation.wrapping import nearest_offset
from sim.orders.goal import Goal

WITHIN = 0.9
"""A place that cannot be reached will do if a unit gets within this share of the tolerance."""


def inside_walls(
    plane: Plane, radius: float, goal: Goal, places: Floats, tolerance: float
) -> tuple[Floats, str]:
    """Where hulls of that radius are led that are sent to `places` (m, 2), and what to say of it.

    Those are the places, or the nearest inside the walls if the goal says `nearest` or that is as
    good. Raises `BadInput` for a place outside else, and for a region that is wholly outside.
    """
    if plane.walls is None:
        return places, ""
    room = np.array(plane.walls).reshape(2, 2)
    middle = room.mean(axis=0)
    low, high = np.minimum(room[0] + radius, middle), np.maximum(room[1] - radius, middle)
    led = np.clip(places, low, high)
    short = np.hypot(*(led - places).T) > WITHIN * tolerance
    if goal.region is not None:
        left, top, right, bottom = goal.region
        outside = left > high[0] or right < low[0] or top > high[1] or bottom < low[1]
        short[:] = outside
    if not short.any():
        return places, ""
    worst = int(np.flatnonzero(short)[0])
    what = shown(places[worst]) if goal.region is None else f"the region {goal.region}"
    reason = f"{what} is outside the walls for a hull of radius {radius:g}"
    if not goal.nearest:
        raise BadInput(f"goal: {reason}")
    return led, f"{reason}: the nearest place is {shown(led[worst])}"


def shown(place: Floats) -> str:
    """A place (2,) as a text."""
    x, y = place.tolist()
    return f"({x:g}, {y:g})"


NOWHERE = -1


class Reach(NamedTuple):
    """Where k legs, from one place to the next, can end."""

    points: Floats
    """(k, 2) the place itself, or the nearest to it that can be reached."""
    off: Floats
    """(k,) how far that is from the place; infinite where not even the start has room."""
    seen: Bools
    """(k,) whether the place is in sight of the start, though no nodes of the grid join the two."""


def reach(grid: Grid, starts: Floats, goals: Floats, near: float = np.inf) -> Reach:
    """Where hulls from starts (k, 2) can get that are sent to goals (k, 2).

    They do not get to a goal so near to a solid, or inside one, that they come no nearer to it than
    `near`, world units.
    Units that have left, at NaN, are taken to get there: on a torus a ray from NaN has no end.
    """
    asked, goals = goals, inside_bounds(grid, goals)
    off = np.hypot(*(goals - asked).T) if goals is not asked else np.zeros(len(goals))
    found = Reach(goals.copy(), off, np.zeros(len(goals), np.bool_))
    there = np.flatnonzero(np.isfinite(starts).all(axis=1) & np.isfinite(goals).all(axis=1))
    number, firsts = kinds(goals[there])
    of = parts_at(grid, np.concatenate([starts[there], goals[there[firsts]]]))
    begins, reached = of[: len(there)], of[len(there) :][number]
    barred = grid.radius - rooms_at(grid, goals[there[firsts]]) > near
    apart = np.flatnonzero((begins == NOWHERE) | (begins != reached) | barred[number])
    if not len(apart):
        return found
    seen = in_sight(grid, starts[there[apart]], goals[there[apart]])
    found.seen[there[apart]] = seen
    apart = apart[~seen]
    known: dict[tuple[float, float, int], tuple[float, float]] = {}
    for k, part in zip(there[apart].tolist(), begins[apart].tolist(), strict=True):
        if part == NOWHERE:
            found.off[k] = np.inf
        else:
            x, y = asked[k].tolist()
            if (x, y, part) not in known:
                known[x, y, part] = place_of(grid, nearest_reached(grid, part, x, y))
            found.points[k] = known[x, y, part]
            found.off[k] = np.hypot(*nearest_offset(grid, found.points[k] - asked[k]))
    return found


def middles(grid: Grid, regions: Floats) -> Floats:
    """(k, 2) the middles of regions (k, 4), or of what a hull has room in within the bounds."""
    low, high = room_of(grid)
    middle = (regions[:, :2] + regions[:, 2:]) / 2
    first, last = np.maximum(regions[:, :2], low), np.minimum(regions[:, 2:], high)
    outside = ((middle < low) | (middle > high)).any(axis=1) & (first <= last).all(axis=1)
    middle[outside] = ((first + last) / 2)[outside]
    return middle


def parts_of(grid: Grid, starts: Floats) -> Ints:
    """The parts of the grid that the starts (n, 2) are joined to."""
    of = np.unique(parts_at(grid, starts))
    found: Ints = of[of != NOWHERE]
    return found


def joined(grid: Grid, among: Ints, places: Floats) -> Bools:
    """(k,) which of the places (k, 2) are joined to one of these parts of the grid."""
    return np.isin(parts_at(grid, places), among)


def falls_short(
    grid: Grid, starts: Floats, places: Floats, region: Sequence[float] | None, tolerance: float
) -> tuple[Reach, Bools]:
    """Where units get, from starts (m, 2) to places (m, 2), and which do not get there.

    There is within the tolerance of its place, or inside the region.
    """
    if region is not None:
        found = reach(grid, starts, places, 0.0)
        return found, barred_from(grid, starts, region, found.seen)
    found = reach(grid, starts, places, WITHIN * tolerance)
    return found, found.off > WITHIN * tolerance


def barred_from(
    grid: Grid, starts: Floats, region: Sequence[float] | Floats, seen: Bools
) -> Bools:  # fmt: skip
    """(k,) from which starts (k, 2) no hull gets inside left, top, right, bottom.

    Its centre is to come in: that counts. One that has `seen` it (k,) goes straight there, and
    units that have left, at NaN, are taken to get there.
    """
    barred: Bools = ~np.isin(parts_at(grid, starts), _parts_inside(grid, region)) & ~seen
    return barred & np.isfinite(starts).all(axis=1)


def has_room(grid: Grid, region: Sequence[float] | Floats) -> bool:
    """Whether the centre of a hull can be anywhere inside left, top, right, bottom."""
    return len(_parts_inside(grid, region)) > 0


def _parts_inside(grid: Grid, region: Sequence[float] | Floats) -> Ints:
    """The parts that a hull whose centre is inside left, top, right, bottom can stand in."""
    return np.concatenate([_parts_in(grid, region), _parts_between(grid, region)])


def _parts_between(grid: Grid, region: Sequence[float] | Floats) -> Ints:
    """The parts that places inside, beside the nodes, are joined to where a hull has room.

    Those are places along the sides and the middle lines: a strip may be narrower than the nodes
    are apart.
    """
    x, y = _lines(grid, region, 0), _lines(grid, region, 1)
    lattices = np.meshgrid(x[:3], y), np.meshgrid(x, y[:3])
    places = np.concatenate([np.stack(each, axis=-1).reshape(-1, 2) for each in lattices])
    found = parts_at(grid, places[rooms_at(grid, places) >= grid.radius * SLACK])
    return np.unique(found[found != NOWHERE])


def _lines(grid: Grid, region: Sequence[float] | Floats, axis: int) -> Floats:
    """(3 + k,) both ends of a region along an axis, its middle, and the nodes between them."""
    low, high, nodes = region[axis], region[axis + 2], _nodes(grid, region, axis)
    return np.concatenate([[low, high, (low + high) / 2], nodes[(nodes >= low) & (nodes <= high)]])


def _parts_in(grid: Grid, region: Sequence[float] | Floats) -> Ints:
    """The parts that have nodes inside left, top, right, bottom."""
    x, y = _nodes(grid, region, 0), _nodes(grid, region, 1)
    across = (x >= region[0]) & (x <= region[2])
    down = (y >= region[1]) & (y <= region[3])
    within = np.unique(grid.label[np.ix_(down, across)])
    found: Ints = within[within != NOWHERE]
    return found


def _nodes(grid: Grid, region: Sequence[float] | Floats, axis: int) -> Floats:
    """(k,) where all nodes are along an axis; on a torus, their images nearest to a region."""
    count = grid.free.shape[1 - axis]
    nodes: Floats = grid.origin[axis] + np.arange(count) * grid.step[axis]
    period = grid.period[axis]
    if period > 0:
        nodes -= period * np.rint((nodes - (region[axis] + region[axis + 2]) / 2) / period)
    return nodes


def told_apart(before: Grid | None, grid: Grid, box: Floats, targets: Floats) -> Floats:
    """(4,) left, top, right, bottom: only units there can be newly cut off, or newly joined.

    From or to targets (m, 4), boxes too; of a point left is right and top is bottom. `before` is
    the grid before the ground changed, and `box` where it is `reshaped`. Units that are cut off
    already are not meant, nor units that only see their target. Others of another part than their
    target come as near to it as they can: so everywhere, too, unless what has changed and the
    targets are all of one part.
    """
    if before is None or not np.isfinite(box).all():
        return box
    over = (targets[:, :2] <= box[2:]).all(axis=1) & (targets[:, 2:] >= box[:2]).all(axis=1)
    if (targets[over, :2] < targets[over, 2:]).any():
        return np.array(EVERYWHERE)
    inwards = np.tile(joined_within(grid) + 0.5 * grid.step, 2) * (1, 1, -1, -1)
    middle = (targets[:, :2] + targets[:, 2:]) / 2
    changed = [_parts_in(each, box + inwards) for each in (before, grid)]
    of = np.concatenate([*changed, parts_at(before, middle[over]), parts_at(grid, middle)])
    return np.array(EVERYWHERE) if len(np.unique(of)) > 1 else box
