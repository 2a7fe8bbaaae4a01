"""Which body stands in the engine for each unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pymunk
from numpy.typing import NDArray

from sim.core.relay import Relay
from sim.engine.numbers import NO_BODY


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

    def give(self, bodies: Sequence[pymunk.Body | None]) -> None:
        """The units have these bodies now (N,)."""
        self._bodies = {body.id: body for body in bodies if body is not None}
        numbers = [NO_BODY if body is None else body.id for body in bodies]
        self.numbers = np.array(numbers, np.uint64)

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
