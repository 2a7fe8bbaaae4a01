"""The units of a world: a space, its groups, and the state of their units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, Self
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Ints
from sim.core.draws import Spread, spread_of
from sim.core.errors import BadInput
from sim.core.hull import Hull
from sim.core.limits import LEAST_STEP, LONGEST_STEP, check_kind, check_text, positive
from sim.core.plane import Bounds, Edges, Plane
from sim.core.sharing import end_helpers, help_for
from sim.core.solids import Solids
from sim.core.spawn import Spawn
from sim.core.units import Units, read_only
from sim.engine.bridge import Bridge
from sim.engine.build import Space
from sim.engine.contacts import Contacts, Touch
from sim.engine.ground import Ground
from sim.engine.queries import Queries
from sim.engine.search import search_named
from sim.group import Group
from sim.living import changes
from sim.living.agenda import Agenda
from sim.living.entry import entry_of
from sim.living.events import Happened
from sim.living.population import Population
from sim.maps.tile_map import TileMap
from sim.models import DEFAULT_MODEL
from sim.models import model as model_named
from sim.orders import Goal, Orders
from sim.orders.guide import Guide
from sim.perception.feelers import Feelers
from sim.perception.surroundings import Surroundings


class Roster:
    """Groups of units in a pymunk space, on a plane. `World` is one that has a step."""

    def __init__(
        self,
        *,
        seed: int = 0,
        time_step: float = 1 / 60,
        bounds: Bounds | None = None,
        edges: Edges = "open",
        discs: ArrayLike = (),
        boxes: ArrayLike = (),
        walls: ArrayLike = (),
        map: TileMap | None = None,
        space: Space | None = None,
        neighbour_search: Literal["grid", "pymunk"] = "grid",
        contact_cells: bool = True,
    ) -> None:
        if not isinstance(seed, int | np.integer) or seed < 0:
            raise BadInput(f"seed = {seed!r}: must be a whole number, 0 or greater")
        help_for(self)
        self.seed = seed
        self.time_step = positive(time_step, "time_step", LEAST_STEP, LONGEST_STEP)
        check_kind(map, TileMap, "map", "sim.maps.read(FILE)")
        if map is not None:
            if bounds is not None or edges != "open":
                raise BadInput("map: has bounds and walls of its own; leave bounds and edges out")
            bounds, edges = map.bounds, "wall"
        self.map = map
        self.plane = Plane(bounds, edges)
        self._own_space = space is None
        self.space = space if space is not None else Space()
        added = Solids.of(discs, boxes, walls)
        self._ground = Ground(self.space, self.plane, added, map)
        self.solids = self._ground.solids
        self._around = Surroundings.of(self.plane, self.solids, self._ground.faces)
        guide = Guide.among(self.solids, self.plane, map, self.time_step)
        self._orders = Orders(self.plane, guide, self.time_step)
        self.steps, self._deciding = 0, False
        self._bridge = Bridge(self.space, self.plane)
        self.people = Population(self._ground, self._bridge, self._orders, contact_cells)
        self.groups = self.people.groups
        self._touch = Touch(self.space, self._bridge)
        self._searched = neighbour_search
        self._search = search_named(neighbour_search, self.space, self._bridge)
        self.agenda, self.happened = Agenda(), Happened()
        """What is to happen at given times, and what has happened."""
        self._snapshot: Units | None = None
        self._shown: tuple[Units, Units] | None = None

    def add_group(
        self,
        name: str,
        spawn: Spawn | ArrayLike,
        *,
        count: int | None = None,
        model: str = DEFAULT_MODEL,
        hull: Hull | None = None,
        view: str | None = None,
        view_angle: float | None = None,
        view_radius: float | None = None,
        speed: float | Spread | list[float] | None = None,
        heading: float | str | None = None,
        facing: ArrayLike | None = None,
        behaviours: Mapping[str, Any] | None = None,
        goal: Goal | None = None,
        color: str | None = None,
    ) -> Group:
        """Add a group of units and return it.

        `spawn` is a `Region`, `Ring` or `Points`, or simply points (n, 2). `view_angle` is in
        radians, `view_radius` in hull lengths. `heading` is in radians, or "random"; without it
        units face the point `facing`, if there is one, and those that are held upright stand at 0.
        The rest is the model's unless given; `behaviours` changes its rules. Raises `BadInput`.
        """
        changes.refuse_amid(self, f"group {name!r}: cannot be added")
        check_text(name, "name")
        check_text("red" if color is None else color, "color")
        if any(g.name == name for g in self.groups):
            raise BadInput(f"group {name!r}: there is one of that name already")
        made_of = model_named(model)
        check_kind(hull, Hull, "hull", "Hull.disc(0.5)")
        check_kind(goal, Goal, "goal", "Goal.to((3, 4))")
        hull = made_of.hull if hull is None else replace(hull, upright=made_of.hull.upright)
        settings = made_of.compose(behaviours)
        end = len(self.ids)
        group = Group(name, len(self.groups), made_of, slice(end, end), hull, settings, self)
        entry = entry_of(self, group, spawn, goal, count=count, heading=heading, facing=facing)
        if hull.spread is not None:
            spread_of(hull.spread, "hull.radius", len(entry.places))
        group.color = made_of.color if color is None else color
        group.view = made_of.view if view is None else view
        if view_angle is not None:
            group.view_angle = view_angle
        if view_radius is not None:
            group.view_radius = view_radius
        group.goal = goal
        if speed is not None:
            group.speed = spread_of(speed, "speed", len(entry.places))
        self._orders.check(group, goal, entry.places)
        self.people.found(group, entry)
        changes.show(self)
        return group

    def close(self) -> None:
        """End the threads that work for this world. It may go on all the same: they start anew."""
        guide = self._orders.guide
        if guide is not None:
            guide.planner.close()
        end_helpers()

    def __enter__(self) -> Self:
        """The world, which is closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def group(self, name: str) -> Group:
        """The group of that name. Raises `BadInput` if there is none."""
        check_text(name, "group")
        for group in self.groups:
            if group.name == name:
                return group
        raise BadInput(f"group {name!r}: must be one of {', '.join(g.name for g in self.groups)}")

    @property
    def ids(self) -> Ints:
        """(N,) the id of the unit in each row of `units`; ids are never used again. Read-only."""
        return self.people.ids

    @property
    def ids_given(self) -> int:
        """How many ids have been given: the units that there are, and all that have been."""
        return self.people.given

    @property
    def _group_of(self) -> Ints:
        return self.people.group_of

    @property
    def units(self) -> Units:
        """The state of all units now, by group in the order added. Its arrays are read-only."""
        state = self._state
        if self._shown is None or self._shown[0] is not state:
            self._shown = state, read_only(state)
        return self._shown[1]

    @property
    def _state(self) -> Units:
        if self._snapshot is None:
            self._snapshot = self._bridge.read(self._group_of, self.steps)
        return self._snapshot

    @property
    def orders(self) -> Orders:
        """Where all units are sent and how far they have come, goals just given included."""
        self.take_down_orders()
        self._orders.form(self.groups, self._state, self.steps)
        self._orders.number()
        return self._orders

    def take_down_orders(self) -> None:
        """Have all groups start on the goals that they were given since."""
        for group in self.groups:
            if not group.sent:
                rows = np.arange(group.rows.start, group.rows.stop)
                self._orders.queue.clear(rows)
                here = self._state.position[group.rows]
                self._orders.send(group, group.goal, rows, here, self.steps)
                group.sent = True

    @property
    def queries(self) -> Queries:
        """Rays, free places and who stands at a point, by the engine's own spatial queries."""
        return Queries(self.space, self.plane, self._bridge)

    @property
    def feelers(self) -> Feelers:
        """Rays in bulk against all that stands still."""
        return self._around.feelers

    @property
    def contacts(self) -> Contacts:
        """Which unit touches what, as of the engine's last step."""
        return read_only(self._touch.read(len(self._state)))

    @property
    def time(self) -> float:
        """Seconds simulated."""
        return self.steps * self.time_step

    def rng(self, name: str) -> np.random.Generator:
        """A random generator of its own for each purpose, from the run's seed."""
        seeds = np.random.SeedSequence([self.seed, crc32(name.encode())])
        return np.random.Generator(np.random.PCG64(seeds))

    def forget(self) -> None:
        """Groups changed: whatever was worked out from them is worked out anew."""

    def check_goal(self, group: Group, goal: Goal | None) -> None:
        """Raise `BadInput` for a goal that the units of a group cannot get to from here."""
        if group.index < len(self.groups):
            self._orders.check(group, goal, self._state.position[group.rows])
