"""Pairing off: which units look for opponents, and among which (rule B8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sim.behaviours.setting import Setting
from sim.core.arrays import Floats
from sim.core.plane import Plane
from sim.core.units import Units
from sim.navigation.grid import NOTHING_SOLID
from sim.orders import Orders
from sim.orders.pursuits import target_of

if TYPE_CHECKING:
    from sim.group.group import Group


class Pairing:
    """Has units pair off whose rules want it, with units of the group that they pursue."""

    def __init__(self, groups: Sequence[Group], rules: Sequence[Sequence[Setting]]) -> None:
        self._groups = groups
        self._engage = [_engage(*each) for each in zip(groups, rules, strict=True)]

    def within(self, group: Group, kind: str) -> float:
        """From how far off units with this kind of goal pair off, world units; -1: not at all."""
        return self._engage[group.index].get(kind, -1.0)

    def pair_off(self, orders: Orders, units: Units, plane: Plane) -> None:
        """All that look for opponents at this step pair off.

        Units of one group that pursue different groups are sides of their own.
        """
        if not any(self._engage):
            return
        side, owner = units.group, list(self._groups)
        wants: list[tuple[int, int, float]] = []
        for group in self._groups:
            for pursuit in orders.pursuits.of_group(group.rows):
                engage = self.within(group, pursuit.goal.kind)
                if engage < 0:
                    continue
                mine = group.index
                if not pursuit.mine.all():
                    mine, side = len(owner), side.copy()
                    owner.append(group)
                    side[group.rows][pursuit.mine] = mine
                wants.append((mine, target_of(pursuit.goal, self._groups).index, engage))
        if not wants:
            return
        wanted: Floats = np.full((len(owner), len(owner)), -1.0)
        theirs = np.array([group.index for group in owner])
        for mine, target, engage in wants:
            wanted[mine, theirs == target] = engage
        smallest = min(owner[mine].hull.smallest.radius for mine, _, _ in wants)
        grid = NOTHING_SOLID if orders.guide is None else orders.guide.planner.grid(smallest)
        lengths = np.array([group.hull.length for group in owner])
        orders.opponents.pair_off(replace(units, group=side), plane, wanted, lengths, grid)


def _engage(group: Group, rules: Sequence[Setting]) -> dict[str, float]:
    """From how far off units with each kind of goal pair off, world units."""
    found: dict[str, float] = {}
    for setting in rules:
        if setting.pairs is not None:
            for kind in setting.rule.serves:
                found[kind] = max(found.get(kind, -1.0), setting.pairs * group.hull.length)
    return found
