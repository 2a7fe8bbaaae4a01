"""Which passage a way leads through next: for all nodes of a flow field, and along a route."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.compiled import leaf
from sim.core.shared_cache import njit
from sim.navigation.grid import Grid, place_of
from sim.navigation.marking import ACROSS, DOWN
from sim.navigation.mouths import MOUTHS
from sim.navigation.passages import NOWHERE, Passages
from sim.navigation.routes import point_at, routes

INSIDE = MOUTHS
"""The exit of a way that ends within a passage."""


class Through(NamedTuple):
    """The next passage on the way from each of k places."""

    passage: Ints
    """(k,) its number; -1 where the way leads through none."""
    entry: Ints
    """(k,) the mouth by which the way enters; -1 for places inside."""
    exit: Ints
    """(k,) the mouth by which it leaves; `INSIDE` where it ends inside."""
    ahead: Floats
    """(k,) length of the way up to the entry, world units; 0 inside."""

    @classmethod
    def nothing(cls, places: int) -> Through:
        """For places whose ways lead through no passage."""
        none = np.full(places, NOWHERE)
        return cls(none, none.copy(), none.copy(), np.full(places, np.inf))


def along_field(grid: Grid, marched: tuple[Floats, Floats], passages: Passages) -> Through:
    """For all nodes, row by row: the next passage on the way down a field.

    `marched` are its `distance` and `lengths` (rows, columns), as in `FlowField`.
    """
    found = Through.nothing(marched[0].size)
    order = np.argsort(marched[0], axis=None, kind="stable")
    _descend(grid, marched, passages, order, found)
    return found


@leaf
def _passage_at(passages, x, y):  # type: ignore[no-untyped-def]
    """The passage that a place lies in; -1 for none."""
    rows, columns = passages.number.shape
    u = int(np.rint((x - passages.origin[0]) / passages.step[0]))
    v = int(np.rint((y - passages.origin[1]) / passages.step[1]))
    if not (0 <= u < columns and 0 <= v < rows):
        return NOWHERE
    return passages.number[v, u]


@leaf
def _mouth_at(passages, passage, x, y):  # type: ignore[no-untyped-def]
    """The mouth of a passage that is nearest to a place."""
    best, found = np.inf, 0
    for k in range(MOUTHS):
        dx, dy = passages.mouths[passage, k, 0] - x, passages.mouths[passage, k, 1] - y
        if dx * dx + dy * dy < best:
            best, found = dx * dx + dy * dy, k
    return found


@leaf
def _next_node(grid: Grid, distance, node):  # type: ignore[no-untyped-def]
    """The neighbour to which the way falls most steeply, and how long the step is; or -1."""
    nx, best, found, length = distance.shape[1], 0.0, NOWHERE, 0.0
    for k in range(8):
        if grid.exits.flat[node] >> k & 1:
            other = node + DOWN[k] * nx + ACROSS[k]
            step = np.hypot(ACROSS[k] * grid.step[0], DOWN[k] * grid.step[1])
            fall = (distance.flat[node] - distance.flat[other]) / step
            if fall > best:
                best, found, length = fall, other, step
    return found, length


@njit(cache=True, error_model="numpy", nogil=True)
def _descend(grid: Grid, marched, passages, order, found):  # type: ignore[no-untyped-def]
    """Fill in the next passage of each node, from the destination outward."""
    distance, lengths = marched
    out = np.full(distance.size, NOWHERE)  # from nodes inside: the first node beyond the exit
    for node in order:
        if distance.flat[node] == np.inf:
            break
        x, y = place_of(grid, node)
        here, (on, step) = _passage_at(passages, x, y), _next_node(grid, distance, node)
        if here != NOWHERE:
            found.passage[node], found.exit[node], found.ahead[node] = here, INSIDE, 0.0
        if on == NOWHERE:
            continue
        there = found.passage[on] if found.ahead[on] == 0.0 else NOWHERE
        if here != NOWHERE and here == there:
            found.exit[node], out[node] = found.exit[on], out[on]
        elif here != NOWHERE:
            out[node] = on
            x, y = place_of(grid, on)
            found.exit[node] = _mouth_at(passages, here, x, y)
        else:
            if there != NOWHERE:
                entry = _mouth_at(passages, there, x, y)
                if entry != found.exit[on]:
                    found.passage[node], found.entry[node] = there, entry
                    found.exit[node], found.ahead[node] = found.exit[on], step
                    continue
                # The way only grazes it, and comes out where it went in.
                step += lengths.flat[on] - lengths.flat[out[on]]
                on = out[on]
            found.passage[node], found.entry[node] = found.passage[on], found.entry[on]
            found.exit[node], found.ahead[node] = found.exit[on], found.ahead[on] + step


class Crossings(NamedTuple):
    """The passages along routes, in the order in which they are met."""

    first: Ints
    """(r + 1,) route k has those from first[k] to first[k + 1]."""
    span: Floats
    """(m, 2) where along its route each is entered and left, world units."""
    through: Ints
    """(m, 3) passage, entry and exit, as in `Through`; entry -1 where the route starts inside."""

    @classmethod
    def joined(cls, parts: Sequence[Crossings]) -> Crossings:
        """Those of several routes, one after the other."""
        counts = [len(part.span) for part in parts]
        return cls(
            np.append(0, np.cumsum(counts)).astype(np.int64),
            np.concatenate([np.zeros((0, 2)), *(part.span for part in parts)]),
            np.concatenate([np.zeros((0, 3), np.int64), *(part.through for part in parts)]),
        )


def along_route(points: Floats, passages: Passages) -> Crossings:
    """The passages that a route (k, 2) leads through; passages that it only grazes are left out."""
    met = _walk(routes([points]), passages, 0.5 * float(passages.step.min()))
    met = [row for row in met if row[3] != row[4]]
    return Crossings(
        np.array([0, len(met)]),
        np.array([row[:2] for row in met], float).reshape(-1, 2),
        np.array([row[2:] for row in met], np.int64).reshape(-1, 3),
    )


NO_CROSSINGS = Crossings.joined(())


@njit(cache=True, error_model="numpy", nogil=True)
def _walk(lines, passages, fine):  # type: ignore[no-untyped-def]
    """Walk along the first route in fine steps: where passages are entered and left, by what."""
    length = lines.along[lines.first[1] - 1]
    count = int(length / fine) + 1
    found = [(0.0, 0.0, 0, 0, 0)][:0]
    inside, since, entry = NOWHERE, 0.0, NOWHERE
    x, y = point_at(lines, 0, 0.0)
    before_x, before_y = x, y
    for k in range(count + 1):
        at = min(k * fine, length)
        x, y = point_at(lines, 0, at)
        here = _passage_at(passages, x, y)
        if here != inside:
            if inside != NOWHERE:
                found.append((since, at, inside, entry, _mouth_at(passages, inside, x, y)))
            inside, since = here, at
            if here != NOWHERE:
                entry = NOWHERE if k == 0 else _mouth_at(passages, here, before_x, before_y)
        before_x, before_y = x, y
    if inside != NOWHERE:
        found.append((since, np.inf, inside, entry, INSIDE))
    return found


@njit(cache=True, error_model="numpy", nogil=True)
def next_on_field(grid: Grid, distance, table, position, aim, found):  # type: ignore[no-untyped-def]
    """Fill in `found`, a `Through` of k units at `position` (k, 2), which a field leads to `aim`.

    `table` is the field's own. Beyond the lattice the way is straight up to the aim.
    """
    ny, nx = distance.shape
    for i in range(len(position)):
        x, y, before = position[i, 0], position[i, 1], 0.0
        u, v = (x - grid.origin[0]) / grid.step[0], (y - grid.origin[1]) / grid.step[1]
        if u < 0.0 or v < 0.0 or u > nx - 1 or v > ny - 1:
            du = (aim[i, 0] - x) / grid.step[0]
            dv = (aim[i, 1] - y) / grid.step[1]
            share = 0.0
            if u < 0.0 and du > 0.0:
                share = max(share, -u / du)
            if v < 0.0 and dv > 0.0:
                share = max(share, -v / dv)
            if u > nx - 1 and du < 0.0:
                share = max(share, (nx - 1 - u) / du)
            if v > ny - 1 and dv < 0.0:
                share = max(share, (ny - 1 - v) / dv)
            share = min(share, 1.0)
            u, v = u + share * du, v + share * dv
            before = share * np.hypot(aim[i, 0] - x, aim[i, 1] - y)
        node, best = NOWHERE, np.inf
        for n in range(4):
            c, r = int(np.floor(u)) + (n & 1), int(np.floor(v)) + (n >> 1)
            if 0 <= c < nx and 0 <= r < ny:
                off = np.hypot((c - u) * grid.step[0], (r - v) * grid.step[1])
                if distance[r, c] + off < best:
                    best, node = distance[r, c] + off, r * nx + c
        if node == NOWHERE:
            continue
        found.passage[i], found.entry[i] = table.passage[node], table.entry[node]
        found.exit[i], found.ahead[i] = table.exit[node], table.ahead[node] + before


@njit(cache=True, error_model="numpy", nogil=True)
def next_on_route(crossings, route, progress, found):  # type: ignore[no-untyped-def]
    """Fill in `found`, a `Through` of n units, where they follow a route: -1 for those without."""
    for i in range(len(route)):
        if route[i] < 0:
            continue
        for k in range(crossings.first[route[i]], crossings.first[route[i] + 1]):
            if progress[i] < crossings.span[k, 1]:
                found.passage[i], found.entry[i] = crossings.through[k, 0], crossings.through[k, 1]
                found.exit[i] = crossings.through[k, 2]
                found.ahead[i] = max(crossings.span[k, 0] - progress[i], 0.0)
                break
