"""Whose the bodies of a space are: told of the bodies that are there, and given to others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pymunk
from numpy.typing import NDArray

from sim.core.arrays import Ints
from sim.engine.bridge import FORCES, Bridge
from sim.engine.numbers import ABSENT, NO_BODY, give_own_filter, where

FOREIGN = -(1 << 62)
"""Whose body is no unit's, and no twin's."""


def owners(bridge: Bridge, bodies: NDArray[np.uint64]) -> Ints:
    """(b,) whose each body is, by its id: the row of a unit, -1 less the number of a twin."""
    bridge.fetch(FORCES, 3)
    mine, ids = bridge.place != ABSENT, bridge.body_ids
    owner = np.full(len(ids), FOREIGN)
    owner[bridge.place[mine]] = np.flatnonzero(mine)
    owner[bridge.twin_places] = -1 - np.arange(len(bridge.twin_places))
    if np.array_equal(ids[: len(bodies)], bodies):
        return owner[: len(bodies)]
    order = np.argsort(ids)
    return owner[order[np.searchsorted(ids, bodies, sorter=order)]]


def hand_over(bridge: Bridge, bodies: Sequence[pymunk.Body], owner: Ints, units: int) -> None:
    """Give bodies that are in the space already to their units and twins, as `owners` says.

    Those of parts of the ground, `FOREIGN`, belong to no unit.
    """
    for body, of in zip(bodies, owner.tolist(), strict=True):
        if of >= 0:
            give_own_filter(body)
    known = {body.id: body for body in bodies}
    take_over(bridge, np.array([*known], np.uint64), owner, units, known)


def known_by_id(bridge: Bridge) -> dict[int, pymunk.Body]:
    """The bodies of all units and twins by their ids."""
    every = zip(bridge.held.numbers.tolist(), bridge.held.all, strict=True)
    twins = zip(bridge.seam.numbers.tolist(), bridge.seam.bodies, strict=True)
    return {number: body for number, body in (*every, *twins) if body is not None}


def take_over(
    bridge: Bridge, ids: NDArray[np.uint64], owner: Ints, units: int,
    known: Mapping[int, pymunk.Body],
) -> None:  # fmt: skip
    """The same of bodies `known` by their ids, of which these (b,) are in the space."""
    rows, twins = np.full(units, NO_BODY, np.uint64), (owner < 0) & (owner != FOREIGN)
    rows[owner[owner >= 0]] = ids[owner >= 0]
    bridge.held.put(rows, known)
    at = np.empty(int(twins.sum()), np.uint64)
    at[-1 - owner[twins]] = ids[twins]
    bridge.seam.bodies = [known[number] for number in at.tolist()]
    bridge.place = np.full(units, ABSENT)
    bridge.forget_order()


def rows_of(bridge: Bridge, bodies: NDArray[np.uint64]) -> Ints:
    """The row of each body by its id, a twin's being its unit's; -1 for what is no unit.

    Good for the bodies that the last read or write has found.
    """
    ids, seam = bridge.body_ids, bridge.seam
    rows = np.full(len(ids) + 1, ABSENT)
    rows[bridge.place] = np.arange(len(bridge.place))
    rows[bridge.twin_places], rows[-1] = seam.row, ABSENT
    return np.take(rows, where(ids, np.argsort(ids), bodies))
