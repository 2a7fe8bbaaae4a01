"""In which order the engine goes through the bodies' shapes: that of its hash set of them."""

from __future__ import annotations

import numpy as np
import pymunk

from sim.core.arrays import Ints
from sim.core.shared_cache import njit
from sim.engine import memory as mem
from sim.engine.memory import at, field, hand_over, high, is_tree, loose, low, space_of, words


def read_order(space: pymunk.Space, index: int = mem.INDEX) -> tuple[Ints, int]:
    """The numbers of the bodies' shapes in the order the engine goes through, and its room.

    With `STATIC_INDEX` those of what stands still.
    """
    held = _set_of(space, index)
    size = field(held, 0)
    numbers = np.empty(size & 0xFFFFFFFF, np.int64)
    _order(words(), np.uint64(held), numbers)
    return numbers, size >> 32


def read_size(space: pymunk.Space) -> int:
    """The room for its shapes that the engine has, used or not."""
    return field(_set_of(space), 0) >> 32


def enlarge(space: pymunk.Space, size: int) -> None:
    """Bring the room for its shapes up to a size: the engine's grows with them, never shrinks."""
    held = _set_of(space)
    before = field(held, mem.TABLE)
    if size > read_size(space):
        _move(words(), np.uint64(held), np.uint64(loose(size)), size)
        hand_over(space, before)


def lay_cells(space: pymunk.Space, side: float, count: int, times: int) -> None:
    """Have shapes sorted into new cells this number of times.

    The order of shapes after one time follows from that before it: once it comes back, it goes on
    coming back, and that need not be waited for.
    """
    known: dict[bytes, int] = {}
    done = 0
    while done < times:
        space.use_spatial_hash(side, count)
        done += 1
        now = b"|".join(
            read_order(space, each)[0].tobytes() for each in (mem.INDEX, mem.STATIC_INDEX)
        )
        if now in known:
            times = done + (times - done) % (done - known[now])
        known[now] = done


def write_order(space: pymunk.Space, numbers: Ints, size: int) -> bool:
    """Have the engine go through the shapes in this order; whether it can, with so much room."""
    held = _set_of(space)
    mine, room_ = read_order(space)
    if room_ == size and np.array_equal(mine, numbers):
        return True  # nearly always so; sorting both would take a sixth of the time of a load
    if room_ != size or not np.array_equal(np.sort(mine), np.sort(numbers)):
        return False
    if not np.array_equal(mine % size, numbers % size):
        return False
    _rearrange(words(), np.uint64(held), numbers)
    return True


def _set_of(space: pymunk.Space, index: int = mem.INDEX) -> int:
    return field(field(space_of(space), index), mem.SET if is_tree(space) else mem.HASH_SET)


@njit(cache=True)
def _move(words, held, table, size):  # type: ignore[no-untyped-def]
    """Hang all shapes of a set into another table, slot by slot, as the engine does."""
    before, here = words[at(held, mem.TABLE)], at(held, 0)
    for slot in range(high(words[here])):
        chain = words[at(before, slot)]
        while chain != np.uint64(0):
            after = words[at(chain, mem.NEXT)]
            to = at(table, np.int64(words[at(chain, mem.HASH)] % np.uint64(size)))
            words[at(chain, mem.NEXT)], words[to] = words[to], chain
            chain = after
    words[at(held, mem.TABLE)] = table
    words[here] = np.uint64(low(words[here])) | (np.uint64(size) << np.uint64(32))


@njit(cache=True)
def _order(words, held, numbers):  # type: ignore[no-untyped-def]
    m, table = 0, words[at(held, mem.TABLE)]
    for slot in range(high(words[at(held, 0)])):
        chain = words[at(table, slot)]
        while chain != np.uint64(0):
            numbers[m] = np.int64(words[at(chain, mem.HASH)])
            m += 1
            chain = words[at(chain, mem.NEXT)]


@njit(cache=True)
def _rearrange(words, held, numbers):  # type: ignore[no-untyped-def]
    """Change over what hangs in one slot of the table, until it is in this order."""
    m, table = 0, words[at(held, mem.TABLE)]
    for slot in range(high(words[at(held, 0)])):
        first = words[at(table, slot)]
        while first != np.uint64(0):
            other = first
            while np.int64(words[at(other, mem.HASH)]) != numbers[m]:
                other = words[at(other, mem.NEXT)]
            for k in (mem.HASH, mem.ELEMENT):
                kept = words[at(first, k)]
                words[at(first, k)] = words[at(other, k)]
                words[at(other, k)] = kept
            m += 1
            first = words[at(first, mem.NEXT)]
