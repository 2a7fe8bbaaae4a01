"""Flow fields: one for a destination guides any number of units.

A field holds the distance to the destination at every node of the planning grid. A unit looks at
the square ring of nodes around it, one to two steps away, and heads for that point of the ring from
which the way is shortest, the step there included (distances are linear between neighbouring
nodes); only for points to which a hull may go straight. So no unit is sent into a wall. Where the
destination is in line of sight, it is straight ahead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot, sqrt

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats
from sim.core.compiled import Kernel, leaf
from sim.core.errors import BadInput, shortened
from sim.core.lattice import cell_of
from sim.navigation.beyond import from_beyond, onto
from sim.navigation.costs import straight_is_cheap, weigh
from sim.navigation.grid import Grid
from sim.navigation.joined import FROM_A_WALL
from sim.navigation.marching import march, sow
from sim.navigation.passages import Passages
from sim.navigation.search import beside_place, is_beyond, nearest_node
from sim.navigation.sight import sees, thickness_at
from sim.navigation.through import Through
from sim.navigation.wrapping import inside

AT_ONCE: Floats = np.zeros((0, 0))
"""The slowness of a ground where no unit is in the way."""
STRAIGHT, NEAR = 1.05, 6
"""The destination may be in sight if the way by the field is at most this many times the straight
way, and this many steps more, to the ring and back."""
AT = 0.1
"""A unit so near to a node, in steps, looks beyond it."""


@dataclass(frozen=True, eq=False)
class FlowField:
    """Distances to a destination for the hulls of a grid. Make one with `flow_field`.

    `targets` (k, 4) are left, top, right, bottom; points have no extent. `distance` (rows, columns)
    is in world units along the ground, infinite at nodes from which there is no way. `reason` tells
    why no way leads there from anywhere, "" otherwise. Where one gets on slowly, distances count as
    many times as `slowness` (rows, columns) says, 1 or more; it is empty where one nowhere does.
    """

    grid: Grid
    targets: Floats
    distance: Floats
    reason: str = ""
    slowness: Floats = field(default_factory=lambda: AT_ONCE)
    through: Through | None = None
    """The next passage on the way from each node, where the ground has any."""
    passages: Passages | None = None  # the passages that `through` numbers
    steps: Floats = field(default_factory=lambda: AT_ONCE)  # `distance` as it was marched
    over_areas: bool = False
    """Whether the ground itself is slow: what is in sight may be reached sooner by a way round."""

    def sample(self, positions: Floats) -> tuple[Floats, Floats]:
        """Where to go from each of (n, 2) positions: points (n, 2), and how far it is in all (n,).

        A point is one or two steps of the lattice away, and a hull may go straight there; it is the
        destination where that is in sight. The position itself for units that are there, and where
        no way leads on: what remains is infinite then. Raises `BadInput` where one is not finite.
        """
        if not np.isfinite(positions).all():  # on a torus a ray from NaN has no end
            raise BadInput("positions: must be finite numbers")
        aim, remaining = np.empty((len(positions), 2)), np.empty(len(positions))
        marched = self.distance, self.slowness, self.targets
        sample(positions, self.grid, marched, self.over_areas, aim, remaining)
        return aim, remaining


def flow_field(
    grid: Grid, destination: ArrayLike, slowness: Floats = AT_ONCE, over_areas: bool = False
) -> FlowField:
    """The field that leads to a point (2,), the nearest of several (k, 2), or a region.

    A region is (4,) or (k, 4): left, top, right, bottom. Raises `BadInput` for anything else.
    `slowness` and `over_areas` are as in `FlowField`.
    """
    targets = as_targets(destination)
    distance = np.full(grid.free.shape, np.inf)
    reason = sow(grid, targets, distance)
    over_areas = over_areas and slowness.size > 0
    if over_areas:
        weigh(grid, targets, slowness, distance)
    march(grid, distance, slowness, over_areas)
    there = distance * grid.step[0]
    return FlowField(grid, targets, there, reason, slowness, steps=distance, over_areas=over_areas)


def as_targets(destination: ArrayLike) -> Floats:
    """A destination as rectangles (k, 4), as `FlowField.targets`."""
    places = np.atleast_2d(np.asarray(destination, dtype=float))
    said = f"destination = {shortened(destination)}: must be"
    if places.ndim != 2 or places.shape[1] not in (2, 4) or not len(places):
        raise BadInput(f"{said} x, y or left, top, right, bottom")
    if places.shape[1] == 2:
        places = places[:, [0, 1, 0, 1]]
    if not np.isfinite(places).all() or (places[:, :2] > places[:, 2:]).any():
        raise BadInput(f"{said} finite, left <= right, top <= bottom")
    return places


@leaf
def _along(
    px: float, py: float, ax: float, ay: float, bx: float, by: float, at_a: float, at_b: float
) -> tuple[float, float]:
    """Which share of the way from a to b is best to head for from p, and what then remains.

    `at_a` and `at_b` remain at the ends; one of them may be infinite.
    """
    wide = hypot(bx - ax, by - ay)
    if at_b == np.inf or at_a == np.inf:
        share = 0.0 if at_b == np.inf else 1.0
    else:
        ux, uy = (bx - ax) / wide, (by - ay) / wide
        foot = (px - ax) * ux + (py - ay) * uy
        high = abs((px - ax) * uy - (py - ay) * ux)
        slope = (at_b - at_a) / wide
        if abs(slope) >= 1:
            share = 0.0 if slope > 0 else 1.0
        else:
            share = min(1.0, max(0.0, (foot - slope * high / sqrt(1 - slope * slope)) / wide))
    x, y = ax + share * (bx - ax), ay + share * (by - ay)
    rest = at_a if share == 0 else at_b if share == 1 else at_a + share * (at_b - at_a)
    return share, rest + hypot(x - px, y - py)


RING = np.array([(-1, -1), (0, -1), (1, -1), (2, -1), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2),
                 (-1, 2), (-1, 1), (-1, 0), (-1, -1)])  # fmt: skip
"""The nodes around a cell's own four, clockwise, as (column, row) from its first."""
SIDE = np.array([0, 0, 0, 2, 2, 2, 4, 4, 4, 6, 6, 6])
"""The exit that leads from each of them to the next."""


