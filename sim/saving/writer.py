"""What a world carries, as JSON and arrays: only classes that stand in a table here.

Nothing in a file is run: it names classes of this table, which are made with what their own checks
let pass, or filled with attributes that an object of the class has, of the same kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.behaviours import Setting
from sim.core.draws import Each, Normal, Uniform
from sim.core.errors import BadInput
from sim.core.hull import Hull
from sim.core.overlap import Outlines
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.core.spawn import Points, Region
from sim.engine.saved import Engine
from sim.engine.touching import Touching
from sim.engine.trees import Tree
from sim.maps.tile_map import MapObject, TileMap
from sim.models import MODELS, Model
from sim.navigation import FlowField, Path, Planner, Routes, Ticket
from sim.navigation.chart import Chart
from sim.navigation.jams import Quickest
from sim.navigation.passages import Passages
from sim.navigation.through import Crossings
from sim.navigation.trails import Trails
from sim.orders import Goal, Orders
from sim.orders.guide import Guide
from sim.orders.hunt import Hunt
from sim.orders.hunts import Hunts
from sim.orders.minds import Minds
from sim.orders.narrows import Narrows, Registry
from sim.orders.opponents import Opponents
from sim.orders.party import Party
from sim.orders.queue import Queue, Queued
from sim.orders.renewing import Renewals
from sim.orders.settle import Patience
from sim.orders.stays import Stays
from sim.orders.stuck import Whereabouts
from sim.orders.turns import Bound, Turns
from sim.perception.views import View
from sim.steering.course import CourseHelm
from sim.steering.helm import BowHelm
from sim.steering.holonomic import HolonomicHelm

Arrays = dict[str, NDArray[Any]]
VALUES = {
    c.__name__: c
    for c in (
        Hull, View, Goal, Plane, Solids, TileMap, MapObject, BowHelm, CourseHelm, HolonomicHelm,
        Path, Quickest, Trails, Minds, Turns, Bound, Routes, Crossings, Engine, Tree, Touching,
        Points, Region, Normal, Uniform, Each,
    )
}  # fmt: skip
"""Made of their parts, which they check themselves where they have anything to check."""
HOLDERS = {
    c.__name__: c
    for c in (
        Orders,
        Guide,
        Hunt,
        Hunts,
        Narrows,
        Registry,
        Opponents,
        Party,
        Patience,
        Queue,
        Queued,
        Renewals,
        Stays,
        Whereabouts,
    )
}
"""Objects that go through steps: filled with what they held."""
DEEPEST = 40


class Writer:
    """Takes values apart; `arrays` are theirs, by name."""

    def __init__(self) -> None:
        self.arrays: Arrays = {}
        self._known: dict[int, tuple[int, Any]] = {}
        self._charts: list[Chart] = []

    def write(self, value: Any) -> Any:
        """A value as JSON has it. Raises `BadInput` for what cannot be written."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, slice):
            return {"slice": [value.start, value.stop]}
        if isinstance(value, Outlines):
            return None
        if id(value) in self._known:
            return {"again": self._known[id(value)][0]}
        number = len(self._known)
        self._known[id(value)] = number, value
        return {"n": number, **self._parts(value)}

    def _parts(self, value: Any) -> dict[str, Any]:
        name = type(value).__name__
        if isinstance(value, np.ndarray):
            if value.dtype.kind not in "biuf":
                raise BadInput(f"save: an array of {value.dtype} cannot be written down")
            at = f"a{len(self.arrays)}"
            self.arrays[at] = value
            return {"array": at}
        if isinstance(value, Planner):
            return {"planner": 0}
        if isinstance(value, Chart):
            self._charts.append(value)
            return {"chart": 0}
        if isinstance(value, Passages):
            return {"Passages": self._radius_of(value)}
        if isinstance(value, Model):
            if MODELS.get(value.name) is not value:
                raise BadInput(f"save: model {value.name!r} has no name by which it could be found")
            return {"model": value.name}
        special: dict[type, Callable[[Any], Any]]
        special = {Setting: _setting, FlowField: _field, Ticket: _ticket, Registry: _registry}
        if type(value) in special:
            return {name: self.write(special[type(value)](value))}
        if VALUES.get(name) is type(value):
            spelled: Any = type(value)
            names = getattr(spelled, "_fields", None) or [f.name for f in fields(spelled) if f.init]
            return {name: {each: self.write(getattr(value, each)) for each in names}}
        if HOLDERS.get(name) is type(value):
            return {name: {each: self.write(part) for each, part in vars(value).items()}}
        if isinstance(value, tuple | list | set | frozenset) and not hasattr(value, "_fields"):
            kind = "set" if isinstance(value, set | frozenset) else name
            items = sorted(value) if kind == "set" else value
            return {kind: [self.write(each) for each in items]}
        if isinstance(value, Mapping):
            return {"table": [[self.write(k), self.write(part)] for k, part in value.items()]}
        raise BadInput(f"save: a {name} cannot be written down")

    def _radius_of(self, passages: Passages) -> float:
        """For hulls of what radius the narrow passages of the ground are these."""
        for chart in self._charts:
            for (radius,), known in chart._narrow.ready("passages").items():
                if known is passages:
                    return float(radius)
        raise BadInput("save: narrow passages of another ground cannot be written down")


def _setting(value: Setting) -> dict[str, Any]:
    known = {"weight": value.weight, "view": value.view, "range": value.range}
    if value.rule.looks != "nobody":
        known["whom"] = value.whom
    given = {k: v for k, v in known.items() if v is not None} | dict(value.parameters)
    return {"rule": value.rule.name, "given": given}


def _field(value: FlowField) -> dict[str, Any]:
    if value.over_areas:
        raise BadInput("save: a flow field over areas cannot be written down")
    return {
        "radius": value.grid.radius, "targets": value.targets, "distance": value.distance,
        "reason": value.reason, "slowness": value.slowness, "through": value.through is not None,
        "passages": value.passages is not None, "steps": value.steps,
    }  # fmt: skip


def _ticket(value: Ticket[Any]) -> dict[str, Any]:
    return {"due": value.due, "order": value.order, "result": value.result()}


def _registry(value: Registry) -> list[float]:
    return list(value._known)
