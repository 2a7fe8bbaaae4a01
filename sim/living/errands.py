"""What units are after, taken down before they are ordered elsewhere: so that it can be undone."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Ints
from sim.living import ordering
from sim.orders import GO, Goal, Orders
from sim.orders.bands import NONE
from sim.orders.closing_up import onward

if TYPE_CHECKING:
    from sim.group import Group
    from sim.living.roster import Roster


class Errand(NamedTuple):
    """A goal that units of one group are after, or are to be."""

    ids: Ints
    goal: Goal | None
    """None for units that are sent nowhere. With one route for each of the units, or for all."""
    queued: bool
    """Whether they take it up after what they do before."""


class Errands(NamedTuple):
    """What some units of one group are after, in the order in which they take it up."""

    group: Group
    goal: Goal | None
    """What the group is after."""
    whole: bool
    """Whether these are all units of the group."""
    parted: bool
    """Whether some had another order than its goal."""
    each: tuple[Errand, ...]
    schedule: tuple[tuple[float, ArrayLike], ...] = ()
    """What was scheduled for the group and lapses."""


def errands_of(roster: Roster, ids: Ints, lapses: bool = False) -> list[Errands]:
    """What units are after, by their ids (k,): group by group.

    With what is scheduled for their groups, if that `lapses` by what they are to do instead.
    """
    rows = np.sort(roster.people.rows_of(ids))
    found = []
    for index in np.unique(roster.people.group_of[rows]).tolist():
        group = roster.groups[index]
        mine = rows[roster.people.group_of[rows] == index]
        whole = len(mine) == len(ordering.rows_there(roster, group))
        each = (*_now(roster, mine), *_queued(roster, index, mine))
        schedule = tuple(group.schedule) if lapses else ()
        parted = bool(group.part_kinds)
        found.append(Errands(group, group.goal, whole, parted, each, schedule))
    return found


def send_back(roster: Roster, before: list[Errands]) -> None:
    """Have the units that are still there be after what they were then.

    Each goes on from the stop of its route that it was bound for; units in a formation form up
    anew. What has lapsed holds again: groups are sent where they should have been by now. Raises
    `BadInput` where no way leads there any more.
    """
    for errands in before:
        if errands.schedule:
            errands.group.schedule = errands.schedule
        group, goal = errands.group, errands.goal
        again = errands.whole and (goal is None or (goal.for_all and goal.mirror is None))
        if again:
            group.goal = goal
        done = again and not errands.parted and (goal is None or _is_one_leg(goal))
        for errand in errands.each:
            if errand.queued or not done:
                _send(roster, group, errand, keeps=again)


def _is_one_leg(goal: Goal) -> bool:
    """Whether there is no half of what a goal says."""
    return goal.kind != GO or goal.formation is not None or all(len(w) == 1 for w in goal.routes)


def _send(roster: Roster, group: Group, errand: Errand, keeps: bool) -> None:
    now = roster.people.rows_now(errand.ids)
    there = np.flatnonzero(now >= 0)
    there = there[roster.people.group_of[now[there]] == group.index]
    there = there[np.argsort(now[there])]
    if len(there):
        goal = errand.goal
        own = goal if goal is None or goal.for_all else goal.part(there.tolist())
        ordering.order(roster, group, now[there], own, errand.queued, keeps)


def _now(roster: Roster, rows: Ints) -> list[Errand]:
    """What units in some rows do now: those together that can be told in one goal."""
    orders = roster.orders_now()
    alike: dict[tuple[object, ...], list[int]] = {}
    for row in rows.tolist():
        alike.setdefault(_doing(orders, row), []).append(row)
    return [
        Errand(roster.ids[some].copy(), _goal_of(orders, some), queued=False)
        for some in alike.values()
    ]


def _doing(orders: Orders, row: int) -> tuple[object, ...]:
    """What the unit in a row does: the same for all that can be told it in one goal."""
    band, pursuit = orders.bands.of[row], orders.pursuits.of[row]
    if band != NONE or pursuit != NONE or orders.first[row] == orders.first[row + 1]:
        return band, pursuit
    region = np.nan_to_num(orders.region[row])
    return *region, orders.loop[row], orders.leave[row], orders.tolerance[row]


def _goal_of(orders: Orders, rows: list[int]) -> Goal | None:
    """The goal of the units in some rows, which do the same."""
    row = rows[0]
    if (band := int(orders.bands.of[row])) != NONE:
        return orders.bands.known[band].goal
    if (pursuit := int(orders.pursuits.of[row])) != NONE:
        return orders.pursuits.goals[pursuit]
    if orders.first[row] == orders.first[row + 1]:
        return None
    region, leave = orders.region[row].tolist(), bool(orders.leave[row])
    if not isnan(region[0]):
        return Goal.into(region, leave=leave)
    way = onward(orders, np.array(rows), orders.leg[rows])
    stays = way.stays if any(stay[0] for each in way.stays for stay in each) else ()
    return replace(way, leave=leave, nearest=True, stays=stays)


def _queued(roster: Roster, group: int, rows: Ints) -> list[Errand]:
    """What is to come for units in some rows."""
    found = []
    for entry in roster.orders_now().queue.entries:
        some = rows[entry.waits[rows]] if entry.group == group else rows[:0]
        if len(some):
            goal = entry.goal
            own = goal if goal.for_all else goal.part(entry.route[some].tolist())
            found.append(Errand(roster.ids[some].copy(), own, queued=True))
    return found
