"""The parts of a group in a scenario file: its hull, where it starts and what it wants."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainValidator, model_validator

from sim.scenario.values import (
    Box,
    Circle,
    Flag,
    Heading,
    Name,
    Point,
    Points,
    Positive,
    Routes,
    Thrusters,
    choice,
    refuse,
    rows,
)

Shape = Annotated[Literal["disc", "box", "wedge"], PlainValidator(choice("disc", "box", "wedge"))]


class Table(BaseModel):
    """A table of a scenario file: frozen, and every key that it does not know is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def said(self, *keys: str) -> list[str]:
        """Those of the keys that have a value, in the order asked."""
        return [key for key in keys if getattr(self, key) is not None]


def exactly_one(table: Table, keys: tuple[str, ...]) -> str:
    """The one of the keys that a table says; none or several are refused."""
    said = table.said(*keys)
    if not said:
        raise refuse(f"must say one of: {', '.join(keys)}")
    if len(said) > 1:
        raise refuse(f"says {' and '.join(said)}; must say only one of: {', '.join(keys)}")
    return said[0]


class HullSpec(Table):
    """A hull, as far as it differs from the model's own.

    A shape comes with all of its sizes (world units); the mass (kg) may be given alone. None
    stands for the model's default.
    """

    shape: Shape | None = None
    radius: Positive | None = None
    length: Positive | None = None
    width: Positive | None = None
    mass: Positive | None = None

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

    region: Box | None = None
    points: Points | None = None
    circle: Circle | None = None
    object: Name | None = None
    heading: Heading | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        exactly_one(self, SPAWN_KINDS)
        return self

    @property
    def kind(self) -> str:
        """The key that says where: "region", "points", "circle" or "object"."""
        return self.said(*SPAWN_KINDS)[0]


PURSUITS = ("chase", "intercept", "flee", "approach", "follow")
PLACES = ("point", "points", "antipode", "region", "object")
GOAL_KINDS = (*PLACES, *PURSUITS, "route", "routes")


class Goal(Table):
    """What the units of a group want; exactly one kind.

    `tolerance` is in world units, None for the default of one hull radius; `leave` takes a unit
    that arrives out of the world.
    """

    point: Point | None = None
    points: Points | None = None
    antipode: Point | None = None
    region: Box | None = None
    object: Name | None = None
    chase: Name | None = None
    intercept: Name | None = None
    flee: Name | None = None
    approach: Name | None = None
    follow: Name | None = None
    route: Points | None = None
    routes: Routes | None = None
    loop: Flag = False
    tolerance: Positive | None = None
    leave: Flag = False

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        kind = exactly_one(self, GOAL_KINDS)
        if self.loop and kind not in ("route", "routes"):
            raise refuse(f"belongs to a route or routes, not to {kind}", "loop")
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
