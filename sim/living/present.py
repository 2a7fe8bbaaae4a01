"""Which units there are and where they stand: read once a step."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Ints
from sim.core.plane import Plane
from sim.core.spawn import Standing
from sim.core.units import Units, read_only
from sim.engine.bridge import Bridge
from sim.engine.build import Space
from sim.engine.contacts import Contacts, Touch
from sim.engine.queries import Queries
from sim.living.population import Population
from sim.living.turn import Turn


class Present:
    """The units of a world and their bodies in a space."""

    people: Population
    """Which units there are."""

    def __init__(self, space: Space, plane: Plane) -> None:
        self.plane = plane
        self.steps, self.turn = 0, Turn(self.read_anew)
        """Steps taken, and whether one is being taken just now."""
        self.move_to(space)
        self.version = 0
        """Counts the changes of groups, after which what follows from them is worked out anew."""
        self._snapshot: Units | None = None
        self._shown: tuple[Units, Units] | None = None

    def move_to(self, space: Space) -> Bridge:
        """Go on in another space: the bridge to it."""
        self.bridge = Bridge(space, self.plane)
        self.touch = Touch(space, self.bridge)
        return self.bridge

    @property
    def ids(self) -> Ints:
        """(N,) the id of the unit in each row; read-only."""
        return self.people.ids

    @property
    def state(self) -> Units:
        """The state of all units now, read once: a snapshot that is not to be written to."""
        if self._snapshot is None:
            with self.turn.taken("units: cannot be read"):
                self._snapshot = self.bridge.read(self.people.group_of, self.steps)
        return self._snapshot

    @property
    def standing(self) -> Standing:
        """Where all stand now, for others that are to come."""
        if self._snapshot is None:
            with self.turn.taken("units: cannot be read"):
                places, rows = self.bridge.standing()
            if np.isfinite(places).all():  # else to read their state says which unit is nowhere
                return Standing(places, self.people.sizes.reach[rows])
        return Standing.of(self.state, self.people.sizes.reach)

    @property
    def units(self) -> Units:
        """The same with arrays that cannot be written to."""
        state = self.state
        if self._shown is None or self._shown[0] is not state:
            self._shown = state, read_only(state)
        return self._shown[1]

    @property
    def contacts(self) -> Contacts:
        """Which unit touches what, as of the engine's last step."""
        with self.turn.taken("contacts: cannot be read"):
            return read_only(self.touch.read(len(self.state)))

    @property
    def queries(self) -> Queries:
        """Rays, free places and the unit at a point, by the engine's own spatial queries."""
        return Queries(self.space, self.plane, self.bridge, self.turn.taken("queries: refused"))

    @property
    def space(self) -> Space:
        """The engine's space."""
        return self.bridge.space

    def read_anew(self) -> None:
        """The units have moved, or some have left: their state is read again."""
        self._snapshot = None

    def forget(self) -> None:
        """Groups changed: what was worked out from them is worked out anew."""
        self.version += 1

    def show(self) -> None:
        """Units came, went or changed group: all that is known of them is worked out anew."""
        self.read_anew()
        self.forget()
