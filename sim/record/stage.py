"""What a run was played on and by which units: all that a picture of it needs besides the motion.

It is kept with a recorded run, so that the run can be shown where neither its scenario's map nor
what the command line had changed in it is at hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from sim.core.errors import BadInput, reading, shortened
from sim.core.hull import Hull
from sim.core.pieces import standing, told, understood
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.record.regrouped import Hulls, by_stays
from sim.record.run import Run

if TYPE_CHECKING:
    from sim.group import Group
    from sim.world import World

Part = Literal["own", "leads", "intercepts", "player"]
"""What a group is drawn as: in its own colour, with its leaders marked, or as one of two roles."""


@dataclass(frozen=True)
class Cast:
    """One group: its name, how many units, and how they look."""

    name: str
    count: int
    hull: Hull
    color: str
    part: Part


@dataclass(frozen=True)
class Stage:
    """What stands still, and the units, in the order of their rows."""

    title: str
    plane: Plane
    solids: Solids
    map: TileMap | None
    casts: tuple[Cast, ...]
    standing: Solids = field(default_factory=Solids)
    """What stood there besides, when it was kept, and may come, go or move."""

    @classmethod
    def of(cls, world: World, title: str = "") -> Stage:
        """The stage of a world as it is now."""
        casts, now = tuple(cast_of(group) for group in world.groups), standing(world.pieces)
        return cls(title, world.plane, world.roster.ground.bare, world.map, casts, now)

    @property
    def units(self) -> int:
        """How many units there are."""
        return sum(cast.count for cast in self.casts)

    def text(self) -> str:
        """All of it as one JSON object."""
        tiles = None
        if self.map is not None:
            rows = ["".join("#" if solid else "." for solid in row) for row in self.map.solid]
            tiles = {"rows": rows, "tile": self.map.tile, "origin": self.map.origin}
        whole = {
            "title": self.title,
            "bounds": self.plane.bounds,
            "edges": self.plane.edges,
            "discs": self.solids.discs.tolist(),
            "boxes": self.solids.boxes.tolist(),
            "walls": self.solids.walls.tolist(),
            "standing": told(self.standing),
            "map": tiles,
            "groups": [asdict(replace(c, hull=replace(c.hull, spread=None))) for c in self.casts],
        }
        return json.dumps(whole, allow_nan=False)

    @classmethod
    def read(cls, text: str) -> Stage:
        """What `text` wrote. Raises `BadInput` for anything else."""
        with reading("stage"):
            stage = cls._from(json.loads(text))
            "".join((stage.title, *(cast.name + cast.color for cast in stage.casts))).encode()
            return stage

    @classmethod
    def _from(cls, whole: dict[str, Any]) -> Stage:
        bounds = whole["bounds"]
        plane = Plane(None if bounds is None else _numbers(bounds), whole["edges"])
        solids = Solids.of(whole["discs"], whole["boxes"], whole["walls"])
        casts = [
            Cast(str(c["name"]), _count(c["count"]), Hull(**c["hull"]), str(c["color"]), c["part"])
            for c in whole["groups"]
        ]
        for cast in casts:
            if cast.part not in get_args(Part):
                raise BadInput(f"part {cast.part!r}: must be one of {', '.join(get_args(Part))}")
        now = understood(whole["standing"]) if "standing" in whole else Solids()
        return cls(str(whole["title"]), plane, solids, _tiles(whole["map"]), tuple(casts), now)


def aligned(
    stage: Stage, run: Run, changes: Mapping[int, Hulls] | None = None
) -> tuple[Stage, Run]:
    """A stage and a run whose units stand group by group, however they came in the course of it.

    A unit that `changes` its group, by frame, is one in each. Units that had left before the run
    began are of no group, and left out. Both are as they were where the run has units of other
    groups, or fewer than the stage.
    """
    names = [cast.name for cast in stage.casts]
    run = by_stays(run, names, changes or {})
    counts = [int((run.group == name).sum()) for name in names]
    fewer = any(now < cast.count for now, cast in zip(counts, stage.casts, strict=True))
    here = np.flatnonzero(run.group != "")
    if fewer or sum(counts) != len(here) or len(set(names)) < len(names):
        return stage, run
    number = {name: index for index, name in enumerate(names)}
    order = here[np.argsort([number[name] for name in run.group[here].tolist()], kind="stable")]
    casts = tuple(replace(c, count=n) for c, n in zip(stage.casts, counts, strict=True))
    leads = None if run.leads is None else run.leads[:, order]
    return replace(stage, casts=casts), replace(
        run, position=run.position[:, order], angle=run.angle[:, order], group=run.group[order],
        leads=leads, radius=None if run.radius is None else run.radius[order],
    )  # fmt: skip


def cast_of(group: Group) -> Cast:
    """How a group looks now."""
    return Cast(group.name, len(group), group.hull, group.color, _part(group))


def _part(group: Group) -> Part:
    """What a group is drawn as (rules A11, A12).

    Leading means something in a flock; with its flocking off each leads, which shows while it
    chases.
    """
    if group.model.name == "player":
        return "player"
    if group.goal is not None and group.goal.kind == "intercept":
        return "intercepts"
    chases = group.goal is not None and group.goal.kind == "chase" and "pursuit" not in group.muted
    led = group.leader_sight is not None or (group.model.leader is not None and chases)
    return "leads" if led else "own"


def _tiles(kept: dict[str, Any] | None) -> TileMap | None:
    if kept is None:
        return None
    solid = np.array([[tile == "#" for tile in row] for row in kept["rows"]], np.bool_)
    width, height = kept["tile"]
    left, top = kept["origin"]
    return TileMap(solid, (float(width), float(height)), (float(left), float(top)))


def _numbers(values: Sequence[Any]) -> tuple[float, float, float, float]:
    left, top, right, bottom = map(float, values)
    return left, top, right, bottom


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadInput(f"count = {shortened(value)}: must be a whole number, 0 or more")
    return value
