"""The engine's tree of boxes: read off, and made again with the same branches and pairs.

Its form depends on how all units came to where they are, and decides in which order contacts are
seen to. So it is part of a world's state, with the pairs whose boxes overlap, in their order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pymunk

from sim.core.arrays import Floats, Ints
from sim.engine import memory as mem
from sim.engine.branches import INNER, ends_of, gather, grow, join, pairs_of, walk
from sim.engine.memory import field, is_tree, put, room, space_of, words


class Tree(NamedTuple):
    """A tree of n boxes; shapes have the numbers that the space gave them."""

    form: Ints
    """(2n - 1,) the number of each leaf's shape, -1 for branches: a branch, then all of its first
    part, then all of its second."""
    boxes: Floats
    """(n, 4) of the leaves, in this order."""
    count: Ints  # type: ignore[assignment]
    """(n,) how many pairs each leaf has."""
    pairs: Ints
    """(m,) those of all leaves: twice the number of the pair, and 1 more where the leaf is its
    second."""
    ends: Ints
    """(p, 2) the two shapes of each pair; the first may stand still."""
    ids: Ints
    """(p,) what the engine remembers of where two shapes were nearest."""


def read_tree(space: pymunk.Space) -> Tree:
    """The tree of the space's bodies; an empty one where it keeps cells."""
    here = space_of(space)
    root = field(field(here, mem.INDEX), mem.ROOT) if is_tree(space) else 0
    if not root:
        none = np.zeros(0, np.int64)
        return Tree(none, np.zeros((0, 4)), none, none, none.reshape(0, 2), none)
    units = int(field(field(field(here, mem.INDEX), mem.SET), 0) & 0xFFFFFFFF)
    form, boxes = np.empty(2 * units - 1, np.int64), np.empty((units, 4))
    leaves = np.empty(units, np.uint64)
    walk(words(), np.uint64(root), form, boxes, leaves)
    count = np.empty(units, np.int64)
    found = pairs_of(words(), leaves, count)
    pairs, first, number = np.unique(found[:, 0], return_index=True, return_inverse=True)
    ends, ids = np.empty((len(pairs), 2), np.int64), np.empty(len(pairs), np.int64)
    ends_of(words(), pairs, ends, ids)
    role = found[:, 1].astype(np.int64)
    # numbered as they come, whatever their places in memory
    order = np.empty(len(pairs), np.int64)
    order[np.argsort(first)] = np.arange(len(pairs))
    ends[order], ids[order] = ends.copy(), ids.copy()
    return Tree(form, boxes, count, 2 * order[number.reshape(-1)] + role, ends, ids)


def write_tree(space: pymunk.Space, tree: Tree) -> None:
    """Give the space's tree this form: it has the same shapes already. See `check_tree`."""
    here = space_of(space)
    index, ground = field(here, mem.INDEX), field(here, mem.STATIC_INDEX)
    if not len(tree.form):
        return
    top = int(max(tree.form.max(), tree.ends.max(initial=0))) + 1
    leaves = np.zeros(top, np.uint64)
    inner = np.empty(len(tree.count), np.uint64)
    branches = gather(words(), np.uint64(field(index, mem.ROOT)), leaves, inner)
    if branches != len(tree.count) - 1:
        raise RuntimeError("the tree has other shapes than the state")
    if root := field(ground, mem.ROOT):
        gather(words(), np.uint64(root), leaves, np.empty(_size(ground), np.uint64))
    root = grow(words(), tree.form, tree.boxes, leaves, inner)
    put(index, mem.ROOT, int(root))
    block = room(space, mem.PAIR * len(tree.ids)) if len(tree.ids) else 0
    join(words(), tree.form, tree.count, tree.pairs, tree.ends, tree.ids, leaves, np.uint64(block))


def check_tree(tree: Tree, numbers: Ints, still: Ints) -> bool:
    """Whether a tree is one, of the shapes with these numbers; `still` are those of the ground."""
    leaves = tree.form[tree.form != INNER]
    n = len(leaves)
    if not np.array_equal(np.sort(leaves), np.sort(numbers)):
        return False
    open_ends = 1 + np.cumsum(np.where(tree.form == INNER, 1, -1))
    if (open_ends[:-1] <= 0).any() or open_ends[-1:].any() or len(tree.form) != 2 * n - 1:
        return False
    if len(tree.boxes) != n or len(tree.count) != n or np.isnan(tree.boxes).any():
        return False
    p, role = tree.pairs >> 1, tree.pairs & 1
    if (tree.count < 0).any() or tree.count.sum() != len(p) or len(tree.ids) != len(tree.ends):
        return False
    if len(p) and (p.min() < 0 or p.max() >= len(tree.ids)):
        return False
    owner = np.repeat(leaves, tree.count)
    moving = np.isin(tree.ends, numbers)
    if not (moving | np.isin(tree.ends, still)).all() or not moving[:, 1].all():
        return False
    if not np.array_equal(tree.ends[p, role], owner) or (tree.ends[:, 0] == tree.ends[:, 1]).any():
        return False
    return bool(np.array_equal(np.sort(tree.pairs), np.flatnonzero(moving.reshape(-1))))


def _size(index: int) -> int:
    return field(field(index, mem.SET), 0) & 0xFFFFFFFF
