"""What a world carries, as JSON and arrays: only classes that stand in the tables of `kinds`.

Nothing in a file is run: it names classes of these tables, which are made with what their own
checks let pass, or filled with attributes that an object of the class has, of the same kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.behaviours import Setting
from sim.core.errors import BadInput
from sim.core.overlap import Outlines
from sim.core.solids import Solids
from sim.living.agenda import Due
from sim.living.deeds import Deed
from sim.models import MODELS, Model
from sim.navigation import FlowField, Planner, Ticket
from sim.navigation.chart import Chart
from sim.navigation.jobs import RenewedJob
from sim.navigation.tickets import Renewed
from sim.orders.registry import Registry
from sim.saving.kinds import HOLDERS, VALUES

Arrays = dict[str, NDArray[Any]]


class Writer:
    """Takes values apart; `arrays` are theirs, by name.

    `charts` are all that anything is planned on, of ground with the `bare` solids and some more.
    """

    def __init__(self, charts: Sequence[Chart], bare: Solids) -> None:
        self.arrays: Arrays = {}
        self._known: dict[int, tuple[int, Any]] = {}
        self._charts, self._bare = charts, bare

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
        special = {
            Setting: lambda setting: {"rule": setting.rule.name, "given": setting.told},
            Registry: lambda registry: registry.by_radius,
            FlowField: self._field, Ticket: _ticket, Chart: self._chart,
        }  # fmt: skip
        if type(value) in special:
            return {name: self.write(special[type(value)](value))}
        if isinstance(value, Due) and not isinstance(value.act, Deed):
            raise BadInput(
                f"save: the event at {value.at:g} s is a function of your own, "
                "which cannot be written down: give a sim.living.deeds.Deed instead"
            )
        if VALUES.get(name) is type(value):
            spelled: Any = type(value)
            names = getattr(spelled, "_fields", None) or [f.name for f in fields(spelled) if f.init]
            return {name: {each: self.write(getattr(value, each)) for each in names}}
        if HOLDERS.get(name) is type(value):
            return {name: {each: self.write(part) for each, part in vars(value).items()}}
        if isinstance(value, tuple | list | set | frozenset) and not hasattr(value, "_fields"):
            items = sorted(value) if isinstance(value, set | frozenset) else value
            return {name: [self.write(each) for each in items]}
        if isinstance(value, Mapping):
            return {"table": [[self.write(k), self.write(part)] for k, part in value.items()]}
        raise BadInput(f"save: a {name} cannot be written down")

    def _field(self, value: FlowField) -> dict[str, Any]:
        chart = next((each for each in self._charts if each.has(value.grid)), None)
        if chart is None:
            raise BadInput("save: a flow field of another ground cannot be written down")
        return {
            "chart": chart, "radius": value.grid.radius, "targets": value.targets,
            "distance": value.distance, "reason": value.reason, "slowness": value.slowness,
            "through": value.through is not None, "passages": value.passages,
            "steps": value.steps, "over_areas": value.over_areas,
            "lengths": value.own_lengths,
        }  # fmt: skip

    def _chart(self, value: Chart) -> dict[str, Any]:
        return {
            "more": _beyond(self._bare, value.solids), "cover": value.cover,
            "before": value.before, "passages": value.known_passages(),
        }  # fmt: skip


def _beyond(bare: Solids, solids: Solids) -> Solids:
    """What there is besides the solids that never change."""
    d, b, w, p = len(bare.discs), len(bare.boxes), len(bare.walls), len(bare.polygons)
    return Solids(solids.discs[d:], solids.boxes[b:], solids.walls[w:], solids.polygons[p:])


def charts_of(parts: Mapping[str, Any]) -> list[Chart]:
    """All charts that the parts of a state know of, once what is being planned is there."""
    guide = parts["orders"].guide
    if guide is None:
        return []
    results = [ticket.result() for ticket in parts["open"]]
    asked = [parts["chart"], parts["latest"], guide.bare, *(t.chart for t in parts["open"])]
    asked += [result.chart for result in results if isinstance(result, Renewed)]
    asked += [hunt.trails.chart for hunt in guide.hunts.of.values() if hunt.trails is not None]
    found: list[Chart] = []
    while asked:
        chart = asked.pop(0)
        if chart is not None and not any(chart is each for each in found):
            found.append(chart)
            asked.append(chart.before)
    return found


def _ticket(value: Ticket[Any]) -> dict[str, Any]:
    work, result = value.work, value.result()
    if isinstance(work, RenewedJob):  # its fields may be of a ground that is known no more
        led = zip(result.fields, work.fields, strict=True)
        work = RenewedJob([(field, areas) for field, (_, areas) in led], work.piled)
    return {
        "due": value.due, "order": value.order, "work": work, "chart": value.chart,
        "result": result, "fixed": value.fixed,
    }  # fmt: skip
