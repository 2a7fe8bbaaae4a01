"""The units of a world: their groups, their state, their orders and the clock."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from zlib import crc32

import numpy as np

from sim.behaviours.taking_turns import TURNS
from sim.core.arrays import Bools, Floats, Ints
from sim.core.limits import check_text
from sim.core.sharing import end_helpers, help_for
from sim.core.spawn import Standing
from sim.core.units import Units, read_only
from sim.engine.bridge import Bridge
from sim.engine.build import MOST_SPARE, Space, Spare
from sim.engine.contacts import Contacts, Touch
from sim.engine.ground import Ground
from sim.engine.queries import Queries
from sim.group import Group
from sim.living import changes, ordering
from sim.living.agenda import Agenda
from sim.living.basis import Basis
from sim.living.blame import naming_rules
from sim.living.events import Happened
from sim.living.lookup import group_of
from sim.living.population import Population
from sim.living.turn import Turn
from sim.orders import Goal, Orders
from sim.orders.guide import Guide


class Roster:
    """Groups of units in a pymunk space, what they are ordered to do, and what has happened."""

    def __init__(self, basis: Basis, space: Space | None) -> None:
        help_for(self)
        self.own_space = space is None
        """Whether the space was made for this world."""
        self.basis, self.plane, self.time_step = basis, basis.plane, basis.time_step
        self.steps, self.turn = 0, Turn(self._end_step)
        """Steps taken, and whether one is being taken just now."""
        self.move_to(Space() if space is None else space)
        self.version = 0
        """Counts the changes of groups, after which what follows from them is worked out anew."""
        self._snapshot: Units | None = None
        self._shown: tuple[Units, Units] | None = None
        self._ground = Ground(self.space, basis.plane, basis.added, basis.map)
        guide = Guide.among(self._ground.solids, basis.plane, basis.map, basis.time_step)
        self._orders = Orders(basis.plane, guide, basis.time_step)
        self.spare = Spare(MOST_SPARE if self.own_space else 0)
        """Bodies for units to come; none in a space of a user's own, where they may be in use."""
        self.population = Population(
            self._ground, self._bridge, self._orders, basis.contact_cells, self.spare
        )
        """The units as they are kept, with rows of some that were removed: see `people`."""
        self.groups = self.population.groups
        self.agenda, self.happened = Agenda(self), Happened()
        """What is to happen at given times, and what has happened."""
        self._takers: Bools | None = None
        self._speeds: Floats | None = None

    def group(self, name: str) -> Group:
        """The group of that name. Raises `BadInput` if there is none."""
        return group_of(self.groups, name)

    add, remove, regroup = changes.add, changes.remove, changes.regroup

    def change(self, said: str) -> AbstractContextManager[None]:
        """Within, no step is taken. Raises `BadInput` that begins as `said` amid one."""
        return self.turn.change(said)

    def check_goal(self, group: Group, goal: Goal | None) -> None:
        """Raise `BadInput` for a goal that the units of a group cannot get to, or amid a step."""
        with self.change(f"group {group.name!r}: cannot be ordered"):
            if group.index < len(self.groups):  # else it is just being founded
                self.check_ways(group, goal, self.snapshot().position[group.rows])

    def check_ways(self, group: Group, goal: Goal | None, places: Floats) -> None:
        """Raise `BadInput` for a goal that units of a group cannot get to from places (n, 2)."""
        self.turn.catch_up()
        self._orders.check(group, goal, places)

    def close(self) -> None:
        """End the threads that work for this world. It may go on all the same: they start anew."""
        if self._orders.planner is not None:
            self._orders.planner.close()
        end_helpers()

    def rng(self, name: str) -> np.random.Generator:
        """A random generator of its own for each purpose, from the run's seed."""
        check_text(name, "name")
        seeds = np.random.SeedSequence([self.basis.seed, crc32(name.encode())])
        return np.random.Generator(np.random.PCG64(seeds))

    def move_to(self, space: Space) -> Bridge:
        """Go on in another space: the bridge to it."""
        self._bridge = Bridge(space, self.plane)
        self.touch = Touch(space, self._bridge)
        return self._bridge

    def resume(self, ground: Ground, orders: Orders) -> None:
        """Go on with the ground and the orders of a state."""
        self._ground, self._orders = ground, orders

    def tidy(self) -> None:
        """Lay the rows anew where units were removed.

        A step begins with it, and between steps all that has rows: each of many removals would take
        ten times as long if it laid them (0.2 ms and 2 ms of 10,000 units).
        """
        if self.population.aside is not None:
            with self.turn.taken("units: cannot be read"):
                self.population.tidy()

    @property
    def people(self) -> Population:
        """Which units there are, a row each."""
        self.tidy()
        return self.population

    @property
    def bridge(self) -> Bridge:
        """What joins their rows to the bodies of the engine."""
        self.tidy()
        return self._bridge

    @property
    def ids(self) -> Ints:
        """(N,) the id of the unit in each row; read-only."""
        return self.people.ids

    def snapshot(self) -> Units:
        """The state of all units now, read if they have moved since. It is not to be written to."""
        if self._snapshot is None:
            with self.turn.taken("units: cannot be read"):
                return self._read()
        return self._snapshot

    def _read(self) -> Units:
        with naming_rules(self.groups):
            self._snapshot = self.bridge.read(self.people.group_of, self.steps)
        return self._snapshot

    @property
    def units(self) -> Units:
        """`snapshot` with arrays that cannot be written to."""
        state = self.snapshot()
        if self._shown is None or self._shown[0] is not state:
            self._shown = state, read_only(state)
        return self._shown[1]

    @property
    def standing(self) -> Standing:
        """Where all stand now, for others that are to come."""
        if self._snapshot is None:
            with self.turn.taken("units: cannot be read"):
                places, rows = self._bridge.standing()
            if np.isfinite(places).all():  # else to read their state says which unit is nowhere
                return Standing(places, self.population.sizes.reach[rows])
        return Standing.of(self.snapshot(), self.people.sizes.reach)

    @property
    def contacts(self) -> Contacts:
        """Which unit touches what, as of the engine's last step."""
        with self.turn.taken("contacts: cannot be read"):
            return read_only(self.touch.read(len(self.snapshot())))

    @property
    def queries(self) -> Queries:
        """Rays, free places and the unit at a point, by the engine's own spatial queries."""
        taken = self.turn.taken("queries: refused", self.tidy)
        return Queries(self.space, self.plane, self._bridge, taken)

    @property
    def space(self) -> Space:
        """The engine's space."""
        return self._bridge.space

    @property
    def ground(self) -> Ground:
        """All that is solid and no unit."""
        self.turn.catch_up()
        return self._ground

    @property
    def orders(self) -> Orders:
        """Without the goals that groups were given since the last step: see `orders_now`."""
        self.turn.catch_up()
        self.tidy()
        return self._orders

    @property
    def time(self) -> float:
        """Seconds simulated."""
        return self.steps * self.time_step

    def orders_now(self) -> Orders:
        """The orders of all units, after groups have started on the goals just given to them."""
        with self.turn.taken("orders: cannot be read"):
            ordering.start_orders(self)
            self.orders.number()
        return self.orders

    def turn_takers(self) -> Bools:
        """(N,) the units that take turns at narrow places; for 200 groups it takes 2 ms."""
        if self._takers is None:  # groups have changed
            heeds = [any(s.rule.family == TURNS for s in g.active) for g in self.groups]
            self._takers = np.array(heeds, np.bool_)[self.people.group_of]
        return self._takers

    def own_speeds(self) -> Floats:
        """(N,) the desired speed of each unit on plain ground. It is not to be written to."""
        if self._speeds is None:
            self._speeds = np.empty(len(self.people.group_of))
            for group in self.groups:
                self._speeds[group.rows] = group.each_speed()
        return self._speeds

    def begin_step(self, world: Any) -> None:
        """Do to the `world` what is due, and read the state that all decide by.

        Then nothing new is planned till the step is over.
        """
        self.read_anew()
        self.agenda.follow(world, self)
        self._read()
        if self._orders.planner is not None:
            self._orders.planner.worker.hold()

    def _end_step(self) -> None:
        self.read_anew()
        if self._orders.planner is not None:
            self._orders.planner.worker.let_go()

    def read_anew(self) -> None:
        """The units have moved, or some have left: their state is read again."""
        self._snapshot = None

    def forget(self) -> None:
        """Groups changed: what was worked out from them is worked out anew."""
        self.version += 1
        self._takers, self._speeds = None, None

    def show(self) -> None:
        """Units came, went or changed group: all that is known of them is worked out anew."""
        self.read_anew()
        self.forget()
