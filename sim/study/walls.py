"""Units and solids: overlaps, contacts, and centres that get through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.overlap import Turned, core_distance, least_along
from sim.core.pieces import Piece
from sim.core.plane import Bounds
from sim.core.shared_cache import njit
from sim.study.contacts import BEGINS
from sim.study.frame import Frame, Observer
from sim.study.pairs import on_tile
from sim.study.setting import Setting
from sim.study.solids import BOX, DISC, Grid, Pieces, Shapes
from sim.study.travel import Travel


@njit(cache=True, error_model="numpy")
def enters_disc(
    x: float, y: float, dx: float, dy: float, cx: float, cy: float, radius: float
) -> bool:
    """Whether a step (dx, dy) from (x, y), outside a disc, comes inside it on its way."""
    px, py = x - cx, y - cy
    if px * px + py * py < radius * radius:
        return False
    square = dx * dx + dy * dy
    along = min(1.0, max(0.0, -(px * dx + py * dy) / square)) if square > 0 else 0.0
    px, py = px + along * dx, py + along * dy
    return bool(px * px + py * py < radius * radius)


@njit(cache=True, error_model="numpy")
def enters_box(
    x: float, y: float, dx: float, dy: float, left: float, top: float, right: float, bottom: float
) -> bool:
    """Whether a step from outside the open box comes inside it on its way (clipped by slabs)."""
    if left < x < right and top < y < bottom:
        return False
    begin, end = 0.0, 1.0
    for p, d, low, high in ((x, dx, left, right), (y, dy, top, bottom)):
        if d == 0:
            if not low < p < high:
                return False
            continue
        a, b = (low - p) / d, (high - p) / d
        begin, end = max(begin, min(a, b)), min(end, max(a, b))
    return begin < end


@njit(cache=True, error_model="numpy")
def crosses_segment(
    x: float, y: float, dx: float, dy: float, x1: float, y1: float, x2: float, y2: float
) -> bool:
    """Whether a step changes sides of a wall between its ends; a wall's points have one side."""
    ex, ey = x2 - x1, y2 - y1
    before = ex * (y - y1) - ey * (x - x1)
    after = ex * (y + dy - y1) - ey * (x + dx - x1)
    if (before >= 0) == (after >= 0):
        return False
    share = before / (before - after)
    along = (x + share * dx - x1) * ex + (y + share * dy - y1) * ey
    return bool(0 <= along <= ex * ex + ey * ey)


@njit(cache=True, error_model="numpy")
def goes_through(
    x: float, y: float, dx: float, dy: float, core: Floats, kind: int, rounding: float
) -> bool:
    """Whether a step crosses or enters one solid."""
    if kind == DISC:
        return enters_disc(x, y, dx, dy, core[0, 0], core[0, 1], rounding)
    if kind == BOX:
        return enters_box(x, y, dx, dy, core[0, 0], core[0, 1], core[2, 0], core[2, 1])
    return crosses_segment(x, y, dx, dy, core[0, 0], core[0, 1], core[1, 0], core[1, 1])


class Moves(NamedTuple):
    """Where N units have come by a step, and how."""

    position: Floats
    """(N, 2)."""
    moved: Floats
    """(N, 2) the step."""
    present: Bools
    """(N,)."""
    size: Floats
    """(2,) of a torus; 0 does not wrap."""


@njit(cache=True, error_model="numpy")
def meet_solids(
    moves: Moves, reach: Floats, margin: float, hulls: Turned, shapes: Shapes, grid: Grid,
    depth: Floats, through: Bools,
) -> None:  # fmt: skip
    """Deepen `depth` (N,) to the deepest overlap; set `through` (N,) where a solid is crossed."""
    size, low, high, counts = moves.size, shapes.low, shapes.high, grid.counts
    for i in range(len(moves.position)):
        if not moves.present[i]:
            continue
        x, y = on_tile(moves.position[i, 0], moves.position[i, 1], size)
        dx, dy = moves.moved[i, 0], moves.moved[i, 1]
        far = dx * dx + dy * dy > margin * margin  # a leap: look at all of them
        begin, end = 0, len(shapes.kind)
        if not far:
            cx = np.floor((x - grid.origin[0]) / grid.cell)
            cy = np.floor((y - grid.origin[1]) / grid.cell)
            if not (0 <= cx < counts[0] and 0 <= cy < counts[1]):
                continue
            here = int(cy) * counts[0] + int(cx)
            begin, end = grid.first[here], grid.first[here + 1]
        for at in range(begin, end):
            s = at if far else grid.items[at]
            core, kind, rounding = shapes.corners[s], shapes.kind[s], shapes.rounding[s]
            if not through[i]:
                through[i] = goes_through(x - dx, y - dy, dx, dy, core, kind, rounding)
            if (
                x + reach[i] < low[s, 0] or x - reach[i] > high[s, 0]
                or y + reach[i] < low[s, 1] or y - reach[i] > high[s, 1]
            ):  # fmt: skip
                continue
            both = hulls.rounding[i] + rounding
            apart = core_distance(hulls.corners[i], hulls.count[i], core, kind, -x, -y, both)
            depth[i] = max(depth[i], both - apart)


