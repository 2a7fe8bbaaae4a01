"""What a world carries, from JSON and arrays: the reverse of `writer`, for what is one of its."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.behaviours import Setting, lookup
from sim.models import model as model_named
from sim.navigation import FlowField, Planner, Ticket
from sim.navigation.through import along_field
from sim.orders.narrows import Registry
from sim.saving.kinds import alike, blank
from sim.saving.writer import HOLDERS, VALUES, Arrays


class Reader:
    """Puts values together again, for a world with this planner (None where nothing is solid)."""

    def __init__(self, arrays: Arrays, planner: Planner | None) -> None:
        self._arrays, self._planner = arrays, planner
        self._made: dict[int, Any] = {}
        self._make: dict[str, Callable[[Any], Any]] = {
            "array": self._array, "planner": lambda _: self._a_planner(),
            "chart": lambda _: self._a_planner().latest,
            "Passages": lambda radius: self._a_planner().passages(float(radius)),
            "model": model_named,
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
        for name in ("distance", "slowness", "steps"):
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
            grid, said["targets"], said["distance"], str(said["reason"]), said["slowness"], through,
            planner.passages(grid.radius) if said["passages"] else None, said["steps"],
        )  # fmt: skip

    def _ticket(self, written: Any) -> Ticket[Any]:
        said: Future[Any] = Future()
        parts = self.read(written)
        said.set_result(parts["result"])
        result, chart = parts["result"], self._a_planner().latest
        return Ticket(int(parts["due"]), int(parts["order"]), lambda _: result, chart, said)

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
