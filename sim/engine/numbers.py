"""The engine's numbers of bodies: where each stands among all, and what tells units apart."""

from __future__ import annotations

import numpy as np
import pymunk
from numpy.typing import NDArray
from pymunk._chipmunk_cffi import lib

from sim.core.arrays import Ints
from sim.core.shared_cache import njit

ABSENT = -1
NO_BODY = 0
"""The number of no body: the engine numbers them by where they lie in memory."""
OWN = 1 << 31
"""Filter groups of units begin here, far from any that the owner of a space may use."""
EVERY = pymunk.ShapeFilter.ALL_MASKS()
"""All categories of shapes."""


def own_filter(body: pymunk.Body | None) -> pymunk.ShapeFilter:
    """What a unit's shape alone carries: a query with the same filter does not see it."""
    return pymunk.ShapeFilter(group=OWN + (NO_BODY if body is None else body.id))


def give_own_filter(body: pymunk.Body) -> None:
    """Have a unit's shapes carry it."""
    mine = OWN + body.id, EVERY, EVERY
    for shape in body._shapes:
        lib.cpShapeSetFilter(shape._shape, mine)


def where(ids: NDArray[np.uint64], order: Ints, bodies: NDArray[np.uint64]) -> Ints:
    """The place of each body among the ids, which `order` sorts; -1 for those not there."""
    if not len(ids):
        return np.full(len(bodies), ABSENT)
    at = order[np.minimum(np.searchsorted(ids, bodies, sorter=order), len(ids) - 1)]
    return np.where(ids[at] == bodies, at, ABSENT)


def where_now(ids: NDArray[np.uint64], before: Ints, bodies: NDArray[np.uint64]) -> Ints:
    """The same where the place of each is known that it had `before`, and most have still."""
    place, moved, others = _still(ids, before, bodies)
    if len(moved):
        found = ids.take(others[:-1])
        place[moved] = others[where(found, np.argsort(found), bodies.take(moved))]
    return np.asarray(place)


@njit(cache=True)
def _still(ids, before, bodies):  # type: ignore[no-untyped-def]
    """The places of bodies that have them still, -1 for others, and which these are.

    With them the places of no body that has its place still, and -1.
    """
    place, moved, m = np.full(len(bodies), ABSENT), np.empty(len(bodies), np.int64), 0
    taken, others, n = np.zeros(len(ids), np.bool_), np.empty(len(ids) + 1, np.int64), 0
    for k in range(len(bodies)):
        at = before[k] if k < len(before) else ABSENT
        if 0 <= at < len(ids) and ids[at] == bodies[k]:
            place[k], taken[at] = at, True
        else:
            moved[m] = k
            m += 1
    for at in range(len(ids)):
        others[n] = at
        n += not taken[at]
    others[n] = ABSENT
    return place, moved[:m], others[: n + 1]
