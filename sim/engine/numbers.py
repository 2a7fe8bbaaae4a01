"""The engine's numbers of bodies: which body each unit has, and where it stands among all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pymunk
from numpy.typing import NDArray
from pymunk._chipmunk_cffi import lib

from sim.core.arrays import Ints
from sim.core.relay import Relay
from sim.core.shared_cache import njit

ABSENT = -1
NO_BODY = 0
"""The number of no body: the engine numbers them by where they lie in memory."""
OWN = 1 << 31
"""Filter groups of units begin here, far from any that the owner of a space may use."""
EVERY = pymunk.ShapeFilter.ALL_MASKS()
"""All categories of shapes."""


class Held:
    """The bodies of N units, by their numbers.

    Rows hold numbers, not bodies: to lay 10,000 references anew takes longer than all else that
    follows when a few units come or go.
    """

    def __init__(self) -> None:
        self.numbers: NDArray[np.uint64] = np.zeros(0, np.uint64)
        """(N,) the number of each unit's body; `NO_BODY` for units that left."""
        self._bodies: dict[int, pymunk.Body] = {}

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, row: int) -> pymunk.Body | None:
        """The body of a unit; None if it left."""
        return self._bodies.get(int(self.numbers[row]))

    def __contains__(self, body: object) -> bool:
        """Whether a body is that of a unit."""
        return isinstance(body, pymunk.Body) and self._bodies.get(body.id) is body

    @property
    def all(self) -> list[pymunk.Body | None]:
        """(N,) those of all units."""
        return list(map(self._bodies.get, self.numbers.tolist()))

    def put(self, numbers: NDArray[np.uint64], known: Mapping[int, pymunk.Body]) -> None:
        """The units have the bodies with these numbers now (N,), which are `known` by them."""
        self.numbers = numbers
        self._bodies = {n: known[n] for n in numbers.tolist() if n != NO_BODY}

    def rearrange(self, relay: Relay, fresh: Sequence[pymunk.Body]) -> None:
        """Each unit has the old row that is given, or the next of the fresh bodies."""
        new = {body.id: body for body in fresh}
        self.numbers = relay.carried(self.numbers, NO_BODY)
        self.numbers[relay.fresh] = list(new)
        self._bodies |= new

    def take(self, row: int) -> pymunk.Body | None:
        """The body of a unit, which has none from now on; None if it had none."""
        body = self._bodies.pop(int(self.numbers[row]), None)
        self.numbers[row] = NO_BODY
        return body


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
