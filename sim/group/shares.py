"""A group of which some units go to places and others pursue: what each share of it perceives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sim.behaviours.table import Rule
from sim.core.arrays import Bools
from sim.orders import GO
from sim.orders.pursuits import Pursuit
from sim.perception.percepts import Percepts


class Share(NamedTuple):
    """Units of a group, and what all n perceive if they are after what these are after."""

    me: Percepts
    those: Bools | None = None
    """(n,) which units these are; None for all."""
    kinds: Mapping[str, Bools] | None = None
    """Which of them (n,) have each kind of goal; None where all have the group's."""

    def asks(self, rule: Rule) -> bool:
        """Whether it is for a rule to say what any of these units want."""
        return self.kinds is None or not rule.serves or not rule.serves.isdisjoint(self.kinds)

    def asked(self, rule: Rule) -> Bools | None:
        """(n,) which of the units a rule is asked for; None for all."""
        if self.those is None or self.kinds is None or not rule.serves:
            return self.those
        served = [mine for kind, mine in self.kinds.items() if kind in rule.serves]
        those: Bools = np.any(served, axis=0)
        return those


def rejoined(before: Percepts | None, me: Percepts) -> Percepts:
    """What all units of a group perceive by a rule that was asked for another share before."""
    if before is None:
        return me
    aim = before.aim if me.aim is None else me.aim
    return me._replace(aim=aim, quarry=before.quarry if me.quarry is None else me.quarry)


def shares(me: Percepts, pursuits: Sequence[Pursuit], parted: bool) -> list[Share]:
    """The shares of a group that perceives this: all units are one, if the group is not `parted`.

    It is where some units may be after something else than their group. Units that go to places
    know of no quarry, and units that pursue know of no place.
    """
    if not parted:
        return [Share(me)]
    if not pursuits:
        return [Share(me, None, {GO: np.ones(len(me.velocity), np.bool_)})]
    hunts: dict[str, Bools] = {}
    for _, goal, mine in pursuits:
        hunts[goal.kind] = hunts.get(goal.kind, False) | mine
    hunting = np.any([*hunts.values()], axis=0)
    found = [Share(me._replace(aim=None), hunting, hunts)]
    if not hunting.all():
        found.append(Share(me._replace(quarry=None), ~hunting, {GO: ~hunting}))
    return found
