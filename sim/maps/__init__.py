"""Tile maps: which tiles are solid, the walls round them, and named places."""

from sim.maps.read import read
from sim.maps.tile_map import MapObject, TileMap

__all__ = ["MapObject", "TileMap", "read"]
