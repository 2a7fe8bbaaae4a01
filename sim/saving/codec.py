"""What a world carries, as JSON and arrays, and back: only classes that stand in a table here.

Nothing in a file is run: it names classes of this table, which are made with what their own checks
let pass, or filled with attributes that an object of the class has, of the same kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.behaviours import Setting, lookup
from sim.engine.saved import Engine
from sim.engine.touching import Touching
from sim.engine.trees import Tree
from sim.errors import BadInput
from sim.hull import Hull
from sim.maps.tile_map import MapObject, TileMap
from sim.models import MODELS, Model
from sim.models import model as model_named
from sim.navigation import FlowField, Path, Planner, Routes, Ticket
from sim.navigation.jams import Quickest
from sim.navigation.through import Crossings, along_field
from sim.navigation.trails import Trails
from sim.orders import Goal, Orders
from sim.orders.guide import Guide
from sim.orders.hunt import Hunt
from sim.orders.hunts import Hunts
from sim.orders.minds import Minds
from sim.orders.narrows import Narrows, Registry
from sim.orders.opponents import Opponents
from sim.orders.party import Party
from sim.orders.settle import Patience
from sim.orders.turns import Bound, Turns
from sim.overlap import Outlines
from sim.perception.views import View
from sim.plane import Plane
from sim.saving.kinds import alike, blank
from sim.solids import Solids
from sim.steering.course import CourseHelm
from sim.steering.helm import BowHelm
from sim.steering.holonomic import HolonomicHelm

Arrays = dict[str, NDArray[Any]]
VALUES = {
    c.__name__: c
    for c in (
        Hull, View, Goal, Plane, Solids, TileMap, MapObject, BowHelm, CourseHelm, HolonomicHelm,
        Path, Quickest, Trails, Minds, Turns, Bound, Routes, Crossings, Engine, Tree, Touching,
    )
}  # fmt: skip
"""Made of their parts, which they check themselves where they have anything to check."""
HOLDERS = {
    c.__name__: c
    for c in (Orders, Guide, Hunt, Hunts, Narrows, Registry, Opponents, Party, Patience)
}
"""Objects that go through steps: filled with what they held."""
DEEPEST = 40


class Writer:
    """Takes values apart; `arrays` are theirs, by name."""

    def __init__(self) -> None:
        self.arrays: Arrays = {}
        self._known: dict[int, tuple[int, Any]] = {}

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


def _setting(value: Setting) -> dict[str, Any]:
    known = {"weight": value.weight, "view": value.view, "range": value.range}
    if value.rule.looks != "nobody":
        known["whom"] = value.whom
    given = {k: v for k, v in known.items() if v is not None} | dict(value.parameters)
    return {"rule": value.rule.name, "given": given}


def _field(value: FlowField) -> dict[str, Any]:
    return {
        "radius": value.grid.radius, "targets": value.targets, "distance": value.distance,
        "reason": value.reason, "slowness": value.slowness, "through": value.through is not None,
    }  # fmt: skip


def _ticket(value: Ticket[Any]) -> dict[str, Any]:
    return {"due": value.due, "order": value.order, "result": value.result()}


def _registry(value: Registry) -> list[float]:
    return list(value._known)


class Reader:
    """Puts values together again, for a world with this planner (None where nothing is solid)."""

    def __init__(self, arrays: Arrays, planner: Planner | None) -> None:
        self._arrays, self._planner = arrays, planner
        self._made: dict[int, Any] = {}
        self._make: dict[str, Callable[[Any], Any]] = {
            "array": self._array, "planner": lambda _: self._a_planner(), "model": model_named,
            "Setting": self._setting, "FlowField": self._field, "Ticket": self._ticket,
            "Registry": self._registry, "slice": lambda ends: slice(int(ends[0]), int(ends[1])),
            "list": lambda parts: [self.read(each) for each in parts],
            "tuple": lambda parts: tuple(self.read(each) for each in parts),
            "set": lambda parts: {self.read(each) for each in parts},
            "table": lambda rows: {self.read(key): self.read(part) for key, part in rows},
        }  # fmt: skip

    def read(self, written: Any) -> Any:
        """The value. Raises `ValueError` and the like for what `Writer` has not written."""
        if written is None or isinstance(written, bool | int | float | str):
            return written
        if "again" in written:
            return self._made[written["again"]]
        number = written.get("n")
        ((name, inside),) = [pair for pair in written.items() if pair[0] != "n"]
        if name in self._make:
            made = self._make[name](inside)
        elif name in VALUES:
            made = VALUES[name](**{each: self.read(part) for each, part in inside.items()})
        elif name in HOLDERS:
            made = object.__new__(HOLDERS[name])
            self._made[number] = made
            vars(made).update({each: self.read(part) for each, part in inside.items()})
            self._check_holder(made)
        else:
            raise ValueError(f"{name}: is nothing that a state has")
        if number is not None:
            self._made[number] = made
        return made

    def _a_planner(self) -> Planner:
        if self._planner is None:
            raise ValueError("has ways round solids that are not there")
        return self._planner

    def _array(self, name: str) -> NDArray[Any]:
        found = self._arrays[name]
        if found.dtype.kind not in "biuf":
            raise ValueError(f"{name}: an array of {found.dtype}")
        return found

    def _setting(self, written: Any) -> Setting:
        said = self.read(written)
        return lookup(said["rule"]).configure(said["given"])

    def _field(self, written: Any) -> FlowField:
        said, planner = self.read(written), self._a_planner()
        grid = planner.grid(float(said["radius"]))
        for name in ("distance", "slowness"):
            values = said[name]
            if values.dtype != float or values.shape not in (grid.free.shape, (0, 0)):
                raise ValueError(f"{name}: does not fit the ground")
        if said["distance"].shape != grid.free.shape or np.isnan(said["distance"]).any():
            raise ValueError("distance: does not fit the ground")
        if said["targets"].ndim != 2 or said["targets"].shape[1] != 4 or not len(said["targets"]):
            raise ValueError("targets: must be rectangles")
        through = None
        if said["through"]:
            through = along_field(grid, said["distance"], planner.passages(grid.radius))
        return FlowField(
            grid, said["targets"], said["distance"], str(said["reason"]), said["slowness"], through
        )

    def _ticket(self, written: Any) -> Ticket[Any]:
        said: Future[Any] = Future()
        parts = self.read(written)
        said.set_result(parts["result"])
        return Ticket(int(parts["due"]), int(parts["order"]), lambda: parts["result"], said)

    def _registry(self, written: Any) -> Registry:
        made, planner = Registry(), self._a_planner()
        for radius in self.read(written):
            made.add(float(radius), planner.passages(float(radius)))
        return made

    def _check_holder(self, made: Any) -> None:
        """Raise `ValueError` unless it has what a new one of its class has, of the same kinds."""
        model = blank(type(made), self._planner)
        if set(vars(model)) != set(vars(made)):
            raise ValueError(f"{type(made).__name__}: has other parts than this version's")
        for name, value in vars(model).items():
            mine = getattr(made, name)
            if not alike(value, mine):
                raise ValueError(f"{type(made).__name__}.{name}: is of another kind")
