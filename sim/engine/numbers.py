"""The engine's numbers of bodies: where each stands among all, and what tells units apart."""

from __future__ import annotations

import numpy as np
import pymunk
from numpy.typing import NDArray

from sim.core.arrays import Ints

ABSENT = -1
NO_BODY = 0
"""The number of no body: the engine numbers them by where they lie in memory."""
OWN = 1 << 31
"""Filter groups of units begin here, far from any that the owner of a space may use."""


def own_filter(body: pymunk.Body | None) -> pymunk.ShapeFilter:
    """What a unit's shape alone carries: a query with the same filter does not see it."""
    return pymunk.ShapeFilter(group=OWN + (NO_BODY if body is None else body.id))


def where(ids: NDArray[np.uint64], order: Ints, bodies: NDArray[np.uint64]) -> Ints:
    """The place of each body among the ids, which `order` sorts; -1 for those not there."""
    if not len(ids):
        return np.full(len(bodies), ABSENT)
    at = order[np.minimum(np.searchsorted(ids, bodies, sorter=order), len(ids) - 1)]
    return np.where(ids[at] == bodies, at, ABSENT)


def where_now(ids: NDArray[np.uint64], before: Ints, bodies: NDArray[np.uint64]) -> Ints:
    """The same where the place of each is known that it had `before`, and most have still."""
    if not len(ids):
        return np.full(len(bodies), ABSENT)
    place = np.clip(before, 0, len(ids) - 1)
    moved = np.flatnonzero(ids.take(place) != bodies)
    left = np.ones(len(ids), np.bool_)
    left[place] = False
    left[place.take(moved)] = True
    others = np.append(np.flatnonzero(left), ABSENT)
    found = ids.take(others[:-1])
    place[moved] = others[where(found, np.argsort(found), bodies.take(moved))]
    return place
