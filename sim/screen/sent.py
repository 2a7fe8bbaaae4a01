"""What an order by the mouse is in a scenario that has not started: the goal of a whole group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.orders import GO, Goal
from sim.scenario.editing import Edit, added

POINT, ROUTE = "point", "route"


def sent(document: Mapping[str, Any], index: int, goal: Goal, queue: bool) -> list[Edit]:
    """The changes that give the group of that number a goal: a place, or a group to pursue.

    With `queue` to come after what it is to do: as a route where both are places, else as an event
    of the start. Without, it forgets what was queued.
    """
    table, events = document["groups"][index], document.get("events", [])
    waiting = [k for k, event in enumerate(events) if _waits(event, table["name"])]
    before, told = table.get("goal"), _told(goal)
    if not queue:
        gone = [Edit(("events",), k, events[k], None) for k in reversed(waiting)]
        return [*gone, Edit(("groups", index), "goal", before, told)]
    longer = None if waiting else _joined(before, told)
    if longer is not None:
        return [Edit(("groups", index), "goal", before, longer)]
    event = {"at": 0.0, "order": table["name"], "goal": told, "queue": True}
    return [added(document, ("events",), event)]


def _waits(event: Mapping[str, Any], name: str) -> bool:
    """Whether an event queues an order for a group at the start."""
    return event.get("order") == name and event.get("queue", False) and event["at"] == 0


def _told(goal: Goal) -> dict[str, Any]:
    """A goal as a file has it: a place for all, to a thousandth of a unit, or a group."""
    if goal.kind != GO:
        return {goal.kind: goal.target}
    ((place,),) = goal.routes
    return {POINT: [round(x, 3) for x in place]}


def _joined(before: Mapping[str, Any] | None, told: dict[str, Any]) -> dict[str, Any] | None:
    """One goal that says both, the second after the first; None where no goal does."""
    if before is None:
        return told
    stops = [before[POINT]] if POINT in before else before.get(ROUTE)
    if stops is None or before.get("loop") or POINT not in told:
        return None
    rest = {key: value for key, value in before.items() if key != POINT}
    return rest | {ROUTE: [*stops, told[POINT]]}
