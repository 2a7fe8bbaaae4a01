"""What a world is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap


@dataclass(frozen=True)
class Basis:
    """What a world is made of and keeps for good."""

    seed: int
    time_step: float
    """Seconds."""
    plane: Plane
    map: TileMap | None
    added: Solids
    """What was added to the map, and to what the space held."""
    neighbour_search: str
    contact_cells: bool

    @property
    def shown(self) -> Mapping[str, Any]:
        """All of it by name, for others to read."""
        added, plane = self.added.shown, self.plane.shown
        return MappingProxyType({**vars(self), "added": added, "plane": plane})
