"""The planning grid: where a hull of a given radius has room, and which ways lead on.

Nodes lie on a lattice; a node is walkable where its distance from every solid is at least the
radius, and two neighbours are joined where the whole straight way between them is. Both are
measured exactly, not by counting cells, so a hull fits through a corridor just as wide as itself
and no diagonal cuts a corner. A hull is its radius here: half the shorter side of one with corners.

On tile maps the lattice holds the middles of the tiles, and their corners too where it is finer: so
it has a line of nodes along the middle of every corridor. Elsewhere it covers the solids, and
passages wider than the hull by a step or more are sure to be found. What lies beyond is open. On a
torus it covers all there is, and closes at the seams (`wrapping`).
"""

from __future__ import annotations

from math import ceil, floor, sqrt
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from sim.core.arrays import Bools, Floats, Ints
from sim.core.compiled import leaf_and_function
from sim.core.errors import BadInput
from sim.core.limits import SMALLEST, positive
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.navigation.distances import WIDTH, extents, solid_rows
from sim.navigation.marking import Bytes, Marking, mark, near_cells
from sim.navigation.regions import regions
from sim.navigation.wrapping import close, gaps, with_images

GRAZE = 1e-9
"""A hull may graze a solid: it is in the way from this share of the radius inward."""
FINE = 0.25
"""Step of the lattice on a plane, hull radii, unless that takes too many nodes."""
FINE_TILE, MOST_PARTS = 0.5, 8
"""Least step on a tile map, hull radii, and the most steps a tile."""
LEAST_ROUND = 4
"""Nodes at least each way round a torus: a unit looks two steps round itself."""
MOST_NODES = 300_000
"""Nodes at most, but for one a tile (or two, for hulls wider than a tile), which it takes."""

MOST_NEAR = 100_000_000
"""Cells times solids near to each."""


class Grid(NamedTuple):
    """A planning grid as arrays, what kernels take. Make one with `planning_grid`.

    Node (column x, row y) lies at origin + (x, y) * step; there are one fewer cells than nodes each
    way. Lengths are in world units.
    """

    origin: Floats
    """(2,) the first node."""
    step: Floats
    """(2,) between neighbouring nodes."""
    free: Bytes
    """(rows, columns) 1 where a hull has room."""
    exits: Bytes
    """(rows, columns) bit k: a straight way to neighbour k, clockwise from east."""
    label: NDArray[np.int32]
    """(rows, columns) number of the part it hangs together with; -1 without room."""
    gap: NDArray[np.int32]
    """(rows - 1, columns - 1) how many cells off, diagonals counting one, the nearest cell is that
    is not clear: where a hull has not room all over. 0 for such a cell itself."""
    first: Ints
    items: Ints
    """Solids near cell c, in rows of cells: items[first[c]:first[c + 1]]."""
    solids: Floats
    """(k, 8) as in `distances`."""
    bounds: Floats
    """(4,) left, top, right, bottom: outside all is solid; infinite where it is open."""
    radius: float
    """Of the hull."""
    period: Floats
    """(2,) width and height of a torus; zeros where nothing wraps. See `wrapping`."""


@leaf_and_function
def place_of(grid: Grid, node: int) -> tuple[float, float]:
    """Where a node lies; nodes are numbered row by row."""
    nx = grid.free.shape[1]
    return grid.origin[0] + node % nx * grid.step[0], grid.origin[1] + node // nx * grid.step[1]


def same_lattice(a: Grid, b: Grid) -> bool:
    """Whether the nodes of two grids lie at the same places."""
    alike = a.free.shape == b.free.shape
    return alike and bool((a.origin == b.origin).all() and (a.step == b.step).all())


def _empty() -> Grid:
    """The grid of a plane on which nothing is solid: one cell, no solids."""
    here, free, cell = np.zeros(2), np.ones((2, 2), np.uint8), np.full((1, 1), 1, np.int32)
    nothing, ends = np.zeros((0, WIDTH)), np.array([-np.inf, -np.inf, np.inf, np.inf])
    label, none = np.zeros((2, 2), np.int32), np.zeros(0, np.int64)
    return Grid(
        here, here + 1, free, free, label, cell, np.zeros(2, np.int64), none, nothing, ends, 1.0,
        np.zeros(2),
    )  # fmt: skip


NOWHERE = Solids()
NOTHING_SOLID = _empty()
"""For callers that ask where nothing is planned."""


def planning_grid(
    solids: Solids,
    plane: Plane,
    radius: float,
    tiles: TileMap | None = None,
    cover: Solids = NOWHERE,
) -> Grid:
    """The grid for hulls of a radius among solids on a plane; `tiles` if they are a tile map's.

    It also covers where `cover` lies, which is nothing solid. Raises `BadInput` for a radius that
    no hull has.
    """
    radius, rows = positive(radius, "radius", SMALLEST / 2), solid_rows(solids)
    bounds = _bounds(plane)
    covered = np.concatenate([rows, solid_rows(cover)])
    origin, step, columns, lines = lattice(covered, plane, radius, tiles)
    if plane.wraps and tiles is None:
        rows = with_images(rows, origin, plane.size, 2 * radius + float(step.max()))
    limit = radius * (1 - GRAZE)
    _check_work(rows, origin, step, np.array([columns, lines]) - 1, radius)
    first, items = near_cells(origin, step, columns - 1, lines - 1, rows, limit)
    free, exits = np.zeros((2, lines, columns), np.uint8)
    mark(Marking(origin, step, rows, bounds, limit, first, items), free, exits)
    if plane.wraps:
        close(free, exits)
    label = np.empty((lines, columns), np.int32)
    regions(free, exits, label, plane.wraps)
    gap = clear_gap(first, (lines, columns), origin, step, bounds, limit, plane.wraps)
    return Grid(
        origin, step, free, exits, label, gap, first, items, rows, bounds, radius, plane.size
    )  # fmt: skip


