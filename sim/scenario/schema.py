"""What a scenario file may say: the whole schema, as frozen models.

Values are as written: degrees, seconds, kilograms and world units. None stands for a default that
the group's model knows. `sim.scenario.load.load` reads a file into a `Scenario`.
"""

from __future__ import annotations

from math import ceil
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    PrivateAttr,
    model_validator,
)

from sim.errors import suggest
from sim.limits import MOST_UNITS
from sim.models import DEFAULT_MODEL
from sim.scenario.parts import Goal, HullSpec, Script, Spawn, Table
from sim.scenario.values import (
    Box,
    Circle,
    Color,
    Edges,
    Flag,
    Mouse,
    Name,
    Positive,
    Step,
    Switch,
    Text,
    View,
    ViewAngle,
    ViewRadius,
    Wall,
    refuse,
    rows,
    whole,
)

if TYPE_CHECKING:
    from sim.maps import TileMap

# the group that the player's unit is; no other may have the name
PLAYER = "player"
MOST_STEPS = 10**12


def _map_file(text: str) -> str:
    suffix = PurePath(text).suffix.lower()
    if suffix not in (".tmx", ".tmj", ".map"):
        raise refuse("must be a .tmx, .tmj or .map file")
    return text


class Map(Table):
    """The world around the units; no keys at all is an open, unbounded plane."""

    file: Annotated[Name, AfterValidator(_map_file)] | None = None
    tile: Positive | None = None
    bounds: Box | None = None
    edges: Edges = "open"
    walls: Annotated[tuple[Wall, ...], rows("walls [x1, y1, x2, y2]", 0)] = ()
    boxes: Annotated[tuple[Box, ...], rows("boxes [left, top, right, bottom]", 0)] = ()
    circles: Annotated[tuple[Circle, ...], rows("circles [x, y, radius]", 0)] = ()

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.edges != "open" and self.bounds is None and self.file is None:
            raise refuse("needs bounds = [left, top, right, bottom] beside it", "edges")
        if self.tile is not None and self.file is None:
            raise refuse("needs a map file beside it, whose tiles have this size", "tile")
        return self

    @property
    def has_objects(self) -> bool:
        """Whether the map file is one of Tiled's, which have layers of named objects."""
        return self.file is not None and not self.file.lower().endswith(".map")


class Group(Table):
    """Units of one kind that want one thing."""

    name: Name
    model: Name = DEFAULT_MODEL
    count: Annotated[int, PlainValidator(whole(1, MOST_UNITS))] | None = None
    view: View | None = None
    view_angle: ViewAngle | None = None
    view_radius: ViewRadius | None = None
    speed: Positive | None = None
    hull: HullSpec | None = None
    color: Color | None = None
    spawn: Spawn
    goal: Goal | None = None
    behaviours: dict[str, Switch] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _counts_agree(self) -> Self:
        points = self.spawn.points
        if self.count is None and points is None:
            raise refuse("required; only spawn.points says it by itself", "count")
        if points is not None and self.count not in (None, len(points)):
            raise refuse(f"must be {len(points)}, as many as spawn.points, or left out", "count")
        if self.goal is not None and self.goal.one_a_unit not in (None, self.size):
            said = f"has {self.goal.one_a_unit} for {self.size} units; must be one a unit"
            raise refuse(said, "goal", self.goal.kind)
        return self

    @property
    def size(self) -> int:
        """How many units the group has."""
        return self.count if self.count is not None else len(self.spawn.points or ())


class Player(Table):
    """The unit that a person steers, or a script: rows of (seconds, port, starboard, thrust)."""

    spawn: Spawn
    script: Script = ()

    @model_validator(mode="after")
    def _one_unit(self) -> Self:
        if self.spawn.points is not None and len(self.spawn.points) != 1:
            raise refuse("must be one point: the player is one unit", "spawn", "points")
        return self


def _at_most_one(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        raise refuse("must be written [[player]]")
    if len(value) > 1:
        raise refuse("there must be at most one [[player]]")
    return tuple(value)


class Scenario(Table):
    """A scenario file that has been checked."""

    title: Name
    about: Text = ""
    seed: Annotated[int, PlainValidator(whole(0, 2**63 - 1))] = 0
    duration: Positive
    time_step: Step = 1 / 60
    stop_when_arrived: Flag = True
    mouse: Mouse = ()
    map: Map = Map()
    groups: Annotated[tuple[Group, ...], rows("tables, written [[groups]]")]
    player: Annotated[tuple[Player, ...], BeforeValidator(_at_most_one)] = ()
    _path: Path = PrivateAttr(default=Path())
    _text: str = PrivateAttr(default="")
    _tiles: TileMap | None = PrivateAttr(default=None)

    def model_post_init(self, context: Any) -> None:
        """Keep where the file lies and what it says, which are no keys of it."""
        if context:
            self._path, self._text = context["path"], context["text"]

    @property
    def path(self) -> Path:
        """The file it was read from."""
        return self._path

    @property
    def text(self) -> str:
        """The file's text, as it is on disk: overrides are not in it."""
        return self._text

    @property
    def tiles(self) -> TileMap | None:
        """The tile map that it names, read; None without one."""
        return self._tiles

    def keep_tiles(self, tiles: TileMap) -> None:
        """Keep the tile map, which is read when all else has been checked."""
        self._tiles = tiles

    @property
    def steps(self) -> int:
        """The duration in steps, rounded up to whole ones; at least one."""
        exact = self.duration / self.time_step
        # 60 / (1 / 60) may come out as a hair more than 3600, which is no 3601st step
        whole = abs(exact - round(exact)) <= min(1e-9 * exact, 0.01)
        return round(exact) if whole else ceil(exact)

    @model_validator(mode="after")
    def _few_enough_steps(self) -> Self:
        if self.duration / self.time_step > MOST_STEPS:
            raise refuse("must be at most 1e12 time steps", "duration")
        return self

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        seen: set[str] = set()
        for index, group in enumerate(self.groups):
            if group.name == PLAYER:
                raise refuse("is the name of the player's group", "groups", index, "name")
            if group.name in seen:
                raise refuse("another group has this name", "groups", index, "name")
            seen.add(group.name)
        for name in self.mouse:
            if name not in seen:
                raise refuse(f"no such group: {name!r}; {suggest(name, seen)}", "mouse")
        return self

    @model_validator(mode="after")
    def _targets_exist(self) -> Self:
        names = [group.name for group in self.groups] + [PLAYER] * len(self.player)
        for index, group in enumerate(self.groups):
            target = group.goal.target if group.goal else None
            if group.goal is None or target is None:
                continue
            at = ("groups", index, "goal", group.goal.kind)
            if target == PLAYER and not self.player:
                raise refuse("there is no [[player]]", *at)
            if target not in names:
                others = [name for name in names if name != group.name]
                hint = suggest(target, others) if others else "there is no other"
                raise refuse(f"no such group; {hint}", *at)
            if target == group.name:
                raise refuse(f"a group cannot {group.goal.kind} itself", *at)
        return self

    @model_validator(mode="after")
    def _objects_have_a_map(self) -> Self:
        if self.map.has_objects:
            return self
        said = "needs a Tiled map that has this object: map.file"
        for index, group in enumerate(self.groups):
            if group.spawn.object is not None:
                raise refuse(said, "groups", index, "spawn", "object")
            if group.goal is not None and group.goal.object is not None:
                raise refuse(said, "groups", index, "goal", "object")
        if self.player and self.player[0].spawn.object is not None:
            raise refuse(said, "player", 0, "spawn", "object")
        return self
