"""From named terms to one command: each is weighted, kept by name, and added up (rule A14).

By rank where a model has families of priority (rule B10).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sim.behaviours.table import Setting, Terms
from sim.errors import BadInput
from sim.perception.percepts import Percepts

Ranks = Sequence[Sequence[str]]
"""Names of rules, a rank each, the highest first."""


def weigh(settings: Iterable[tuple[Setting, Percepts]], ranked: Ranks) -> dict[str, Terms]:
    """Every rule's weighted term by name, (n, 2); a rule of weight 0 is not even asked.

    Rules that amend what the others want come last, one after the other.
    """
    asked = [(setting, me) for setting, me in settings if setting.weight != 0]
    terms: dict[str, Terms] = {}
    for setting, me in sorted(asked, key=lambda each: each[0].rule.amends):
        if setting.rule.amends:
            me = me._replace(wanted=decide(terms, ranked, len(me.velocity)))
        terms[setting.rule.name] = setting.weight * _ask(setting, me)
    return terms


def decide(terms: Mapping[str, Terms], ranked: Ranks, units: int) -> Terms:
    """The command (n, 2): what each rank asks for, as far as the ranks above leave it a say.

    A rank that asks for 1 or more, all its terms together, leaves nothing to those below; one that
    asks for nothing leaves everything; between these it goes smoothly. After the allocation of
    acceleration by priority of Reynolds, Flocks, Herds, and Schools (1987). Of one rank it is the
    plain sum.
    """
    command = np.zeros((units, 2))
    say: NDArray[np.float64] | float = 1.0
    for place, names in enumerate(ranked):
        asked = _sum(terms, names, units)
        command += asked if place == 0 else np.asarray(say)[:, None] * asked
        if place + 1 < len(ranked):
            say = say * _left(asked)
    return command


def winners(terms: Mapping[str, Terms], ranked: Ranks, units: int) -> NDArray[np.str_]:
    """(n,) the name of the rule with the largest part in each unit's command; "" for no part.

    The size of its term, as far as the ranks above leave it a say; level, the higher rank wins.
    """
    names = [""]
    parts = [np.zeros(units)]
    say = np.ones(units)
    for rank in ranked:
        for name in rank:
            if name in terms:
                names.append(name)
                parts.append(say * np.hypot(terms[name][:, 0], terms[name][:, 1]))
        say = say * _left(_sum(terms, rank, units))
    won: NDArray[np.str_] = np.array(names)[np.argmax(parts, axis=0)]
    return won


def _sum(terms: Mapping[str, Terms], names: Sequence[str], units: int) -> Terms:
    """In the order of `terms`; zeros for none."""
    total = np.zeros((units, 2))
    for name, term in terms.items():
        if name in names:
            total += term
    return total


def _left(asked: Terms) -> NDArray[np.float64]:
    """(n,) the say that is left to others: 1 beside a term of 0, 0 beside one of 1 or more."""
    size = np.minimum(1.0, np.hypot(asked[:, 0], asked[:, 1]))
    left: NDArray[np.float64] = 1.0 - size * size * (3.0 - 2.0 * size)
    return left


def _ask(setting: Setting, me: Percepts) -> Terms:
    term = np.asarray(setting.rule.function(me, **setting.parameters), dtype=float)
    if term.shape != me.velocity.shape:
        raise BadInput(
            f"behaviour {setting.rule.name!r} returned shape {term.shape}, not {me.velocity.shape}"
        )
    return term
