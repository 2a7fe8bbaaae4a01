"""Leaders: the units that see no other ahead of them (rule A12)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.cells import Cells, sort_into_cells
from sim.core.compiled import Kernel, leaf
from sim.core.geometry import floored, nearest_image, periods, to_own_frame
from sim.core.plane import Plane
from sim.core.units import Units
from sim.perception.views import in_view

RINGS = 12
"""Cells are this many times narrower than the view is long: most find a unit in the first two."""


class Leaders:
    """Units that see none to follow, from one snapshot: sorted once for views of one length."""

    def __init__(self, units: Units, plane: Plane) -> None:
        self.units, self._plane = units, plane
        self._cells: dict[float, Cells] = {}

    def unled(
        self, rows: slice, view: tuple[int, float, float], mates: Bools, pursued: Pursued
    ) -> Bools:
        """Which units of some rows see no unit to follow: none whose group is a mate, (n,).

        The view has a shape, a factor and a reach in world units; `mates` is (G,). A unit with a
        quarry follows mates alone that are nearer to it than itself, or at it. One seen is enough,
        so none is counted: each looks round ring by ring, and stops at the first.
        """
        units, width = self.units, view[2] / RINGS
        if width not in self._cells:
            self._cells[width] = sort_into_cells(units, self._plane, width)
        cells, out = self._cells[width], np.zeros(len(units), np.bool_)
        places = np.where(pursued.who[:, None] >= 0, units.position[pursued.who], np.nan)
        look = _Look(rows.start, rows.stop, *view, places, pursued.near)
        _look_ahead(cells.order, cells, look, mates, out)
        return out[rows] & units.present[rows]


class Pursued(NamedTuple):
    """The quarry of each of n units, and within how many world units a mate is at it."""

    who: Ints
    """(n,) rows in `Units`; -1 where there is none."""
    near: float


class _Look(NamedTuple):
    """The rows of the units that look, their view, and where their quarries are (n, 2)."""

    start: int
    stop: int
    shape: int
    factor: float
    reach: float
    quarries: Floats
    near: float


@leaf
def _squared(state, slot, place, torus):  # type: ignore[no-untyped-def]
    """The square of how far a unit is from a place; NaN where there is none."""
    dx, dy = nearest_image(place[0] - state[0, slot], place[1] - state[1, slot], torus)
    return dx * dx + dy * dy


@Kernel
def _look_ahead(begin, end, order, cells, look, mates, out):  # type: ignore[no-untyped-def]
    first, cell, state, columns, rows = (
        cells.first, cells.cell, cells.state, cells.columns, cells.rows
    )  # fmt: skip
    torus, reach = periods(cells.size), look.reach
    wraps = torus[0] > 0
    most = min(floored(reach / cells.side) + 1, max(columns, rows))
    for slot in range(begin, end):
        i = order[slot]
        if i < look.start or i >= look.stop:
            continue
        home, followed, ring = np.int64(cell[slot]), False, 0
        column, row = home % columns, home // columns
        quarry = look.quarries[i - look.start]
        away = max(_squared(state, slot, quarry, torus), look.near**2)
        while not followed and ring <= most:
            for down in range(-ring, ring + 1):
                # The top and bottom of a ring are whole rows, of the others only both ends count.
                stride = 1 if abs(down) == ring else max(2 * ring, 1)
                for right in range(-ring, ring + 1, stride):
                    c, r = column + right, row + down
                    if wraps:
                        c, r = c % columns, r % rows
                    elif c < 0 or c >= columns or r < 0 or r >= rows:
                        continue
                    for other in range(first[r * columns + c], first[r * columns + c + 1]):
                        dx, dy = nearest_image(
                            state[0, other] - state[0, slot],
                            state[1, other] - state[1, slot],
                            torus,
                        )
                        ahead, starboard = to_own_frame(dx, dy, state[2, slot], state[3, slot])
                        if (
                            other != slot
                            and mates[cells.who[other]]
                            and dx * dx + dy * dy <= reach * reach
                            and in_view(look.shape, look.factor, ahead, starboard)
                            and not _squared(state, other, quarry, torus) >= away
                        ):
                            followed = True
                            break
                    if followed:
                        break
                if followed:
                    break
            ring += 1
        out[i] = not followed
