"""From a checked scenario to a world that is ready to step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, radians
from typing import Any

import numpy as np

from sim.core.errors import BadInput, naming, shortened
from sim.core.hull import Hull
from sim.core.spawn import Points, Region, Ring
from sim.core.spawn import Spawn as Start
from sim.living.agenda import Due
from sim.living.deeds import Deed, Setting
from sim.living.sources import Source as Entering
from sim.maps import TileMap
from sim.models import Model, model
from sim.orders import Formation
from sim.orders import Goal as Order
from sim.scenario.drawn import drawn, parameter, rule
from sim.scenario.ground import add_area, add_part
from sim.scenario.living import Event, Player, Source
from sim.scenario.messages import show
from sim.scenario.overrides import steps_of
from sim.scenario.parts import FormationSpec, Goal, HullSpec, Spawn
from sim.scenario.schema import PLAYER, Group, Scenario
from sim.world import World

Place = tuple[float, float]


def build(plan: Scenario, view: str | None = None) -> World:
    """The world of a scenario that was loaded; `view` overrides that of all its groups.

    Raises `BadInput` with the file and the group for whatever does not fit: no room, a start inside
    a solid, a goal that no rule of the group serves.
    """
    if not isinstance(plan, Scenario):
        said = 'must be a scenario that was read: sim.load_scenario("FILE")'
        raise BadInput(f"plan = {shortened(plan)}: {said}")
    world = World(
        seed=plan.seed,
        time_step=plan.time_step,
        bounds=plan.map.bounds if plan.tiles is None else None,
        edges=plan.map.edges if plan.tiles is None else "open",
        discs=plan.map.circles,
        boxes=plan.map.boxes,
        walls=plan.map.walls,
        map=plan.tiles,
    )
    for name, part in plan.map.parts.items():
        with naming(f"{plan.path}: map.parts.{name}: "):
            add_part(world, name, part)
    starts = [(g.name, g.spawn) for g in plan.groups if g.spawn is not None]
    starts += [(PLAYER, p.spawn) for p in plan.player]
    middles = {name: _middle(start_of(spawn, plan.tiles)) for name, spawn in starts}
    for group in plan.groups:
        with naming(f"{plan.path}: groups.{group.name}."):
            add_group(world, group, middles, view)
    for player in plan.player:
        with naming(f"{plan.path}: player."):
            _add_player(world, player)
    for area in plan.areas:
        add_area(world, area)
    spawns = {group.name: group.spawn for group in plan.groups}
    for number, source in enumerate(plan.sources):
        spawn = source.spawn or spawns[source.group]
        assert spawn is not None
        entering = _entering(source, start_of(spawn, plan.tiles), _heading(spawn))
        with naming(f"{plan.path}: sources[{number}]."):
            world.agenda.sources.append(entering)
    for number, event in enumerate(plan.events):
        where = f"{plan.path}: events[{number}]"
        with naming(f"{where}."):
            goal = _order(event.goal, world.map) if event.goal is not None else None
        world.agenda.add(_due(world, event, where, goal))
    _check_orders(world)
    return world


def _check_orders(world: World) -> None:
    """Raise `BadInput` for orders that no rule of their group serves.

    Those of a group whose rules an event sets before are looked at when their time has come.
    """
    refitted: set[str] = set()
    for due in world.agenda.events:
        if isinstance(due.act, Deed):
            deed = due.act
            refitted |= {steps[0] for steps, _ in deed.settings if steps[1] == "behaviours"}
            if deed.goal is not None and deed.name not in refitted:
                with naming(f"{deed.where}: "):
                    world.group(deed.name).check_kind(deed.goal)


def add_group(world: World, group: Group, middles: dict[str, Place], view: str | None) -> None:
    """Add a group to a world. `middles` has where others start, which it may face."""
    goal = _order(group.goal, world.map) if group.goal else None
    angle = None if group.view_angle is None else radians(group.view_angle)
    world.add_group(
        group.name,
        start_of(group.spawn, world.map),
        count=group.count,
        model=group.model,
        hull=_hull(group.hull, model(group.model)),
        view=group.view if view is None else view,
        view_angle=angle if view is None else None,
        view_radius=group.view_radius if view is None else None,
        speed=group.speed,
        heading=None if group.spawn is None else _heading(group.spawn),
        facing=middles.get(goal.target) if goal else None,
        behaviours=group.behaviours,
        goal=goal,
        color=group.color,
    )


def _add_player(world: World, player: Player) -> None:
    start = start_of(player.spawn, world.map)
    unit = world.add_group(PLAYER, start, count=1, model="player", heading=_heading(player.spawn))
    unit.script = np.array(player.script, dtype=float).reshape(-1, 4) if player.script else None


def _order(goal: Goal, tiles: TileMap | None) -> Order:
    """What a group is to do, from what the file says."""
    near, leave, formation = goal.tolerance, goal.leave, _formation(goal.formation)
    if goal.target is not None:
        return Order(goal.kind, goal.target, tolerance=near)
    if goal.region is not None:
        return Order.into(goal.region, leave=leave)
    if goal.antipode is not None:
        return Order.across(goal.antipode, tolerance=near, leave=leave)
    if goal.route is not None or goal.routes is not None:
        routes = [goal.route] if goal.route is not None else goal.routes or ()
        return Order.along(
            *routes, loop=goal.loop, tolerance=near, leave=leave, formation=formation
        )
    if goal.patrol is not None:
        return Order.patrol(goal.patrol, tolerance=near, formation=formation)
    if goal.object is not None:
        assert tiles is not None
        place = tiles.named(goal.object)
        if place.kind != "point" and formation is None:
            return Order.into(place.box, leave=leave)
        return Order.to(place.centre, tolerance=near, leave=leave, formation=formation)
    places = goal.point if goal.point is not None else goal.points
    return Order.to(np.array(places), tolerance=near, leave=leave, formation=formation)


def _formation(given: FormationSpec | None) -> Formation | None:
    """How units stand round their point, from what the file says."""
    if given is None:
        return None
    facing = None if given.facing is None else radians(given.facing)
    return Formation(given.shape or "", given.spacing, facing, given.offsets or ())


def start_of(spawn: Spawn | None, tiles: TileMap | None) -> Start:
    """Where a group starts; the loader has made sure that the map has the objects named."""
    if spawn is None:
        return Points(np.zeros((0, 2)))
    if spawn.points is not None:
        return Points(np.array(spawn.points, dtype=float))
    if spawn.circle is not None:
        return Ring(*spawn.circle)
    if spawn.region is not None:
        return Region(*spawn.region)
    assert tiles is not None
    assert spawn.object is not None
    place = tiles.named(spawn.object)
    return Points(np.array([place.centre])) if place.kind == "point" else Region(*place.box)


def _middle(start: Start) -> Place:
    """The middle of where a group starts."""
    if isinstance(start, Ring):
        return start.x, start.y
    if isinstance(start, Region):
        return (start.left + start.right) / 2, (start.top + start.bottom) / 2
    x, y = np.mean(np.asarray(start.places), axis=0)
    return float(x), float(y)


def _heading(spawn: Spawn) -> float | str | None:
    return spawn.heading if isinstance(spawn.heading, str | None) else radians(spawn.heading)


def _hull(given: HullSpec | None, made_of: Model) -> Hull:
    """The model's hull, or that of the file; a mass that is not given is the model's."""
    if given is None:
        return made_of.hull
    mass = made_of.hull.mass if given.mass is None else given.mass
    if given.shape is None:
        return replace(made_of.hull, mass=mass)
    if given.shape == "disc":
        assert given.radius is not None
        return Hull.disc(given.radius, mass)
    assert given.length is not None
    assert given.width is not None
    kind = Hull.box if given.shape == "box" else Hull.wedge
    return kind(given.length, given.width, mass)


READ: dict[str, Callable[[Any], Any]] = {"view_angle": radians, "speed": drawn}
"""How what a file says is read, where it is not taken as it is."""


def _due(world: World, event: Event, where: str, goal: Order | None) -> Due:
    """An event as the agenda of a world has it; refusals say `where` it stands."""
    action, key, units = event.action, event.action, None
    if event.goal is not None and event.goal.one_a_unit is not None:
        kind, units = event.goal.kind, event.goal.one_a_unit
        key = f"goal.{kind} = {show(getattr(event.goal, kind))}"
    name = "" if event.set is not None else getattr(event, action)
    names: dict[str, Any] = {"groups": [{"name": group.name} for group in world.groups]}
    settings = tuple(
        _setting(tuple(steps_of(key, names))[1:], value) for key, value in (event.set or {}).items()
    )
    where = f"{where}.{key}, at {event.at:g} s"
    deed = Deed(action, name, goal, event.queue, event.to or "", settings, where, units)
    return Due(event.at, deed, action)


def _setting(steps: tuple[str, ...], value: Any) -> Setting:
    read, to_rule = READ.get(steps[1]), steps[1:2] == ("behaviours",)
    if to_rule and len(steps) == 2:
        return steps, {name: rule(said) for name, said in value.items()}
    if to_rule:
        return steps, parameter(value) if len(steps) == 4 else rule(value)
    return steps, value if read is None else read(value)


def _entering(source: Source, start: Start, heading: float | str | None) -> Entering:
    """A source as the agenda of a world has it."""
    assert not isinstance(start, Ring)
    end = inf if source.end is None else source.end
    return Entering(
        source.group, start, source.rate, source.poisson, source.times, source.start, end,
        source.total, heading,
    )  # fmt: skip
