"""What the engine remembers of contacts: it begins each step with the impulses of the last."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pymunk
from numpy.typing import NDArray
from pymunk._chipmunk_cffi import ffi, lib

from sim.core.arrays import Floats, Ints
from sim.core.compiled import inlined
from sim.core.shared_cache import njit
from sim.engine import memory as mem
from sim.engine.memory import at, field, high, low, put, room, space_of, words

MOST_POINTS = 2
"""Two shapes that touch have this many points of contact at most."""
LONG_AGO, STEP = 1 << 20, 1 << 10
"""A step before all others, and how far apart those are that contacts are put back at."""
GONE = 3
"""The state of two shapes that have touched shortly before."""


class Touching(NamedTuple):
    """Pairs of shapes, m of them, that touch, or have touched in the last few steps."""

    ends: Ints
    """(m, 2) the numbers of both shapes, in the engine's order."""
    state: Ints
    """(m, 3) how long ago it was, steps; the engine's state of it; and whether it counts."""
    normal: Floats
    """(m, 2)."""
    count: Ints  # type: ignore[assignment]
    """(m,) points of contact, at most two."""
    points: Floats
    """(k, 11) of all contacts in turn, as the engine has them."""
    corners: NDArray[np.uint64]
    """(k,) which corners meet in each, as the engine numbers them."""


def read_contacts(space: pymunk.Space) -> Touching:
    """All contacts of a space, by the numbers of their shapes."""
    here = space_of(space)
    held, stamp = field(here, mem.ARBITER_SET), field(here, mem.STAMP) & 0xFFFFFFFF
    m = field(held, 0) & 0xFFFFFFFF
    found = Touching(
        np.empty((m, 2), np.int64), np.empty((m, 3), np.int64), np.empty((m, 2)),
        np.empty(m, np.int64), np.zeros((m * MOST_POINTS, 11)),
        np.zeros(m * MOST_POINTS, np.uint64),
    )  # fmt: skip
    _read(words(), np.uint64(held), stamp, found)
    # the engine's set of them is sorted by places in memory
    order = np.lexsort((found.ends[:, 1], found.ends[:, 0]))
    taken = (MOST_POINTS * order[:, None] + np.arange(MOST_POINTS)).reshape(-1)
    taken = taken[(np.arange(MOST_POINTS) < found.count[order][:, None]).reshape(-1)]
    return Touching(
        found.ends[order], found.state[order], found.normal[order], found.count[order],
        found.points[taken], found.corners[taken],
    )  # fmt: skip


def write_contacts(space: pymunk.Space, held: Touching, shapes: dict[int, pymunk.Shape]) -> None:
    """Give a space that has no contacts these. See `check_contacts`; `shapes` are by number."""
    m, here, stamp = len(held.ends), space_of(space), field(space_of(space), mem.STAMP)
    if not m:
        return
    sides = np.array([[int(ffi.cast("uintptr_t", shapes[n]._shape)) for n in pair]
                      for pair in held.ends.tolist()], np.uint64)  # fmt: skip
    block = room(space, m * mem.ARBITER + len(held.corners) * mem.POINT)
    _write(words(), np.uint64(block), held, sides, stamp & 0xFFFFFFFF)
    solved = (held.state[:, 0] == 0) & (held.count > 0)
    recent = np.flatnonzero(solved)  # two bodies that cannot be pushed have no points of contact
    for k, i in enumerate([*recent, *np.flatnonzero(~solved)]):
        # each takes a buffer of the engine's, unless the last one is from long ago
        lib.cpSpaceSetTimestamp(space._space, LONG_AGO + k * STEP)
        arbiter = ffi.cast("cpArbiter *", block + 8 * mem.ARBITER * int(i))
        lib.cpSpaceAddCachedArbiter(space._space, arbiter)
    lib.cpSpaceSetTimestamp(space._space, stamp & 0xFFFFFFFF)
    listed = field(here, mem.ARBITERS)
    put(listed, mem.NUM, (field(listed, mem.NUM) >> 32 << 32) + len(recent))
    _count(words(), np.uint64(block), held)


def check_contacts(held: Touching, numbers: Ints, bodies: Ints) -> bool:
    """Whether these are contacts between shapes with these numbers, of two of these bodies."""
    if not np.isin(held.ends, numbers).all():
        return False
    order = np.argsort(numbers)
    of = bodies[order[np.searchsorted(numbers, held.ends, sorter=order)]]
    if (of[:, 0] == of[:, 1]).any():
        return False
    pairs = np.sort(held.ends, axis=1)
    if len(np.unique(pairs, axis=0)) != len(pairs):
        return False
    age, state, counts = held.state.T
    if not (((age >= 0) & (age < 1 << 16)).all() and np.isin(counts, (0, 1)).all()):
        return False
    if not (
        np.isin(state, (0, 1, 2, GONE)).all() and ((held.count >= 0) & (held.count <= 2)).all()
    ):
        return False
    return bool(held.count.sum() == len(held.points) and len(held.corners) == len(held.points))


