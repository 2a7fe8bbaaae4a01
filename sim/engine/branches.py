"""Kernels that walk through the engine's tree of boxes, and join its parts anew."""

from __future__ import annotations

import numpy as np

from sim.core.shared_cache import njit
from sim.engine import memory as mem
from sim.engine.memory import at, low

INNER = -1
"""In the form of a tree: a branch, and no leaf."""


@njit(cache=True)
def walk(words, root, form, boxes, leaves):  # type: ignore[no-untyped-def]
    """Read off the form of a tree, the boxes of its leaves, and where these lie."""
    reals = words.view(np.float64)
    stack = np.empty(len(form) + 1, np.uint64)
    stack[0], top, k, n = root, 1, 0, 0
    while top:
        top -= 1
        node = stack[top]
        shape = words[at(node, mem.OBJECT)]
        if shape == np.uint64(0):
            form[k] = INNER
            stack[top] = words[at(node, mem.CHILDREN + 1)]
            stack[top + 1] = words[at(node, mem.CHILDREN)]
            top += 2
        else:
            form[k] = np.int64(words[at(shape, mem.NUMBER)])
            leaves[n] = node
            for j in range(4):
                boxes[n, j] = reals[at(node, mem.BOX + j)]
            n += 1
        k += 1


@njit(cache=True)
def pairs_of(words, leaves, count):  # type: ignore[no-untyped-def]
    """(m, 2) where the pairs of all leaves lie, and whether the leaf is the second of it."""
    found, m = np.empty((64, 2), np.uint64), 0
    for i in range(len(leaves)):
        count[i] = 0
        pair = words[at(leaves[i], mem.PAIRS)]
        while pair != np.uint64(0):
            if m == len(found):
                found = np.concatenate((found, np.empty_like(found)))
            second = words[at(pair, mem.THREAD + 1)] == leaves[i]
            found[m, 0], found[m, 1] = pair, np.uint64(second)
            m += 1
            count[i] += 1
            pair = words[at(pair, mem.THREAD * second + 2)]
    return found[:m]


@njit(cache=True)
def ends_of(words, pairs, ends, ids):  # type: ignore[no-untyped-def]
    """Read off which two shapes each pair is of, and its id."""
    for i in range(len(pairs)):
        ids[i] = low(words[at(pairs[i], mem.PAIR_ID)])
        for j in range(2):
            leaf = words[at(pairs[i], mem.THREAD * j + 1)]
            ends[i, j] = np.int64(words[at(words[at(leaf, mem.OBJECT)], mem.NUMBER)])


@njit(cache=True)
def gather(words, root, leaves, inner):  # type: ignore[no-untyped-def]
    """Note where leaves, by number, and branches lie; leaves lose their pairs. How many branches.

    A leaf whose number is beyond has no pairs to come, and is only bared.
    """
    stack = np.empty(len(inner) + 2, np.uint64)
    stack[0], top, k = root, 1, 0
    while top:
        top -= 1
        node = stack[top]
        shape = words[at(node, mem.OBJECT)]
        if shape == np.uint64(0):
            if k < len(inner):
                inner[k] = node
            k += 1
            stack[top] = words[at(node, mem.CHILDREN + 1)]
            stack[top + 1] = words[at(node, mem.CHILDREN)]
            top += 2
        else:
            number = np.int64(words[at(shape, mem.NUMBER)])
            if number < len(leaves):
                leaves[number] = node
            words[at(node, mem.PAIRS)] = np.uint64(0)
    return k


@njit(cache=True)
def grow(words, form, boxes, leaves, inner):  # type: ignore[no-untyped-def]
    """Join leaves and branches anew; the root."""
    reals = words.view(np.float64)
    none = np.uint64(0)
    path, filled = np.empty(len(form) + 1, np.uint64), np.zeros(len(form) + 1, np.int64)
    top, branch, n, root = 0, 0, 0, none
    for k in range(len(form)):
        if form[k] == INNER:
            node = inner[branch]
            branch += 1
        else:
            node = leaves[form[k]]
            words[at(node, mem.LEAF_STAMP)] = none  # of a step gone by
            for j in range(4):
                reals[at(node, mem.BOX + j)] = boxes[n, j]
            n += 1
        words[at(node, mem.PARENT)] = path[top - 1] if top else none
        if top:
            words[at(path[top - 1], mem.CHILDREN + filled[top - 1])] = node
            filled[top - 1] += 1
        else:
            root = node
        if form[k] == INNER:
            path[top], filled[top] = node, 0
            top += 1
            continue
        while top and filled[top - 1] == 2:
            top -= 1
            done = path[top]
            a, b = words[at(done, mem.CHILDREN)], words[at(done, mem.CHILDREN + 1)]
            for j in range(4):
                one, other = reals[at(a, mem.BOX + j)], reals[at(b, mem.BOX + j)]
                reals[at(done, mem.BOX + j)] = min(one, other) if j < 2 else max(one, other)
    return root


@njit(cache=True)
def join(words, form, count, pairs, ends, ids, leaves, block):  # type: ignore[no-untyped-def]
    """Thread the pairs, which lie in the block, into the lists of their leaves."""
    none = np.uint64(0)
    for p in range(len(ids)):
        pair = block + np.uint64(8 * mem.PAIR * p)
        words[at(pair, mem.PAIR_ID)] = np.uint64(ids[p])
        for j in range(2):
            words[at(pair, mem.THREAD * j + 1)] = leaves[ends[p, j]]
    n, m = 0, 0
    for k in range(len(form)):
        if form[k] == INNER:
            continue
        before, was, leaf = none, 0, leaves[form[k]]
        for e in range(m, m + count[n]):
            pair, role = block + np.uint64(8 * mem.PAIR * (pairs[e] >> 1)), pairs[e] & 1
            words[at(pair, mem.THREAD * role)] = before
            words[at(pair, mem.THREAD * role + 2)] = none
            if before == none:
                words[at(leaf, mem.PAIRS)] = pair
            else:
                words[at(before, mem.THREAD * was + 2)] = pair
            before, was = pair, role
        m += count[n]
        n += 1
    for p in range(len(ids)):  # those with the ground, in its lists: their order is of no meaning
        pair = block + np.uint64(8 * mem.PAIR * p)
        leaf = leaves[ends[p, 0]]
        if words[at(pair, 0)] == none and words[at(leaf, mem.PAIRS)] != pair:
            after = words[at(leaf, mem.PAIRS)]
            words[at(pair, 2)] = after
            if after != none:
                words[at(after, 0)] = pair
            words[at(leaf, mem.PAIRS)] = pair
