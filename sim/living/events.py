"""What happened at a step of a world: one small record for each thing, by ids of units."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Ints
from sim.engine.contacts import SOLID, Contacts
from sim.orders.minds import PATIENCE, Minds


class Added(NamedTuple):
    """A unit came into the world."""

    id: int


class Removed(NamedTuple):
    """A unit was taken out of the world."""

    id: int


class Arrived(NamedTuple):
    """A unit has come where it was sent, or rests as near to it as others leave room."""

    id: int


class Left(NamedTuple):
    """A unit left the world at its exit."""

    id: int


NO_WAY, HELD_UP = "no way", "held up"
"""Why a unit is blocked."""


class Blocked(NamedTuple):
    """A unit on its way is blocked: told once as it begins, and again when it has ended since.

    "no way" leads to its goal any more, until one opens; or it is "held up", by others mostly: it
    has hardly got on for a second. While it has no way it is not told that a unit is held up.
    """

    id: int
    why: str


class Contact(NamedTuple):
    """Two units touch; `other` is -1 for what is solid. Each pair is told once."""

    id: int
    other: int


Event = Added | Removed | Arrived | Left | Blocked | Contact
KINDS: dict[str, Callable[[int], Event]] = {
    **{kind.__name__: kind for kind in (Added, Removed, Arrived, Left)},
    **{why: partial(Blocked, why=why) for why in (NO_WAY, HELD_UP)},
}
"""What is told of units one by one, by a name for each kind: makes the record for an id."""


class Happened:
    """Takes down what happens at a step, as arrays of ids; records are made when they are read."""

    def __init__(self) -> None:
        self._coming: list[tuple[str, Ints]] = []
        self._now: list[tuple[str, Ints]] = []
        self._was: tuple[Bools, ...] = ()

    def note(self, kind: str, ids: Ints) -> None:
        """Something of `KINDS` happened to units, before the next step or in it."""
        if len(ids):
            self._coming.append((kind, ids))

    def before(self, minds: Minds, cut: Bools) -> None:
        """Keep what the units had in mind before their orders are followed up.

        `cut` (N,) tells which of them no way leads on for.
        """
        self._was = _told_of(minds, cut)

    def after(self, minds: Minds, cut: Bools, ids: Ints, left: Ints) -> None:
        """Take down what is new since, and which rows left; all of it is this step's now."""
        new = list(map(np.greater, _told_of(minds, cut), self._was))
        if any(map(np.count_nonzero, new)) or len(left):
            arrived, slow, enclosed = new
            self.note("Arrived", ids[arrived])
            self.note("Left", ids[left])
            self.note(NO_WAY, ids[enclosed])
            self.note(HELD_UP, ids[slow & ~cut])
        self._now, self._coming = self._coming, []

    @property
    def kept(self) -> list[list[tuple[str, Ints]]]:
        """What happened since the last step, and at it: kinds by name, and ids."""
        return [list(each) for each in (self._coming, self._now)]

    @classmethod
    def of(cls, kept: list[list[tuple[str, Ints]]]) -> Happened:
        """The same as it was `kept`."""
        found = cls()
        found._coming, found._now = map(list, kept)
        return found

    def records(self, contacts: Contacts, ids: Ints) -> list[Event]:
        """All of the last step, and which units touch now."""
        found = [KINDS[kind](unit) for kind, units in self._now for unit in units.tolist()]
        me = np.repeat(np.arange(len(ids)), np.diff(contacts.first))
        once = (contacts.other == SOLID) | (contacts.other > me)
        pairs = dict.fromkeys(zip(me[once].tolist(), contacts.other[once].tolist(), strict=True))
        named = np.append(ids, SOLID)
        touch = [Contact(int(named[i]), int(named[j])) for i, j in pairs]
        return [*found, *touch]


def _told_of(minds: Minds, cut: Bools) -> tuple[Bools, ...]:
    """Three times (N,): which units have arrived, hardly get on, are cut off; told as it begins."""
    return minds.arrived.copy(), minds.blocked > PATIENCE, cut
