"""Copies of what a world carries from step to step: what changes is copied, the rest is shared."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.behaviours import Setting
from sim.core.draws import Each, Normal, Uniform
from sim.core.hull import Hull
from sim.core.overlap import Outlines
from sim.core.plane import Plane
from sim.core.shapes import Shape
from sim.core.solids import Solids
from sim.living.agenda import Event
from sim.maps.tile_map import TileMap
from sim.models import Model
from sim.navigation import FlowField, Grid, Path, Planner, Routes
from sim.navigation.areas import Area
from sim.navigation.chart import Chart
from sim.navigation.jams import Quickest
from sim.navigation.jobs import JOBS
from sim.navigation.passages import Passages
from sim.navigation.through import Crossings
from sim.navigation.trails import Trails
from sim.orders import Formation, Goal
from sim.perception.views import View

FIXED = (
    Setting, Hull, TileMap, Model, FlowField, Grid, Path, Planner, Routes, Chart, Quickest,
    Passages, Crossings, Trails, Goal, Formation, View, Plane, Solids, Shape, Area, Event, Normal,
    Uniform, Each, *JOBS,
)  # fmt: skip
"""Never changed once they are made: shared by a world and its copies."""
MADE_ANEW = (Outlines,)
"""Worked out from a snapshot at each step: shared, and of no meaning between two steps."""
PLAIN = (type(None), bool, int, float, str, bytes, slice, np.generic)
_SHARED = (*FIXED, *MADE_ANEW)


def copied(value: Any, known: dict[int, Any], *, frozen: bool = False) -> Any:
    """A copy in which arrays, lists, tables and objects of ours are new.

    What is the same twice is so in the copy: `known` holds the copies by the id of what they are
    of. Arrays of a `frozen` copy are read-only.
    """
    if isinstance(value, PLAIN):
        return value
    if id(value) in known:
        return known[id(value)][0]
    if isinstance(value, _SHARED):
        return value
    made: Any
    if isinstance(value, np.ndarray):
        made = value.copy()
        made.flags.writeable = not frozen
    elif isinstance(value, tuple):
        parts = [copied(each, known, frozen=frozen) for each in value]
        made = type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    elif isinstance(value, list | set | frozenset):
        made = type(value)(copied(each, known, frozen=frozen) for each in value)
    elif isinstance(value, dict):
        made = type(value)()
        known[id(value)] = made, value
        made.update((k, copied(each, known, frozen=frozen)) for k, each in value.items())
    elif callable(value) or not type(value).__module__.startswith("sim."):
        return value  # a helm that a user wrote, a function
    else:
        made = object.__new__(type(value))
        known[id(value)] = made, value
        for name, each in vars(value).items():
            object.__setattr__(made, name, copied(each, known, frozen=frozen))
    known[id(value)] = made, value  # kept alive, so that no other can have its id
    return made


def kept_of(held: object, but: set[str]) -> dict[str, Any]:
    """What an object holds, but for what is named and for functions."""
    return {
        name: value for name, value in vars(held).items() if name not in but and not callable(value)
    }
