"""Leaders: the units that see no other ahead of them (rule A12)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.compiled import Kernel
from sim.lattice import floored
from sim.perception.cells import Cells, sort_into_cells
from sim.perception.views import in_view
from sim.plane import Plane
from sim.units import Units

RINGS = 12
"""Cells are so many times narrower than the view is long: most find somebody in the first two."""


def unled(
    units: Units,
    plane: Plane,
    rows: slice,
    shape: int,
    factor: float,
    reach: float,
    mates: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Which of the units of some rows see nobody to follow: nobody whose group is a mate, (n,).

    The view has a shape, a factor and a reach in world units; `mates` is (G,). One seen is enough,
    so nobody is counted: each looks round ring by ring, and stops at the first.
    """
    cells: Cells = sort_into_cells(units, plane, reach / RINGS)
    out = np.zeros(len(units), np.bool_)
    _look_ahead(
        cells.order, cells.first, cells.cell, cells.columns, cells.rows, cells.side, cells.state,
        cells.who, plane.size, rows.start, rows.stop, shape, factor, reach, mates, out,
    )  # fmt: skip
    return out[rows]


@Kernel
def _look_ahead(  # type: ignore[no-untyped-def]
    begin, end,
    order, first, cell, columns, rows, side, state, who, size, start, stop, shape, factor, reach,
    mates, out,
):  # fmt: skip
    wraps = size[0] > 0
    per_width = 1 / size[0] if wraps else 0.0
    per_height = 1 / size[1] if wraps else 0.0
    most = min(floored(reach / side) + 1, max(columns, rows))
    for slot in range(begin, end):
        i = order[slot]
        if i < start or i >= stop:
            continue
        column, row, followed, ring = cell[slot] % columns, cell[slot] // columns, False, 0
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
                        dx = state[0, other] - state[0, slot]
                        dy = state[1, other] - state[1, slot]
                        dx -= size[0] * np.rint(dx * per_width)
                        dy -= size[1] * np.rint(dy * per_height)
                        ahead = state[2, slot] * dx + state[3, slot] * dy
                        starboard = state[2, slot] * dy - state[3, slot] * dx
                        if (
                            other != slot
                            and mates[who[other]]
                            and dx * dx + dy * dy <= reach * reach
                            and in_view(shape, factor, ahead, starboard)
                        ):
                            followed = True
                            break
                    if followed:
                        break
                if followed:
                    break
            ring += 1
        out[i] = not followed