@leaf
def _get(distance: Floats, row: int, column: int, wraps: bool) -> float:
    """The distance at a node; infinite beyond the lattice."""
    ny, nx = distance.shape
    if wraps:
        return float(distance[row % (ny - 1), column % (nx - 1)])
    return distance[row, column] if 0 <= column < nx and 0 <= row < ny else np.inf


@leaf
def _least(distance: Floats, column: int, row: int, wraps: bool) -> int:
    """Which node of the ring around a cell has the least distance; the first of several."""
    least, found = np.inf, 0
    for k in range(12):
        here = _get(distance, row + RING[k, 1], column + RING[k, 0], wraps)
        if here < least:
            least, found = here, k
    return found


@leaf
def _ahead(
    grid: Grid, distance: Floats, slowness: Floats, x: float, y: float
) -> tuple[float, float, float]:
    """The point to head for from (x, y), and what remains; infinite if there is none."""
    ny, nx = grid.free.shape
    wraps, from_x, from_y = grid.period[0] > 0, x, y
    x, y = inside(grid, x, y)
    from_x, from_y = from_x - x, from_y - y
    u, v = (x - grid.origin[0]) / grid.step[0], (y - grid.origin[1]) / grid.step[1]
    cx, cy = cell_of(u, nx - 1), cell_of(v, ny - 1)
    clear = grid.gap[cy, cx] > 1  # the ring and all that it encloses
    slow = slowness[cy, cx] if slowness.size else 1.0
    thin = grid.radius if clear else thickness_at(grid, x, y)
    best, to_x, to_y = np.inf, x, y
    least, size = _least(distance, cx, cy, wraps), min(grid.step[0], grid.step[1])
    for n in range(12):
        k = (least + n + 11) % 12
        c, r = cx + RING[k, 0], cy + RING[k, 1]
        d, s = cx + RING[k + 1, 0], cy + RING[k + 1, 1]
        here = _get(distance, r, c, wraps) / slow
        there = _get(distance, s, d, wraps) / slow
        if min(here, there) + size >= best or min(here, there) == np.inf:
            continue
        if max(here, there) < np.inf:  # else one of them may lie beyond the lattice
            exits = grid.exits[r % (ny - 1), c % (nx - 1)] if wraps else grid.exits[r, c]
            if not exits >> SIDE[k] & 1:
                here, there = (here, np.inf) if here <= there else (np.inf, there)
        ax, ay = grid.origin[0] + c * grid.step[0], grid.origin[1] + r * grid.step[1]
        bx, by = grid.origin[0] + d * grid.step[0], grid.origin[1] + s * grid.step[1]
        share, rest = _along(x, y, ax, ay, bx, by, here, there)
        if rest < best:
            px, py = ax + share * (bx - ax), ay + share * (by - ay)
            if clear or sees(grid, x, y, px, py, thin):
                best, to_x, to_y = rest, px, py
    for k in range(0 if clear else 4):  # round a corner the ring may not be in sight
        c, r = cx + (k & 1), cy + (k >> 1)
        px, py = grid.origin[0] + c * grid.step[0], grid.origin[1] + r * grid.step[1]
        away = hypot(px - x, py - y)
        rest = distance[r, c] / slow + away
        if away > AT * size and rest < best and sees(grid, x, y, px, py, thin):
            best, to_x, to_y = rest, px, py
    if best < np.inf:
        return from_x + to_x, from_y + to_y, best * slow
    node = nearest_node(grid, x, y, FROM_A_WALL * grid.radius + max(grid.step[0], grid.step[1]))
    if node < 0 or distance.flat[node] == np.inf:
        return from_x + x, from_y + y, np.inf
    to_x, to_y = beside_place(grid, node, x, y)
    return from_x + to_x, from_y + to_y, distance.flat[node] + hypot(to_x - x, to_y - y)


