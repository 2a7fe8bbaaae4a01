"""What is read of a Tiled map, in the words of Tiled's JSON format; everything else is passed over.

Format: Tiled 1.11 manual, "JSON Map Format". Values that Tiled leaves out have its defaults.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, FailFast, Field

from sim.maps.files import FARTHEST, LARGEST

Extent = Annotated[int, Field(ge=1, le=FARTHEST)]
Place = Annotated[int, Field(ge=-FARTHEST, le=FARTHEST)]
Coordinate = Annotated[float, Field(ge=-LARGEST, le=LARGEST, allow_inf_nan=False)]
Size = Annotated[float, Field(ge=0, le=LARGEST, allow_inf_nan=False)]
Number = Annotated[int, Field(ge=0, lt=2**28)]

Item = TypeVar("Item")
Many = Annotated[tuple[Item, ...], FailFast()]
"""Any number; what is wrong with a million of them is told for the first."""

SOLID = "solid"


class Part(BaseModel):
    """A table of the file; keys that are not read here may be there."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Property(Part):
    """A custom property."""

    name: str
    value: Any = None

    @property
    def is_true(self) -> bool:
        """Whether it says yes: true, a number other than 0, or the text "true"."""
        if isinstance(self.value, str):
            return self.value.strip().casefold() in ("true", "1")
        return isinstance(self.value, bool | int | float) and bool(self.value)


class Owner(Part):
    """What may have properties."""

    properties: Many[Property] = ()

    @property
    def says_solid(self) -> bool | None:
        """What its property "solid" says; None without one."""
        said = [each.is_true for each in self.properties if each.name.casefold() == SOLID]
        return said[-1] if said else None


class Tile(Owner):
    """A tile of a tileset that has something to say."""

    id: Number


class Tileset(Part):
    """A tileset, or where it is to be found."""

    firstgid: Annotated[int, Field(ge=1, lt=2**28)] = 1
    source: str | None = None
    tilecount: Number | None = None
    tiles: Many[Tile] = ()


class Chunk(Part):
    """A part of a layer of an infinite map; x, y, width, height in tiles."""

    x: Place
    y: Place
    width: Extent
    height: Extent
    data: Any


class Object(Part):
    """An object of an object layer, in world units from the layer's corner."""

    name: str = ""
    x: Coordinate = 0.0
    y: Coordinate = 0.0
    width: Size = 0.0
    height: Size = 0.0
    rotation: Coordinate = 0.0
    gid: Any = None
    point: Any = None
    ellipse: Any = None
    capsule: Any = None
    polygon: Any = None
    polyline: Any = None
    text: Any = None

    @property
    def kind(self) -> str:
        """Tiled's name for its shape; one that can be used is "point" or "rectangle"."""
        for kind in ("ellipse", "capsule", "polygon", "polyline", "text"):
            if getattr(self, kind):
                return kind
        if self.point or not (self.width or self.height):
            return "point"
        return "rectangle" if self.rotation == 0 else "rotated rectangle"


class Layer(Owner):
    """A layer of any type, or a group of layers."""

    type: str = "tilelayer"
    name: str = ""
    class_: Annotated[str, Field(alias="class")] = ""
    offsetx: Coordinate = 0.0
    offsety: Coordinate = 0.0
    width: Extent | None = None
    height: Extent | None = None
    encoding: str | None = None
    compression: str | None = None
    data: Any = None
    chunks: Many[Chunk] = ()
    objects: Many[Object] = ()
    layers: Many[Layer] = ()


class TiledMap(Part):
    """A whole map."""

    orientation: str = "orthogonal"
    width: Extent
    height: Extent
    tilewidth: Extent
    tileheight: Extent
    infinite: bool = False
    tilesets: Many[Tileset] = ()
    layers: Many[Layer]
