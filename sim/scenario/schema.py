"""What a scenario file may say: the whole schema, as frozen models.

Values are as written: degrees, seconds, kilograms and world units. None stands for a default that
the group's model knows. `sim.scenario.load.load` reads a file into a `Scenario`.
"""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import BeforeValidator, ConfigDict, Field, PrivateAttr, model_validator
from pydantic.config import JsonDict

from sim.core.errors import suggest
from sim.core.limits import MOST_AREAS, MOST_GROUPS, MOST_SOURCES, MOST_UNITS
from sim.models import DEFAULT_MODEL
from sim.scenario.checks import at_most_one, refuse, rows
from sim.scenario.drawn import Drawn, Switch, check_count, check_rule_counts
from sim.scenario.ground import AreaSpec, Map, objects_of, refuse_misnamed
from sim.scenario.living import Event, Player, Source, miscounts, misfits
from sim.scenario.parts import Goal, HullSpec, Spawn, Table
from sim.scenario.values import (
    Color,
    CountOrNone,
    Flag,
    Mouse,
    Name,
    Positive,
    Seed,
    Step,
    Text,
    View,
    ViewAngle,
    ViewRadius,
)

if TYPE_CHECKING:
    from sim.maps import TileMap

# the group that the player's unit is; no other may have the name
PLAYER = "player"
MOST_STEPS = 10**12


_COUNTED: JsonDict = {
    "anyOf": [{"required": ["count"]}, {"properties": {"spawn": {"required": ["points"]}}}]
}


class Group(Table):
    """Units of one kind that want one thing."""

    model_config = ConfigDict(json_schema_extra=_COUNTED)

    name: Name
    """Unique in the file; `player` is taken."""
    model: Name = DEFAULT_MODEL
    """What steers the units: `python -m sim models` lists them."""
    count: CountOrNone | None = None
    """How many units; not needed beside `spawn.points`. With 0 all come later, from a source."""
    view: View | None = None
    """How wide the units see; the model's unless given."""
    view_angle: ViewAngle | None = None
    """How much of the circle is seen, degrees."""
    view_radius: ViewRadius | None = None
    """How far is seen, hull lengths."""
    speed: Drawn | None = None
    """What full thrust ends at, world units a second; the model's unless given. A table
    says how it is drawn a unit: by normal and within, by uniform, or by each."""
    hull: HullSpec | None = None
    """The shape and size of a unit; the model's unless given."""
    color: Color | None = None
    """A name that pygame knows, or '#rrggbb'."""
    spawn: Spawn | None = None
    """Where the units start; required unless the count is 0."""
    goal: Goal | None = None
    """What the units want; nothing without one."""
    behaviours: dict[str, Switch] = Field(default_factory=dict)
    """Rules by name: a table of parameters, false (weight 0) or true; the model's unless given."""

    @model_validator(mode="after")
    def _counts_agree(self) -> Self:
        if self.spawn is None and self.count != 0:
            raise refuse("required unless count = 0", "spawn")
        points = self.spawn.points if self.spawn is not None else None
        if self.count is None and points is None:
            raise refuse("required; only spawn.points says it by itself", "count")
        if points is not None and self.count not in (None, len(points)):
            raise refuse(f"must be {len(points)}, as many as spawn.points, or left out", "count")
        check_count(self.speed, self.size, "speed")
        if self.hull is not None:
            check_count(self.hull.radius, self.size, "hull", "radius")
            check_count(self.hull.length, self.size, "hull", "length")
        check_rule_counts(self.behaviours, self.size)
        for refusal in miscounts(self.goal, self.size, "goal") if self.goal is not None else ():
            raise refusal
        return self

    @property
    def size(self) -> int:
        """How many units the group has."""
        points = self.spawn.points if self.spawn is not None else None
        return self.count if self.count is not None else len(points or ())


class Scenario(Table):
    """A scenario file that has been checked."""

    title: Name
    """What it is called."""
    about: Text = ""
    """A sentence or two."""
    seed: Seed = 0
    """Of all random numbers."""
    duration: Positive
    """Seconds, rounded up to whole steps."""
    time_step: Step = 1 / 60
    """Seconds; 1/60 unless given."""
    stop_when_arrived: Flag = True
    """End when all units that can arrive have arrived and rest."""
    mouse: Mouse = ()
    """Groups that the mouse sends, in this order."""
    map: Map = Map()
    """What stands still."""
    groups: Annotated[tuple[Group, ...], rows("tables, written [[groups]]", 1, MOST_GROUPS)] = (
        Field(json_schema_extra={"minItems": 1, "maxItems": MOST_GROUPS})
    )
    """The groups of units, at least one."""
    player: Annotated[tuple[Player, ...], BeforeValidator(at_most_one)] = Field(
        default=(), json_schema_extra={"maxItems": 1}
    )
    """The unit that a person steers; at most one."""
    areas: Annotated[tuple[AreaSpec, ...], rows("tables, written [[areas]]", 0, MOST_AREAS)] = (
        Field(default=(), json_schema_extra={"maxItems": MOST_AREAS})
    )
    """Ground of its own."""
    sources: Annotated[tuple[Source, ...], rows("tables, written [[sources]]", 0, MOST_SOURCES)] = (
        Field(default=(), json_schema_extra={"maxItems": MOST_SOURCES})
    )
    """Units that enter while it runs."""
    events: Annotated[tuple[Event, ...], rows("tables, written [[events]]", 0)] = ()
    """What is done at given times."""
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

    def keep_path(self, path: Path) -> None:
        """Say what messages are to call the file, where it was a copy that is gone."""
        self._path = path

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
    def _few_enough(self) -> Self:
        if self.duration / self.time_step > MOST_STEPS:
            raise refuse("must be at most 1e12 time steps", "duration")
        units = sum(group.size for group in self.groups)
        if units > MOST_UNITS:
            raise refuse(f"{units:,} units in all; must be at most {MOST_UNITS:,}", "groups")
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
    def _changes_fit(self) -> Self:
        groups = {group.name: group for group in self.groups}
        refuse_misnamed(self.areas, self.events, list(groups), list(self.map.parts))
        for refusal in misfits(self.sources, self.events, groups, [PLAYER] * len(self.player)):
            raise refusal
        return self

    @model_validator(mode="after")
    def _objects_have_a_map(self) -> Self:
        if not self.map.has_objects:
            for at, _, _ in objects_of(self):
                raise refuse("needs a Tiled map that has this object: map.file", *at)
        return self
