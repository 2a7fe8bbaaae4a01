"""Which rule asked for what no unit can do, where a unit's state is no longer finite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

import numpy as np

from sim.core.errors import Diverged
from sim.core.limits import LARGEST
from sim.group import Group


class Grouped(Protocol):
    """What has groups of units."""

    groups: Sequence[Group]


P = ParamSpec("P")
T = TypeVar("T")
Of = TypeVar("Of", bound=Grouped)


def naming_rules(
    read: Callable[Concatenate[Of, P], T],
) -> Callable[Concatenate[Of, P], T]:
    """A method that raises `Diverged`, which also names the rule from which that came, if any.

    Rules are looked at where a run has ended so: to look at each step would take time.
    """

    @wraps(read)
    def look(roster: Of, /, *given: P.args, **named: P.kwargs) -> T:
        try:
            return read(roster, *given, **named)
        except Diverged as lost:
            raise Diverged(f"{lost}{_culprit(roster.groups)}") from None

    return look


def _culprit(groups: Sequence[Group]) -> str:
    """How a message goes on: with the first rule that wanted, at the last step, what is none."""
    for group in groups:
        for name, term in group.terms.items():
            rows, columns = np.nonzero(~(np.abs(term) <= LARGEST))
            if len(rows):
                value = term[rows[0], columns[0]]
                far = f"must be from {-LARGEST:g} to {LARGEST:g}"
                said = far if np.isfinite(value) else "must be finite"
                return f"; rule {name} of group {group.name}: row {rows[0]}: {value:g}: {said}"
    return ""
