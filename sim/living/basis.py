"""What a world is made of."""

from __future__ import annotations

from dataclasses import dataclass

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
