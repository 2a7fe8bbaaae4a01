"""Which group is meant, by its name or by the group itself, and which units, by their ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Ints
from sim.core.errors import BadInput, shortened
from sim.core.limits import check_text
from sim.group import Group


def group_of(groups: Sequence[Group], given: Group | str) -> Group:
    """That one of the groups of a world.

    Raises `BadInput` for what is no name of one, and for a group of another world.
    """
    if isinstance(given, Group):
        if not any(given is each for each in groups):
            raise BadInput(f"group {given.name!r}: is a group of another world")
        return given
    check_text(given, "group")
    for group in groups:
        if group.name == given:
            return group
    names = ", ".join(group.name for group in groups)
    said = f"must be one of {names}" if names else "the world has no group yet"
    raise BadInput(f"group {given!r}: {said}")


def reborn(groups: Sequence[Group], group_of: Ints, rows: Ints, group: Group) -> Ints:
    """(m,) those of the rows (k,) whose units need new bodies to join a group: of other hulls.

    `group_of` (N,) has the group that each is of now.
    """
    drawn = group.hull.spread is not None
    other = np.array([drawn or each.hull != group.hull for each in groups], np.bool_)
    return rows[other[group_of[rows]]]


def ids_of(ids: ArrayLike) -> Ints:
    """(k,) ids as an array. Raises `BadInput` for what is none, and for one that is named twice."""
    try:
        named = np.atleast_1d(np.asarray(ids))
    except ValueError:
        named = np.zeros((0, 0))
    if named.ndim != 1 or (named.size and named.dtype.kind not in "iu"):
        raise BadInput(f"ids = {shortened(ids)}: must be ids of units, whole numbers")
    named = named.astype(np.int64)
    unique, count = np.unique(named, return_counts=True)
    if (count > 1).any():
        raise BadInput(f"ids: {unique[count > 1][0]} is named twice")
    return named


def found_at(ids: Ints, named: Ints) -> Ints:
    """(k,) where each of those named is among ids (n,), one or more; anywhere if it is not there.

    Ids are in order unless units joined a group that others follow, or changed their group.
    """
    order = None if (ids[1:] > ids[:-1]).all() else np.argsort(ids)
    at = np.minimum(np.searchsorted(ids, named, sorter=order), len(ids) - 1)
    return at if order is None else order[at]
