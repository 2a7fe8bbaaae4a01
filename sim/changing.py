"""A world's ground as its user changes it: parts, areas, foreign bodies, and ways on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats
from sim.core.columns import spread
from sim.core.errors import BadInput, shortened
from sim.core.limits import LARGEST, check_text, is_number, positive
from sim.core.pieces import Piece
from sim.core.shapes import Shape
from sim.core.solids import Solids
from sim.engine.build import Body
from sim.group import Group
from sim.living.agenda import Event
from sim.living.parts import Part, checked_path
from sim.living.pieces import pieces_of
from sim.living.terrain import Terrain
from sim.navigation.areas import Area, everywhere
from sim.navigation.chart import Chart
from sim.navigation.paths import Path
from sim.orders import GO, Orders
from sim.orders.guide import Guide
from sim.perception.surroundings import Surroundings
from sim.roster import Roster

SHAPES = "sim.Box(10, -2, 11, 2), sim.Disc, sim.Wall or sim.Polygon"


class Changing(Roster):
    """A roster on a ground that can change."""

    _terrain: Terrain | None = None
    _chart: Chart | None = None
    _bare_around: Surroundings | None = None

    def add_solid(
        self,
        shape: Shape,
        *,
        name: str | None = None,
        open: bool = False,
        path: ArrayLike | None = None,
        loop: bool = False,
    ) -> Part:
        """Add a solid that can be closed, opened, moved and removed.

        It is closed at once unless `open`, or as soon as nobody stands there. `path` are rows of
        t (s), dx, dy: where it is by and by, from where its shape lies; with `loop` over and over.
        Raises `BadInput`.
        """
        _check_shape(shape)
        name = self._name(name)
        if not isinstance(open, bool):
            raise BadInput(f"part {name!r}: open = {shortened(open)}: must be true or false")
        rows = checked_path(path, loop, f"part {name!r}")
        shape.solids.check(self.plane)
        part = Part(name, shape, rows, loop, self._settle)
        if rows is not None:
            part.offset = rows[0, 1:].copy()
        part.wanted = not open
        self._changes.parts[name] = part
        if self._orders.guide is not None:
            self._orders.guide.open_ground(self._ground.bare)
        self._settle()
        return part

    def add_area(
        self,
        shape: Shape,
        *,
        speed: float = 1.0,
        cost: float | None = None,
        groups: Iterable[str] | None = None,
    ) -> Area:
        """Add ground on which the desired speed and the cost of ways are other than elsewhere.

        `speed` and `cost` are factors; a cost that is not given is 1 / speed. `groups` are names of
        groups that it counts for, all unless given. Raises `BadInput`.
        """
        _check_shape(shape)
        if not everywhere(shape.solids):
            raise BadInput(f"area {shape}: must have an inside: a box, a disc or a polygon")
        speed = positive(speed, "speed", 1e-3, 1e3)
        cost = 1 / speed if cost is None else positive(cost, "cost", 1e-3, 1e3)
        if isinstance(groups, str) or not (groups is None or isinstance(groups, Iterable)):
            raise BadInput(f"groups = {shortened(groups)}: must be names of groups, in a list")
        names = None if groups is None else _names(groups)
        area = Area(shape, speed, cost, names)
        self._changes.areas.append(area)
        guide = self._orders.guide
        if guide is None:
            guide = self._guided(self.solids)
        guide.areas.append(area)
        here = self._state.position
        guide.renewals.change(self.steps, guide.planner.latest.solids, [], here, self.plane)
        self._send_again()
        return area

    def at(self, time: float, act: Callable[[Any], None]) -> None:
        """Call `act` with this world at a time (s), before the step that begins then.

        Raises `BadInput`.
        """
        if not is_number(time) or not 0 <= time <= LARGEST:
            raise BadInput(f"time = {shortened(time)}: must be seconds, from 0 to {LARGEST:g}")
        if not callable(act):
            raise BadInput(f"act = {shortened(act)}: must be a function that takes the world")
        self.agenda.add(Event(time, act))

    def see(self, body: Body) -> None:
        """Have units see and avoid a body of the space's owner, whatever shapes it has.

        A static one is planned round as well, where it is now. Raises `BadInput` for what is none.
        """
        if not isinstance(body, Body) or body.space is not self.space:
            raise BadInput(f"body = {shortened(body)}: must be a body in the world's space")
        if body not in self._changes.bodies:
            self._changes.bodies.append(body)
            self._settle()

    def path(self, start: Sequence[float], goal: Sequence[float], radius: float) -> Path:
        """The way for a hull of a radius from a start (2,) to a goal (2,), as the ground is now."""
        radius = positive(radius, "radius")
        guide = self._orders.guide
        if guide is not None:
            return guide.planner.latest.path(start, goal, radius)
        if self._chart is None:
            self._chart = Chart(self.solids, self.plane, self.map)
        return self._chart.path(start, goal, radius)

    @property
    def parts(self) -> Mapping[str, Part]:
        """The parts of the ground by name, as long as they are not removed."""
        return MappingProxyType({} if self._terrain is None else self._terrain.parts)

    @property
    def fixed_solids(self) -> Solids:
        """The solids without the parts that come, go or move."""
        return self._ground.bare

    @property
    def pieces(self) -> list[Piece]:
        """All that comes, goes or moves on the ground, open or closed, as it is now."""
        found = self._terrain
        return [] if found is None else pieces_of(found.parts.values(), found.bodies)

    @property
    def areas(self) -> tuple[Area, ...]:
        """All areas."""
        return () if self._terrain is None else tuple(self._terrain.areas)

    @property
    def _changes(self) -> Terrain:
        if self._terrain is None:
            self._terrain = Terrain(self)
        return self._terrain

    def _name(self, name: str | None) -> str:
        taken = self._changes.parts
        if name is None:
            return next(n for k in range(len(taken) + 1) if (n := f"solid {k + 1}") not in taken)
        check_text(name, "name")
        if name in taken:
            raise BadInput(f"part {name!r}: there is one of that name already")
        return name

    def _settle(self) -> None:
        """Something is to change: at once, or before the next step if units decide just now."""
        if not self._deciding:
            self._changes.settle()

    def _lay(self, parts: Sequence[Solids]) -> None:
        """From now on there are these solids besides those that never change."""
        self._ground.renew(parts)
        self.solids = self._ground.solids
        if self._bare_around is None:
            self._bare_around = self._around
        bare, faces = self._ground.bare, self._ground.part_faces
        self._around = self._bare_around.joined(bare, parts, faces) if parts else self._bare_around
        self._chart = None
        self._see_anew()

    def _forget_parts(self) -> None:
        """From now on there is no ground that changes."""
        for part in self.parts.values():
            part.removed, part.body = True, None
        self._terrain = None
        self._lay(())

    def _see_anew(self) -> None:
        """What stands round the units is other than it was."""

    def _guided(self, solids: Solids) -> Guide:
        """Have a guide lead the units from now on."""
        guide = self._orders.guide = Guide.on(solids, self.plane, self.map, self.time_step)
        if self._changes.parts:
            guide.open_ground(self._ground.bare)
        self._send_again()
        return guide

    def _send_again(self) -> None:
        """Have the guide lead those that are on their way already."""
        guide = self._orders.guide
        for group in self.groups:
            if guide is not None and group.sent and group.goal and group.goal.kind == GO:
                _lead_anew(self._orders, group, self._state.position, self.steps)


def _check_shape(shape: object) -> None:
    if not isinstance(shape, Shape):
        raise BadInput(f"shape = {shortened(shape)}: must be a shape, such as {SHAPES}")


def _names(groups: Iterable[str]) -> frozenset[str]:
    listed = list(groups)
    for name in listed:
        check_text(name, "groups")
    return frozenset(listed)


def _lead_anew(orders: Orders, group: Group, position: Floats, step: int) -> None:
    """Have the guide lead the units of a group that are on their way, all at `position`."""
    sent = np.zeros(len(orders.leg), np.bool_)
    sent[group.rows] = np.diff(orders.first)[group.rows] > 0
    rows = np.flatnonzero(sent)
    if orders.guide is None or group.goal is None or not len(rows):
        return
    counts = np.diff(orders.first)[rows]
    places = orders.points[spread(orders.first[:-1][rows], counts)]
    orders.guide.release(rows, len(orders.leg))
    orders.guide.send(group, group.goal, rows, places, counts, position[rows], step)
