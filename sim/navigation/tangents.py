"""The shortest way for a disc among solids: its exact length.

A* over common tangents of the circles that ways wind round, with the arcs between them. Each
tangent is tried before it is known to be free: that is measured only when it comes first, so that
most are never looked at. An arc is no longer than half a turn.
"""

from __future__ import annotations

from math import atan2, hypot, pi, sqrt

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.compiled import leaf
from sim.core.shared_cache import njit
from sim.navigation.buckets import drop_least, push
from sim.navigation.distances import point_box
from sim.navigation.grid import Grid
from sim.navigation.marking import ACROSS, DOWN
from sim.navigation.rounds import CLOSE, Rounds, arc_between, arc_free, is_open
from sim.navigation.sight import sees

FIELDS = 9
CIRCLE, SENSE, ANGLE, LENGTH, FROM_X, FROM_Y, TO_X, TO_Y, BEFORE = range(FIELDS)
"""What is kept of each tangent: where it ends (circle, sense, angle; circle -1 is the goal), the
length of the way up to there, its own two ends, and the tangent before it."""
REMEMBERED = 6
"""Ways to each circle, in each sense, that others are compared with."""


@leaf
def _tangent(
    ax: float, ay: float, turn_a: float, bx: float, by: float, turn_b: float
) -> tuple[float, float, float]:
    """The straight way from one circle to another: its direction (x, y), and its length or -1.

    A turn is the radius, negative where the way winds round against the sense of angles; 0 makes a
    point of the circle.
    """
    dx, dy, k = bx - ax, by - ay, turn_a - turn_b
    square = dx * dx + dy * dy
    rest = square - k * k
    if square == 0 or rest < -CLOSE * square:
        return 0.0, 0.0, -1.0
    length = sqrt(max(rest, 0.0))
    return (length * dx - k * dy) / square, (length * dy + k * dx) / square, length


@leaf
def _rest(x: float, y: float, goal: Floats) -> float:
    """The least that may remain to a goal (5,): a rectangle, and how near to it is enough."""
    return float(max(0.0, point_box(x, y, goal[0], goal[1], goal[2], goal[3]) - goal[4]))


@leaf
def _dominated(around: Rounds, made: Floats, e: int, best: Ints, grid: Grid) -> bool:
    """Whether an earlier way to the same circle, winding on, is as short; if not, remember this."""
    c, sense, angle = int(made[e, CIRCLE]), int(made[e, SENSE]), made[e, ANGLE]
    row, slot = best[2 * c + (sense > 0)], -1
    for k in range(REMEMBERED):
        other = row[k]
        if other < 0:
            slot = k
            break
        turn = arc_between(made[other, ANGLE], angle, sense)
        longer = made[other, LENGTH] + turn * around.circle[c, 2] - made[e, LENGTH]
        shorter = turn <= pi and longer <= CLOSE * around.circle[c, 2]
        if shorter and arc_free(grid, around.circle[c], made[other, ANGLE], turn, sense):
            return True
    if slot >= 0:
        row[slot] = e
    return False


@leaf
def _is_free(grid: Grid, around: Rounds, made: Floats, e: int) -> bool:
    """Whether a hull may go the last arc and the last tangent of a way."""
    before = int(made[e, BEFORE])
    c = int(made[before, CIRCLE])
    if c >= 0:
        x, y = made[e, FROM_X] - around.circle[c, 0], made[e, FROM_Y] - around.circle[c, 1]
        sense, start = int(made[before, SENSE]), made[before, ANGLE]
        turn = arc_between(start, atan2(y, x), sense)
        if not arc_free(grid, around.circle[c], start, turn, sense):
            return False
    thin = grid.radius * (1 - CLOSE)
    return sees(grid, made[e, FROM_X], made[e, FROM_Y], made[e, TO_X], made[e, TO_Y], thin)


@leaf
def _leave(
    around: Rounds, made: Floats, e: int, dx: float, dy: float
) -> tuple[float, float, float]:
    """Where a way leaves its circle in a direction, and its length up to there; or -1."""
    c = int(made[e, CIRCLE])
    if c < 0:  # the start
        return made[e, TO_X], made[e, TO_Y], made[e, LENGTH]
    sense, radius = int(made[e, SENSE]), around.circle[c, 2]
    nx, ny = sense * dy, -sense * dx
    turn = arc_between(made[e, ANGLE], atan2(ny, nx), sense)
    if turn > pi or not is_open(around.open[c], nx, ny):
        return 0.0, 0.0, -1.0
    return (
        around.circle[c, 0] + radius * nx, around.circle[c, 1] + radius * ny,
        made[e, LENGTH] + turn * radius,
    )  # fmt: skip


