"""Rows of arrays laid anew, in the memory where they are: units come and go among thousands.

An array is laid in place where its rows keep their order and its memory has room: then only what
moves is copied. Any other is copied into new memory, with room for more.
"""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numba import config, types

from sim.core.arrays import NO_ROWS, Ints
from sim.core.shared_cache import njit

T = TypeVar("T")
NEW = -1
"""Instead of an old row: the unit has just come. Instead of a new row: it has gone."""
SPARE = 8
"""Memory has room for one row more in this number."""
UP, DOWN, MIXED = 0, 1, 2
"""Rows all move up or stay, all move down or stay, or neither."""


def _move_bytes(to: Any, begin: Any, count: Any) -> None:
    """Copy bytes from one address to another; the two stretches may overlap."""
    ctypes.memmove(int(to), int(begin), int(count))


BYTES = types.uintp(types.uintp, types.uintp, types.uintp)
plain_python = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]
memmove: Any = _move_bytes if plain_python else types.ExternalFunction("memmove", BYTES)


def both(before: Ints, after: Ints) -> Ints:
    """The old rows of two changes, one after the other, taken as one."""
    if not len(before):
        return np.full(len(after), NEW)
    return np.where(after == NEW, NEW, before.take(after, mode="clip"))


class Room(np.ndarray[Any, Any]):
    """Memory in which one array grows and shrinks: it begins where this does."""

    address: int
    """Where that is."""


class Relay:
    """How rows are laid anew, by where each was before: `old_rows` (M,).

    With `counts` (N,) several rows belong to each of N units, one after another. `first` (N,) is
    then where they began before; where that is `NEW` all of them are new.
    """

    def __init__(self, first: Ints, counts: Ints | None = None) -> None:
        self._first, self._counts = first, counts
        each = np.ones(len(first), np.int64) if counts is None else counts
        self._rows, self._way, self._runs, fresh = _runs(first, each)
        self._now: Ints = NO_ROWS
        self._any_new = len(fresh) > 0
        together = self._any_new and fresh[-1] - fresh[0] == len(fresh) - 1
        self.fresh: Ints | slice = slice(int(fresh[0]), int(fresh[-1]) + 1) if together else fresh
        """The new ones."""

    @cached_property
    def old_rows(self) -> Ints:
        """(M,) where each row was before, `NEW` for new ones."""
        return self._first if self._counts is None else spread(self._first, self._counts)

    def new_rows(self, count: int) -> Ints:
        """(count + 1,) the row that each of `count` old rows has now, -1 for rows that have gone.

        The last is -1: what was a reference to no unit remains one.
        """
        if len(self._now) != count + 1:
            self._now = np.full(count + 1, NEW)
            _turn_round(self.old_rows, self._now)
        return self._now

    def carried(self, values: T, fresh: Any) -> T:
        """The rows of values (N, ...) as they are now (M, ...), new ones with the `fresh` value.

        They may be in the same memory, and the `values` given are to be forgotten. Of a named tuple
        of arrays each is carried, and `fresh` is such a tuple with one row.
        """
        given: Any = values
        if isinstance(given, tuple):
            parts = [self.carried(part, one) for part, one in zip(given, fresh, strict=True)]
            made: Any = type(given)
            return made(*parts)  # type: ignore[no-any-return]
        found = self._in_place(given)
        if found is None:
            found = self._copied(given)
        if self._any_new:
            found[self.fresh] = fresh
        return found  # type: ignore[no-any-return]

    def anew(self, values: Any, fresh: Any) -> Any:
        """The same of an array in new memory: for what others may have got hold of."""
        found = self._copied(values)
        found[self.fresh] = fresh
        return found

    def _in_place(self, values: Any) -> Any:
        """The array laid anew where it is, with what new rows have left open; None if it cannot."""
        room, rows = values.base, self._rows
        if type(room) is not Room or self._way == MIXED or rows > len(room):
            return None
        found = np.ndarray((rows, *values.shape[1:]), values.dtype, room)
        if len(self._runs):
            _move(room.address, room.strides[0], self._runs, self._way == UP)
        return found

    def _copied(self, values: Any) -> Any:
        """The array in new memory, with what new rows have left open."""
        rows = self._rows
        room = Room((rows + rows // SPARE, *values.shape[1:]), values.dtype)
        room.address = room.ctypes.data
        found = np.ndarray((rows, *values.shape[1:]), values.dtype, room)
        if len(values):
            values.take(self.old_rows, axis=0, out=found, mode="clip")
        return found


@njit(cache=True)
def spans_kept(first: Ints, old_rows: Ints) -> tuple[Ints, Ints]:
    """Where the rows of each unit begin and how many there are, both (M,): none of `NEW` units.

    Before, unit i had the rows from first[i] to first[i + 1].
    """
    begin, counts = np.zeros((2, len(old_rows)), np.int64)
    for row in range(len(old_rows)):
        old = old_rows[row]
        if old != NEW:
            begin[row], counts[row] = first[old], first[old + 1] - first[old]
    return begin, counts


@njit(cache=True)
def spread(first: Ints, counts: Ints) -> Ints:
    """(sum of counts,) first[0], first[0] + 1 and so on, counts[0] of them, then from first[1].

    Where `first` is `NEW` all of them are.
    """
    found, m = np.empty(counts.sum(), np.int64), 0
    for i in range(len(counts)):
        for k in range(counts[i]):
            found[m] = first[i] + k if first[i] >= 0 else NEW
            m += 1
    return found


@njit(cache=True)
def _runs(first, counts):  # type: ignore[no-untyped-def]
    """How many rows there are, which way those move that were there, run by run, and the new ones.

    A run, of (k, 3), is where its first row is now, where that was, and how many follow it. There
    are none where rows do not keep their order.
    """
    runs, m, row, new = np.empty((len(counts), 3), np.int64), 0, 0, 0
    up, down, mixed, last, end, moved = True, True, False, NEW, NEW, 0
    for i in range(len(counts)):
        new += counts[i] * (first[i] == NEW)
    fresh, f = np.empty(new, np.int64), 0
    for i in range(len(counts)):
        if first[i] == NEW:
            for k in range(counts[i]):
                fresh[f] = row + k
                f += 1
        elif counts[i]:
            mixed |= first[i] <= last
            last = first[i] + counts[i] - 1
            shift = first[i] - row
            up &= shift >= 0
            down &= shift <= 0
            if end == row and shift == moved:  # the last run goes on
                runs[m - 1, 2] += counts[i]
                end += counts[i]
            elif shift != 0:
                runs[m, 0], runs[m, 1], runs[m, 2] = row, first[i], counts[i]
                end, moved, m = row + counts[i], shift, m + 1
        row += counts[i]
    if mixed:
        return row, MIXED, runs[:0], fresh
    return row, (UP if up else DOWN if down else MIXED), runs[:m].copy(), fresh


@njit(cache=True)
def _turn_round(old_rows, found):  # type: ignore[no-untyped-def]
    """Write to `found` which row each of the old rows has now, where it has one."""
    for row in range(len(old_rows)):
        if old_rows[row] != NEW:
            found[old_rows[row]] = row


@njit(cache=True)
def _move(here, wide, runs, up):  # type: ignore[no-untyped-def]
    """Move runs of rows in the memory that begins `here`, each row `wide` bytes."""
    for number in range(len(runs)):
        to, begin, count = runs[number if up else len(runs) - 1 - number]
        memmove(here + to * wide, here + begin * wide, count * wide)
