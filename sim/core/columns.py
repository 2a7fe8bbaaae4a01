"""State of units in arrays, a row a unit: how it follows when units come, go and change group.

There is one operation. `old_rows` (M,) says for each row of the units as they are now which row it
had before, or `NEW` for a unit that has just come; a row that is not named has gone. A class that
keeps state of units names its arrays once, in `columns`, with the value that each has for a new
unit; `rearrange` then carries all of them, and whatever saves a world finds them by these names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

import numpy as np

from sim.core.arrays import Floats, Ints

T = TypeVar("T")
NEW = -1
"""Instead of an old row: the unit has just come. Instead of a new row: it has gone."""


class Columns:
    """What keeps state of N units in arrays of N rows, each named once with a new unit's value.

    A column is an array, or a named tuple of arrays (its value is then such a tuple with one row).
    """

    columns: ClassVar[Mapping[str, Any]] = {}
    """By name: what a new unit has there."""
    references: ClassVar[frozenset[str]] = frozenset()
    """Columns whose values are rows of units themselves, -1 for none."""

    def rearrange(self, old_rows: Ints) -> None:
        """Carry all columns to new rows."""
        for name, fresh in self.columns.items():
            before = getattr(self, name)
            now = carried(before, old_rows, fresh)
            if name in self.references:
                now = new_rows(old_rows, len(before))[now]
            setattr(self, name, now)

    @property
    def state(self) -> dict[str, Any]:
        """The columns by name, as they are now."""
        return {name: getattr(self, name) for name in self.columns}


def carried(values: T, old_rows: Ints, fresh: Any) -> T:
    """The rows of values (N, ...) as they are now (M, ...), each new one with the `fresh` value."""
    given: Any = values
    if isinstance(given, tuple):
        parts = [carried(part, old_rows, one) for part, one in zip(given, fresh, strict=True)]
        made: Any = type(given)
        return made(*parts)  # type: ignore[no-any-return]
    if len(given):
        found = given.take(np.maximum(old_rows, 0), axis=0)
    else:
        found = np.empty((len(old_rows), *given.shape[1:]), given.dtype)
    found[old_rows == NEW] = fresh
    return found  # type: ignore[no-any-return]


def new_rows(old_rows: Ints, count: int) -> Ints:
    """(count + 1,) the row that each of `count` old rows has now, -1 for rows that have gone.

    The last is -1: what was a reference to no unit remains one.
    """
    found = np.full(count + 1, NEW)
    kept = np.flatnonzero(old_rows != NEW)
    found[old_rows[kept]] = kept
    return found


def spread(first: Ints, counts: Ints) -> Ints:
    """(sum of counts,) first[0], first[0] + 1 and so on, counts[0] of them, then from first[1]."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    found: Ints = np.arange(total) + np.repeat(first - (ends - counts), counts)
    return found


def alike(rows: Floats) -> Ints:
    """(n,) numbers of rows (n, k), the same for the same rows, in their order by columns.

    As the inverse of `np.unique` by rows, and several times as fast.
    """
    order = np.lexsort(rows.T[::-1])
    laid = rows[order]
    number = np.empty(len(rows), np.int64)
    other = (laid[1:] != laid[:-1]).any(axis=1)
    number[order] = np.append(0, np.cumsum(other))[: len(rows)]
    return number


def as_rows(rows: Ints) -> slice | Ints:
    """The same rows, as a slice where they follow one another: what it picks is then a view."""
    if len(rows) and int(rows[-1]) - int(rows[0]) + 1 == len(rows) and (np.diff(rows) == 1).all():
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows
