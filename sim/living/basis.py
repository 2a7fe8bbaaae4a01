"""What a world is made of, and what changes what cannot be set of it."""

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


MADE = "give it to World(...)"
BY_STEPS = "it follows from the steps taken"
CHANGED_BY = {
    **dict.fromkeys(("seed", "time_step", "map", "space"), MADE),
    **dict.fromkeys(("plane", "bounds", "edges"), "give World(...) bounds and edges"),
    "groups": "use add_group",
    "solids": "use add_solid", "parts": "use add_solid", "areas": "use add_area and remove_area",
    "agenda": "use at, or agenda.sources", "time": BY_STEPS, "steps": BY_STEPS,
    "units": "use add_group, remove and the goals of groups",
    **dict.fromkeys(("roster", "site", "looking"), "it is the world's own"),
}  # fmt: skip
"""By attribute of a world."""
