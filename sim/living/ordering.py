"""Orders: given to units between two steps, and followed up at each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.core.arrays import Ints
from sim.core.columns import numbers_of
from sim.core.units import Units
from sim.orders import GO, Goal, Orders
from sim.orders.closing_up import close_up
from sim.orders.forming import form
from sim.orders.hunts import pursue
from sim.orders.pursuits import target_of

if TYPE_CHECKING:
    from sim.group import Group
    from sim.living.roster import Roster


def order(
    roster: Roster, group: Group, rows: Ints, goal: Goal | None, queue: bool, keeps: bool = False
) -> None:
    """Send units of a group, in some rows, somewhere: at once, or after what they are doing.

    With None they stop. An order for the whole group, at once, is the group's goal from then on,
    unless the group `keeps` the one that it has.
    """
    with roster.turn.change(f"group {group.name!r}: cannot be ordered"):
        orders, every = roster.orders, len(rows) == len(rows_there(roster, group))
        if goal is not None:
            check_order(roster, group, goal)
        if every and not queue and not keeps:
            group.goal = goal
            # By the rules for places they stand; without, soldiers march on, and craft flock on.
            if goal is None and not group.model.circles:
                group.keep(part_kinds=frozenset({GO}))
            return
        if goal is not None:
            orders.check(group, goal, roster.snapshot().position[rows])
        take_down_orders(roster)
        if queue and goal is not None:
            orders.add_to_come(group.index, goal, rows)
        else:
            orders.queue.clear(rows)
            orders.send(group, goal, rows, roster.snapshot().position[rows], roster.steps)
        group.keep(part_kinds=orders.pursuits.kinds(group.rows))
        roster.forget()


def check_order(roster: Roster, group: Group, goal: Goal) -> None:
    """Raise `BadInput` for a goal that a group's model cannot do, or that is after no other."""
    group.check_kind(goal)
    if goal.kind != GO:
        target_of(goal, roster.groups)  # raises where no group has that name


def rows_there(roster: Roster, group: Group) -> Ints:
    """(k,) the rows of the units of a group that have not left."""
    return numbers_of(group.rows)[roster.bridge.present[group.rows]]


def follow_orders(roster: Roster) -> Units:
    """Orders that are due are given; units arrive, rest, leave at their exit; others pursue.

    Returned is the state by which all decide: without units that left.
    """
    units = roster.snapshot()
    for group in roster.groups:
        group.follow_schedule(roster.time)
    orders = start_orders(roster)
    if orders.queue:
        _follow_queue(roster)
        start_orders(roster)
    close_up(orders, roster.groups, units, roster.steps)
    orders.number()
    roster.happened.before(orders.minds, orders.cut)
    orders.update(units, roster.steps, roster.time_step, roster.turn_takers())
    left = orders.dismiss(units)
    if len(left):
        roster.people.dismiss(left)
        roster.read_anew()
        units = roster.snapshot()
    pursue(roster.groups, orders, units, roster.steps, roster.time_step)
    if orders.guide is not None:
        for index, note in orders.guide.renewals.told():
            roster.groups[index].say(note)
    roster.happened.after(orders.minds, orders.cut, roster.ids, left)
    return units


def _follow_queue(roster: Roster) -> None:
    """Units that have done what they were doing take up what comes next."""
    orders, units = roster.orders, roster.snapshot()
    idle = units.present & (orders.minds.arrived | ~orders.sent)
    idle &= ~orders.pursuits.going_on(roster.groups, units)
    for group, goal, rows, led in orders.queue.due(idle):
        orders.send(roster.groups[group], goal, rows, units.position[rows], roster.steps, led)
        if orders.pursuits.goals:  # they pursued a group, or do so now, perhaps another one
            roster.forget()


def start_orders(roster: Roster) -> Orders:
    """Groups start on the goals given since, and formations form up that are new or changed."""
    take_down_orders(roster)
    form(roster.orders, roster.groups, roster.snapshot(), roster.steps)
    for group in roster.groups:
        if group.part_kinds and len(group):
            _note_kinds(roster, group)
    return roster.orders


def take_down_orders(roster: Roster) -> bool:
    """Have all groups start on the goals that they were given since; whether there are any."""
    late = [group for group in roster.groups if not group.sent]
    for group in late:
        rows = numbers_of(group.rows)
        roster.orders.queue.clear(rows)
        here = roster.snapshot().position[group.rows]
        roster.orders.send(group, group.goal, rows, here, roster.steps)
        group.keep(sent=True)
    return bool(late)


def _note_kinds(roster: Roster, group: Group) -> None:
    """Note what the units of a group are after, as some have orders of their own."""
    kinds = roster.orders.pursuits.kinds(group.rows)
    if kinds != group.part_kinds:
        group.keep(part_kinds=kinds)
        roster.forget()
