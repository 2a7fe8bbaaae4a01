"""With which sights the groups of a world look: each different one of a group has a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sim.behaviours.setting import Setting
from sim.core.errors import BadInput
from sim.group.group import Group
from sim.orders import GO, Orders
from sim.orders.pursuits import target_of
from sim.perception.neighbours import MAX_SIGHTS
from sim.perception.sight_table import SightTable
from sim.perception.sights import Sight

Key = tuple[object, ...]
"""What makes two sights of a group one."""


def wanted_sights(group: Group, rules: Sequence[Setting]) -> dict[Key, Sight]:
    """The different sights of a group, by their keys; each has its number in this order.

    One that lists neighbours stands for others that only sum them up.
    """
    found: dict[Key, Sight] = {}
    for sight in (s.sight for s in rules if s.sight is not None):
        key = key_of(group, sight)
        found[key] = sight if sight.each else found.get(key, sight)
    if len(found) > MAX_SIGHTS:
        raise BadInput(
            f"group {group.name!r}: its rules use {len(found)} different views and ranges, "
            f"at most {MAX_SIGHTS}"
        )
    return found


def key_of(group: Group, sight: Sight) -> Key:
    """What a sight goes by: view, reach, company, number. Without a quarry all are mates."""
    lone = sight.whom == "mates" and not group.kinds - {GO}
    return *group.resolve(sight), "everyone" if lone else sight.whom, sight.nearest, sight.of


def targets_of(group: Group, groups: Sequence[Group], orders: Orders) -> list[int]:
    """The numbers of the groups that any units of a group pursue."""
    pursuits = orders.pursuits.of_group(group.rows)
    return sorted({target_of(each.goal, groups).index for each in pursuits})


def table_of(
    groups: Sequence[Group],
    sights: Sequence[Mapping[Key, Sight]],
    rules: Sequence[Sequence[Setting]],
    targets: Sequence[Sequence[int]],
) -> SightTable:
    """How all groups look: each by its `wanted_sights`, for its rules; it pursues its `targets`."""
    n, most = len(groups), max((len(s) for s in sights), default=0)
    table = SightTable(
        np.zeros((n, most), np.int64), np.zeros((n, most)), np.full((n, most), -1.0),
        np.zeros((n, most), np.bool_), np.zeros((n, most), np.bool_),
        np.ones((n, most, n), np.bool_), np.zeros((n, most), np.int64),
    )  # fmt: skip
    for g, group in enumerate(groups):
        summed = {key_of(group, r.sight) for r in rules[g] if r.sight and not r.sight.each}
        for s, (key, sight) in enumerate(sights[g].items()):
            table.shape[g, s], table.factor[g, s], table.reach[g, s] = group.resolve(sight)
            table.each[g, s], table.nearest[g, s] = sight.each, sight.nearest
            table.means[g, s] = key in summed
            if sight.whom == "mates":
                table.accepts[g, s, targets[g]] = False
            if sight.whom == "friends":
                table.accepts[g, s] = np.arange(n) == g
    return table
