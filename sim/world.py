"""The world: its parts, and what happens in a step. `World.step` is the order in which all happens.

`World.roster` has the units, `World.site` the ground, `World.looking` what units see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from sim import saving
from sim.core.arrays import Floats, Ints
from sim.core.errors import BadInput, shortened
from sim.core.files import AnyPath
from sim.core.forwarding import Both, done_by, of_part
from sim.core.guarded import Guarded
from sim.core.limits import LEAST_STEP, LONGEST_STEP, check_kind, positive
from sim.core.pieces import Piece
from sim.core.plane import Bounds, Edges, Plane
from sim.core.solids import Solids
from sim.core.units import Units, read_only
from sim.engine.build import Space
from sim.engine.contacts import Contacts
from sim.engine.queries import Queries
from sim.group import Group
from sim.living import changes, ordering
from sim.living.agenda import Agenda
from sim.living.basis import CHANGED_BY, Basis
from sim.living.events import Event
from sim.living.lookup import group_of
from sim.living.parts import Part
from sim.living.roster import Roster
from sim.living.site import Site
from sim.living.turn import in_turn
from sim.looking import Looking
from sim.maps.tile_map import TileMap
from sim.navigation.areas import Area
from sim.orders import Orders, timers
from sim.orders.halts import turns_to_make
from sim.orders.shown import shown
from sim.perception.feelers import Feelers
from sim.perception.percepts import Percepts
from sim.saving import State
from sim.selection import Selection
from sim.steering.arbiter import Asked

if TYPE_CHECKING:
    from sim.notebook import Player


class World(Guarded, changed_by=CHANGED_BY, alone=True):
    """Groups of units in a pymunk space, on a plane that may be walled or a torus.

    `space` may be the user's own: its round static shapes are then seen as obstacles, its other
    bodies are left alone. `discs`, `boxes` and `walls` are solids to add, as in `Solids`. A `map`
    of tiles is solid outside and takes no other bounds. One seed gives one run, bit for bit.
    `neighbour_search` "pymunk" asks the engine, unit by unit, instead of the compiled grid: the
    same run, slowly. Without `contact_cells` the engine always finds contacts by a tree of boxes.
    """

    def __init__(
        self, *, seed: int = 0, time_step: float = 1 / 60, bounds: Bounds | None = None,
        edges: Edges = "open", discs: ArrayLike = (), boxes: ArrayLike = (),
        walls: ArrayLike = (), map: TileMap | None = None, space: Space | None = None,
        neighbour_search: Literal["grid", "pymunk"] = "grid", contact_cells: bool = True,
    ) -> None:  # fmt: skip
        if not isinstance(seed, int | np.integer) or seed < 0:
            raise BadInput(f"seed = {shortened(seed)}: must be a whole number, 0 or greater")
        time_step = positive(time_step, "time_step", LEAST_STEP, LONGEST_STEP)
        check_kind(map, TileMap, "map", "sim.maps.read(FILE)")
        check_kind(space, Space, "space", "pymunk.Space()")
        if map is not None:
            if bounds is not None or edges != "open":
                raise BadInput("map: has bounds and walls of its own; leave bounds and edges out")
            bounds, edges = map.bounds, "wall"
        plane, added = Plane(bounds, edges), Solids.of(discs, boxes, walls)
        basis = Basis(seed, time_step, plane, map, added, neighbour_search, contact_cells)
        self.roster = Roster(basis, space)
        self.site = Site(self.roster)
        self.looking = Looking(self.roster, self.site)
        self._seal(World)

    def step(self) -> None:
        """One time step: all units decide from one snapshot, then the engine moves all.

        Forces that were put on the bodies of units before are lost: see `steer`.
        Raises `Diverged` with the unit and the step where a state is no longer finite, and the rule
        that asked for it.
        """
        try:
            with self.roster.turn.step:
                self._move(self.looking.parts(self._decide()))
                self.site.end_step()
        except (ArithmeticError, IndexError, ValueError) as error:
            if not isinstance(error, BadInput):  # what is worked out from a state shows it first
                self.roster.snapshot()
            raise

    def steer(self) -> None:
        """The first half of a step: decide, and set the forces.

        For programs that then step their space themselves, by `time_step`; the clock counts it.
        Forces of their own on units they add between the two.
        """
        with self.roster.turn.step:
            self._decide()

    def _decide(self) -> Units:
        """All units decide from the snapshot that is returned, and the forces are set."""
        roster, looking = self.roster, self.looking
        roster.begin_step(self)  # what is due: events and sources
        self.site.begin_step()  # parts and foreign bodies
        units = ordering.follow_orders(roster)
        contacts, speeds = looking.contacts(units), looking.speeds(units)
        timers.count(roster.groups, roster.orders, units, contacts, roster.time_step)
        percepts = looking.look(roster.groups, units, contacts, speeds)
        self._behave(units, percepts)
        roster.bridge.write(units, self._helm(units, speeds), roster.time_step)
        roster.steps += 1
        return units

    def _behave(self, units: Units, percepts: list[list[Asked]]) -> None:
        """What every unit wants: each rule's term, weighed, and their sum."""
        with self.roster.turn.deciding:
            for group, asked in zip(self.roster.groups, percepts, strict=True):
                group.follow_script(self.roster.time)
                group.decide(asked, units)

    def _helm(self, units: Units, speeds: Floats) -> Floats:
        """The forces and torques (N, 3) that this takes; `speeds` (N,) are the desired ones."""
        roster, forces = self.roster, np.zeros((len(units), 3))
        for group in roster.groups:
            crafts = group.crafts(speeds, roster.own_speeds())
            turns = turns_to_make(roster.orders, group.rows, units)
            group.steer(units, crafts, turns, roster.time_step, forces)
        return forces

    def _move(self, parts: int) -> None:
        """The engine moves all units, in `parts` parts of a step."""
        with self.roster.turn.moving:
            for part in range(1, parts):
                self.space.step(self.time_step / parts)
                self.site.midway(part / parts)
                self.roster.bridge.write_again()
            with self.looking.ahead():
                self.space.step(self.time_step / parts)

    add_group = in_turn(done_by("roster", changes.add_group))
    group = done_by("roster", Roster.group)
    regroup = done_by("roster", Roster.regroup)
    rng = done_by("roster", Roster.rng)
    close = done_by("roster", Roster.close)
    add_solid = in_turn(done_by("site", Site.add_solid))
    add_area = in_turn(done_by("site", Site.add_area))
    remove_area = in_turn(done_by("site", Site.remove_area))
    see = in_turn(done_by("site", Site.see))
    path = done_by("site", Site.path)
    at = done_by("agenda", Agenda.at)
    seed: int = of_part("roster.basis.seed", "Of all random numbers.")
    time_step: float = of_part("roster.basis.time_step", "s.")
    plane: Plane = of_part("roster.basis.plane.shown", "The bounds, and what happens at them.")
    map: TileMap | None = of_part("roster.basis.map", "The tiles, if there are any.")
    groups: Sequence[Group] = of_part("roster.groups", "All groups.", tuple)
    agenda: Agenda = of_part("roster.agenda", "What is to happen at given times.")
    space: Space = of_part("roster.space", "The engine's space; `load` may make a new one.")
    solids: Solids = of_part("site.solids.shown", "All solids now, open parts left out.")
    fixed_solids: Solids = of_part("roster.ground.bare.shown", "The solids that never change.")
    parts: Mapping[str, Part] = of_part("site.parts", "The parts not removed, by name.")
    pieces: list[Piece] = of_part("site.pieces", "The parts, for pictures and figures.")
    areas: tuple[Area, ...] = of_part("site.areas", "All areas.")
    feelers: Feelers = of_part("site.around.feelers", "Rays against all that stands still.")
    queries: Queries = of_part("roster.queries", "Rays, free places, the unit at a point.")
    contacts: Contacts = of_part("roster.contacts", "Which unit touches what, as of now.")
    units: Units = of_part("roster.units", "The state of all units now. Read-only.")
    orders: Orders = of_part(
        "roster", "Where all are sent. Read-only.", lambda r: shown(r.orders_now())
    )
    ids: Ints = of_part("roster.people.ids_shown", "(N,) ids in the order of `units`.")
    ids_given: int = of_part("roster.people.given", "How many ids have been given so far.")
    steps: int = of_part("roster.steps", "How many steps were taken.")
    time: float = of_part("roster.time", "Seconds simulated.")
    substeps: int = of_part("looking.substeps", "Parts of a step that the engine takes.")

    @property
    def events(self) -> list[Event]:
        """What happened at the last step, and since the one before; see `sim.living.events`."""
        return self.roster.happened.records(self.contacts, self.ids)

    @in_turn
    def percepts(self, group: Group) -> dict[str, Percepts]:
        """What each active rule of a group perceives now, by name: for tools that look inside."""
        seen = self.looking.known(group_of(self.roster.groups, group))
        return {name: read_only(me) for name, me in seen.items()}

    def remove(self, ids: ArrayLike | Group) -> None:
        """Take units out of the world for good, by their ids (k,), or all of a group.

        Raises `BadInput` for an id that no unit in the world has, or that is named twice.
        """
        self.roster.remove(ids)

    def select(self, ids: ArrayLike | Group) -> Selection:
        """Units of any groups, by their ids (k,), or all of a group: to be ordered together."""
        return Selection(self.roster, ids)

    @in_turn
    def save(self, path: AnyPath | None = None, *, about: Mapping[str, Any] | None = None) -> State:
        """The whole state of this world, from which it, or another, goes on bit for bit.

        With a `path` it is also written to a file, with texts and numbers to say `about` it. Raises
        `BadInput` amid a step, for a world in a space of your own or with bodies of your own, and
        to a file for a rule or model without a name and for an event that is your own function.
        """
        state = saving.take(self.roster, self.site, {} if about is None else about)
        if path is not None:
            saving.write(state, path)
        return state

    @in_turn
    def _load(self, state: State | AnyPath) -> None:
        """Put this world into a state of its own, or of one like it; or into that of a file.

        Groups and parts added since are gone, and groups and parts that were there are the same
        objects as before; its `space` and the bodies in it may be new. Raises `BadInput` for the
        state of another world and for files that cannot be read; the world stays as it was then.
        Asked of the class, `World.load(state)` returns a new world that goes on from there.
        """
        found = state if isinstance(state, State) else saving.read(state)
        saving.put(self.roster, self.site, found)

    load = Both(_load, saving.world_in)

    def show(self, seconds: float = 0.0, *, theme: str = "dark", height: int = 480) -> Player:
        """Run on for some seconds and return their player, which a notebook shows in the cell.

        With 0 s it shows the world as it is. `height` is in pixels. Raises `BadInput`.
        """
        from sim.notebook import show

        return show(self, seconds, theme=theme, height=height)

    def __enter__(self) -> Self:
        """The world, which is closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
