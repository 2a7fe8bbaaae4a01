"""Nodes that wait in buckets, by their distances."""

import numpy as np

from sim.navigation.buckets import empty_queue, push, take, wait

LEAST, LONGEST = 0.7, 1.5


def ordered(keys, follow):
    """The nodes in the order in which they are taken, all begun with; `follow` may have some wait.

    With the number of the bucket of each.
    """
    queue, begun = empty_queue(len(keys), len(keys), LONGEST, LEAST), 0
    for node in np.flatnonzero(np.isfinite(keys)).tolist():
        begun = push(queue.keys, queue.begins, begun, keys[node], node)
    found, number = [], 0
    while True:
        many, number, begun = take(queue, keys, number, begun)
        if not many:
            return found
        for node in queue.bucket[number & (len(queue.filled) - 1), :many].tolist():
            found.append((number, node))
            if follow is not None:
                follow(queue, node)


def test_nodes_come_bucket_by_bucket():
    """Each once, the nearest buckets first, however far apart those to begin with are."""
    keys = np.random.default_rng(1).uniform(0, 1e6, 300)
    found = ordered(keys, None)
    assert [number for number, _ in found] == sorted(int(key / LEAST) for key in keys)
    assert sorted(node for _, node in found) == list(range(300))
    assert all(number == int(keys[node] / LEAST) for number, node in found)


def test_a_node_that_comes_nearer_as_it_waits_is_taken_once():
    """Along a chain of 200 nodes, each sets the next two: first too far, then right."""
    keys = np.full(200, np.inf)
    keys[0] = 0.0

    def follow(queue, node):
        for other, longer in ((node + 1, 0.75), (node + 2, 1.5)):
            if other < len(keys) and keys[node] + longer < keys[other]:
                keys[other] = keys[node] + longer
                wait(queue, other, keys[other])
        late = node + 2
        if late < len(keys) and keys[node] + 1.45 < keys[late]:
            keys[late] = keys[node] + 1.45
            wait(queue, late, keys[late])

    found = [node for _, node in ordered(keys, follow)]
    assert sorted(found) == list(range(200))
    assert found == sorted(range(200), key=lambda node: keys[node])


def test_a_node_that_was_begun_with_and_came_nearer_is_taken_once():
    """By what it came to: not once more when its turn to begin comes."""
    keys = np.array([0.0, 5.0])

    def follow(queue, node):
        if node == 0:
            keys[1] = 1.0
            wait(queue, 1, 1.0)

    assert ordered(keys, follow) == [(0, 0), (1, 1)]
