"""Which rule asked for what no unit can do, where a unit's state is no longer finite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from sim.core.errors import Diverged
from sim.core.limits import LARGEST
from sim.group import Group


@contextmanager
def naming_rules(groups: Sequence[Group]) -> Iterator[None]:
    """Within, what raises `Diverged` also names the rule from which that came, if any.

    Rules are looked at where a run has ended so: to look at each step would take time.
    """
    try:
        yield
    except Diverged as lost:
        raise Diverged(f"{lost}{_culprit(groups)}") from None


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
