"""Flow fields: one for a destination guides any number of units.

A field holds the distance to the destination at every node of the planning grid. A unit looks at
the square ring of nodes around it, one to two steps away, and heads for that point of the ring from
which the way is shortest, the step there included (distances are linear between neighbouring
nodes); only for points to which a hull may go straight. So no unit is sent into a wall. Where the
destination is in line of sight, it is straight ahead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats
from sim.core.compiled import Kernel, leaf
from sim.core.errors import BadInput, shortened
from sim.navigation.beyond import from_beyond, onto
from sim.navigation.costs import measure, straight_is_cheap, weigh
from sim.navigation.grid import Grid
from sim.navigation.marching import march, sow
from sim.navigation.passages import Passages
from sim.navigation.ring import by_ring
from sim.navigation.search import is_beyond
from sim.navigation.sight import sees, thickness_at
from sim.navigation.through import Through

AT_ONCE: Floats = np.zeros((0, 0))
"""The slowness of a ground where no unit is in the way."""
STRAIGHT, SLACK = 1.05, 6
"""The destination may be in sight if the way by the field is at most this many times the straight
way, and this many steps more, to the ring and back."""


@dataclass(frozen=True, eq=False)
class FlowField:
    """What the ways to a destination cost the hulls of a grid. Make one with `flow_field`.

    `targets` (k, 4) are left, top, right, bottom; points have no extent. `distance` (rows, columns)
    is what the cheapest way from each node costs: its length in world units, each part of it times
    the `slowness` (rows, columns) there; infinite where there is no way. `slowness` is empty where
    one gets on slowly nowhere; then that is the length. `reason` tells why no way leads there from
    anywhere, "" otherwise.
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
    own_lengths: Floats = field(default_factory=lambda: AT_ONCE)
    """(rows, columns) the `lengths` over such ground; empty elsewhere."""

    @property
    def lengths(self) -> Floats:
        """(rows, columns) how long the way from each node is, world units.

        Over areas as it is; elsewhere it is `distance`, in which the time in queues counts.
        """
        return self.own_lengths if self.over_areas else self.distance

    @property
    def marched(self) -> tuple[Floats, Floats, Floats, Floats]:
        """What kernels take: `distance`, `lengths`, slowness and targets."""
        return self.distance, self.lengths, self.slowness, self.targets

    def sample(self, positions: Floats) -> tuple[Floats, Floats]:
        """Where to go from each of (n, 2) positions: points (n, 2), and how long the way is (n,).

        A point is one or two steps of the lattice away, and a hull may go straight there; it is the
        destination where that is in sight. The position itself for units that are there, and where
        no way leads on: what remains is infinite then. Raises `BadInput` where one is not finite.
        """
        if not np.isfinite(positions).all():  # on a torus a ray from NaN has no end
            raise BadInput("positions: must be finite numbers")
        aim, remaining = np.empty((len(positions), 2)), np.empty(len(positions))
        sample(positions, self.grid, self.marched, self.over_areas, aim, remaining)
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
    if not (over_areas and slowness.size):
        march(grid, distance, slowness, False)
        there = distance * grid.step[0]
        return FlowField(grid, targets, there, reason, slowness, steps=distance)
    length = distance.copy()
    weigh(grid, targets, slowness, distance)
    straight = distance.copy()
    march(grid, distance, slowness, True)
    length[distance < straight] = np.inf
    measure(grid, slowness, distance, np.argsort(distance, axis=None, kind="stable"), length)
    there, own = distance * grid.step[0], length * grid.step[0]
    return FlowField(
        grid, targets, there, reason, slowness, steps=distance, over_areas=True, own_lengths=own
    )


def as_targets(destination: ArrayLike) -> Floats:
    """A destination as rectangles (k, 4), as `FlowField.targets`."""
    places = np.atleast_2d(np.asarray(destination, dtype=float))
    said = f"destination = {shortened(destination)}: must be"
    if places.ndim != 2 or places.shape[1] not in (2, 4) or not len(places):
        raise BadInput(f"{said} x, y or left, top, right, bottom")
    if places.shape[1] == 2:
        places = np.hstack([places, places])
    if not np.isfinite(places).all() or (places[:, :2] > places[:, 2:]).any():
        raise BadInput(f"{said} finite, left <= right, top <= bottom")
    return places


@leaf
def from_place(grid: Grid, marched, over_areas, x, y):  # type: ignore[no-untyped-def]
    """Where to go from (x, y) and how long the way is; `marched` as in `FlowField.marched`."""
    distance, lengths, slowness, targets = marched
    straight, gx, gy = np.inf, x, y
    for k in range(len(targets)):
        px = onto(x, targets[k, 0], targets[k, 2], grid.period[0])
        py = onto(y, targets[k, 1], targets[k, 3], grid.period[1])
        if hypot(px - x, py - y) < straight:
            straight, gx, gy = hypot(px - x, py - y), px, py
    beyond, base = is_beyond(grid, x, y), slowness[0, 0] if over_areas else 1.0
    to_x, to_y, rest, length = x, y, np.inf, np.inf
    if not beyond:
        to_x, to_y, rest, length = by_ring(grid, marched, x, y)
    elif over_areas:
        to_x, to_y, rest, length = from_beyond(grid, distance, lengths, x, y, base)
    slack = SLACK * max(grid.step[0], grid.step[1])
    direct = rest <= STRAIGHT * straight + slack
    if over_areas:
        direct = straight <= slack or straight_is_cheap(grid, slowness, x, y, gx, gy, rest)
    if (direct or rest == np.inf) and sees(grid, x, y, gx, gy, thickness_at(grid, x, y)):
        to_x, to_y, length = gx, gy, straight
    elif beyond:
        to_x, to_y, rest, length = from_beyond(grid, distance, lengths, x, y, base)
    return to_x, to_y, length


@Kernel
def sample(begin, end, positions, grid, marched, over_areas, aim, remaining):  # type: ignore[no-untyped-def]
    """Fill `aim` (n, 2) and `remaining` (n,) for positions (n, 2); see `FlowField.sample`.

    `marched` is as in `FlowField.marched`.
    """
    for i in range(begin, end):
        x, y = positions[i, 0], positions[i, 1]
        to_x, to_y, rest = from_place(grid, marched, over_areas, x, y)
        aim[i, 0], aim[i, 1], remaining[i] = to_x, to_y, rest
