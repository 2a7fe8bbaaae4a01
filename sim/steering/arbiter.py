"""From named terms to one command: each is weighted, kept by name, and added up (rule A14)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from sim.behaviours.table import Setting, Terms
from sim.errors import BadInput
from sim.perception.percepts import Percepts


def weigh(settings: Iterable[tuple[Setting, Percepts]]) -> dict[str, Terms]:
    """Every rule's weighted term by name, (n, 2); a rule of weight 0 is not even asked.

    Rules that amend what the others want come last, one after the other.
    """
    asked = [(setting, me) for setting, me in settings if setting.weight != 0]
    terms: dict[str, Terms] = {}
    for setting, me in sorted(asked, key=lambda each: each[0].rule.amends):
        if setting.rule.amends:
            me = me._replace(wanted=total(terms, len(me.velocity)))
        terms[setting.rule.name] = setting.weight * _ask(setting, me)
    return terms


def total(terms: Mapping[str, Terms], units: int) -> Terms:
    """The sum of all terms, (n, 2); zeros for no terms."""
    command = np.zeros((units, 2))
    for term in terms.values():
        command += term
    return command


def _ask(setting: Setting, me: Percepts) -> Terms:
    term = np.asarray(setting.rule.function(me, **setting.parameters), dtype=float)
    if term.shape != me.velocity.shape:
        raise BadInput(
            f"behaviour {setting.rule.name!r} returned shape {term.shape}, not {me.velocity.shape}"
        )
    return term
