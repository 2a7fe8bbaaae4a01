"""A tile map as the rest of the program knows it, whatever file it came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import ArrayLike

from sim.core.arrays import Bools, Floats
from sim.core.errors import BadInput, printable, suggest
from sim.core.limits import LARGEST, SMALLEST, within_reach
from sim.core.plane import Bounds
from sim.core.units import read_only
from sim.maps import outline
from sim.maps.files import MOST_CORNERS


@dataclass(frozen=True)
class MapObject:
    """A named place: kind "point" or "rectangle"; other kinds are known by name, to be refused.

    `box` is left, top, right, bottom in world units; of a point both corners are the same.
    """

    name: str
    kind: str
    box: Bounds

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of it, (x, y)."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2


@dataclass(frozen=True, eq=False)
class TileMap:
    """Which tiles are solid, (rows, columns), and how they lie in the world.

    `tile` is a tile's width and height and `origin` the upper left corner of the map, in world
    units. What lies outside is solid. Raises `BadInput` for a map without tiles or a tile size that
    is not positive, and for walls of too many corners (`limits`).
    """

    solid: Bools
    tile: tuple[float, float] = (1.0, 1.0)
    origin: tuple[float, float] = (0.0, 0.0)
    objects: tuple[MapObject, ...] = ()

    def __post_init__(self) -> None:
        solid = np.array(self.solid, dtype=np.bool_)
        if solid.ndim != 2 or not solid.size:
            raise BadInput(f"tiles: must be rows and columns, at least one; shape {solid.shape}")
        if not (within_reach((*self.tile, *self.origin)) and min(self.tile) >= SMALLEST):
            raise BadInput(
                f"tile = {self.tile}, origin = {self.origin}: must be from {-LARGEST:g} to "
                f"{LARGEST:g}, a tile at least {SMALLEST:g}"
            )
        corners = outline.corners(solid)
        if corners > MOST_CORNERS:
            raise BadInput(
                f"walls of {corners:,} corners: must be at most {MOST_CORNERS:,}; "
                "larger areas of one kind of tile have fewer"
            )
        object.__setattr__(self, "solid", read_only(solid))

    @property
    def rows(self) -> int:
        """Tiles from top to bottom."""
        return len(self.solid)

    @property
    def columns(self) -> int:
        """Tiles from left to right."""
        return len(self.solid[0])

    @property
    def bounds(self) -> Bounds:
        """Left, top, right, bottom in world units."""
        (left, top), (right, bottom) = self.corners([(0, 0), (self.columns, self.rows)]).tolist()
        return left, top, right, bottom

    @cached_property
    def blocks(self) -> Floats:
        """Rectangles of solid tiles that stand alone, (k, 4): left, top, right, bottom."""
        return self._boxes(self._alone)

    @cached_property
    def cores(self) -> Floats:
        """Boxes that cover all other solid tiles, none twice, (k, 4)."""
        return self._boxes(self.solid & ~self._alone)

    @cached_property
    def edges(self) -> Floats:
        """The walls of all that are no blocks, (k, 8), as `outline.edges` has them."""
        found = outline.edges(self.solid & ~self._alone)
        return self.corners(found.reshape(-1, 4, 2)).reshape(-1, 8)

    @property
    def boxes(self) -> Floats:
        """Blocks and cores: all solid tiles, none twice, (k, 4)."""
        return np.concatenate([self.blocks, self.cores])

    @property
    def regions(self) -> list[int]:
        """Sizes in tiles of the parts one can walk about in (not diagonally), largest first."""
        labels, _ = scipy.ndimage.label(~self.solid)
        return sorted(np.bincount(labels.ravel())[1:].tolist(), reverse=True)

    @cached_property
    def _alone(self) -> Bools:
        return outline.alone(self.solid)

    def _boxes(self, solid: Bools) -> Floats:
        return self.corners(outline.boxes(solid).reshape(-1, 2, 2)).reshape(-1, 4)

    def corners(self, tiles: ArrayLike) -> Floats:
        """Corners of tiles (..., 2), as (column, row), in world units."""
        placed: Floats = np.asarray(tiles) * self.tile + np.array(self.origin)
        return placed

    def named(self, name: str, kinds: Sequence[str] = ("point", "rectangle")) -> MapObject:
        """The point or rectangle of that name, or what else it may be.

        Raises `BadInput` if there is none, if there are several, or if it is of another kind.
        """
        found = [each for each in self.objects if each.name == name]
        if not found:
            names = Counter(each.name for each in self.objects)
            raise BadInput(f"the map has no such object; {printable(suggest(name, names))}")
        if len(found) > 1:
            raise BadInput(f"the map has {len(found)} objects of this name; it must be one")
        if found[0].kind not in kinds:
            wanted = " or ".join(kinds)
            raise BadInput(f"is of kind '{found[0].kind}' in the map; must be a {wanted}")
        return found[0]
