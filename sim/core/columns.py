"""State of units in arrays, a row a unit: how it follows when units come, go and change group.

There is one operation, a `Relay`. Its `old_rows` (M,) say for each row of the units as they are now
which row it had before, or `NEW` for one that has just come; a row not named has gone. A class that
keeps state of units names its arrays once, in `columns`, with the value that each has for a new
unit; `rearrange` then carries all of them, and whatever saves a world finds them by these names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.core.compiled import inlined
from sim.core.relay import Relay
from sim.core.shared_cache import njit
from sim.core.units import read_only

MIX = np.uint64(0x9E3779B97F4A7C15)
"""2 ** 64 over the golden ratio, odd: to mix the bits of numbers that are looked up."""


class Columns:
    """What keeps state of N units in arrays of N rows, each named once with a new unit's value.

    A column is an array, or a named tuple of arrays (its value is then such a tuple with one row).
    """

    columns: ClassVar[Mapping[str, Any]] = {}
    """By name: what a new unit has there."""
    references: ClassVar[frozenset[str]] = frozenset()
    """Columns whose values are rows of units themselves, -1 for none."""

    handed_out: ClassVar[frozenset[str]] = frozenset()
    """Columns that others may have got hold of: what they have stays as it is."""

    def rearrange(self, relay: Relay) -> None:
        """Carry all columns to new rows."""
        for name, fresh in self.columns.items():
            before = getattr(self, name)
            count = len(before)
            lay = relay.anew if name in self.handed_out else relay.carried
            now = lay(before, fresh)
            if name in self.references:
                now = relay.new_rows(count)[now]
            setattr(self, name, now)

    @property
    def state(self) -> dict[str, Any]:
        """The columns by name, as they are now. Read-only."""
        return {name: read_only(getattr(self, name)) for name in self.columns}


def alike(rows: Floats) -> Ints:
    """(n,) numbers of rows (n, k), the same for the same rows, in their order by columns.

    As the inverse of `np.unique` by rows, and many times as fast.
    """
    return kinds(rows)[0]


def kinds(rows: Floats) -> tuple[Ints, Ints]:
    """The same, and for each number the first of the rows that have it."""
    number, firsts = _met(np.ascontiguousarray(rows, dtype=np.float64))
    order = np.lexsort(rows.take(firsts, axis=0).T[::-1])
    place = np.empty(len(firsts), np.int64)
    place[order] = np.arange(len(firsts))
    return place.take(number, out=number, mode="clip"), firsts.take(order)


@njit(cache=True)
def _met(rows):  # type: ignore[no-untyped-def]
    """(n,) numbers of rows in the order in which they first occur, and where each does first."""
    table, firsts, m = np.full(64, -1), np.empty(32, np.int64), 0
    number, like = np.empty(len(rows), np.int64), 0
    for i in range(len(rows)):
        # Often the same rows follow one another as did before: the ways of units of one order.
        if like < i and _same(rows, i, like):
            number[i], like = number[like], like + 1
            continue
        slot = _slot(rows, i, table, firsts)
        if table[slot] < 0:
            if m == len(firsts):  # memory that is touched for the first time takes long
                firsts = np.concatenate((firsts, np.empty_like(firsts)))
                table = np.full(2 * len(table), -1)
                for k in range(m):
                    table[_slot(rows, firsts[k], table, firsts)] = k
                slot = _slot(rows, i, table, firsts)
            table[slot], firsts[m] = m, i
            m += 1
        number[i], like = table[slot], firsts[table[slot]] + 1
    return number, firsts[:m]


@njit(cache=True)
def _slot(rows, i, table, firsts):  # type: ignore[no-untyped-def]
    """Where in the table a row is, or else is to be."""
    mixed = np.uint64(0)
    for k in range(rows.shape[1]):
        value = rows[i, k] + 0.0  # minus zero is zero
        if value != value:  # no number equals itself
            value = float(i)
        mixed = (mixed ^ np.float64(value).view(np.uint64)) * MIX
        mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed & np.uint64(len(table) - 1))
    while table[slot] >= 0 and not _same(rows, i, firsts[table[slot]]):
        slot = (slot + 1) % len(table)
    return slot


@inlined
def _same(rows, one, other):  # type: ignore[no-untyped-def]
    differ = 0
    for k in range(rows.shape[1]):
        differ += rows[one, k] != rows[other, k]
    return differ == 0


def as_rows(rows: Ints) -> slice | Ints:
    """The same rows, as a slice where they follow one another: what it picks is then a view."""
    if len(rows) and int(rows[-1]) - int(rows[0]) + 1 == len(rows) and (np.diff(rows) == 1).all():
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def numbers_of(rows: slice | Ints) -> Ints:
    """(k,) the numbers of these rows: those of a slice, or `rows` itself."""
    return np.arange(rows.start, rows.stop) if isinstance(rows, slice) else rows