@njit(cache=True, error_model="numpy")
def meet_bounds(moves: Moves, bounds: Bounds, hulls: Turned, depth: Floats, through: Bools) -> None:
    """The same for bounds that are walls: four half-planes."""
    left, top, right, bottom = bounds
    for i in range(len(moves.position)):
        if not moves.present[i]:
            continue
        x, y = moves.position[i, 0], moves.position[i, 1]
        for nx, ny, least in (
            (1.0, 0.0, left), (-1.0, 0.0, -right), (0.0, 1.0, top), (0.0, -1.0, -bottom),
        ):  # fmt: skip
            now = nx * x + ny * y
            before = now - nx * moves.moved[i, 0] - ny * moves.moved[i, 1]
            through[i] = through[i] or (before >= least) != (now >= least)
            edge = least_along(hulls.corners[i], hulls.count[i], x, y, nx, ny) - hulls.rounding[i]
            depth[i] = max(depth[i], least - edge)


@njit(cache=True, error_model="numpy")
def wall_contacts(
    depth: Floats, radius: Floats, through: Bools,
    touching: Bools, contacts: Ints, crossings: Ints, deepest: Floats,
) -> None:  # fmt: skip
    """Turn one frame's depths and crossings into the running counts, all (N,)."""
    for i in range(len(depth)):
        share = depth[i] / radius[i]
        crossings[i] += through[i]
        deepest[i] = max(deepest[i], share)
        began = share > BEGINS and not touching[i]
        contacts[i] += began
        touching[i] = began or (touching[i] and share > 0)


class Walls(Observer):
    """Per unit, all (N,): `crossings`, `deepest` overlap as a share of the hull radius, `contacts`.

    A crossing is a step in which the centre changes sides of a wall segment or of the bounds (where
    edges are walls), or comes from outside a solid disc or box into or through it; one step is at
    most one crossing. A segment has no thickness: a hull overlaps it by the least translation that
    takes the hull off it. A unit is in contact with walls from an overlap above 0.002 of its radius
    until it overlaps none, whichever pieces a map makes its walls of. Parts of the ground count
    where they are at each frame, and what they do between two as their motion.
    """

    columns: ClassVar = {
        "_depth": 0.0, "_through": False, "_touching": False, "crossings": 0, "contacts": 0,
        "deepest": 0.0,
    }  # fmt: skip

    def __init__(self, setting: Setting, travel: Travel) -> None:
        n = len(setting)
        super().__init__(setting)
        self._travel = travel
        self._bounds: Bounds | None = setting.bounds
        if self._bounds is not None:
            self._bounds = tuple(float(edge) for edge in self._bounds)  # type: ignore[assignment]
        self._shapes = Shapes.of(setting.solids, setting.size)
        self._lay_grid()
        self._pieces = Pieces()
        self._depth, self._through = np.zeros(n), np.zeros(n, dtype=np.bool_)
        self._touching = np.zeros(n, dtype=np.bool_)
        self.crossings, self.contacts = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        self.deepest = np.zeros(n)

    def _lay_grid(self) -> None:
        self._margin = 2 * float(self._setting.reach.max(initial=0.0))
        some = len(self._shapes.kind) and len(self._setting)
        self._grid = Grid.of(self._shapes, self._margin) if some else None

    def follow(self, setting: Setting, old_rows: Ints) -> None:
        """Units came: those of a new setting have these old rows, -1 for new ones."""
        super().follow(setting, old_rows)
        if 2 * float(setting.reach.max(initial=0.0)) > self._margin:
            self._lay_grid()

    def stand(self, pieces: Sequence[Piece]) -> None:
        """From the next frame on these are besides what never changes, open or closed."""
        self._pieces.stand(pieces)

    def observe(self, frame: Frame) -> None:
        """Take in the next frame, after `travel` has."""
        if self._grid is None and self._bounds is None and self._pieces.none:
            return
        self._depth[:], self._through[:] = 0.0, False
        setting, hulls, moved = self._setting, frame.hulls, self._travel.done.moved
        solid = [] if self._grid is None else [(self._shapes, self._grid, moved)]
        solid += self._pieces.met(setting.size, self._margin, frame.position, moved)
        for shapes, grid, motion in solid:
            moves = Moves(frame.position, motion, frame.present, setting.size)
            meet_solids(
                moves, setting.reach, self._margin, hulls, shapes, grid, self._depth, self._through
            )
        if self._bounds is not None:
            moves = Moves(frame.position, moved, frame.present, setting.size)
            meet_bounds(moves, self._bounds, hulls, self._depth, self._through)
        wall_contacts(
            self._depth, setting.radius, self._through, self._touching,
            self.contacts, self.crossings, self.deepest,
        )  # fmt: skip
