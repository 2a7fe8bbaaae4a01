"""One ray: where it first meets an outline, and whom it meets on its way through the cells.

All of this is compiled, and called ray by ray from the kernels of `sim.perception.feelers`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from sim.perception.outlines import away
from sim.perception.places import IMAGES

FAR = np.inf


@njit(cache=True, error_model="numpy")
def meet(corners, round_, x, y, dx, dy):  # type: ignore[no-untyped-def]
    """The share of the way (dx, dy) from (x, y) at which an outline is met, and its normal there.

    `corners` (k, 2) are as in `Outlines`, `round_` is the rounding. Infinite for nothing met; 0,
    with the normal of the nearest way out, for a start inside or on the surface.
    """
    distance, nx, ny = away(corners, x, y)
    squared = dx * dx + dy * dy
    if distance <= round_:
        if nx == 0.0 and ny == 0.0 and squared > 0.0:
            nx, ny = -dx / np.sqrt(squared), -dy / np.sqrt(squared)
        if distance == 0.0 and len(corners) == 2 and dx * nx + dy * ny > 0.0:
            nx, ny = -nx, -ny  # a wall's own line has two sides
        return 0.0, nx, ny
    best, nx, ny = FAR, 0.0, 0.0
    if squared == 0.0 or distance - round_ > np.sqrt(squared):
        return best, nx, ny
    k = len(corners)
    for a in range(k):
        ox, oy = corners[a, 0] - x, corners[a, 1] - y
        if round_ > 0.0:
            half = ox * dx + oy * dy
            root = half * half - squared * (ox * ox + oy * oy - round_ * round_)
            if root >= 0.0:
                t = (half - np.sqrt(root)) / squared
                if 0.0 <= t <= 1.0 and t < best:
                    best = t
                    nx, ny = (t * dx - ox) / round_, (t * dy - oy) / round_
        b = a + 1 if a + 1 < k else 0
        ex, ey = corners[b, 0] - corners[a, 0], corners[b, 1] - corners[a, 1]
        length = np.sqrt(ex * ex + ey * ey)
        into = dy * ex - dx * ey  # how fast the ray goes in through this side, times its length
        if length > 0.0 and into > 0.0:
            t = (oy * ex - ox * ey - round_ * length) / into
            along = ((t * dx - ox) * ex + (t * dy - oy) * ey) / (length * length)
            if 0.0 <= t <= 1.0 and t < best and 0.0 <= along <= 1.0:
                best, nx, ny = t, ey / length, -ex / length
    return best, nx, ny


@njit(cache=True, error_model="numpy")
def trace(x, y, dx, dy, thick, own, outlines, places):  # type: ignore[no-untyped-def]
    """The first outline on the way (dx, dy) from (x, y): share, number, normal, shift of its image.

    `thick` is the ray's radius, no more than the margin of the places; `own` is the one of `who`
    that does not count. Walks from cell to cell, and stops where nothing nearer can come.
    """
    best, what, image, nx, ny = FAR, -1, 4, 0.0, 0.0
    width, height, wide, tall = places.period[0], places.period[1], places.columns, places.rows
    wraps = width > 0
    begin, end = _within(x, y, dx, dy, places) if not wraps else (0.0, 1.0)
    if not (np.isfinite(x + dx) and np.isfinite(y + dy) and begin <= end):
        return best, what, nx, ny, 0.0, 0.0
    length = np.sqrt(dx * dx + dy * dy)
    column = int(np.floor((x + begin * dx - places.left) / places.width))
    row = int(np.floor((y + begin * dy - places.top) / places.height))
    if not wraps:
        column, row = min(max(column, 0), wide - 1), min(max(row, 0), tall - 1)
    # The shares at which the next column and the next row begin.
    right, down = 1 if dx > 0 else -1, 1 if dy > 0 else -1
    edge_x = places.left + (column + (right > 0)) * places.width
    edge_y = places.top + (row + (down > 0)) * places.height
    next_x, stride_x = ((edge_x - x) / dx, places.width / abs(dx)) if dx != 0 else (FAR, FAR)
    next_y, stride_y = ((edge_y - y) / dy, places.height / abs(dy)) if dy != 0 else (FAR, FAR)
    shift_x, shift_y = 0.0, 0.0
    while True:
        over_x, over_y = (column // wide, row // tall) if wraps else (0, 0)
        cell = (row - over_y * tall) * wide + column - over_x * wide
        for n in range(places.first[cell], places.first[cell + 1]):
            k, image = places.items[n] // IMAGES, places.items[n] % IMAGES
            if outlines.who[k] == own:
                continue
            at_x = (over_x + image // 3 - 1) * width
            at_y = (over_y + image % 3 - 1) * height
            corners = outlines.corners[outlines.first[k] : outlines.first[k + 1]]
            t, mx, my = meet(corners, outlines.rounding[k] + thick, x - at_x, y - at_y, dx, dy)
            # Of two met at once, the choice must not depend on their numbers.
            if t < best or (t == best and t < FAR and (mx, my) < (nx, ny)):
                best, what, nx, ny, shift_x, shift_y = t, k, mx, my, at_x, at_y
        out = min(next_x, next_y)
        if best <= out or out >= end or places.room[cell] > (end - begin) * length:
            return best, what, nx, ny, shift_x, shift_y
        begin = out
        if next_x < next_y:
            column, next_x = column + right, next_x + stride_x
        else:
            row, next_y = row + down, next_y + stride_y
        if not wraps and not (0 <= column < wide and 0 <= row < tall):
            return best, what, nx, ny, shift_x, shift_y


@njit(cache=True, error_model="numpy")
def _within(x, y, dx, dy, places):  # type: ignore[no-untyped-def]
    """Between which shares of its way a ray is over the cells; the first is greater for never."""
    begin, end = 0.0, 1.0
    for at, d, low, size in (
        (x, dx, places.left, places.width * places.columns),
        (y, dy, places.top, places.height * places.rows),
    ):
        if d == 0.0:
            if not low <= at <= low + size:
                begin = FAR
        else:
            one, other = (low - at) / d, (low + size - at) / d
            begin, end = max(begin, min(one, other)), min(end, max(one, other))
    return begin, end


@njit(cache=True, error_model="numpy")
def room_at(x, y, places):  # type: ignore[no-untyped-def]
    """How far off, at least, is whatever stands in another cell; 0 outside all cells."""
    cell = cell_at(x, y, places)
    room: float = places.room[cell] if cell >= 0 else 0.0
    return room


@njit(cache=True, error_model="numpy")
def cell_at(x, y, places):  # type: ignore[no-untyped-def]
    """The number of the cell that a place lies in; -1 outside all cells, or for no place at all."""
    if not np.isfinite(x + y):
        return -1
    column = int(np.floor((x - places.left) / places.width))
    row = int(np.floor((y - places.top) / places.height))
    if places.period[0] > 0:
        column, row = column % places.columns, row % places.rows
    elif not (0 <= column < places.columns and 0 <= row < places.rows):
        return -1
    cell: int = row * places.columns + column
    return cell
