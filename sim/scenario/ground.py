"""What stands on the ground of a scenario file: its map, parts that change, and areas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from sim.core.errors import BadInput, suggest
from sim.core.limits import MOST_PARTS
from sim.core.shapes import Box as BoxShape
from sim.core.shapes import Disc, Polygon, Shape
from sim.core.shapes import Wall as WallShape
from sim.core.solids import convex
from sim.living.parts import checked_path
from sim.scenario.checks import few_enough, refuse, row, rows
from sim.scenario.living import Event
from sim.scenario.parts import Goal, Spawn, Table, exactly_one, one_of
from sim.scenario.values import (
    Box,
    Circle,
    Edges,
    Flag,
    Name,
    NotNegative,
    Number,
    Points,
    Positive,
    Wall,
    numbers,
)

if TYPE_CHECKING:
    from sim.living.parts import Part
    from sim.navigation.areas import Area
    from sim.scenario.schema import Scenario
    from sim.world import World

SHAPE_KINDS = ("box", "wall", "circle", "polygon")
AREA_KINDS = ("region", "polygon", "object")


def _convex(points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    try:
        convex(points)
    except BadInput as error:
        raise refuse(str(error).partition(": ")[2]) from None
    return points


def _on_its_way(path: tuple[tuple[float, float, float], ...]) -> Any:
    try:
        checked_path(path, False, "")
    except BadInput as error:
        raise refuse(str(error).rpartition(": ")[2]) from None
    return path


Factor = Annotated[float, numbers(1e-3, 1e3)]
Corners = Annotated[Points, AfterValidator(_convex)]
Place = Annotated[tuple[NotNegative, Number, Number], row("t", "dx", "dy")]
Way = Annotated[tuple[Place, ...], rows("rows [t, dx, dy]", 2), AfterValidator(_on_its_way)]


class PartSpec(Table):
    """A solid with a name; exactly one shape."""

    model_config = Table.model_config | {"json_schema_extra": one_of(SHAPE_KINDS)}

    box: Box | None = None
    """Left, top, right, bottom."""
    wall: Wall | None = None
    """A segment x1, y1, x2, y2."""
    circle: Circle | None = None
    """A disc x, y, radius."""
    polygon: Corners | None = None
    """The corners [x, y] of a convex polygon, in either order."""
    open: Flag = False
    """Not there at the start."""
    path: Way | None = None
    """Rows [t, dx, dy]: where it is t seconds on, from where it stands; it pushes units."""
    loop: Flag = False
    """The path begins again at its end, which must be where it began."""

    @model_validator(mode="after")
    def _one_shape(self) -> Self:
        exactly_one(self, SHAPE_KINDS)
        if self.loop:
            if self.path is None:
                raise refuse("needs a path beside it", "loop")
            if self.path[0][1:] != self.path[-1][1:]:
                raise refuse("must end where it began, for a loop", "path")
        return self

    @property
    def shape(self) -> Shape:
        """The shape that it says."""
        if self.box is not None:
            return BoxShape(*self.box)
        if self.wall is not None:
            return WallShape(*self.wall)
        if self.circle is not None:
            return Disc(*self.circle)
        return Polygon(self.polygon or ())


class AreaSpec(Table):
    """Ground of its own; exactly one kind of place."""

    model_config = Table.model_config | {"json_schema_extra": one_of(AREA_KINDS)}

    region: Box | None = None
    """Left, top, right, bottom."""
    polygon: Corners | None = None
    """The corners [x, y] of a convex polygon, in either order."""
    object: Name | None = None
    """A rectangle of the Tiled map, by name."""
    speed: Factor = 1.0
    """Factor on the desired speed of units whose centre is inside."""
    cost: Factor | None = None
    """Factor on the length of ways through it; 1 / speed unless given."""
    groups: Annotated[tuple[Name, ...], rows("names of groups")] | None = None
    """The groups that it counts for; all unless given."""

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        exactly_one(self, AREA_KINDS)
        return self


def objects_of(scenario: Scenario) -> Iterator[tuple[tuple[str | int, ...], str, int | None]]:
    """Objects of a map that a scenario names: where, the name, how many units start there if any.

    Units of a source start there one by one.
    """
    places: list[tuple[tuple[str | int, ...], Spawn | Goal | AreaSpec | None, int | None]] = []
    for index, group in enumerate(scenario.groups):
        places.append((("groups", index, "spawn"), group.spawn, group.size))
        places.append((("groups", index, "goal"), group.goal, None))
    for index, source in enumerate(scenario.sources):
        places.append((("sources", index, "spawn"), source.spawn, 1))
    for index, event in enumerate(scenario.events):
        places.append((("events", index, "goal"), event.goal, None))
    for index, area in enumerate(scenario.areas):
        places.append((("areas", index), area, None))
    for index, player in enumerate(scenario.player):
        places.append((("player", index, "spawn"), player.spawn, 1))
    for at, place, count in places:
        if place is not None and place.object is not None:
            yield (*at, "object"), place.object, count


def refuse_misnamed(
    areas: Sequence[AreaSpec], events: Sequence[Event], groups: list[str], parts: list[str]
) -> None:
    """Refuse areas for groups, and events of parts, that there are not."""
    for index, area in enumerate(areas):
        for name in area.groups or ():
            if name not in groups:
                said = f"no such group: {name!r}; {suggest(name, groups)}"
                raise refuse(said, "areas", index, "groups")
    for index, event in enumerate(events):
        part = event.open or event.close
        if part is not None and part not in parts:
            hint = suggest(part, parts) if parts else "[map.parts] has none"
            raise refuse(f"no such part of the map; {hint}", "events", index, event.action)


def add_part(world: World, name: str, spec: PartSpec) -> Part:
    """Add a part of the map to a world."""
    return world.add_solid(spec.shape, name=name, open=spec.open, path=spec.path, loop=spec.loop)


def add_area(world: World, spec: AreaSpec) -> Area:
    """Add an area to a world; the loader has made sure that the map has an object that it names."""
    return world.add_area(_shape(world, spec), speed=spec.speed, cost=spec.cost, groups=spec.groups)


def area_of(world: World, spec: AreaSpec) -> Area:
    """The area that was made of this, the last of several alike. Raises `BadInput` for none."""
    cost = 1 / spec.speed if spec.cost is None else spec.cost
    groups = None if spec.groups is None else frozenset(spec.groups)
    for area in reversed(world.areas):
        alike = (area.speed, area.cost, area.groups) == (spec.speed, cost, groups)
        if alike and area.shape == _shape(world, spec):
            return area
    raise BadInput("area: is not there any more")


def _shape(world: World, spec: AreaSpec) -> Shape:
    if spec.object is not None:
        assert world.map is not None
        return BoxShape(*world.map.named(spec.object).box)
    return BoxShape(*spec.region) if spec.region is not None else Polygon(spec.polygon or ())


def _map_file(text: str) -> str:
    suffix = PurePath(text).suffix.lower()
    if suffix not in (".tmx", ".tmj", ".map"):
        raise refuse("must be a .tmx, .tmj or .map file")
    return text


class Map(Table):
    """The world around the units; no keys at all is an open, unbounded plane."""

    file: Annotated[Name, AfterValidator(_map_file)] | None = None
    """A Tiled (.tmx, .tmj) or Moving AI (.map) file, by a path relative to this file."""
    tile: Positive | None = None
    """World units a tile, for .map files; 1 unless given."""
    bounds: Box | None = None
    """Left, top, right, bottom of the world; y grows downwards."""
    edges: Edges = "open"
    """What the bounds are: a frame for the picture, walls, or the seam of a torus."""
    walls: Annotated[tuple[Wall, ...], rows("walls [x1, y1, x2, y2]", 0)] = ()
    """Segments [x1, y1, x2, y2]."""
    boxes: Annotated[tuple[Box, ...], rows("boxes [left, top, right, bottom]", 0)] = ()
    """Solid boxes [left, top, right, bottom]."""
    circles: Annotated[tuple[Circle, ...], rows("circles [x, y, radius]", 0)] = ()
    """Solid discs [x, y, radius]."""

    parts: dict[Name, PartSpec] = Field(default_factory=dict)
    """Solids with a name, which events can open and close, and a path can move."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        few_enough(self.parts, "parts", MOST_PARTS, "parts")
        if self.edges != "open" and self.bounds is None and self.file is None:
            raise refuse("needs bounds = [left, top, right, bottom] beside it", "edges")
        if self.tile is not None and self.file is None:
            raise refuse("needs a map file beside it, whose tiles have this size", "tile")
        return self

    @property
    def has_objects(self) -> bool:
        """Whether the map file is one of Tiled's, which have layers of named objects."""
        return self.file is not None and not self.file.lower().endswith(".map")
