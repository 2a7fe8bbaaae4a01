"""What of a scenario's document lies at a place, and the changes that take units out of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.core.shapes import Polygon, Shape
from sim.scenario.changes import PartSpec
from sim.scenario.editing import Edit
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


def part_at(parts: Mapping[str, Any], place: ArrayLike, near: float) -> str | None:
    """The name of the part at a place, as `[map.parts]` tells of them; None where there is none."""
    x, y = np.asarray(place, dtype=float).tolist()
    found = [name for name, spec in parts.items() if covers(PartSpec(**spec).shape, x, y, near)]
    return found[-1] if found else None


def covers(shape: Shape, x: float, y: float, near: float) -> bool:
    """Whether a place is in a shape, or so near to it."""
    return bool(shape.solids.depth(np.array([[x, y]]), Plane())[0] >= -near)


def without_units(document: Mapping[str, Any], world: World, ids: ArrayLike) -> list[Edit]:
    """The changes that take units out of a scenario whose world has not started."""
    edits: list[Edit] = []
    gone = np.isin(world.ids, ids)
    for index, table in reversed(list(enumerate(document["groups"]))):
        group = world.group(table["name"])
        stay = world.units.position[group.rows][~gone[group.rows]]
        if len(stay) == len(group):
            continue
        if not len(stay) and len(document["groups"]) > len(edits) + 1:
            edits.append(Edit(("groups",), index, table, None))
            continue
        made = {key: value for key, value in table.items() if key not in ("spawn", "count")}
        if len(stay):
            spawn = {key: v for key, v in table["spawn"].items() if key == "heading"}
            made["spawn"] = spawn | {"points": stay.tolist()}
        else:
            made["count"] = 0
        edits.append(Edit(("groups",), index, table, made))
    return edits


def _at(document: Mapping[str, Any], x: float, y: float, near: float) -> Iterator[Edit]:
    ground = document.get("map", {})
    parts = ground.get("parts", {})
    name = part_at(parts, (x, y), near)
    if name is not None:
        yield Edit(("map", "parts"), name, parts[name], None)
    tests = (
        ("walls", lambda row: _beside(row, x, y) <= near),
        ("circles", lambda row: hypot(x - row[0], y - row[1]) <= row[2] + near),
        ("boxes", lambda row: _in_box(row, x, y, near)),
    )
    for key, hit in tests:
        rows = list(ground.get(key, ()))
        for index in reversed(range(len(rows))):
            if hit(rows[index]):
                yield Edit(("map", key), index, rows[index], None)
    areas = document.get("areas", [])
    for index in reversed(range(len(areas))):
        table = areas[index]
        region = "region" in table and _in_box(table["region"], x, y, 0.0)
        if region or ("polygon" in table and covers(Polygon(table["polygon"]), x, y, 0.0)):
            yield Edit(("areas",), index, areas[index], None)


def _in_box(box: Sequence[float], x: float, y: float, near: float) -> bool:
    left, top, right, bottom = box
    return left - near <= x <= right + near and top - near <= y <= bottom + near


def _beside(wall: Sequence[float], x: float, y: float) -> float:
    """How far a place is from a segment."""
    ax, ay, bx, by = wall
    along = (bx - ax) ** 2 + (by - ay) ** 2
    share = min(max(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / along, 0.0), 1.0)
    return hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay))
