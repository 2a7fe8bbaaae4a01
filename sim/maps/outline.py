"""From solid tiles to as few shapes as possible: edges along the walls, and boxes that fill them.

A body that slides over two shapes side by side can catch where they meet, however well they line
up. So the walls that bodies touch are edges, each as long as the wall is straight, and each knows
the corners its neighbours end at (what Chipmunk calls a segment's neighbours). The boxes fill what
the edges enclose; they are measured against, drawn, and hit by whatever gets through an edge. A
rectangle that stands alone needs no edges.
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from sim.core.arrays import Bools, Ints

EAST, SOUTH, WEST, NORTH = 0, 1, 2, 3
STEP = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)])
"""One tile on in each direction, (column, row)."""


def edges(solid: Bools) -> Ints:
    """Straight walls between solid and free tiles, (k, 8), in tiles: x and y of four corners.

    An edge runs from the second corner to the third with the solid on its right as seen on screen;
    the first is where the edge before it starts, the fourth where the next one ends. Where solids
    touch at a corner only, they count as one: nothing passes between them. The map's own border is
    no edge, and an edge that ends there is continued in its own direction.
    """
    across = _runs(solid[:-1].astype(np.int8) - solid[1:])
    down = _runs((solid[:, 1:].astype(np.int8) - solid[:, :-1]).T)
    parts = [
        _directed(across[across[:, 3] < 0], EAST),
        _directed(across[across[:, 3] > 0], WEST),
        _directed(down[down[:, 3] < 0], SOUTH),
        _directed(down[down[:, 3] > 0], NORTH),
    ]
    start, end = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    direction = np.repeat([EAST, WEST, SOUTH, NORTH], [len(part[0]) for part in parts])
    follower = _followers(start, end, direction, solid.shape[1] + 1)
    after, before = end + STEP[direction], start - STEP[direction]
    has = np.flatnonzero(follower >= 0)
    after[has] = end[follower[has]]
    before[follower[has]] = start[has]
    return np.hstack([before, start, end, after])


def corners(solid: Bools) -> int:
    """How many corners the walls between solid and free tiles have, counted in little memory."""
    a, b, c, d = solid[:-1, :-1], solid[:-1, 1:], solid[1:, :-1], solid[1:, 1:]
    odd, across = a ^ b ^ c ^ d, (a == d) & (b == c) & (a != b)
    return int(np.count_nonzero(odd)) + 2 * int(np.count_nonzero(across))


def boxes(solid: Bools) -> Ints:
    """Boxes that cover the solid tiles, none twice: (k, 4), in tiles, left, top, right, bottom.

    Runs of solid tiles along the rows, equal runs in rows below one another as one box; or the same
    by columns, whichever takes fewer.
    """
    by_rows, by_columns = _stacked(solid), _stacked(solid.T)
    if len(by_rows) <= len(by_columns):
        return by_rows
    return by_columns[:, [1, 0, 3, 2]]


def alone(solid: Bools) -> Bools:
    """Which tiles, (rows, columns), make rectangles that touch no other, not at corners either."""
    labels, count = scipy.ndimage.label(solid, np.ones((3, 3)))
    around = scipy.ndimage.find_objects(labels)
    room = [(down.stop - down.start) * (across.stop - across.start) for down, across in around]
    tiles = np.bincount(labels.ravel(), minlength=count + 1)
    found: Bools = (tiles == [-1, *room])[labels]  # label 0 is what is not solid
    return found


def _runs(steps: NDArray[np.int8]) -> Ints:
    """Runs of equal values other than 0 along the rows: (k, 4) row, first, one past, value."""
    padded = np.pad(steps, ((0, 0), (1, 1)))
    changes = padded[:, 1:] != padded[:, :-1]
    row, at = np.nonzero(changes)
    value = padded[row, at + 1]
    # A run ends where the next one begins; in a row the last change is the end of its last run.
    begins = np.flatnonzero(value != 0)
    found = np.stack([row[begins], at[begins], at[begins + 1], value[begins]], axis=1)
    return found.astype(np.int64).reshape(-1, 4)


def _directed(runs: Ints, direction: int) -> tuple[Ints, Ints]:
    """Start and end corners (k, 2) of runs of walls; line n lies between tiles n and n + 1."""
    line, low, high = runs[:, 0] + 1, runs[:, 1], runs[:, 2]
    if direction in (EAST, WEST):
        first, last = np.stack([low, line], axis=1), np.stack([high, line], axis=1)
    else:
        first, last = np.stack([line, low], axis=1), np.stack([line, high], axis=1)
    return (first, last) if direction in (EAST, SOUTH) else (last, first)


def _followers(start: Ints, end: Ints, direction: Ints, columns: int) -> Ints:
    """Which edge goes on where each one ends, -1 for none: to the left where there is a choice."""
    key = (start[:, 1] * columns + start[:, 0]) * 4 + direction
    order = np.argsort(key)
    ordered = key[order]
    corner = (end[:, 1] * columns + end[:, 0]) * 4
    follower = np.full(len(start), -1, dtype=np.int64)
    for turn in (1, 3):  # to the right first, so that the left, written last, wins
        wanted = corner + (direction + turn) % 4
        at = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
        found = ordered[at] == wanted if len(ordered) else np.zeros(0, dtype=np.bool_)
        follower[found] = order[at[found]]
    return follower


def _stacked(solid: Bools) -> Ints:
    """Runs along the rows, equal ones in rows below one another joined; (k, 4) as `boxes`."""
    runs = _runs(solid.astype(np.int8))
    runs = runs[np.lexsort((runs[:, 0], runs[:, 2], runs[:, 1]))]
    row, low, high = runs[:, 0], runs[:, 1], runs[:, 2]
    goes_on = (np.diff(low) == 0) & (np.diff(high) == 0) & (np.diff(row) == 1)
    first = np.flatnonzero(np.concatenate([[True], ~goes_on])[: len(runs)])
    last = np.append(first[1:], len(runs))[: len(first)] - 1
    return np.stack([low[first], row[first], high[first], row[last] + 1], axis=1)
