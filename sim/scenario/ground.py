"""The table of a scenario file that says what stands still."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from sim.core.limits import MOST_PARTS
from sim.scenario.changes import PartSpec
from sim.scenario.checks import few_enough, refuse, rows
from sim.scenario.parts import Table
from sim.scenario.values import Box, Circle, Edges, Name, Positive, Wall


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
