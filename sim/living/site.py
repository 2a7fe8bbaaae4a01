"""The ground of a world as its user changes it: parts, areas, foreign bodies, and ways on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from sim.core.errors import BadInput, shortened
from sim.core.limits import MOST_AREAS, MOST_PARTS, check_another, check_text, positive
from sim.core.pieces import Piece
from sim.core.shapes import Shape
from sim.core.solids import Solids
from sim.engine.build import Body
from sim.engine.cells import check_solids
from sim.living.laid import Laid, pieces_of
from sim.living.lookup import group_of
from sim.living.parts import Part, checked_path
from sim.living.roster import Roster
from sim.living.terrain import Terrain
from sim.navigation.areas import Area
from sim.navigation.chart import Chart
from sim.navigation.paths import Path
from sim.navigation.planner import Planner
from sim.navigation.readying import ready_for_changes
from sim.orders.guide import Guide
from sim.orders.sending import lead_again
from sim.perception.surroundings import Surroundings

SHAPES = "sim.Box(10, -2, 11, 2), sim.Disc, sim.Wall or sim.Polygon"


class Site:
    """What stands on a plane and round the units of a roster, and what of it can change."""

    def __init__(self, roster: Roster) -> None:
        self._roster, ground = roster, roster.ground
        self._chart: Chart | None = None
        self._around = Surroundings.of(roster.plane, ground.solids, ground.faces)
        self._laid = Laid(self._around)
        self.terrain: Terrain | None = None
        """What changes; None as long as nothing does."""

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

        It is closed at once unless `open`, or as soon as no unit stands there. `path` are rows of
        t (s), dx, dy: where it is then, from where its shape lies; with `loop` over and over.
        Raises `BadInput`.
        """
        _check_shape(shape)
        name = self._name(name)
        if not isinstance(open, bool):
            raise BadInput(f"part {name!r}: open = {shortened(open)}: must be true or false")
        rows = checked_path(path, loop, f"part {name!r}")
        shape.solids.check(self._roster.plane)
        check_solids(self._roster.space, shape.solids, f"part {name!r}")
        part = Part(name, shape, rows, loop, self.settle)
        if rows is not None:
            part.put(rows[0, 1:], self._roster.plane)
        part.keep(wanted=not open)
        self.begin_changes().parts[name] = part
        self.settle(part)
        return part

    def add_area(
        self, shape: Shape, *, speed: float = 1.0, cost: float | None = None,
        groups: Iterable[str] | None = None,
    ) -> Area:  # fmt: skip
        """Add ground on which the desired speed and the cost of ways are other than elsewhere.

        `speed` and `cost` are factors; a cost that is not given is 1 / speed. `groups` are names of
        groups of the world that it counts for, all unless given. Raises `BadInput`.
        """
        _check_shape(shape)
        if len(shape.solids.walls):
            raise BadInput(f"area {shape}: must have an inside: a box, a disc or a polygon")
        speed = positive(speed, "speed", 1e-3, 1e3)
        cost = 1 / speed if cost is None else positive(cost, "cost", 1e-3, 1e3)
        check_another(len(self.areas), MOST_AREAS, f"area {shape}", "areas")
        area = Area(shape, speed, cost, None if groups is None else self._group_names(groups))
        self.begin_changes().areas.append(area)
        self._renew_later(areas=True)
        return area

    def _group_names(self, groups: Iterable[str]) -> frozenset[str]:
        if isinstance(groups, str) or not np.iterable(groups):
            raise BadInput(f"groups = {shortened(groups)}: must be names of groups, in a list")
        listed = list(groups)
        for name in listed:
            check_text(name, "groups")
            group_of(self._roster.groups, name)
        return frozenset(listed)

    def remove_area(self, area: Area) -> None:
        """Take the ground of one of `areas` to be as it is without it. Raises `BadInput` else."""
        if not any(area is each for each in self.areas):
            raise BadInput(f"area = {shortened(area)}: must be one of the world's areas")
        self.begin_changes().areas.remove(area)
        self._renew_later(areas=True)

    def lead_over(self, areas: list[Area]) -> None:
        """Have all ways planned over these areas."""
        guide = self._roster.orders.guide or self.lead(self.solids)
        guide.areas[:] = areas
        roster, solids = self._roster, guide.planner.latest.solids
        guide.renewals.change(roster.steps, solids, [], roster.snapshot().position, roster.plane)
        self._send_again()

    def see(self, body: Body) -> None:
        """Have units see and avoid a body of the space's owner, whatever shapes it has.

        A static one is planned round as well, where it is now. Raises `BadInput` for what is none.
        """
        if not isinstance(body, Body) or body.space is not self._roster.space:
            raise BadInput(f"body = {shortened(body)}: must be a body in the world's space")
        if body not in self.begin_changes().bodies:
            self.begin_changes().bodies.append(body)
            self._renew_later()

    def path(self, start: Sequence[float], goal: Sequence[float], radius: float) -> Path:
        """The way for a hull of a radius from a start (2,) to a goal (2,), as the ground is now."""
        radius = positive(radius, "radius")
        guide = self._roster.orders.guide
        if guide is not None:
            return guide.planner.latest.path(start, goal, radius)
        if self._chart is None:
            self._chart = Chart(self.solids, self._roster.plane, self._roster.basis.map)
        return self._chart.path(start, goal, radius)

    def begin_step(self) -> None:
        """Bring all that moves where it is now."""
        if self.terrain is not None:
            self.terrain.begin_step()

    def midway(self, done: float) -> None:
        """Stop what pushes too hard; a share `done` of the step is over."""
        if self.terrain is not None:
            self.terrain.ease(done)

    def end_step(self) -> None:
        """All that moves has come to where it is now."""
        if self.terrain is not None:
            self.terrain.arrive()

    @property
    def around(self) -> Surroundings:
        """All that stands round the units, as they see and feel it."""
        self._roster.turn.catch_up()
        return self._around

    @property
    def parts(self) -> Mapping[str, Part]:
        """The parts of the ground by name, as long as they are not removed."""
        return MappingProxyType({} if self.terrain is None else self.terrain.parts)

    @property
    def solids(self) -> Solids:
        """All solids now."""
        return self._roster.ground.solids

    @property
    def pieces(self) -> list[Piece]:
        """All that comes, goes or moves on the ground, open or closed, as it is now."""
        found = self.terrain
        return [] if found is None else pieces_of(found.parts.values(), found.bodies)

    @property
    def areas(self) -> tuple[Area, ...]:
        """All areas."""
        return () if self.terrain is None else tuple(self.terrain.areas)

    def begin_changes(self) -> Terrain:
        """The ground that changes; there is one from the first call on."""
        if self.terrain is None:
            ready_for_changes()
            self.terrain = Terrain(self._roster, self)
        return self.terrain

    def _name(self, name: str | None) -> str:
        taken = self.begin_changes().parts
        if name is None:
            name = next(n for k in count(len(taken) + 1) if (n := f"solid {k}") not in taken)
        check_text(name, "name")
        check_another(len(taken), MOST_PARTS, f"part {name!r}", "parts")
        if name in taken:
            raise BadInput(f"part {name!r}: there is one of that name already")
        return name

    def settle(self, part: Part) -> None:
        """A part is to come or go: at once, or before the next step amid this one.

        What follows from it is renewed when it is asked for: many come in the time of one.
        """
        turn = self._roster.turn
        if not turn.amid:
            with turn.taken("ground: cannot be changed"):
                self.begin_changes().settle([part])
            self._renew_later()

    def _renew_later(self, areas: bool = False) -> None:
        """What follows from the ground is renewed before it is read again."""
        terrain = self.begin_changes()
        terrain.areas_changed |= areas
        self._roster.turn.late = terrain.renew

    def lay(self, parts: Sequence[Solids]) -> None:
        """From now on there are these solids besides the ones on the map."""
        self._roster.ground.renew(parts)
        self._around, self._chart = self._laid.with_parts(self._roster.ground, parts), None

    def forget_parts(self) -> None:
        """From now on there is no ground that changes."""
        for part in self.parts.values():
            part.keep(removed=True, body=None)
        self.terrain = None
        self.lay(())

    def lead(self, solids: Solids) -> Guide:
        """Have a guide lead the units from now on."""
        roster = self._roster
        planner = Planner(solids, roster.plane, roster.basis.map)
        guide = roster.orders.guide = Guide(planner, roster.time_step)
        if self.begin_changes().parts:
            guide.open_ground(roster.ground.bare)
        self._send_again()
        return guide

    def _send_again(self) -> None:
        """Have the guide lead the units that are on their way already."""
        roster = self._roster
        for group in roster.groups:
            if group.sent:
                lead_again(roster.orders, group, roster.snapshot().position, roster.steps)


def _check_shape(shape: object) -> None:
    if not isinstance(shape, Shape):
        raise BadInput(f"shape = {shortened(shape)}: must be a shape, such as {SHAPES}")
