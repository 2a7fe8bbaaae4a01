"""The parts of a group in a scenario file: its hull, where it starts and what it wants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator
from pydantic.config import JsonDict

from sim.scenario.checks import refuse, rows
from sim.scenario.drawn import Drawn
from sim.scenario.values import (
    Box,
    Circle,
    Flag,
    FormationShape,
    Heading,
    Name,
    Number,
    Offsets,
    Point,
    Points,
    Positive,
    Route,
    Routes,
    Shape,
    Spacing,
    Thrusters,
)


class Table(BaseModel):
    """A table of a scenario file: frozen, and every key that it does not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def said(self, *keys: str) -> list[str]:
        """Those of the keys that have a value, in the order asked."""
        return [key for key in keys if getattr(self, key) is not None]


def one_of(keys: Sequence[str]) -> JsonDict:
    """What an editor is told of a table that says exactly one of these keys."""
    return {"oneOf": [{"required": [key]} for key in keys]}


def exactly_one(table: Table, keys: tuple[str, ...]) -> str:
    """The one of the keys that a table says; none or several are refused."""
    said = table.said(*keys)
    if not said:
        raise refuse(f"must say one of: {', '.join(keys)}")
    if len(said) > 1:
        raise refuse(f"says {' and '.join(said)}; must say only one of: {', '.join(keys)}")
    return said[0]


_TOGETHER: JsonDict = {
    "radius": ["shape"], "length": ["shape", "width"], "width": ["shape", "length"],
}  # fmt: skip


class HullSpec(Table):
    """A hull, as far as it differs from the model's own.

    A shape comes with all of its sizes (world units); the mass (kg) may be given alone. None
    stands for the model's default.
    """

    model_config = ConfigDict(json_schema_extra={"dependentRequired": _TOGETHER})

    shape: Shape | None = None
    """disc, box or wedge; its sizes come with it."""
    radius: Drawn | None = None
    """Of a disc, world units; or how it is drawn a unit, as the speed is."""
    length: Drawn | None = None
    """Of a box or wedge, world units; or how it is drawn a unit, as the speed is."""
    width: Positive | None = None
    """Of a box or wedge, world units. Where lengths are drawn it is that of the middle length:
    longer hulls are as much wider."""
    mass: Positive | None = None
    """Kilograms."""

    @model_validator(mode="after")
    def _sizes_fit_shape(self) -> Self:
        given = self.said("radius", "length", "width")
        if self.shape is None:
            if given:
                shape = "'disc'" if given[0] == "radius" else "'box' or 'wedge'"
                raise refuse(f"needs the shape beside it: shape = {shape}", given[0])
            return self
        needed = ["radius"] if self.shape == "disc" else ["length", "width"]
        for key in given:
            if key not in needed:
                raise refuse(f"a {self.shape} has {' and '.join(needed)} instead", key)
        for key in needed:
            if key not in given:
                raise refuse(f"required for a {self.shape}", key)
        return self


SPAWN_KINDS = ("region", "points", "circle", "object")


class Spawn(Table):
    """Where the units of a group start; exactly one kind. The heading is in degrees."""

    model_config = ConfigDict(json_schema_extra=one_of(SPAWN_KINDS))

    region: Box | None = None
    """Places drawn inside left, top, right, bottom."""
    points: Points | None = None
    """A place a unit."""
    circle: Circle | None = None
    """Places on a circle x, y, radius."""
    object: Name | None = None
    """A rectangle or point of the Tiled map, by name."""
    heading: Heading | None = None
    """Degrees, or 'random'; towards the goal unless given."""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        exactly_one(self, SPAWN_KINDS)
        return self

    @property
    def kind(self) -> str:
        """The key that says where: "region", "points", "circle" or "object"."""
        return self.said(*SPAWN_KINDS)[0]


class Pursuit(Table):
    """The kinds of goals that name another group, a key each."""

    chase: Name | None = None
    """The group to go after."""
    intercept: Name | None = None
    """The group to cut off."""
    flee: Name | None = None
    """The group to keep away from."""
    approach: Name | None = None
    """The group to meet face to face."""
    follow: Name | None = None
    """The group to go behind."""


PURSUITS = tuple(Pursuit.model_fields)
PLACES = ("point", "points", "antipode", "region", "object")
GOAL_KINDS = (*PLACES, *PURSUITS, "route", "routes", "patrol")


class FormationSpec(Table):
    """How units stand round the point that they are sent to; a shape, or offsets."""

    model_config = ConfigDict(json_schema_extra=one_of(("shape", "offsets")))

    shape: FormationShape | None = None
    """line, column, box, wedge, circle or echelon."""
    spacing: Spacing | None = None
    """Hull lengths between neighbours; 2 unless given."""
    facing: Number | None = None
    """Heading of the formation, degrees; that of its way unless given."""
    offsets: Offsets | None = None
    """A place a unit: [ahead, starboard], hull lengths."""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if exactly_one(self, ("shape", "offsets")) == "offsets" and self.spacing is not None:
            raise refuse("belongs to a shape, not to offsets", "spacing")
        return self


FORMED = ("point", "object", "route", "patrol")


class Goal(Pursuit):
    """What the units of a group want; exactly one kind.

    `tolerance` is in world units, None for the default of one hull radius; `leave` takes a unit
    that arrives out of the world.
    """

    model_config = ConfigDict(json_schema_extra=one_of(GOAL_KINDS))

    point: Point | None = None
    """One place for all."""
    points: Points | None = None
    """A place a unit."""
    antipode: Point | None = None
    """Each goes to the other side of this place."""
    region: Box | None = None
    """Anywhere inside left, top, right, bottom."""
    object: Name | None = None
    """A rectangle or point of the Tiled map, by name."""
    route: Route | None = None
    """Places to visit in this order; a stop { at = [x, y], wait = s } or { ..., serve = s } is one
    where units stay, or are served one at a time."""
    routes: Routes | None = None
    """Such a list for each unit."""
    patrol: Route | None = None
    """Places to visit to and fro, over and over."""
    loop: Flag = False
    """Begin again at the end of the route."""
    tolerance: Positive | None = None
    """How near is there, world units; a hull radius unless given."""
    leave: Flag = False
    """Units that arrive leave the world."""
    formation: FormationSpec | None = None
    """How they stand round the point, or round each place of the route or patrol."""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        kind = exactly_one(self, GOAL_KINDS)
        if self.loop and kind not in ("route", "routes"):
            raise refuse(f"belongs to a route or routes, not to {kind}", "loop")
        if self.formation is not None and kind not in FORMED:
            raise refuse(f"belongs to {', '.join(FORMED)}, not to {kind}", "formation")
        if self.tolerance is not None and kind == "region":
            raise refuse("a region has no tolerance: anywhere inside is arrived", "tolerance")
        return self

    @property
    def kind(self) -> str:
        """The key that says what: one of `GOAL_KINDS`."""
        return self.said(*GOAL_KINDS)[0]

    @property
    def target(self) -> str | None:
        """The name of the group that is chased, fled from or followed; None for other kinds."""
        name = getattr(self, self.kind) if self.kind in PURSUITS else None
        return name if isinstance(name, str) else None

    @property
    def one_a_unit(self) -> int | None:
        """How many units the goal is for, None if it serves any number."""
        each = self.points or self.routes
        return len(each) if each else None


def _in_time(script: tuple[tuple[float, ...], ...]) -> tuple[tuple[float, ...], ...]:
    for index in range(1, len(script)):
        before, time = script[index - 1][0], script[index][0]
        if time < before:
            raise refuse(f"its time must not be less than {before:g}, the row's before", index)
    return script


Script = Annotated[
    tuple[Thrusters, ...], rows("rows [t, port, starboard, thrust]", 0), AfterValidator(_in_time)
]
