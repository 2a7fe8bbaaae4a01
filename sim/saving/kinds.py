"""The classes of what a world carries: one table for copies, for writing and for reading."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.core.draws import Each, Normal, Uniform
from sim.core.hull import Hull
from sim.core.plane import Plane
from sim.core.shapes import Box, Disc, Polygon, Wall
from sim.core.solids import Solids
from sim.core.spawn import Points, Region
from sim.engine.saved import Engine
from sim.engine.touching import Touching
from sim.engine.trees import Tree
from sim.living.agenda import Due
from sim.living.deeds import Deed
from sim.maps.tile_map import MapObject, TileMap
from sim.navigation import Path, Routes
from sim.navigation.areas import Area
from sim.navigation.chart import Chart
from sim.navigation.jams import Quickest, Traffic
from sim.navigation.jobs import JOBS
from sim.navigation.passages import Passages
from sim.navigation.through import Crossings
from sim.navigation.tickets import Marked, Renewed
from sim.navigation.trails import Trails
from sim.orders import Formation, Goal, Orders
from sim.orders.bands import Band, Bands, Halt
from sim.orders.guide import Guide
from sim.orders.hunt import Hunt
from sim.orders.hunts import Hunts
from sim.orders.minds import Minds
from sim.orders.narrows import Narrows
from sim.orders.opponents import Opponents
from sim.orders.party import Party
from sim.orders.places import Bound, Turns
from sim.orders.pursuits import Pursuits
from sim.orders.queue import Queue, Queued
from sim.orders.registry import Registry
from sim.orders.renewing import Renewals
from sim.orders.settle import Patience
from sim.orders.stays import Stays
from sim.perception.views import View
from sim.steering.course import CourseHelm
from sim.steering.helm import BowHelm
from sim.steering.holonomic import HolonomicHelm

LASTING = (
    Hull, View, Goal, Formation, Plane, Solids, TileMap, Path, Routes, Quickest, Trails, Passages,
    Crossings, Box, Disc, Wall, Polygon, Area, Due, Normal, Uniform, Each, *JOBS,
)  # fmt: skip
"""Never changed once they are made: a world and its copies share them."""
HELMS = (BowHelm, CourseHelm, HolonomicHelm)
VALUES: dict[str, Any] = {
    c.__name__: c
    for c in (
        *LASTING, *HELMS, MapObject, Minds, Turns, Bound, Engine, Tree, Touching, Points, Region,
        Band, Halt, Deed, Traffic, Renewed, Marked,
    )
}  # fmt: skip
"""By name: what is written as its parts, and made of them by the class, whose own checks hold."""
MAKERS: dict[type, Callable[[Any], Any]] = {
    Orders: lambda _: Orders(Plane()), Bands: lambda _: Bands(), Queue: lambda _: Queue(),
    Guide: lambda planner: Guide(planner, 1.0), Narrows: lambda _: Narrows(1.0),
    Hunt: lambda planner: Hunt(planner, slice(0, 0), 1.0, 1.0, 1.0),
    Hunts: lambda planner: Hunts(planner, 1.0), Opponents: lambda _: Opponents(),
    Party: lambda planner: Party(
        planner, Hull.disc(1.0, 1.0), 1.0, np.zeros((0, 4)), np.zeros(1, np.int64), False
    ),
    Patience: lambda _: Patience(0), Pursuits: lambda _: Pursuits(),
    Registry: lambda _: Registry(), Stays: lambda _: Stays(),
    Queued: lambda _: Queued(0, Goal("go"), np.zeros(0, np.int64)),
    Renewals: lambda planner: Renewals(Guide(planner, 1.0)),
}  # fmt: skip
"""What goes through steps, and is filled with what it held. Each makes a new one, for a planner:
one from a file must have the same parts, of the same kinds."""
HOLDERS: dict[str, Any] = {kind.__name__: kind for kind in MAKERS}
NAMED: dict[str, Any] = {**VALUES, **HOLDERS, "Chart": Chart}
"""Classes that others name, of which they know only for their annotations."""
