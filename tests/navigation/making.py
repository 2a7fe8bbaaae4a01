"""Grounds to plan on, and slow ways to find out what is right."""

import heapq
from itertools import pairwise
from math import hypot

import numpy as np

from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.maps import TileMap
from sim.navigation import planning_grid
from sim.study.bench_paths import rooms

__all__ = [
    "OPEN", "clearance", "clearances", "noise", "on_tiles", "places", "rooms", "shortest",
    "tile_map",
]  # fmt: skip

OPEN = Plane()


def tile_map(rows, tile=1.0):
    """A map from a picture: '#' is solid."""
    return TileMap(np.array([[each == "#" for each in row] for row in rows]), (tile, tile))


def noise(size, seed, share=0.3):
    """Tiles that are solid by chance."""
    return np.random.default_rng(seed).random((size, size)) < share


def on_tiles(tiles, radius, tile=1.0):
    """The planning grid, solids and plane of a map."""
    if not isinstance(tiles, TileMap):
        tiles = TileMap(tiles, (tile, tile))
    ground, plane = Solids(boxes=tiles.boxes), Plane(tiles.bounds, "wall")
    return planning_grid(ground, plane, radius, tiles), ground, plane


def places(grid, mask=None):
    """Where the nodes of a mask (rows, columns) lie, (k, 2); all walkable ones by default."""
    rows, columns = np.nonzero(grid.free if mask is None else mask)
    return grid.origin + np.stack([columns, rows], axis=1) * grid.step


def clearance(points, ground, plane, apart=0.01):
    """The least distance from all solids anywhere along a polyline."""
    points = np.asarray(points)
    parts = []
    for a, b in pairwise(points):
        count = int(np.ceil(hypot(*(b - a)) / apart)) + 1
        parts.append(a + np.linspace(0, 1, count + 1)[:, None] * (b - a))
    return -ground.depth(np.concatenate(parts), plane).max()


def clearances(starts, ends, ground, plane, apart=0.01):
    """The least distance from all solids anywhere along each of many straight lines, (n,)."""
    ways = np.asarray(ends) - starts
    count = int(np.ceil(np.hypot(*ways.T).max(initial=0.0) / apart)) + 1
    along = np.asarray(starts)[:, None] + np.linspace(0, 1, count + 1)[:, None] * ways[:, None]
    return -ground.depth(along.reshape(-1, 2), plane).reshape(along.shape[:2]).max(axis=1)


def shortest(tiles, start, goal):
    """Length in tiles between two free tiles (row, column), by eight directions.

    The plainest way to say it: a diagonal step needs both tiles beside it free. Infinite if there
    is no way.
    """
    free = ~np.pad(tiles, 1, constant_values=True)
    start, goal = (start[0] + 1, start[1] + 1), (goal[0] + 1, goal[1] + 1)
    best, heap = {start: 0.0}, [(0.0, start)]
    while heap:
        length, (y, x) = heapq.heappop(heap)
        if (y, x) == goal:
            return length
        if length > best[y, x]:
            continue
        for v in (-1, 0, 1):
            for u in (-1, 0, 1):
                there = (y + v, x + u)
                if free[there] and free[y + v, x] and free[y, x + u]:
                    new = length + hypot(u, v)
                    if new < best.get(there, np.inf):
                        best[there] = new
                        heapq.heappush(heap, (new, there))
    return np.inf