@njit(cache=True)
def _read(words, held, stamp, found):  # type: ignore[no-untyped-def]
    reals, none = words.view(np.float64), np.uint64(0)
    m, table = 0, words[at(held, mem.TABLE)]
    for slot in range(high(words[at(held, 0)])):
        chain = words[at(table, slot)]
        while chain != none:
            one = words[at(chain, mem.ELEMENT)]
            for j in range(2):
                found.ends[m, j] = np.int64(words[at(words[at(one, mem.SIDES + j)], mem.NUMBER)])
                found.normal[m, j] = reals[at(one, mem.NORMAL + j)]
            state = words[at(one, mem.STATE)]
            found.state[m, 0] = stamp - high(words[at(one, mem.STAMPED)])
            found.state[m, 1] = low(state)
            found.state[m, 2] = high(state) & 1
            found.count[m] = low(words[at(one, mem.CONTACTS)])
            points = words[at(one, mem.POINTS)]
            for i in range(found.count[m]):
                for k in range(mem.POINT - 1):
                    found.points[2 * m + i, k] = reals[at(points, mem.POINT * i + k)]
                found.corners[2 * m + i] = words[at(points, mem.POINT * i + mem.POINT - 1)]
            m += 1
            chain = words[at(chain, mem.NEXT)]


@inlined
def _fill_arbiter(words, one, held, sides, m, stamp):  # type: ignore[no-untyped-def]
    """Fill in what an arbiter is told of two `sides` (2,), but not its points."""
    reals = words.view(np.float64)
    for j in range(2):
        words[at(one, mem.SIDES + j)] = sides[j]
        words[at(one, mem.OWNERS + j)] = words[at(sides[j], mem.OF_BODY)]
        reals[at(one, mem.NORMAL + j)] = held.normal[m, j]
    words[at(one, mem.STAMPED)] = np.uint64(stamp - held.state[m, 0]) << np.uint64(32)
    words[at(one, mem.STATE)] = np.uint64(held.state[m, 1] + (held.state[m, 2] << 32))


@inlined
def _fill_points(words, points, held, m, p):  # type: ignore[no-untyped-def]
    """Fill in the points of contact m, from point p on; where those of the next begin."""
    reals = words.view(np.float64)
    for _ in range(held.count[m]):
        for k in range(mem.POINT - 1):
            reals[at(points, mem.POINT * p + k)] = held.points[p, k]
        words[at(points, mem.POINT * p + mem.POINT - 1)] = held.corners[p]
        p += 1
    return p


@njit(cache=True)
def _write(words, block, held, sides, stamp):  # type: ignore[no-untyped-def]
    """Fill in all but how many points each has: a new one is added to the set without any."""
    points, p = block + np.uint64(8 * mem.ARBITER * len(sides)), 0
    for m in range(len(sides)):
        one = block + np.uint64(8 * mem.ARBITER * m)
        _fill_arbiter(words, one, held, sides[m], m, stamp)
        p = _fill_points(words, points, held, m, p)


@njit(cache=True)
def fill_in(words, arbiters, points, held, sides, handlers, stamp):  # type: ignore[no-untyped-def]
    """Fill in arbiters that were used before, with their points of contact."""
    p = 0
    for m in range(len(arbiters)):
        one = arbiters[m]
        for k in range(mem.ARBITER):
            words[at(one, k)] = np.uint64(0)
        for k in range(len(handlers)):
            words[at(one, mem.HANDLERS + k)] = handlers[k]
        _fill_arbiter(words, one, held, sides[m], m, stamp)
        words[at(one, mem.CONTACTS)] = np.uint64(held.count[m])
        words[at(one, mem.POINTS)] = points + np.uint64(8 * mem.POINT * p)
        p = _fill_points(words, points, held, m, p)


@njit(cache=True)
def _count(words, block, held):  # type: ignore[no-untyped-def]
    """Say how many points each has, and where."""
    points = block + np.uint64(8 * mem.ARBITER * len(held.count))
    for m in range(len(held.count)):
        one = block + np.uint64(8 * mem.ARBITER * m)
        words[at(one, mem.CONTACTS)] = np.uint64(held.count[m])
        words[at(one, mem.STAMPED)] &= ~np.uint64(0xFF)  # it was put in as if turned round
        words[at(one, mem.POINTS)] = points
        points += np.uint64(8 * mem.POINT * held.count[m])
