"""Small spaces whose lists, trees and sets are compared with where `memory` looks for them."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import Any

import pymunk
from pymunk._chipmunk_cffi import ffi

from sim.engine import memory as mem

STEP = 0.125
"""Length of the steps of the small spaces, s."""
BLOCK = 32 * 1024
"""Bytes that the engine allocates at a time for arbiters, bins and points of contact."""
Said = Iterator[tuple[str, Any, Any]]


class OddError(Exception):
    """A word that should be a pointer is none."""


def word(pointer: int, k: int, name: str = "a word out of reach") -> int:
    """The word k behind a pointer; `OddError` where this process has no memory.

    The system reads it, through a pipe: it refuses a bad address, where a read of our own would
    end the process.
    """
    out, into = os.pipe()
    try:
        os.write(into, ffi.buffer(ffi.cast("char *", pointer + 8 * k), 8))
        return int.from_bytes(os.read(out, 8), "little")
    except OSError:
        raise OddError(name) from None
    finally:
        os.close(out)
        os.close(into)


def number(pointer: int, k: int) -> float:
    """The number k behind a pointer."""
    return float(struct.unpack("d", word(pointer, k).to_bytes(8, "little"))[0])


def follow(pointer: int, k: int, name: str) -> int:
    """The word k behind a pointer, which must be a pointer as well."""
    found = word(pointer, k, name)
    if found % 8:
        raise OddError(name)
    word(found, 0, name)
    return found


def touching() -> tuple[pymunk.Space, list[pymunk.Body], list[pymunk.Shape]]:
    """Two bodies that overlap, the first with a second shape far away, after one step."""
    space, bodies = pymunk.Space(), [pymunk.Body(2.0, 3.0), pymunk.Body(2.0, 3.0)]
    one, two = bodies
    one.position, one.velocity, one.angle, one.angular_velocity = (3, 4), (5, 6), 7.0, 8.0
    one.center_of_gravity = 0.25, 0.5
    two.position = 3.5, 5.0
    shapes: list[pymunk.Shape] = [
        pymunk.Circle(one, 1.0),
        pymunk.Circle(one, 1.0, (60, 0)),
        pymunk.Circle(two, 1.0),
    ]
    space.add(*bodies, *shapes)
    space.step(STEP)
    return space, bodies, shapes


def _the_pair(here: int) -> tuple[int, int, int, int]:
    """Of a space where one pair touches: the set of pairs, the slot, the bin and the arbiter."""
    held = follow(here, mem.ARBITER_SET, "set of pairs")
    table = follow(held, mem.TABLE, "table of pairs")
    if word(held, 0) & 0xFFFFFFFF != 1 or not 1 < word(held, 0) >> 32 < 1 << 16:
        raise OddError("number of pairs")
    for slot in range(word(held, 0) >> 32):
        if word(table, slot):
            chain = follow(table, slot, "table of pairs")
            return held, slot, chain, follow(chain, mem.ELEMENT, "pair in the table")
    raise OddError("table of pairs")


def contacts() -> Said:
    """The pair that touches, in all lists that it is in."""
    space, bodies, shapes = touching()
    here = mem.space_of(space)
    held, slot, chain, one = _the_pair(here)
    sides = [word(one, mem.SIDES + k) for k in (0, 1)]
    both = [mem.address(shapes[k]._shape) for k in (0, 2)]
    yield "shapes of a pair", sorted(sides), sorted(both)
    owners = [word(one, mem.OWNERS + k) for k in (0, 1)]
    yield "bodies of a pair", owners, [word(side, mem.OF_BODY) for side in sides]
    value = (sides[0] * mem.COEFFICIENT ^ sides[1] * mem.COEFFICIENT) & 0xFFFFFFFFFFFFFFFF
    yield "hash of a pair", word(chain, mem.HASH), value
    yield "slot of a pair", slot, value % (word(held, 0) >> 32)
    yield "end of a chain", word(chain, mem.NEXT), 0
    for body in bodies:
        yield "pairs of a body", word(mem.address(body._body), mem.LIST), one
    listed = follow(here, mem.ARBITERS, "list of pairs")
    yield "list of pairs", word(listed, mem.NUM) & 0xFFFFFFFF, 1
    yield "list of pairs", word(follow(listed, mem.ITEMS, "list of pairs"), 0), one
    yield "step of a pair", word(one, mem.STAMPED) >> 32, word(here, mem.STAMP) & 0xFFFFFFFF
    yield "points of a pair", word(one, mem.CONTACTS) & 0xFFFFFFFF, 1


def rooms() -> Said:
    """Where the engine takes points of contact, arbiters and bins from."""
    space, _bodies, _shapes = touching()
    here = mem.space_of(space)
    held, _slot, chain, one = _the_pair(here)
    ring = follow(here, mem.RING, "ring of points")
    yield "ring of points", word(ring, 0) & 0xFFFFFFFF, word(here, mem.STAMP) & 0xFFFFFFFF
    yield "ring of points", word(ring, 1), ring
    points = word(one, mem.POINTS)
    yield "points of a pair", ring < points < ring + BLOCK, True
    pool = follow(here, mem.POOL, "spare pairs")
    spare = word(pool, mem.NUM) & 0xFFFFFFFF
    yield "spare pairs", spare, BLOCK // (8 * mem.ARBITER) - 1
    items = follow(pool, mem.ITEMS, "spare pairs")
    yield "spare pairs", word(items, spare - 1), one - 8 * mem.ARBITER
    buffers = follow(here, mem.BUFFERS, "buffers")
    kept, room = word(buffers, mem.NUM) & 0xFFFFFFFF, word(buffers, mem.NUM) >> 32
    yield "buffers", 2 <= kept <= room < 1 << 16, True
    blocks = [word(follow(buffers, mem.ITEMS, "buffers"), k) for k in range(kept)]
    yield "buffers", {ring, word(items, 0)} <= set(blocks), True
    link, count = word(held, mem.SPARE), 0
    while link and count < BLOCK:
        yield "spare bins", 0 < abs(link - chain) < BLOCK, True
        link, count = word(link, mem.NEXT), count + 1
    yield "spare bins", count, BLOCK // 24 - 1


def tree() -> Said:
    """The tree of boxes: nodes, leaves, the pair of leaves that overlap, and the set of leaves."""
    space, _bodies, shapes = touching()
    here, outlines = mem.space_of(space), [mem.address(each._shape) for each in shapes]
    index = follow(here, mem.INDEX, "tree")
    ground = follow(here, mem.STATIC_INDEX, "tree of what stands still")
    yield "tree of what stands still", word(ground, 0), word(index, 0)
    yield "tree of what stands still", word(ground, mem.ROOT), 0
    root = follow(index, mem.ROOT, "root of the tree")
    leaves: dict[int, int] = {}
    stack = [(root, 0)]
    while stack and len(leaves) <= len(shapes):
        node, parent = stack.pop()
        yield "parent of a node", word(node, mem.PARENT), parent
        if shape := word(node, mem.OBJECT):
            leaves[shape] = node
            continue
        stack += [(follow(node, mem.CHILDREN + k, "branches of a node"), node) for k in (0, 1)]
    yield "leaves of the tree", sorted(leaves), sorted(outlines)
    for each, outline in zip(shapes, outlines, strict=True):
        box, (left, low, right, top) = each.bb, [
            number(leaves[outline], mem.BOX + k) for k in range(4)
        ]  # fmt: skip
        inside = left <= box.left and low <= box.bottom and right >= box.right and top >= box.top
        yield "box of a leaf", inside, True
    pair = follow(leaves[outlines[0]], mem.PAIRS, "pairs of a leaf")
    ends = {word(pair, mem.THREAD * k + 1) for k in (0, 1)}
    yield "leaves of a pair", ends, {leaves[outlines[k]] for k in (0, 2)}
    yield "pairs of a leaf", word(leaves[outlines[2]], mem.PAIRS), pair
    yield "next pair", [word(pair, mem.THREAD * k + 2) for k in (0, 1)], [0, 0]
    yield from _numbered(follow(index, mem.SET, "set of leaves"), outlines, set(leaves.values()))


def corners() -> Said:
    """What a pair of leaves remembers of the corners where two outlines were nearest."""
    space, outlines = pymunk.Space(), []
    for k in (0, 1):
        body = pymunk.Body(2.0, 3.0)
        body.position = 1.5 * k, 0.25 * k
        outlines.append(pymunk.Poly.create_box(body, (2, 1)))
        space.add(body, outlines[-1])
    space.step(STEP)
    root = follow(follow(mem.space_of(space), mem.INDEX, "tree"), mem.ROOT, "root of the tree")
    leaf = follow(root, mem.CHILDREN, "branches of a node")
    pair = follow(leaf, mem.PAIRS, "pairs of a leaf")
    yield "corners of a pair", word(pair, mem.PAIR_ID) & 0xFFFFFFFF > 0, True
    ends = [word(pair, mem.THREAD * k + 1) for k in (0, 1)]
    yield "leaves of a pair", word(pair, mem.PAIR_ID) in ends, False


def cells() -> Said:
    """The cells that many bodies are sorted by."""
    space, _bodies, shapes = touching()
    space.use_spatial_hash(1.5, 100)
    index = follow(mem.space_of(space), mem.INDEX, "cells")
    yield "width of a cell", number(index, mem.SIDE), 1.5
    yield "number of cells", 100 <= word(index, mem.CELLS) & 0xFFFFFFFF < 200, True
    outlines = [mem.address(each._shape) for each in shapes]
    yield from _numbered(follow(index, mem.HASH_SET, "set of shapes"), outlines, None)


def _numbered(held: int, outlines: list[int], wanted: set[int] | None) -> Said:
    """A set of what is sorted by numbers of shapes; `wanted` is what it holds, if that is known."""
    table = follow(held, mem.TABLE, "table of shapes")
    yield "number of shapes", word(held, 0) & 0xFFFFFFFF, len(outlines)
    size = word(held, 0) >> 32
    yield "table of shapes", 1 < size < 1 << 16, True
    found: dict[int, int] = {}
    for slot in range(size):
        chain = word(table, slot)
        for _ in outlines:
            if chain:
                found[word(chain, mem.HASH)] = follow(chain, mem.ELEMENT, "shape in the table")
                chain = word(chain, mem.NEXT)
        yield "end of a chain", chain, 0
    yield "shapes in the table", set(found), {word(each, mem.NUMBER) for each in outlines}
    if wanted is not None:
        yield "shapes in the table", set(found.values()), wanted
