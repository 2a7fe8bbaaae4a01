"""What a world carries, from JSON and arrays: the reverse of `writer`, for what is one of its."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sim.behaviours import Setting, lookup
from sim.core.solids import Solids
from sim.models import model as model_named
from sim.navigation import FlowField, Planner, Ticket
from sim.navigation.chart import Chart
from sim.navigation.jobs import JOBS
from sim.navigation.passages import Passages
from sim.navigation.through import along_field
from sim.orders.registry import Registry
from sim.saving.kinds import HOLDERS, MAKERS, VALUES
from sim.saving.likeness import check_kinds, check_like
from sim.saving.plan_checks import OF_VALUES, rows
from sim.saving.writer import Arrays

LONGEST = 1 << 63
"""Beyond any whole number that kernels take."""
OF_RANDOM = ("state", "inc")
"""What numpy calls the numbers of a random generator."""


class Reader:
    """Puts values together again, for a world with this planner (None where nothing is solid)."""

    def __init__(
        self, arrays: Arrays, planner: Planner | None, made: dict[int, Any] | None = None
    ) -> None:
        self._arrays, self._planner = arrays, planner
        self.made: dict[int, Any] = {} if made is None else made
        """What was read so far, by number: others name it."""
        self._makers: dict[str, Callable[[Any], Any]] = {
            "array": self._array, "planner": lambda _: self._a_planner(),
            "Chart": self._chart,
            "model": model_named,
            "Setting": self._setting, "FlowField": self._field, "Ticket": self._ticket,
            "Registry": self._registry, "slice": lambda ends: slice(int(ends[0]), int(ends[1])),
            "list": lambda parts: [self.read(each) for each in parts],
            "tuple": lambda parts: tuple(self.read(each) for each in parts),
            "set": lambda parts: {self.read(each) for each in parts},
            "frozenset": lambda parts: frozenset(self.read(each) for each in parts),
            "table": lambda rows: dict(self._row(key, part) for key, part in rows),
        }  # fmt: skip

    def read(self, written: Any) -> Any:
        """The value. Raises `ValueError` and the like for what `Writer` has not written."""
        if written is None or isinstance(written, bool | int | float | str):
            if isinstance(written, int) and not -LONGEST <= written < LONGEST:
                raise ValueError(f"{written:.3g}: a whole number beyond what kernels take")
            return written
        if "again" in written:
            return self.made[written["again"]]
        number = written.get("n")
        ((name, inside),) = [pair for pair in written.items() if pair[0] != "n"]
        if name in self._makers:
            made = self._makers[name](inside)
        elif name in VALUES:
            made = self._value(VALUES[name], inside)
        elif name in HOLDERS:
            made = object.__new__(HOLDERS[name])
            self.made[number] = made
            vars(made).update({each: self.read(part) for each, part in inside.items()})
            check_like(type(made), vars(MAKERS[type(made)](self._planner)), vars(made))
        else:
            raise ValueError(f"{name}: is nothing that a state has")
        if number is not None:
            self.made[number] = made
        return made

    def _value(self, kind: Any, written: Any) -> Any:
        parts = {name: self.read(part) for name, part in written.items()}
        check_kinds(kind, parts)
        made = kind(**parts)
        if kind in OF_VALUES:
            OF_VALUES[kind](made)
        return made

    def _row(self, key: Any, part: Any) -> tuple[Any, Any]:
        """A key and its value; of a random generator's the numbers are longer than any other."""
        name = self.read(key)
        return name, part if name in OF_RANDOM and isinstance(part, int) else self.read(part)

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
        said = self.read(written)
        grid = said["chart"].grid(float(said["radius"]))
        for name in ("distance", "slowness", "steps", "lengths"):
            values = said[name]
            if values.dtype != float or values.shape not in (grid.free.shape, (0, 0)):
                raise ValueError(f"{name}: does not fit the ground")
        over_areas = bool(said["over_areas"])
        for name in ("distance", "lengths", "slowness") if over_areas else ("distance",):
            if said[name].shape != grid.free.shape or np.isnan(said[name]).any():
                raise ValueError(f"{name}: does not fit the ground")
        rows(said["targets"], 4, "targets", 1)
        passages = None if said["passages"] is None else _passages(said["passages"])
        through = None
        if said["through"]:
            lengths = said["lengths" if over_areas else "distance"]
            through = along_field(grid, (said["distance"], lengths), _passages(passages))
        return FlowField(
            grid, said["targets"], said["distance"], str(said["reason"]), said["slowness"], through,
            passages, said["steps"], over_areas, said["lengths"],
        )  # fmt: skip

    def _ticket(self, written: Any) -> Ticket[Any]:
        future: Future[Any] = Future()
        said = self.read(written)
        future.set_result(said["result"])
        work: Any = said["work"]
        if not isinstance(work, JOBS) or not isinstance(said["chart"], Chart):
            raise ValueError("what is being planned: must be one of the planner's jobs")
        return Ticket(
            int(said["due"]), int(said["order"]), cast("Any", work), said["chart"], future,
            bool(said["fixed"]),
        )  # fmt: skip

    def _registry(self, written: Any) -> Registry:
        made = Registry()
        for radius, passages in self.read(written).items():
            made.add(float(radius), _passages(passages))
        return made

    def _chart(self, written: Any) -> Chart:
        said = self.read(written)
        before = said["before"]
        if not all(isinstance(said[name], Solids) for name in ("more", "cover")):
            raise ValueError("chart: must be of solids")
        if not (before is None or isinstance(before, Chart)):
            raise ValueError("chart.before: must be a chart")
        ground = self._a_planner().chart
        solids = ground.solids.joined([said["more"]])
        solids.check(ground.plane)
        made = Chart(solids, ground.plane, ground.tiles, before, said["cover"])
        for radius, passages in said["passages"].items():
            made.take_passages(float(radius), _passages(passages))
        return made


def _passages(found: Any) -> Passages:
    """The same, which was checked when it was read. Raises `ValueError` for anything else."""
    if not isinstance(found, Passages):
        raise ValueError("narrow passages: must be such")
    return found
