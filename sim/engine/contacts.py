"""Which units touch, as the engine's last step found it: all contacts in one batch call.

Beside the bridge the only user of `batch`. What it must know: the normal
points from the first body to the second; an arbiter is there from the step that finds two shapes
touching until the step that finds them apart; which of two bodies comes first is the engine's whim.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pymunk

from sim.core.arrays import Floats, Ints
from sim.engine.batch import ArbiterFields, Buffer, get_space_arbiters
from sim.engine.bridge import Bridge
from sim.engine.owners import rows_of

PAIRS = (
    ArbiterFields.BODY_A_ID
    | ArbiterFields.BODY_B_ID
    | ArbiterFields.NORMAL
    | ArbiterFields.CONTACT_COUNT
)
SOLID = -1
"""What is no unit."""


class Contacts(NamedTuple):
    """What each of N units touches, unit by unit."""

    first: Ints
    """(N + 1,) unit i has the contacts first[i] to first[i + 1]."""
    other: Ints
    """(m,) the row of the unit touched; -1 for what is no unit."""
    normal: Floats
    """(m, 2) world frame, unit vectors from the unit into what it touches."""

    @classmethod
    def none(cls, units: int) -> Contacts:
        """Of units that touch nothing."""
        return cls(np.zeros(units + 1, np.int64), np.zeros(0, np.int64), np.zeros((0, 2)))


class Touch:
    """Reads the contacts of a space."""

    def __init__(self, space: pymunk.Space, bridge: Bridge) -> None:
        self._space, self._bridge = space, bridge
        self._inbox = Buffer()

    def read(self, units: int) -> Contacts:
        """The contacts of all units since the engine's last step, each from both sides.

        A unit's contacts are in the order of the rows that it touches, solids first.
        """
        self._inbox.clear()
        get_space_arbiters(self._space, PAIRS, self._inbox)
        numbers = np.frombuffer(self._inbox.int_buf(), dtype=np.uint64).reshape(-1, 3)
        normals = np.frombuffer(self._inbox.float_buf()).reshape(-1, 2)
        if not len(numbers):
            return Contacts.none(units)
        touching = numbers[:, 2] > 0
        one, two = (rows_of(self._bridge, numbers[touching, side]) for side in (0, 1))
        return _by_unit(units, one, two, normals[touching])


def _by_unit(units: int, one: Ints, two: Ints, normal: Floats) -> Contacts:
    """The contacts of each unit, from pairs of rows of which -1 is no unit."""
    me, other = np.concatenate([one, two]), np.concatenate([two, one])
    away = np.concatenate([normal, -normal])
    # The engine's order is of no meaning: two contacts with one partner are told apart by place.
    order = np.lexsort((away[:, 1], away[:, 0], other, me))
    order = order[me[order] != SOLID]
    me, other, away = me[order], other[order], away[order]
    first = np.searchsorted(me, np.arange(units + 1))
    return Contacts(first.astype(np.int64), other, away)
