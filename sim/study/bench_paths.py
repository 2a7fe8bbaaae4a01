"""What planning costs: ways and flow fields on a large map of rooms.

The map is made here: square rooms behind walls one tile thick, most of them with a door one tile
wide, for hulls just as wide. Ways lead between free tiles drawn at random.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from sim.core.arrays import Bools
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.navigation import flow_field, plan, planning_grid
from sim.study.bench_blocks import Spread

TILES, ROOM = 512, 16
"""Tiles a side, and from wall to wall."""
DOORS = 0.8
"""Share of walls between two rooms that have a door."""
WAYS, FIELDS, UNITS = 60, 7, 5_000
"""Ways, fields, and units that ask a field, that are timed."""
RADIUS = 0.5
"""Of the hull, in tiles."""
PATH_MS, FIELD_MS = 50.0, 250.0
"""What they may cost on 512 x 512 tiles."""


@dataclass(frozen=True)
class PathReport:
    """What planning on one map costs, in milliseconds."""

    tiles: int
    nodes: int
    grid_ms: float
    """The planning grid, made once for each size of hull."""
    path_ms: Spread
    found: int
    """Ways, of all asked for, that exist."""
    ways: int
    field_ms: Spread
    ask_ms: Spread
    """All units once."""
    units: int

    @property
    def path_ratio(self) -> float:
        """The slowest way over what it may cost."""
        return self.path_ms.high / PATH_MS

    @property
    def field_ratio(self) -> float:
        """The slowest field over what it may cost."""
        return self.field_ms.high / FIELD_MS

    def as_json(self) -> dict[str, Any]:
        """All of it under plain keys."""
        spreads = {
            name: vars(each) for name, each in vars(self).items() if isinstance(each, Spread)
        }
        return {
            **vars(self), **spreads,
            "path_ratio": self.path_ratio, "field_ratio": self.field_ratio,
        }  # fmt: skip


def rooms(size: int, room: int = ROOM, seed: int = 1) -> Bools:
    """Which tiles of a map of rooms are solid, (size, size)."""
    rng = np.random.default_rng(seed)
    tiles = np.zeros((size, size), np.bool_)
    tiles[::room], tiles[:, ::room] = True, True
    for y in range(0, size, room):
        for x in range(0, size, room):
            across, down = rng.integers(1, room, 2)
            if rng.random() < DOORS and y and x + across < size:
                tiles[y, x + across] = False
            if rng.random() < DOORS and x and y + down < size:
                tiles[y + down, x] = False
    tiles[-1] = tiles[:, -1] = True
    return tiles


def measure_paths(tiles: int = TILES, ways: int = WAYS, fields: int = FIELDS) -> PathReport:
    """Time ways, fields and a crowd that asks a field, after one of each that compiles."""
    ground = TileMap(rooms(tiles))
    solids, plane = Solids(boxes=ground.boxes), Plane(ground.bounds, "wall")
    make = partial(planning_grid, solids, plane, RADIUS, ground)
    make()
    grid_s, grid = _timed(make)
    free = ground.corners(np.argwhere(~ground.solid)[:, ::-1] + 0.5)
    rng = np.random.default_rng(2)
    ends = free[rng.integers(len(free), size=(ways + 1, 2))]
    planned = [_timed(partial(plan, grid, *pair)) for pair in ends]
    at = free[rng.integers(len(free), size=fields + 1)]
    made = [_timed(partial(flow_field, grid, place)) for place in at]
    crowd = free[rng.integers(len(free), size=UNITS)]
    asked = [_timed(partial(field.sample, crowd)) for _, field in made]
    return PathReport(
        tiles, grid.free.size, grid_s * 1e3,
        _spread(planned), sum(path.found for _, path in planned[1:]), ways,
        _spread(made), _spread(asked), UNITS,
    )  # fmt: skip


def format_paths(report: PathReport) -> str:
    """A report in a few lines."""

    def ms(value: float) -> str:
        return f"{value:.1f}"

    return "\n".join(
        [
            f"{report.tiles} x {report.tiles} tiles of rooms, {report.nodes:,} nodes; "
            f"median (least - greatest), ms",
            f"  planning grid  {report.grid_ms:.1f}, once for each size of hull",
            f"  path           {report.path_ms.show(ms)}, {report.found} of {report.ways} exist; "
            f"slowest / {PATH_MS:g} ms = {report.path_ratio:.2f}",
            f"  flow field     {report.field_ms.show(ms)}; "
            f"slowest / {FIELD_MS:g} ms = {report.field_ratio:.2f}",
            f"  {report.units:,} units ask {report.ask_ms.show(ms)}",
        ]
    )


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begun = perf_counter()
    result = work()
    return perf_counter() - begun, result


def _spread(timed: list[tuple[float, Any]]) -> Spread:
    """Milliseconds of all but the first, which compiled."""
    return Spread.of([seconds * 1e3 for seconds, _ in timed[1:]])
