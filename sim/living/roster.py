"""The units of a world: its groups, the state and the orders of their units, and its clock."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike

from sim.behaviours.taking_turns import TURNS
from sim.core.arrays import Bools, Ints
from sim.core.draws import Spread, spread_of
from sim.core.errors import BadInput
from sim.core.hull import Hull
from sim.core.limits import MOST_GROUPS, check_another, check_kind, check_text
from sim.core.sharing import end_helpers, help_for
from sim.core.spawn import Spawn
from sim.engine.build import Space
from sim.engine.ground import Ground
from sim.engine.spare import MOST, Spare
from sim.group import Group
from sim.living import changes
from sim.living.agenda import Agenda
from sim.living.basis import Basis
from sim.living.entry import entry_of
from sim.living.events import Happened
from sim.living.naming import group_of
from sim.living.population import Population
from sim.living.present import Present
from sim.models import DEFAULT_MODEL
from sim.models import model as model_named
from sim.orders import Goal, Orders
from sim.orders.guide import Guide


class Roster(Present):
    """Groups of units in a pymunk space, what they are ordered to do, and what has happened."""

    def __init__(self, basis: Basis, space: Space | None) -> None:
        help_for(self)
        self.own_space = space is None
        """Whether the space was made for this world."""
        space = Space() if space is None else space
        super().__init__(space, basis.plane)
        self.basis, self.time_step = basis, basis.time_step
        self._ground = Ground(space, basis.plane, basis.added, basis.map)
        guide = Guide.among(self._ground.solids, basis.plane, basis.map, basis.time_step)
        self._orders = Orders(basis.plane, guide, basis.time_step)
        self.spare = Spare(MOST if self.own_space else 0)
        """Bodies for units to come; none in a space of a user's own, where they may be in use."""
        self.people = Population(
            self._ground, self.bridge, self._orders, basis.contact_cells, self.spare
        )
        self.groups = self.people.groups
        self.agenda, self.happened = Agenda(), Happened()
        """What is to happen at given times, and what has happened."""
        self._takers: Bools | None = None

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
        units face the point `facing`, if there is one, and units that are held upright stand at 0.
        The rest is the model's unless given; `behaviours` changes its rules. Raises `BadInput`.
        """
        self.turn.check(f"group {name!r}: cannot be added")
        check_text(name, "name")
        check_text("red" if color is None else color, "color")
        if any(g.name == name for g in self.groups):
            raise BadInput(f"group {name!r}: there is one of that name already")
        check_another(len(self.groups), MOST_GROUPS, f"group {name!r}", "groups")
        made_of = model_named(model)
        check_kind(hull, Hull, "hull", "Hull.disc(0.5)")
        check_kind(goal, Goal, "goal", "Goal.to((3, 4))")
        hull = made_of.hull if hull is None else replace(hull, upright=made_of.hull.upright)
        settings = made_of.compose(behaviours)
        end = len(self.ids)
        group = Group(name, len(self.groups), made_of, slice(end, end), hull, settings, self)
        entry = entry_of(self, group, spawn, goal, count=count, heading=heading, facing=facing)
        hull.check_count(len(entry.places))
        for setting in settings.values():
            setting.check_count(len(entry.places))
        group.color = made_of.color if color is None else color
        group.view = made_of.view if view is None else view
        if view_angle is not None:
            group.view_angle = view_angle
        if view_radius is not None:
            group.view_radius = view_radius
        group.goal = goal
        if speed is not None:
            group.speed = spread_of(speed, "speed", len(entry.places))
        self.orders.check(group, goal, entry.places)
        self.people.found(group, entry)
        self.show()
        return group

    def group(self, name: str) -> Group:
        """The group of that name. Raises `BadInput` if there is none."""
        return group_of(self.groups, name)

    def add(self, group: Group, spawn: Spawn | ArrayLike, **options: Any) -> Ints:
        """Add units to a group, and return their ids (k,): what `Group.add` does."""
        return changes.add(self, group, spawn, **options)

    def remove(self, ids: ArrayLike, of: Group | None = None) -> None:
        """Take units out for good, all `of` one group if it is given; as `World.remove`."""
        changes.remove(self, ids, of)

    def regroup(self, ids: ArrayLike, group: Group | str) -> None:
        """Have units, by their ids (k,), join a group: with its hull, its rules and its goal.

        They keep their places and their ids. Raises `BadInput` for an id that no unit in the world
        has, for a goal that one cannot get to, and where a larger hull has no room.
        """
        changes.regroup(self, ids, group_of(self.groups, group))

    def change(self, said: str) -> AbstractContextManager[None]:
        """Within, no step is taken. Raises `BadInput` that begins as `said` amid one."""
        return self.turn.change(said)

    def check_goal(self, group: Group, goal: Goal | None) -> None:
        """Raise `BadInput` for a goal that the units of a group cannot get to from here."""
        if group.index < len(self.groups):
            with self.turn.taken(f"group {group.name!r}: cannot be ordered"):
                self.orders.check(group, goal, self.state.position[group.rows])

    def close(self) -> None:
        """End the threads that work for this world. It may go on all the same: they start anew."""
        if self._orders.guide is not None:
            self._orders.guide.planner.close()
        end_helpers()

    def rng(self, name: str) -> np.random.Generator:
        """A random generator of its own for each purpose, from the run's seed."""
        check_text(name, "name")
        seeds = np.random.SeedSequence([self.basis.seed, crc32(name.encode())])
        return np.random.Generator(np.random.PCG64(seeds))

    def resume(self, ground: Ground, orders: Orders) -> None:
        """Go on with the ground and the orders of a state."""
        self._ground, self._orders = ground, orders

    @property
    def ground(self) -> Ground:
        """All that is solid and no unit."""
        self.turn.catch_up()
        return self._ground

    @property
    def orders(self) -> Orders:
        """Without the goals that groups were given since the last step: see `current_orders`."""
        self.turn.catch_up()
        return self._orders

    @property
    def time(self) -> float:
        """Seconds simulated."""
        return self.steps * self.time_step

    @property
    def current_orders(self) -> Orders:
        """Where all units are sent and how far they have come, goals just given included."""
        with self.turn.taken("orders: cannot be read"):
            changes.take_down_orders(self)
            self.orders.form(self.groups, self.state, self.steps)
            self.orders.number()
        return self.orders

    @property
    def turn_takers(self) -> Bools:
        """(N,) the units that take turns at narrow places."""
        if self._takers is None:
            heeds = [any(s.rule.family == TURNS for s in g.active) for g in self.groups]
            self._takers = np.array(heeds, np.bool_)[self.people.group_of]
        return self._takers

    def forget(self) -> None:
        """Groups changed: what was worked out from them is worked out anew."""
        super().forget()
        self._takers = None