@njit(cache=True, error_model="numpy", nogil=True)
def shortest(
    grid: Grid, around: Rounds, x: float, y: float, goal: Floats, points: Floats, most: float
) -> float:
    """Length of the shortest way from (x, y) to a goal; infinite if there is none below `most`.

    The goal (5,) is a rectangle, or with no extent a point, and the distance from it that is near
    enough. `points` (k, 2) lie on its edge where a way that winds round something may end.
    """
    made = np.zeros((1024, FIELDS))
    made[0, CIRCLE], made[0, TO_X], made[0, TO_Y], made[0, BEFORE] = -1, x, y, 0
    count, size = 1, 0
    keys, nodes = np.empty(1024), np.empty(1024, np.int32)
    best = np.full((2 * len(around.circle), REMEMBERED), -1)
    e = 0
    while True:
        room = 2 * len(around.circle) + len(points) + 6
        if count + room > len(made):
            made = np.concatenate((made, np.zeros((len(made) + room, FIELDS))))
            keys = np.concatenate((keys, np.empty(len(made))))
            nodes = np.concatenate((nodes, np.empty(len(made), np.int32)))
        new = _to_goal(around, made, e, count, goal, points)
        new = _to_circles(around, made, e, new, goal, most)
        for k in range(count, new):
            rest = made[k, LENGTH]
            if made[k, CIRCLE] >= 0:
                rest += _rest(made[k, TO_X], made[k, TO_Y], goal)
            if rest < most:
                size = push(keys, nodes, size, rest, k)
        count = new
        while True:
            if size == 0:
                return np.inf
            e = int(nodes[0])
            size = drop_least(keys, nodes, size)
            if _is_free(grid, around, made, e):
                if made[e, CIRCLE] < 0:
                    return float(made[e, LENGTH])
                if not _dominated(around, made, e, best, grid):
                    break


@leaf
def _origin(around: Rounds, made: Floats, e: int) -> tuple[float, float, float]:
    """What the tangents of a way touch first: the circle that it ends on, and its turn there."""
    c = int(made[e, CIRCLE])
    if c < 0:  # the start
        return made[e, TO_X], made[e, TO_Y], 0.0
    return around.circle[c, 0], around.circle[c, 1], around.circle[c, 2] * made[e, SENSE]


@njit(cache=True, error_model="numpy", nogil=True)
def _to_circles(around: Rounds, made: Floats, e: int, at: int, goal: Floats, most: float) -> int:
    """Write the tangents from the end of a way to all circles from row `at`; the next free row."""
    c = int(made[e, CIRCLE])
    ax, ay, turn = _origin(around, made, e)
    for j in range(len(around.circle)):
        bx, by, radius = around.circle[j]
        least = hypot(bx - made[e, TO_X], by - made[e, TO_Y]) - radius
        if j == c or made[e, LENGTH] + least + _rest(bx, by, goal) - radius >= most:
            continue
        for sense in (-1, 1):
            dx, dy, length = _tangent(ax, ay, turn, bx, by, radius * sense)
            nx, ny = sense * dy, -sense * dx
            if length < 0 or not is_open(around.open[j], nx, ny):
                continue
            px, py, done = _leave(around, made, e, dx, dy)
            if done < 0:
                continue
            row = made[at]
            row[CIRCLE], row[SENSE], row[ANGLE] = j, sense, atan2(ny, nx)
            row[LENGTH], row[BEFORE] = done + length, e
            row[FROM_X], row[FROM_Y] = px, py
            row[TO_X], row[TO_Y] = bx + radius * nx, by + radius * ny
            at += 1
    return at


@njit(cache=True, error_model="numpy", nogil=True)
def _to_goal(around: Rounds, made: Floats, e: int, at: int, goal: Floats, points: Floats) -> int:
    """Write the last stretches of ways from row `at`: the next free row.

    Straight at the point, to the edge of its disc; straight across a side of the rectangle; to the
    points of the edge.
    """
    ax, ay, turn = _origin(around, made, e)
    for k in range(len(points) + 5):
        if k < 4:  # across a side, which of a point has no extent
            dx, dy = float(ACROSS[2 * k]), float(DOWN[2 * k])
            px, py, done = _leave(around, made, e, dx, dy)
            if dx != 0:
                length = (goal[0] - px) if k == 0 else (px - goal[2])
                misses = py < goal[1] or py > goal[3]
            else:
                length = (goal[1] - py) if k == 1 else (py - goal[3])
                misses = px < goal[0] or px > goal[2]
            if misses:
                continue
            enough = goal[4]
        else:
            tx, ty = (goal[0], goal[1]) if k == 4 else (points[k - 5, 0], points[k - 5, 1])
            dx, dy, length = _tangent(ax, ay, turn, tx, ty, 0.0)
            px, py, done = _leave(around, made, e, dx, dy)
            enough = goal[4] if k == 4 else 0.0
            if k == 4 and (goal[0] < goal[2] or goal[1] < goal[3]):
                continue
        if done < 0 or length < enough:
            continue
        row = made[at]
        row[CIRCLE], row[LENGTH], row[BEFORE] = -1, done + length - enough, e
        row[FROM_X], row[FROM_Y] = px, py
        row[TO_X], row[TO_Y] = px + (length - enough) * dx, py + (length - enough) * dy
        at += 1
    return at