def lattice(
    solids: Floats, plane: Plane, radius: float, tiles: TileMap | None
) -> tuple[Floats, Floats, int, int]:
    """Origin, step, columns and rows of the nodes for hulls of a radius among solids (k, 8)."""
    if tiles is not None:
        return _on_tiles(tiles, radius)
    if plane.wraps:
        return _on_torus(plane, radius)
    return _on_plane(solids, _bounds(plane), radius)


def clear_gap(
    first: Ints, nodes: tuple[int, int], origin: Floats, step: Floats, bounds: Floats,
    limit: float, wraps: bool,
) -> NDArray[np.int32]:  # fmt: skip
    """`Grid.gap` for the cells between `nodes`, rows and columns, with lists from `first`."""
    rows, columns = nodes[0] - 1, nodes[1] - 1
    clear = (np.diff(first) == 0).reshape(rows, columns)
    clear &= _inside(origin, step, columns, rows, bounds, limit)
    return _gap(clear, wraps)


def _bounds(plane: Plane) -> Floats:
    """Left, top, right, bottom of a walled plane; infinite where it is open."""
    return np.array(plane.walls or (-np.inf, -np.inf, np.inf, np.inf), dtype=float)


def _check_work(solids: Floats, origin: Floats, step: Floats, cells: Ints, radius: float) -> None:
    """Raise `BadInput` for a hull so large that too many solids are near to too many cells."""
    low, high = ((ends - origin) / step for ends in extents(solids, radius))
    across = np.clip(high + 2, 0, cells) - np.clip(low - 2, 0, cells)
    if across.prod(axis=1).sum() > MOST_NEAR:
        raise BadInput(
            f"radius = {radius:g}: so large a hull is near to most of the {len(solids):,} solids "
            "wherever it is; no way is planned for it"
        )


def _on_tiles(tiles: TileMap, radius: float) -> tuple[Floats, Floats, int, int]:
    """Origin, step, columns and rows of the lattice of a tile map."""
    size = np.array(tiles.tile, dtype=float)
    parts = 2 * min(MOST_PARTS // 2, floor(size.min() / (2 * FINE_TILE * radius) + GRAZE))
    while parts > 1 and (tiles.columns * parts + 1) * (tiles.rows * parts + 1) > MOST_NODES:
        parts -= 2
    if parts < 2:
        parts = 2 if 2 * radius > size.min() * (1 + GRAZE) else 1
    origin = np.array(tiles.origin, dtype=float)
    if parts > 1:
        return origin, size / parts, tiles.columns * parts + 1, tiles.rows * parts + 1
    return origin - size / 2, size, tiles.columns + 2, tiles.rows + 2


def _on_plane(solids: Floats, bounds: Floats, radius: float) -> tuple[Floats, Floats, int, int]:
    """Origin, step, columns and rows of a lattice that covers solids (k, 8), and a little more."""
    if not len(solids):
        middle = np.clip(0.0, bounds[:2], bounds[2:])
        return middle - radius, np.full(2, 2 * radius), 2, 2
    low, high = extents(solids, 2 * radius)
    low = np.maximum(low.min(axis=0), bounds[:2])
    high = np.minimum(high.max(axis=0), bounds[2:])
    size = np.maximum(high - low, radius)
    few = sqrt(float(size[0] * size[1]) / MOST_NODES)
    step = max(FINE * radius, few, float(size.sum()) / MOST_NODES)
    counts = [ceil(side / step - GRAZE) for side in size.tolist()]
    return low, size / counts, counts[0] + 1, counts[1] + 1


def _on_torus(plane: Plane, radius: float) -> tuple[Floats, Floats, int, int]:
    """Origin, step, columns and rows of a lattice that covers a torus, its seams twice."""
    size = plane.size
    few = sqrt(float(size[0] * size[1]) / MOST_NODES)
    step = max(FINE * radius, few, LEAST_ROUND * float(size.sum()) / MOST_NODES)
    counts = [max(ceil(side / step - GRAZE), LEAST_ROUND) for side in size.tolist()]
    return plane.origin, size / counts, counts[0] + 1, counts[1] + 1


def _gap(clear: Bools, wraps: bool) -> NDArray[np.int32]:
    """How far, in cells, each is from the cells that are not clear."""
    if clear.all():
        return np.full(clear.shape, sum(clear.shape), np.int32)
    if wraps:
        return gaps(clear)
    return np.asarray(scipy.ndimage.distance_transform_cdt(clear, "chessboard"), np.int32)


def _inside(
    origin: Floats, step: Floats, columns: int, rows: int, bounds: Floats, limit: float
) -> Bools:
    """(rows, columns) whether a cell lies so far inside the bounds."""
    x, y = (origin[k] + np.arange(n) * step[k] for k, n in enumerate((columns, rows)))
    across = (x - bounds[0] >= limit) & (bounds[2] - x - step[0] >= limit)
    down = (y - bounds[1] >= limit) & (bounds[3] - y - step[1] >= limit)
    found: Bools = down[:, None] & across
    return found
