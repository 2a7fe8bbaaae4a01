"""What objects of a class hold: objects that come from a file are checked against it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.core.plane import Plane
from sim.navigation import Planner
from sim.orders import Goal, Orders
from sim.orders.bands import Bands
from sim.orders.guide import Guide
from sim.orders.hunt import Hunt
from sim.orders.hunts import Hunts
from sim.orders.narrows import Narrows
from sim.orders.opponents import Opponents
from sim.orders.party import Party
from sim.orders.queue import Queue, Queued
from sim.orders.registry import Registry
from sim.orders.renewing import Renewals
from sim.orders.settle import Patience
from sim.orders.stays import Stays
from sim.orders.stuck import Whereabouts


def blank(kind: type, planner: Planner | None) -> Any:
    """A new object of a class that a state may hold."""
    plan: Any = planner
    makers: dict[type, Callable[[], Any]] = {
        Orders: lambda: Orders(Plane()), Guide: lambda: Guide(plan, 1.0), Registry: Registry,
        Hunt: lambda: Hunt(plan, slice(0, 0), 1.0, 1.0, 1.0), Hunts: lambda: Hunts(plan, 1.0),
        Narrows: lambda: Narrows(1.0), Opponents: Opponents, Patience: lambda: Patience(0),
        Bands: Bands,
        Party: lambda: Party(
            plan, 1.0, 1.0, 1.0, np.zeros((0, 4)), np.zeros(1, np.int64), False, False
        ),
        Queue: Queue, Stays: Stays, Whereabouts: Whereabouts,
        Renewals: lambda: Renewals(Guide(plan, 1.0)),
        Queued: lambda: Queued(0, Goal("go"), np.zeros(0, np.bool_)),
    }  # fmt: skip
    return makers[kind]()


def alike(model: Any, value: Any) -> bool:
    """Whether a value is of the kind of another; what is None may be anything, and the reverse."""
    if model is None or value is None:
        return True
    if isinstance(model, slice) and isinstance(value, np.ndarray):
        return value.dtype == np.int64 and value.ndim == 1
    if isinstance(model, np.ndarray):
        return (
            isinstance(value, np.ndarray)
            and value.dtype == model.dtype
            and value.ndim == model.ndim
            and value.shape[1:] == model.shape[1:]
        )
    if isinstance(model, int | float) and not isinstance(model, bool):
        return isinstance(value, int | float)
    if type(model) is not type(value):
        return False
    parts = getattr(model, "_fields", ())
    return all(alike(getattr(model, part), getattr(value, part)) for part in parts)
