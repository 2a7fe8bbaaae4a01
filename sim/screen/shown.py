"""What can be shown: a world, or a recorded run at one moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sim.core.arrays import Bools, Floats, Ints
from sim.core.hull import Hull
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.core.units import Units
from sim.maps.tile_map import TileMap
from sim.navigation.areas import Area


class ShownGroup(Protocol):
    """A group that is painted: n units in rows that follow one another."""

    def __len__(self) -> int:
        """How many units it has."""

    @property
    def rows(self) -> slice:
        """Their rows."""

    @property
    def hull(self) -> Hull:
        """Their hull."""

    @property
    def radii(self) -> Floats:
        """(n,) the radius of each hull, world units."""

    @property
    def same_size(self) -> bool:
        """Whether all hulls are alike."""

    @property
    def leads(self) -> Bools:
        """(n,) which units lead."""


class Shown(Protocol):
    """What a picture shows, and a film of pictures."""

    @property
    def plane(self) -> Plane:
        """The plane that it is on."""

    @property
    def solids(self) -> Solids:
        """All solids now."""

    @property
    def areas(self) -> Sequence[Area]:
        """Ground on which units are slower, or faster."""

    @property
    def map(self) -> TileMap | None:
        """The map of tiles, if there is one."""

    @property
    def groups(self) -> Sequence[ShownGroup]:
        """All groups, in the order of their rows."""

    @property
    def units(self) -> Units:
        """The state of all units now."""

    @property
    def ids(self) -> Ints:
        """(N,) the id of each unit: the same array as long as there are the same units."""

    @property
    def time(self) -> float:
        """Seconds of the run."""

    @property
    def time_step(self) -> float:
        """Seconds from one state to the next."""
