"""What each unit sees: a summary for every sight, and a list where a rule asks for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats, Ints
from sim.core.cells import sort_into_cells
from sim.core.plane import Plane
from sim.core.sharing import Job, aside, threads
from sim.core.units import Units
from sim.engine.rows import Draft
from sim.perception.lists import Neighbours, Sums
from sim.perception.scan import mean_velocities, narrow, scan
from sim.perception.sight_table import SightTable
from sim.perception.window import window_of

WORTH_FORESIGHT = 2000
"""Units from which it pays to have another thread look while the engine is still at work."""
MAX_SIGHTS = 8
"""Sights a group may use at once: one bit each in `Neighbours.seen`."""
FIRST_WIDTH = 16
"""Neighbours that the first lists have room for."""


@dataclass(frozen=True)
class Summary:
    """All that one sight shows a unit, in one row. Own frame: (ahead, starboard)."""

    count: Ints
    """(n,) how many are seen."""
    offset: Floats
    """(n, 2) to their mean position; zeros where no unit is seen."""
    velocity: Floats
    """(n, 2) their mean velocity; zeros where no unit is seen."""


class Narrowed(NamedTuple):
    """A sight in which some units see less far than the farthest of their group."""

    rows: slice
    """Of the group's n units."""
    sight: int
    reach: Floats
    """(n,) how far each sees, world units."""


class Looker:
    """Keeps, from step to step, the memory for what all units see; its subclasses look."""

    foresight = True
    """Whether it can look while the engine is at work."""

    def __init__(self, rows: int, plane: Plane, table: SightTable) -> None:
        sights = table.reach.shape[1]
        self.plane, self.table = plane, table
        self.narrowed: Sequence[Narrowed] = ()
        self.count = np.zeros((sights, rows), np.int64)
        self.offset = np.zeros((sights, rows, 2))
        self.velocity = np.zeros((sights, rows, 2))
        self._sums = tuple(Sums(self.count, self.offset, self.velocity))
        self.listed = np.zeros(rows, np.int64)
        self.make_room(0)
        self._found: Units | None = None
        self._grown = False
        self._begun: Job | None = None

    def make_room(self, width: int, spare: int = 0) -> None:
        """Room for lists of that many neighbours, empty again; `spare` for this many units more."""
        rows = len(self.listed) + spare
        index, seen = np.zeros((rows, width), np.int32), np.zeros((rows, width), np.uint8)
        self._lay((index, *np.zeros((3, rows, width)), seen))

    def take_over(self, before: Looker | None) -> None:
        """Use the memory of one that looked before: each step fills it anew."""
        if before is None:
            self.make_room(FIRST_WIDTH)
            return
        if before._begun is not None:
            before._begun.waited()
        if len(before._room[0]) >= len(self.listed):
            self._lay(before._room)
        else:
            self.make_room(before.index.shape[1], spare=len(self.listed) // 8)

    def _lay(self, room: Any) -> None:
        """Take the lists of as many units as there are from larger ones."""
        self._room, n = room, len(self.listed)
        self.index: NDArray[np.int32] = room[0][:n]
        self.ahead, self.starboard, self.distance = (each[:n] for each in room[1:4])
        self.seen: NDArray[np.uint8] = room[4][:n]
        self._lists = tuple(self.neighbours(slice(n)))

    def clear(self) -> None:
        """No unit is seen: what units that left the world see."""
        for rows in (self.count, self.offset, self.velocity, self.listed):
            rows[:] = 0

    def look(self, units: Units) -> bool:
        """Fill the summaries and lists from a snapshot; whether the lists were made anew for it."""
        if self._begun is not None:
            begun = self._begun
            try:
                whole = begun.waited()
            finally:
                if begun.found:  # an interrupt as it waits leaves it to be waited for
                    self._begun = None
            if not whole:  # half of it may have been done by another process
                self._begun = None
                self._found, self._grown = None, True
        if units is not self._found:
            self._find(units)
        if self.table.sums:
            moving = units.heading, units.velocity, units.group
            mean_velocities(*moving, self.table.means, self._lists, self._sums)
        grown, self._grown = self._grown, False
        return grown

    def foresees(self, units: int) -> bool:
        """Whether it can, and pays, to `look_ahead` among this number of units."""
        able = units >= WORTH_FORESIGHT and self.foresight and self.table.farthest >= 0
        return able and threads() > 1

    def look_ahead(self, draft: Draft) -> None:
        """Begin to look at a snapshot in the making; another thread does it."""
        self._begun = draft.begun = aside(self._look_ahead, draft)

    def _look_ahead(self, draft: Draft) -> None:
        draft.stand(self.plane)
        self._find(draft.units)

    def _find(self, units: Units) -> None:
        self._grown |= self.find(units)
        for rows, sight, reach in self.narrowed:
            summary = self.summary(sight, rows)
            narrow(reach, tuple(self.neighbours(rows)), sight, summary.count, summary.offset)
        self._found = units

    def find(self, units: Units) -> bool:
        """What `look` does but for velocities, of which `units` need hold none yet."""
        raise NotImplementedError

    def summary(self, sight: int, rows: slice) -> Summary:
        """What one sight shows the units of some rows."""
        return Summary(
            self.count[sight, rows], self.offset[sight, rows], self.velocity[sight, rows]
        )

    def neighbours(self, rows: slice) -> Neighbours:
        """The lists of some rows."""
        return Neighbours(
            self.listed[rows], self.index[rows], self.ahead[rows],
            self.starboard[rows], self.distance[rows], self.seen[rows],
        )  # fmt: skip


Search = Callable[[int, Plane, SightTable], Looker]
"""What makes a looker for this number of units: the cell grid, or another neighbour search."""


class GridLooker(Looker):
    """Looks through the compiled cell grid."""

    def find(self, units: Units) -> bool:
        """Sort the units into cells, then let each look round from its own."""
        table = self.table
        cells = sort_into_cells(units, self.plane, table.farthest, table.held)
        # A torus narrower than cells are to be is one cell across, which covers it.
        side = cells.side if table.held else max(cells.side, table.farthest)
        window = window_of(cells.first, cells.columns, cells.rows, table.longest, side)
        if len(cells.order) < len(units):
            self.clear()
        grown = False
        while True:
            given = tuple(cells), tuple(table.sights), window, self._lists, self._sums
            most = max(scan(cells.order, *given))
            if most <= self.index.shape[1]:
                return grown
            # Hardly more than is needed: rows far apart take longer to write and read.
            self.make_room(max(most, int(min(most + most // 4, table.most))))
            grown = True
