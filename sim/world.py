"""The world: a space, its groups and a clock. `World.step` is the order in which all happens."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, Literal
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.engine.bridge import Bridge
from sim.engine.build import Space, set_up
from sim.engine.ground import Ground
from sim.engine.placing import refuse_overlap, stand
from sim.engine.queries import Queries
from sim.engine.search import search_named
from sim.errors import BadInput
from sim.group import Goal, Group
from sim.hull import Hull
from sim.maps.tile_map import TileMap
from sim.models import model as model_named
from sim.perception.look import Eyes
from sim.plane import Bounds, Edges, Plane
from sim.solids import Solids
from sim.spawn import Points, Region, Spawn, Standing, count_of, headings, place
from sim.steering.arbiter import total, weigh
from sim.units import Units

STRIDE, MOST_PARTS = 0.5, 64
"""Hull lengths that a unit may move at its desired speed between two of the engine's looks."""


class World:
    """Groups of units in a pymunk space, on a plane that may be walled or a torus.

    `space` may be somebody's own: its round static shapes are then seen as obstacles, its other
    bodies are left alone. `discs`, `boxes` and `walls` are solids to add, as in `Solids`. A `map`
    of tiles is solid outside and takes no other bounds. One seed gives one run, bit for bit.
    `neighbour_search` "pymunk" asks the engine, unit by unit, instead of the compiled grid: the
    same run, slowly.
    """

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
    ) -> None:
        if not 0 < time_step < np.inf:
            raise BadInput(f"time_step = {time_step}: must be a finite number greater than 0")
        if not isinstance(seed, int | np.integer) or seed < 0:
            raise BadInput(f"seed = {seed!r}: must be a whole number, 0 or greater")
        self.seed, self.time_step = seed, time_step
        if map is not None:
            if bounds is not None or edges != "open":
                raise BadInput("map: has bounds and walls of its own; leave bounds and edges out")
            bounds, edges = map.bounds, "wall"
        self.map = map
        self.plane = Plane(bounds, edges)
        self.space = space if space is not None else Space()
        added = Solids.of(discs, boxes, walls)
        self._ground = Ground(self.space, self.plane, added, map)
        self.solids = self._ground.solids
        self.groups: list[Group] = []
        self.steps = 0
        self._group_of = np.zeros(0, np.int64)
        self._bridge = Bridge(self.space, self.plane)
        self._search = search_named(neighbour_search, self.space, self._bridge)
        self._eyes: Eyes | None = None
        self._substeps: int | None = None
        self._snapshot: Units | None = None

    # -- who is there

    def add_group(
        self,
        name: str,
        spawn: Spawn | ArrayLike,
        *,
        count: int | None = None,
        model: str = "flock",
        hull: Hull | None = None,
        view: str | None = None,
        speed: float | None = None,
        heading: float | str | None = None,
        facing: ArrayLike | None = None,
        behaviours: Mapping[str, Any] | None = None,
        goal: Goal | None = None,
        color: str | None = None,
    ) -> Group:
        """Add a group of units and return it.

        `spawn` is a `Region`, `Ring` or `Points`, or simply points (n, 2). `heading` is in radians,
        or "random"; without it units face the point `facing`, if there is one. The rest is the
        model's unless given; `behaviours` changes its rules by name. Raises `BadInput` for what
        does not fit.
        """
        if any(g.name == name for g in self.groups):
            raise BadInput(f"group {name!r}: there is one of that name already")
        if not isinstance(spawn, Spawn):
            spawn = Points(spawn)
        count = count_of(spawn, count)
        made_of = model_named(model)
        hull = made_of.hull if hull is None else hull
        settings = made_of.compose(behaviours)
        rng = self.rng(f"spawn {name}")
        places = place(spawn, count, hull, self.plane, self.solids, self._standing(), rng)
        angles = headings(places, spawn, heading, facing, self.plane, rng)
        start = len(self._group_of)
        rows_ = slice(start, start + count)
        group = Group(name, len(self.groups), made_of, rows_, hull, settings, self._forget)
        group.color = made_of.color if color is None else color
        group.view = made_of.view if view is None else view
        group.goal = goal
        if speed is not None:
            group.speed = speed
        self._admit(group, places, angles, given=not isinstance(spawn, Region))
        return group

    def group(self, name: str) -> Group:
        """The group of that name. Raises `BadInput` if there is none."""
        for group in self.groups:
            if group.name == name:
                return group
        raise BadInput(f"group {name!r}: must be one of {', '.join(g.name for g in self.groups)}")

    @property
    def units(self) -> Units:
        """The state of all units now, by group in the order added."""
        if self._snapshot is None:
            self._snapshot = self._bridge.read(self._group_of, self.steps)
        return self._snapshot

    @property
    def queries(self) -> Queries:
        """Rays, free places and who stands at a point, by the engine's own spatial queries."""
        return Queries(self.space, self.plane, self._bridge)

    @property
    def time(self) -> float:
        """Seconds simulated."""
        return self.steps * self.time_step

    def rng(self, name: str) -> np.random.Generator:
        """A random generator of its own for each purpose, from the run's seed."""
        return np.random.Generator(
            np.random.PCG64(np.random.SeedSequence([self.seed, crc32(name.encode())]))
        )

    # -- what happens

    def step(self) -> None:
        """One time step: everybody decides from one snapshot, then the engine moves all."""
        self.steer()
        parts = self.substeps
        for part in range(parts):
            if part > 0:
                self._bridge.write_again()
            self.space.step(self.time_step / parts)

    @property
    def substeps(self) -> int:
        """Parts of a step that the engine takes one by one: nobody outruns half its length in one.

        Whoever moves further between two looks of the engine would be deep inside what it meets.
        """
        if self._substeps is None:
            strides = [g.speed * self.time_step / (STRIDE * g.hull.length) for g in self.groups]
            self._substeps = min(MOST_PARTS, max(1, ceil(max(strides, default=0.0))))
        return self._substeps

    def steer(self) -> None:
        """The first half of a step: decide, and set the forces.

        For those who step their space themselves, by `time_step`, right after this: the clock
        counts that step already.
        """
        self._snapshot = None
        units = self.units
        self._behave(self._look(units))
        self._bridge.write(units, self._helm(units), self.time_step)
        self.steps += 1
        self._snapshot = None

    # -- the small print

    def _look(self, units: Units) -> Eyes:
        """What everybody sees."""
        if self._eyes is None:
            ground = self._ground
            discs, faces = ground.solids.discs, ground.faces
            self._eyes = Eyes(self.groups, self.plane, discs, faces, self._search)
        self._eyes.look(units)
        return self._eyes

    def _behave(self, percepts: Eyes) -> None:
        """What everybody wants: each rule's term, weighed, and their sum."""
        for group in self.groups:
            group.follow_script(self.time)
            group.terms = weigh(percepts.of(group))
            group.command = total(group.terms, len(group))

    def _helm(self, units: Units) -> NDArray[np.float64]:
        """The forces and torques (N, 3) that this takes."""
        forces = np.zeros((len(units), 3))
        for group in self.groups:
            group.helm.steer(units, group.rows, group.command, group.hull, self.time_step, forces)
        return forces

    def _forget(self) -> None:
        """Groups changed: who looks how, and how fast, is worked out anew at the next step."""
        self._eyes = self._substeps = None

    def _standing(self) -> Standing:
        reach = np.array([g.hull.reach for g in self.groups])[self._group_of]
        return Standing(self.units.position, reach)

    def _admit(
        self, group: Group, places: NDArray[np.float64], angles: NDArray[np.float64], given: bool
    ) -> None:
        """Put a group's bodies into the space; places that were given may overlap others."""
        bodies = stand(self.space, group.hull, places, angles)
        if given:
            refuse_overlap(self.space, self._bridge.bodies, bodies, group.hull, self.plane)
        set_up(self.space, [*(g.hull for g in self.groups), group.hull])
        if not self.groups:
            self._ground.suit(group.hull.radius)
        self._bridge.add(bodies)
        self._bridge.seam.add_group(group.hull)
        self.groups.append(group)
        self._group_of = np.append(self._group_of, np.full(len(group), group.index))
        self._snapshot = None
        self._forget()
