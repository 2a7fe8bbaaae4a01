"""What the mouse changes of a scenario's document: what is erased, and which group goes where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Bools
from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.core.shapes import Box, Disc, Polygon, Shape, Wall
from sim.orders import GO, Goal
from sim.scenario.editing import Document, Edit, added, thinned, thinned_event
from sim.scenario.ground import PartSpec
from sim.world import World


def found_at(document: Mapping[str, Any], place: ArrayLike, near: float) -> list[Edit]:
    """The change that takes out what lies at a place, or so near: what was put in last.

    Raises `BadInput` where there is nothing.
    """
    x, y = np.asarray(place, dtype=float).tolist()
    there = list(_at(document, x, y, near))
    if not there:
        raise BadInput("there is nothing to erase")
    return there[:1]


def covers(shape: Shape, x: float, y: float, near: float) -> bool:
    """Whether a place is in a shape, or so near to it."""
    return bool(shape.solids.depth(np.array([[x, y]]), Plane())[0] >= -near)


def without_units(document: Mapping[str, Any], world: World, ids: ArrayLike) -> list[Edit]:
    """The changes that take units out of a scenario whose world has not started.

    A group that loses all of them goes, unless other tables of the file speak of it.
    """
    edits: list[Edit] = []
    stays: dict[str, Bools] = {}
    gone = np.isin(world.ids, ids)
    for index, table in reversed(list(enumerate(document["groups"]))):
        group = world.group(table["name"])
        stay = ~gone[group.rows]
        if stay.all():
            continue
        alone = len(document["groups"]) == len(edits) + 1
        if not (stay.any() or alone or _is_named(document, table)):
            edits.append(Edit(("groups",), index, table, None))
            continue
        stays[table["name"]] = stay
        places = world.units.position[group.rows][stay].tolist()
        edits.append(Edit(("groups",), index, table, _with_units(table, stay, places)))
    for index, event in reversed(list(enumerate(document.get("events", [])))):
        made = thinned_event(document, event, stays)
        if made != event:
            edits.append(Edit(("events",), index, event, made))
    return edits


def _with_units(table: Mapping[str, Any], stay: Bools, places: list[list[float]]) -> Document:
    """A group's table with those of its units alone that `stay` (n,), at places (m, 2)."""
    rest = {key: value for key, value in table.items() if key not in ("spawn", "count")}
    made: Document = thinned(rest, stay)
    if places:
        heading = {key: v for key, v in table["spawn"].items() if key == "heading"}
        return made | {"spawn": heading | {"points": places}}
    if made.get("goal") != rest.get("goal"):
        del made["goal"]  # a place for each of no units
    return made | {"count": 0}


def _is_named(document: Mapping[str, Any], table: Mapping[str, Any]) -> bool:
    """Whether goals of others, sources, events or the mouse need a group."""
    goals = [each.get("goal") for each in document["groups"] if each is not table]
    others = [document.get(key) for key in ("sources", "events", "mouse")]
    return table["name"] in _texts([*goals, *others])


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value of a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(each)


def _at(document: Mapping[str, Any], x: float, y: float, near: float) -> Iterator[Edit]:
    ground = document.get("map", {})
    for name, spec in reversed(ground.get("parts", {}).items()):
        if covers(PartSpec(**spec).shape, x, y, near):
            yield Edit(("map", "parts"), name, spec, None)
    kinds: tuple[tuple[str, type[Shape]], ...]
    kinds = ("walls", Wall), ("circles", Disc), ("boxes", Box)
    for key, kind in kinds:
        for index, row in reversed(list(enumerate(ground.get(key, ())))):
            if covers(kind(*row), x, y, near):
                yield Edit(("map", key), index, row, None)
    areas = document.get("areas", [])
    for index, table in reversed(list(enumerate(areas))):
        region = "region" in table and covers(Box(*table["region"]), x, y, 0.0)
        if region or ("polygon" in table and covers(Polygon(table["polygon"]), x, y, 0.0)):
            yield Edit(("areas",), index, table, None)


POINT, ROUTE = "point", "route"


def with_goal(document: Mapping[str, Any], index: int, goal: Goal, queue: bool) -> list[Edit]:
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
