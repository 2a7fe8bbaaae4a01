"""The world: what happens in a step. `World.step` is the order in which all happens."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from sim.behaviours.taking_turns import TAKE_TURNS
from sim.core.arrays import Bools, Floats, Ints
from sim.core.errors import BadInput
from sim.core.units import Units, read_only
from sim.group import Group
from sim.living import changes
from sim.living.events import Event
from sim.living.slowed import desired_speeds
from sim.orders import timers
from sim.orders.facing import turns_to_make
from sim.orders.hunts import pursue
from sim.perception.closing import looks_needed
from sim.perception.look import Eyes
from sim.perception.percepts import Percepts
from sim.resuming import Resuming
from sim.selection import Selection
from sim.steering.arbiter import decide
from sim.steering.craft import Drive, TurnsInPlace

if TYPE_CHECKING:
    from sim.notebook import Player

AS_IT_COMES = nullcontext()
MOST_PARTS = 64
"""The most parts that the engine takes a step in."""


class World(Resuming):
    """Groups of units in a pymunk space, on a plane that may be walled or a torus.

    `space` may be somebody's own: its round static shapes are then seen as obstacles, its other
    bodies are left alone. `discs`, `boxes` and `walls` are solids to add, as in `Solids`. A `map`
    of tiles is solid outside and takes no other bounds. One seed gives one run, bit for bit.
    `neighbour_search` "pymunk" asks the engine, unit by unit, instead of the compiled grid: the
    same run, slowly. Without `contact_cells` the engine keeps its tree of boxes for finding
    contacts, however many units there are.
    """

    _eyes: Eyes | None = None
    _last_eyes: Eyes | None = None
    _ids_then: Ints | None = None
    _substeps: int | None = None
    _takers: Bools | None = None

    def step(self) -> None:
        """One time step: everybody decides from one snapshot, then the engine moves all.

        Raises `Diverged` with the unit and the step where a state is no longer finite.
        """
        try:
            self._step()
        except (ArithmeticError, IndexError, ValueError) as error:
            if not isinstance(error, BadInput):  # what is worked out from a state shows it first
                self._bridge.read(self._group_of, self.steps)
            raise

    def _step(self) -> None:
        parts = max(self.substeps, self._looks(self._decide()))
        if self._terrain is not None:
            parts = min(MOST_PARTS, max(parts, self._terrain.parts_of_step()))
        for _ in range(parts - 1):
            self.space.step(self.time_step / parts)
            self._bridge.write_again()
        with self._looking_ahead():
            self.space.step(self.time_step / parts)

    @property
    def substeps(self) -> int:
        """Parts of a step that the engine takes one by one: nobody outruns its stride in one.

        Whoever moves further between two looks of the engine would be deep inside what it meets.
        """
        if self._substeps is None:
            strides = [
                g.fastest * self.time_step / (g.model.stride * g.hull.smallest.length)
                for g in self.groups
            ]
            self._substeps = min(MOST_PARTS, max(1, ceil(max(strides, default=0.0))))
        return self._substeps

    def remove(self, ids: ArrayLike) -> None:
        """Take units out of the world for good, by their ids (k,).

        Raises `BadInput` for an id that no unit in the world has, or that is named twice.
        """
        changes.remove(self, ids)

    def regroup(self, ids: ArrayLike, group: Group | str) -> None:
        """Have units, by their ids (k,), join a group: with its hull, its rules and its goal.

        They keep their places and their ids. Raises `BadInput` for an id that no unit in the world
        has, for a goal that one cannot get to, and where a larger hull has no room.
        """
        changes.regroup(self, ids, self.group(group) if isinstance(group, str) else group)

    def select(self, ids: ArrayLike) -> Selection:
        """Units of any groups, by their ids (k,), to be ordered and watched together.

        Raises `BadInput` for an id that no unit in the world has, or that is named twice.
        """
        return Selection(self, ids)

    @property
    def events(self) -> list[Event]:
        """What happened at the last step, and since the one before; see `sim.living.events`."""
        return self.happened.records(self._touch.read(len(self._state)), self.ids)

    def show(self, seconds: float = 0.0, *, theme: str = "dark", height: int = 480) -> Player:
        """Run on for some seconds and return their player, which a notebook shows in the cell.

        With 0 s it shows the world as it is. `height` is in pixels. Raises `BadInput`.
        """
        from sim.notebook import show

        return show(self, seconds, theme=theme, height=height)

    def steer(self) -> None:
        """The first half of a step: decide, and set the forces.

        For those who step their space themselves, by `time_step`, right after this: the clock
        counts that step already.
        """
        self._decide()

    def _looks(self, units: Units) -> int:
        """In how many parts the engine takes this step for the sake of those about to meet."""
        radius, reach, _ = self.people.sizes
        return min(MOST_PARTS, looks_needed(units, self.plane, reach, radius, self.time_step))

    def _decide(self) -> Units:
        """Everybody decides from the snapshot that is returned, and the forces are set."""
        if self._deciding:
            raise BadInput("step: a rule cannot take one; it is asked in the middle of one")
        self._snapshot = None
        self.agenda.follow(self)
        if self._terrain is not None:
            self._terrain.begin_step()
        self._follow_up(self._state)
        units = self._state
        percepts = self._look(units)
        timers.count(self.groups, self.orders, units, percepts.contacts, self.time_step)
        self._behave(units, percepts)
        self._bridge.write(units, self._helm(units, percepts.speeds), self.time_step)
        self.steps += 1
        self._snapshot = None
        return units

    def percepts(self, group: Group) -> dict[str, Percepts]:
        """What each active rule of a group perceives now, by name: for those who look inside."""
        seen = self._look(self._state).of(group)
        return {setting.rule.name: read_only(me) for setting, me in seen}

    def _follow_up(self, units: Units) -> None:
        """Orders: those due are given; who has come where it was sent; who is at an exit goes."""
        for group in self.groups:
            group.follow_schedule(self.time)
        orders = self.orders
        if orders.queue:
            changes.follow_queue(self)
            orders = self.orders
        self.happened.before(orders.minds, orders.cut)
        orders.update(units, self.steps, self.time_step, self._turn_takers)
        pursue(self.groups, orders, units, self.steps)
        if orders.guide is not None:
            for index, note in orders.guide.renewals.notes.items():
                self.groups[index].note = note
        left = orders.dismiss(units)
        for row in left:
            self._bridge.remove(row)
            self._snapshot = None
        self.happened.after(orders.minds, orders.cut, self.ids, left)

    @property
    def _turn_takers(self) -> Bools:
        """(N,) the units that take turns at narrow places."""
        if self._takers is None:
            heeds = [any(s.rule.name == TAKE_TURNS for s in g.active) for g in self.groups]
            self._takers = np.array(heeds, np.bool_)[self._group_of]
        return self._takers

    def _look(self, units: Units) -> Eyes:
        """What everybody sees."""
        if self._eyes is None:
            self._eyes = Eyes(
                self.groups, self.plane, self._around, self.orders, self._touch, self._search,
                self._last_eyes,
            )  # fmt: skip
            self._last_eyes = None
        self._eyes.look(units, desired_speeds(self.groups, self.areas, units, self.plane))
        return self._eyes

    def _looking_ahead(self) -> AbstractContextManager[None]:
        """Whom everybody will see is found out while the engine sees to contacts."""
        changed = self._ids_then is not None and self._ids_then is not self.ids
        self._ids_then = self.ids
        if self._eyes is None or not self._eyes.looker.foresees(len(self._group_of)):
            return AS_IT_COMES
        if changed:  # and may again: what is found out for these units would be in vain
            return AS_IT_COMES
        return self._bridge.midway(self._group_of, self._eyes.looker.look_ahead)

    def _behave(self, units: Units, percepts: Eyes) -> None:
        """What everybody wants: each rule's term, weighed, and their sum."""
        self._deciding = True
        try:
            for group in self.groups:
                group.follow_script(self.time)
                here = units.present[group.rows]
                found = decide(percepts.of(group), group.ranked, here)
                group.terms, group.command, group.figures = found
        finally:
            self._deciding = False

    def _helm(self, units: Units, speeds: Floats) -> Floats:
        """The forces and torques (N, 3) that this takes; `speeds` (N,) are the desired ones."""
        forces = np.zeros((len(units), 3))
        for group in self.groups:
            crafts = group.crafts(speeds[group.rows])
            drive = Drive(units, group.rows, group.command, crafts, self.time_step, forces)
            group.helm.steer(*drive)
            group.acting = partial(group.helm.parts, drive)
            turns = turns_to_make(self._orders, group.rows, units)
            if turns is not None and isinstance(group.helm, TurnsInPlace):
                group.helm.turn(drive, turns)
        return forces

    def _see_anew(self) -> None:
        if self._eyes is not None:
            self._eyes.surround(self._around)

    def forget(self) -> None:
        """Groups changed: who looks how, and how fast, is worked out anew at the next step."""
        if self._eyes is not None:
            self._last_eyes = self._eyes
        self._eyes = self._substeps = self._takers = None
