"""The engine's own memory, as one array: what it keeps from step to step and has no call for.

The engine (pymunk 7.3, Munk2D) carries more from a step to the next than can be asked for or set:
the velocities that push overlapping bodies apart, the pairs whose boxes overlap, and the tree that
finds them. A run goes on bit for bit only with all of it. The places below are those of the C
structs of `chipmunk_structs.h`, `cpBBTree.c`, `cpSpaceHash.c` and `cpHashSet.c`, in words of eight
bytes; `layout.check_layout` compares them with small spaces, before anything is read.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pymunk
from numpy.typing import NDArray
from pymunk._chipmunk_cffi import ffi, lib

from sim.core.compiled import inlined

Words = NDArray[np.uint64]

BASE = 4096
"""The array begins here: nothing is stored below."""

STAMP, LAST_DT, BODIES, COUNTER = 10, 11, 12, 16
STATIC_INDEX, INDEX, ARBITERS, RING, ARBITER_SET, POOL, BUFFERS = 17, 18, 20, 21, 22, 23, 24
"""Of a space; at `RING` the blocks for points of contact, at `POOL` the unused arbiters."""
NUM, ITEMS = 0, 1
"""Of an array: how many there are (and, in the upper half, room), and where."""
PLACE, SPEED, ANGLE, SPIN, TURN, HANDLE, PUSH, SHAPE, LIST = 8, 10, 14, 15, 17, 23, 24, 28, 29
"""Of a body; at `TURN` its transform (6), at `PUSH` the velocity (2) and spin that only push it out
of others, at `LIST` its first arbiter."""
OF_BODY, NUMBER = 2, 23
"""Of a shape: its body, and the number that the space has given it."""
SIDES, OWNERS, CONTACTS, POINTS, NORMAL, STAMPED, STATE = 5, 7, 13, 14, 15, 21, 22
THREADS, HANDLERS = 9, 17
"""Also of an arbiter: the threads to its neighbours in the lists of both bodies, and what is called
when it begins or ends, four words each."""
ARBITER, POINT = 23, 12
"""Of an arbiter; and how many words there are in one, and in a point of contact."""
SET, ROOT, HASH_SET = 5, 6, 7
CELLS, SIDE = 4, 5
"""Of a tree of boxes, and of cells."""
TABLE, SPARE, ELEMENT, HASH, NEXT = 3, 4, 0, 1, 2
"""Of a hash set, with its unused bins, and of a bin of one."""
COEFFICIENT = 3344921057
"""Of the engine's hash of a pair."""
OBJECT, BOX, PARENT, CHILDREN, LEAF_STAMP, PAIRS = 0, 1, 5, 6, 6, 7
"""Of a node; a leaf has an object."""
THREAD, PAIR_ID, PAIR = 3, 6, 7
"""Of a pair: two threads of before, leaf, after; its id; and how many words there are in one."""


class _Whole:
    """All there can be, as numpy wants to hear of it."""

    @property
    def __array_interface__(self) -> dict[str, Any]:
        shape = ((1 << 44) - BASE,)
        return {"data": (BASE, False), "shape": shape, "typestr": "<u8", "version": 3}


@cache
def words() -> Words:
    """The whole memory from `BASE` on. Reading or writing what is not ours ends the process."""
    return np.asarray(_Whole())


@inlined
def at(pointer, k):  # type: ignore[no-untyped-def]
    """Where in the array the k-th word behind a pointer is."""
    return np.int64((pointer - np.uint64(BASE)) >> np.uint64(3)) + k


@inlined
def low(word):  # type: ignore[no-untyped-def]
    """The lower half of a word."""
    return np.int64(word & np.uint64(0xFFFFFFFF))


@inlined
def high(word):  # type: ignore[no-untyped-def]
    """The upper half of a word."""
    return np.int64(word >> np.uint64(32))


@inlined
def with_low(word, value):  # type: ignore[no-untyped-def]
    """A word with another lower half."""
    return (word >> np.uint64(32) << np.uint64(32)) | np.uint64(value)


def address(held: Any) -> int:
    """Where something of the engine's lies."""
    return int(ffi.cast("uintptr_t", held))


def field(pointer: int, k: int) -> int:
    """One word behind a pointer."""
    return int(words()[((pointer - BASE) >> 3) + k])


def put(pointer: int, k: int, value: int) -> None:
    """Set one word behind a pointer."""
    words()[((pointer - BASE) >> 3) + k] = value


def real(pointer: int, k: int) -> float:
    """One number behind a pointer."""
    return float(words().view(float)[((pointer - BASE) >> 3) + k])


def space_of(space: pymunk.Space) -> int:
    """Where a space lies."""
    return address(space._space)


def is_tree(space: pymunk.Space) -> bool:
    """Whether the engine finds contacts by its tree of boxes; by cells if not."""
    return field(field(space_of(space), INDEX), 0) == _tree_kind()


@cache
def _tree_kind() -> int:
    space = pymunk.Space()  # alive until its memory has been read
    return field(field(space_of(space), INDEX), 0)


def room(space: pymunk.Space, size: int) -> int:
    """Where there is this number of zero words, which the engine frees with the space."""
    block = loose(size)
    hand_over(space, block)
    return block


def loose(size: int) -> int:
    """Where there is this number of zero words, which nothing frees as yet."""
    return address(lib.cpContactArrAlloc(max(1, -(-size // POINT))))


def hand_over(space: pymunk.Space, block: int) -> None:
    """Have the engine free a block of memory with the space."""
    buffers = field(space_of(space), BUFFERS)
    number = field(buffers, NUM) & 0xFFFFFFFF
    if number >= field(buffers, NUM) >> 32:
        raise RuntimeError("the engine has no room to take a buffer over")
    put(field(buffers, ITEMS), number, block)
    put(buffers, NUM, field(buffers, NUM) + 1)
