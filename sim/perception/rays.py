"""Rays side by side: the outlines they meet first on their way through the cells.

All of this is compiled, and called from the kernels of `sim.perception.feelers`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.compiled import built_in, leaf
from sim.core.geometry import floored
from sim.perception.outlines import away
from sim.perception.places import BITS, MASK

FAR = np.inf
NO_HULL = -2
"""The row whose hull is left out where none is."""
CAUTION = 1 + 1e-9
"""Circles that hold outlines are taken so much too large: rounding loses none."""


class Ray(NamedTuple):
    """From (x, y) along the unit vector (ux, uy), so far."""

    x: float
    y: float
    ux: float
    uy: float
    reach: float


ROUNDS = 1_000
"""Times that a ray goes round a torus at most: what it has not met by then it hardly will."""


@leaf
def meet(corners, begin, end, round_, ray):  # type: ignore[no-untyped-def]
    """How far along a ray an outline is met, and the normal there.

    `corners` are as in `Outlines`, from `begin` to `end`; `round_` is the rounding. Infinite for
    nothing met within reach; 0, with the normal of the nearest way out, for a start inside or on
    the surface.
    """
    x, y, ux, uy, reach = ray
    if end - begin == 1:
        ox, oy = corners[begin, 0] - x, corners[begin, 1] - y
        return _meet_circle(ox, oy, round_, ux, uy, reach)
    distance, nx, ny = away(corners, begin, end, x, y)
    if distance <= round_:
        if distance == 0.0 and end - begin == 2 and ux * nx + uy * ny > 0.0:
            return 0.0, -nx, -ny  # a wall's own line has two sides
        return 0.0, nx, ny
    best, nx, ny = FAR, 0.0, 0.0
    if distance - round_ > reach:
        return best, nx, ny
    for a in range(begin, end):
        ox, oy = corners[a, 0] - x, corners[a, 1] - y
        if round_ > 0.0:
            t, cx, cy = _meet_circle(ox, oy, round_, ux, uy, reach)
            if t < best:
                best, nx, ny = t, cx, cy
        b = a + 1 if a + 1 < end else begin
        ex, ey = corners[b, 0] - corners[a, 0], corners[b, 1] - corners[a, 1]
        into = uy * ex - ux * ey  # how fast the ray goes in through this side, times its length
        if into > 0.0:
            length = np.sqrt(ex * ex + ey * ey)
            t = (oy * ex - ox * ey - round_ * length) / into
            along = (t * ux - ox) * ex + (t * uy - oy) * ey
            if 0.0 <= t <= reach and t < best and 0.0 <= along <= length * length:
                best, nx, ny = t, ey / length, -ex / length
    return best, nx, ny


@leaf
def _meet_circle(ox, oy, radius, ux, uy, reach):  # type: ignore[no-untyped-def]
    """`meet` for a circle round (ox, oy), seen from where the ray begins."""
    across, along = ox * uy - oy * ux, ox * ux + oy * uy
    square, squared = radius * radius, ox * ox + oy * oy
    if squared <= square:
        distance = np.sqrt(squared)
        return (0.0, -ox / distance, -oy / distance) if distance > 0.0 else (0.0, -ux, -uy)
    if along < 0.0 or across * across > square:
        return FAR, 0.0, 0.0
    t = along - np.sqrt(square - across * across)
    if t > reach:
        return FAR, 0.0, 0.0
    t = max(t, 0.0)
    return t, (t * ux - ox) / radius, (t * uy - oy) / radius


@leaf
def sweep(ray, thick, own, count, things, i, found):  # type: ignore[no-untyped-def]
    """Cast r rays side by side, `found.abreast` (r,) to starboard of one, among `Things`.

    Where something nearer than `distance` (n, r) is met within reach by those of row i, that
    becomes their distance, `normal` (n, r, 2) its normal, `middle` (n, r, 2) the way from the
    ray's origin to its middle, and `who` (n, r) its number, from `count` on: arrays of `found`.
    Rays are `thick` to either side; the cells must have a margin for that and for how far abreast
    they are. `own` is the outline that does not count. Walks from cell to cell, all rays at once,
    till nothing nearer can come.
    """
    x, y, ux, uy, reach = ray
    frame, shape, circle = things.frame, things.shape, things.circle
    width, height, columns, rows = things.period[0], things.period[1], shape[0], shape[1]
    wraps, aside, far = width > 0, 0.0, _still_open(found.distance[i], reach)
    for off in found.abreast:
        aside = max(aside, abs(off))
    if wraps:
        begin, end = 0.0, min(far, ROUNDS / max(abs(ux) / width + abs(uy) / height, 1e-300))
    else:
        begin, end = _within(x, y, ux, uy, far, frame, shape)
    if not (np.isfinite(x + y + far + ux + uy) and begin <= end):
        return
    column, over_x, right, next_x, stride_x = _set_out(
        x, ux, begin, frame[0], frame[2], columns, wraps
    )
    row, over_y, down, next_y, stride_y = _set_out(y, uy, begin, frame[1], frame[3], rows, wraps)
    while True:
        cell = row * columns + column
        for n in range(things.listed[cell], things.listed[cell + 1]):
            k, image = things.items[n] >> BITS, things.items[n] & MASK
            if k == own:
                continue
            at_x, at_y = x, y
            if wraps:
                at_x -= (over_x + image // 3 - 1) * width
                at_y -= (over_y + image % 3 - 1) * height
            # Most that is listed is not on the way: told by the circle that holds it.
            mx, my = circle[k, 0] - at_x, circle[k, 1] - at_y
            ahead, starboard = mx * ux + my * uy, my * ux - mx * uy
            extent = (circle[k, 2] + thick) * CAUTION
            if abs(starboard) > extent + aside or ahead > far + extent or ahead < -extent:
                continue
            _meet_abreast(Ray(at_x, at_y, ux, uy, reach), thick, k, count + k, things, i, found)
        far = _still_open(found.distance[i], reach)
        out = min(next_x, next_y)
        if out >= min(far, end) or things.room[cell] > far - begin:
            return
        begin = out
        if next_x < next_y:
            column, next_x = column + right, next_x + stride_x
            if not 0 <= column < columns:
                if not wraps:
                    return
                column, over_x = column - right * columns, over_x + right
        else:
            row, next_y = row + down, next_y + stride_y
            if not 0 <= row < rows:
                if not wraps:
                    return
                row, over_y = row - down * rows, over_y + down


@built_in
def _meet_abreast(ray, thick, k, number, things, i, found):  # type: ignore[no-untyped-def]
    """Cast the rays of `sweep` at outline k, which has this number among all."""
    x, y, ux, uy, reach = ray
    abreast, distance, normal, circle = found.abreast, found.distance, found.normal, things.circle
    mx, my = circle[k, 0] - x, circle[k, 1] - y
    starboard, extent = my * ux - mx * uy, (circle[k, 2] + thick) * CAUTION
    for r in range(len(abreast)):
        if abs(starboard - abreast[r]) > extent:
            continue
        t, nx, ny = meet(
            things.corners, things.first[k], things.first[k + 1], circle[k, 3] + thick,
            Ray(x - uy * abreast[r], y + ux * abreast[r], ux, uy, reach),
        )  # fmt: skip
        # Of two met at once, the choice must not depend on their numbers.
        if t < distance[i, r] or (
            t == distance[i, r] < FAR and (nx, ny) < (normal[i, r, 0], normal[i, r, 1])
        ):
            distance[i, r], normal[i, r, 0], normal[i, r, 1] = t, nx, ny
            found.middle[i, r, 0], found.middle[i, r, 1], found.who[i, r] = mx, my, number


@built_in
def _still_open(distance, reach):  # type: ignore[no-untyped-def]
    """Beyond this no ray can meet anything first: each has met something at `distance` (r,)."""
    far = 0.0
    for each in distance:
        far = max(far, min(each, reach))
    return far


@built_in
def _set_out(x, u, begin, low, size, count, wraps):  # type: ignore[no-untyped-def]
    """Along one axis: the cell where a ray begins, how many periods on, and which way it goes.

    With how far off the next cell begins, and how far any is from the next.
    """
    cell, over, on = floored((x + begin * u - low) / size), 0, 1 if u > 0 else -1
    if not wraps:
        cell = min(max(cell, 0), count - 1)
    edge = low + (cell + (u > 0)) * size
    next_, stride = ((edge - x) / u, size / abs(u)) if u != 0 else (FAR, FAR)
    if wraps:
        over = cell // count
    return cell - over * count, over, on, next_, stride


@leaf
def _within(x, y, ux, uy, reach, frame, shape):  # type: ignore[no-untyped-def]
    """Between which distances a ray is over the cells; the first is greater for never."""
    begin, end = 0.0, reach
    for at, u, low, size in (
        (x, ux, frame[0], frame[2] * shape[0]),
        (y, uy, frame[1], frame[3] * shape[1]),
    ):
        if u == 0.0:
            if not low <= at <= low + size:
                begin = FAR
        else:
            one, other = (low - at) / u, (low + size - at) / u
            begin, end = max(begin, min(one, other)), min(end, max(one, other))
    return begin, end


@leaf
def named(number, names, names_):  # type: ignore[no-untyped-def]
    """Kind and row of an outline by number; those of the crowd come after the others."""
    k = number - len(names)
    if k < 0:
        return names[number, 0], names[number, 1]
    return names_[k, 0], names_[k, 1]
