"""From named terms to one command: each is weighted, kept by name, and added up (rule A14).

By rank where a model has families of priority (rule B10).
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.behaviours.setting import Setting
from sim.behaviours.table import Terms, Told
from sim.core.arrays import Bools, Floats
from sim.core.compiled import Kernel, inlined
from sim.core.errors import BadInput, shortened
from sim.core.limits import real_numbers
from sim.core.own import own
from sim.core.units import read_only
from sim.perception.percepts import Percepts, Seen

Ranks = Sequence[Sequence[str]]
"""Names of rules, a rank each, the highest first."""


class Asked(NamedTuple):
    """A rule that n units of a group are asked by, and what they perceive."""

    setting: Setting
    me: Percepts
    those: Bools | None = None
    """(n,) the units that it is asked for; None for all. Others want nothing of it: zeros."""


class Decision(NamedTuple):
    """What n units of a group want, (ahead, starboard), and why."""

    terms: dict[str, Terms]
    """(n, 2) every rule's weighted term, by name."""
    command: Terms
    """(n, 2) what they come to."""
    figures: dict[str, Mapping[str, Floats]]
    """By rule: the figures that its terms came from, where it tells them (`Told`)."""


def decide(rules: Iterable[Asked], ranked: Ranks, present: Bools) -> Decision:
    """What the rules of a group come to.

    Those of the n units that are not `present` want nothing: zeros.
    Rules that amend what the others want are to come last; they are asked one after the other. One
    of the lowest rank changes what all ranks have come to, so its term is added to that whole.
    A rule may be asked more than once, for different units.
    """
    rank = {name: place for place, names in enumerate(ranked) for name in names}
    asked = [np.zeros((len(present), 2)) for _ in ranked]
    terms: dict[str, Terms] = {}
    figures: dict[str, Mapping[str, Floats]] = {}
    for setting, me, those in rules:
        place = rank[setting.rule.name]
        if setting.rule.amends:
            whole = precede(asked)
            asked = asked if place < len(ranked) - 1 else [whole]
            me = me.amending(whole.copy())
        term, told = _ask(setting, me)
        if told:
            others = figures.get(setting.rule.name, {})
            figures[setting.rule.name] = _joined(others, told, those)
        weighted = np.empty(term.shape)
        some = present if those is None else present & those
        _weigh(term, some, setting.weight, weighted, asked[min(place, len(asked) - 1)])
        before = terms.get(setting.rule.name)
        terms[setting.rule.name] = weighted if before is None else before + weighted
    return Decision(terms, precede(asked), figures)


def precede(asked: Sequence[Terms]) -> Terms:
    """The command (n, 2): what each rank asks for, as far as the ranks above leave it a say.

    A rank that asks for 1 or more, all its terms together, leaves nothing to those below; one that
    asks for nothing leaves everything; between these it goes smoothly. After the allocation of
    acceleration by priority of Reynolds, Flocks, Herds, and Schools (1987). Of one rank it is the
    plain sum.
    """
    command = asked[0].copy()
    if len(asked) > 1:
        say = np.ones(len(command))
        for above, rank in pairwise(asked):
            _follow(command, say, above, rank)
    return command


def _joined(
    before: Mapping[str, Floats], told: Mapping[str, Floats], those: Bools | None
) -> Mapping[str, Floats]:
    """Figures told of the units that a rule was asked for, and what it told before of the others.

    NaN of units that it was not asked for.
    """
    if those is None:
        return {name: read_only(figure) for name, figure in told.items()}
    found = {}
    for name, figure in told.items():
        mine = those.reshape(-1, *[1] * (np.ndim(figure) - 1))
        found[name] = read_only(np.where(mine, figure, before.get(name, np.nan)))
    return found


@inlined
def _left(x, y):  # type: ignore[no-untyped-def]
    """The share of a say that is left: all beside a term of 0, nothing beside one of 1 or more."""
    size = min(1.0, np.sqrt(x * x + y * y))
    return 1.0 - size * size * (3.0 - 2.0 * size)


@Kernel
def _leave(begin, end, say, above):  # type: ignore[no-untyped-def]
    """Lessen the say (n,) of the ranks below one by what this one asks for, (n, 2)."""
    for i in range(begin, end):
        say[i] *= _left(above[i, 0], above[i, 1])


@Kernel
def _follow(begin, end, command, say, above, rank):  # type: ignore[no-untyped-def]
    """As `_leave`; then add what the next rank asks for, by the say left, to the command (n, 2)."""
    for i in range(begin, end):
        say[i] *= _left(above[i, 0], above[i, 1])
        command[i, 0] += say[i] * rank[i, 0]
        command[i, 1] += say[i] * rank[i, 1]


def winners(
    terms: Mapping[str, Terms], ranked: Ranks, units: int, amending: Container[str] = ()
) -> NDArray[np.str_]:
    """(n,) the name of the rule with the largest part in each unit's command; "" for no part.

    The size of its term, as far as the ranks above leave it a say; level, the higher rank wins. The
    terms of `amending` rules of the lowest rank count whole, as in `decide`.
    """
    names = [""]
    parts = [np.zeros(units)]
    say = np.ones(units)
    for rank in ranked:
        for name in rank:
            if name in terms:
                names.append(name)
                whole = name in amending and rank is ranked[-1]
                size = np.hypot(terms[name][:, 0], terms[name][:, 1])
                parts.append(size if whole else say * size)
        _leave(say, _sum(terms, rank, units))
    won: NDArray[np.str_] = np.array(names)[np.argmax(parts, axis=0)]
    return won


def _sum(terms: Mapping[str, Terms], names: Sequence[str], units: int) -> Terms:
    """In the order of `terms`; zeros for none."""
    total = np.zeros((units, 2))
    for name, term in terms.items():
        if name in names:
            total += term
    return total


def _ask(setting: Setting, me: Percepts) -> tuple[Terms, Mapping[str, Floats]]:
    rule = setting.rule
    known = me if rule.of_ours else read_only(me)
    parts = [getattr(known, need) for need in rule.needs]
    try:
        wants = rule.function(known, *parts, **setting.parameters)
    except AttributeError as error:
        if me.seen is None and error.obj is None and error.name in Seen._fields:
            said = 'looks at no unit: @sim.rule is to have looks="summary" or looks="each"'
            raise TypeError(f"{rule.name}: reads me.seen.{error.name}, but {said}") from error
        raise
    wants, figures = wants if isinstance(wants, Told) else (wants, {})
    if rule.of_ours and wants.flags.carray:
        return wants, figures
    try:
        term = real_numbers(wants)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(
            f"behaviour {rule.name!r} returned {shortened(wants)}: must be numbers of shape "
            f"{me.velocity.shape}"
        ) from None
    if term.shape != me.velocity.shape:
        raise BadInput(
            f"behaviour {rule.name!r} returned shape {term.shape}, not {me.velocity.shape}"
        )
    return term, figures


@Kernel
def _weigh(begin, end, term, present, weight, weighted, total):  # type: ignore[no-untyped-def]
    """A term (n, 2) times its weight, one or (n,), zeros for the absent; also added to a total."""
    for i in range(begin, end):
        mine = own(weight, i)
        for k in range(2):
            weighted[i, k] = mine * term[i, k] if present[i] else 0.0
            total[i, k] += weighted[i, k]