@leaf
def from_place(grid: Grid, marched, over_areas, x, y):  # type: ignore[no-untyped-def]
    """Where to go from (x, y) and what remains; `marched` are a field's arrays, as in `sample`."""
    distance, slowness, targets = marched
    straight, gx, gy = np.inf, x, y
    for k in range(len(targets)):
        px = onto(x, targets[k, 0], targets[k, 2], grid.period[0])
        py = onto(y, targets[k, 1], targets[k, 3], grid.period[1])
        if hypot(px - x, py - y) < straight:
            straight, gx, gy = hypot(px - x, py - y), px, py
    beyond, base = is_beyond(grid, x, y), slowness[0, 0] if over_areas else 1.0
    to_x, to_y, rest = x, y, np.inf
    if not beyond:
        to_x, to_y, rest = _ahead(grid, distance, slowness, x, y)
    elif over_areas:
        to_x, to_y, rest = from_beyond(grid, distance, x, y, base)
    slack = NEAR * max(grid.step[0], grid.step[1])
    direct = rest <= STRAIGHT * straight + slack
    if over_areas:
        direct = straight <= slack or straight_is_cheap(grid, slowness, x, y, gx, gy, rest)
    if (direct or rest == np.inf) and sees(grid, x, y, gx, gy, thickness_at(grid, x, y)):
        to_x, to_y, rest = gx, gy, straight
    elif beyond:
        to_x, to_y, rest = from_beyond(grid, distance, x, y, base)
    return to_x, to_y, rest


@Kernel
def sample(begin, end, positions, grid, marched, over_areas, aim, remaining):  # type: ignore[no-untyped-def]
    """Fill `aim` (n, 2) and `remaining` (n,) for positions (n, 2); see `FlowField.sample`.

    `marched` are the distances, the slowness and the targets of a field.
    """
    for i in range(begin, end):
        x, y = positions[i, 0], positions[i, 1]
        to_x, to_y, rest = from_place(grid, marched, over_areas, x, y)
        aim[i, 0], aim[i, 1], remaining[i] = to_x, to_y, rest
