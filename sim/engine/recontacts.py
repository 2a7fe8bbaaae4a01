"""What the engine remembers of contacts, cleared and filled in again in bulk, in its own memory."""

from __future__ import annotations

from functools import cache

import numpy as np
import pymunk
from numpy.typing import NDArray

from sim.core.shared_cache import njit
from sim.engine import memory as mem
from sim.engine.memory import address, at, field, high, low, put, space_of, with_low, words
from sim.engine.saved import Engine
from sim.engine.touching import GONE, fill_in

FAR = 1e9


def forget_contacts(space: pymunk.Space) -> None:
    """Have the engine forget all contacts: as if all were a shape's that is taken away."""
    body = pymunk.Body(1.0, 1.0)
    body.position = FAR, FAR
    shape = pymunk.Circle(body, 1.0)
    space.add(body, shape)
    here = space_of(space)
    held, listed = field(here, mem.ARBITER_SET), field(here, mem.ARBITERS)
    _hand_to(
        words(), np.uint64(held), np.uint64(address(shape._shape)), np.uint64(address(body._body))
    )
    put(listed, mem.NUM, field(listed, mem.NUM) >> 32 << 32)
    space.remove(body, shape)
    # half of all steps that can be counted
    long_ago = (field(here, mem.STAMP) + (1 << 31)) & 0xFFFFFFFF
    _free_rooms(words(), np.uint64(field(here, mem.RING)), np.uint64(long_ago))


def put_contacts(space: pymunk.Space, state: Engine, bodies: NDArray[np.uint64]) -> bool:
    """Give a space that has no contacts those of a state."""
    found, here = state.contacts, space_of(space)
    m = len(found.ends)
    if not m:
        return True
    total = int(state.shapes.sum())
    shapes = np.empty(total, np.int64), np.empty(total, np.uint64)
    _gather(words(), bodies, *shapes)
    still = {field(a, mem.NUMBER): a for a in (address(s._shape) for s in space.static_body.shapes)}
    numbers = np.concatenate([shapes[0], np.fromiter(still, np.int64, len(still))])
    places = np.concatenate([shapes[1], np.fromiter(still.values(), np.uint64, len(still))])
    order = np.argsort(numbers)
    at_ = np.searchsorted(numbers, found.ends, sorter=order)
    sides = places[order[np.minimum(at_, len(order) - 1)]]
    pool, listed = field(here, mem.POOL), field(here, mem.ARBITERS)
    held = field(here, mem.ARBITER_SET)
    if field(pool, mem.NUM) & 0xFFFFFFFF < m or _spare(words(), np.uint64(held), m) < m:
        return False
    points = _room_for_points(space, len(found.corners) * mem.POINT)
    one = np.empty(m, np.uint64)
    _take(words(), np.uint64(pool), one)
    fill_in(words(), one, np.uint64(points), found, sides, handlers(), int(state.clock[0]))
    recent = (found.state[:, 0] == 0) & (found.count > 0)
    _list(words(), np.uint64(held), np.uint64(listed), one, recent)
    return True


def _room_for_points(space: pymunk.Space, size: int) -> int:
    """Where the points of contacts may lie that are put back: one room a space, used again."""
    known: NDArray[np.uint64] = getattr(space, "_room_for_points", np.zeros(0, np.uint64))
    if len(known) < size:
        known = np.zeros(2 * size, np.uint64)
        space._room_for_points = known  # type: ignore[attr-defined]
    return known.ctypes.data


@cache
def handlers() -> NDArray[np.uint64]:
    """(4,) what an arbiter has where the user has not given the space a handler of collisions."""
    space = pymunk.Space()
    for x in (0.0, 0.5):
        body = pymunk.Body(1.0, 1.0)
        body.position = x, 0.0
        space.add(body, pymunk.Circle(body, 1.0))
    space.step(1e-3)
    held = field(space_of(space), mem.ARBITER_SET)
    slots = (field(field(held, mem.TABLE), slot) for slot in range(field(held, mem.NUM) >> 32))
    one = field(next(chain for chain in slots if chain), mem.ELEMENT)
    return np.array([field(one, mem.HANDLERS + k) for k in range(4)], np.uint64)


@njit(cache=True)
def _gather(words, bodies, numbers, places):  # type: ignore[no-untyped-def]
    m = 0
    for k in range(len(bodies)):
        shape = words[at(bodies[k], mem.SHAPE)]
        while shape != np.uint64(0):
            numbers[m], places[m] = np.int64(words[at(shape, mem.NUMBER)]), shape
            m += 1
            shape = words[at(shape, mem.NUMBER - 2)]


@njit(cache=True)
def _hand_to(words, held, shape, body):  # type: ignore[no-untyped-def]
    """Have all contacts be one shape's, over, and in no list of bodies."""
    none, table = np.uint64(0), words[at(held, mem.TABLE)]
    for slot in range(high(words[at(held, 0)])):
        chain = words[at(table, slot)]
        while chain != none:
            one = words[at(chain, mem.ELEMENT)]
            for j in range(2):
                words[at(words[at(one, mem.OWNERS + j)], mem.LIST)] = none
            for j in range(4):
                words[at(one, mem.THREADS + j)] = none
            words[at(one, mem.SIDES)], words[at(one, mem.OWNERS)] = shape, body
            words[at(one, mem.STATE)] = with_low(words[at(one, mem.STATE)], GONE)
            chain = words[at(chain, mem.NEXT)]


@njit(cache=True)
def _free_rooms(words, ring, long_ago):  # type: ignore[no-untyped-def]
    """Have all rooms for points be long out of use."""
    one = ring
    while one != np.uint64(0):
        words[at(one, 0)] = long_ago
        one = words[at(one, 1)]
        if one == ring:
            break


@njit(cache=True)
def _spare(words, held, most):  # type: ignore[no-untyped-def]
    """How many bins of a hash set are unused, counted up to `most`."""
    chain, k = words[at(held, mem.SPARE)], 0
    while chain != np.uint64(0) and k < most:
        chain = words[at(chain, mem.NEXT)]
        k += 1
    return k


@njit(cache=True)
def _take(words, pool, found):  # type: ignore[no-untyped-def]
    """Take arbiters out of the unused ones."""
    head = words[at(pool, 0)]
    n, items = low(head), words[at(pool, mem.ITEMS)]
    for k in range(len(found)):
        n -= 1
        found[k] = words[at(items, n)]
    words[at(pool, 0)] = with_low(head, n)


@njit(cache=True)
def _list(words, held, listed, one, recent):  # type: ignore[no-untyped-def]
    """Put arbiters into the hash set, and those of the last step into the engine's list."""
    head = words[at(held, 0)]
    size, entries, table = np.uint64(high(head)), low(head), words[at(held, mem.TABLE)]
    items, n = words[at(listed, mem.ITEMS)], 0
    by = np.uint64(mem.COEFFICIENT)
    for m in range(len(one)):
        value = (words[at(one[m], mem.SIDES)] * by) ^ (words[at(one[m], mem.SIDES + 1)] * by)
        chain = words[at(held, mem.SPARE)]
        words[at(held, mem.SPARE)] = words[at(chain, mem.NEXT)]
        slot = np.int64(value % size)
        words[at(chain, mem.HASH)], words[at(chain, mem.ELEMENT)] = value, one[m]
        words[at(chain, mem.NEXT)] = words[at(table, slot)]
        words[at(table, slot)] = chain
        entries += 1
        if recent[m]:
            words[at(items, n)] = one[m]
            n += 1
    words[at(held, 0)] = with_low(head, entries)
    words[at(listed, 0)] = with_low(words[at(listed, 0)], n)
