"""What planning anew takes besides planning: compiled code, loaded when it is first used."""

from __future__ import annotations

from functools import cache

from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation.bends import bends, bent
from sim.navigation.flow import flow_field
from sim.navigation.grid import planning_grid
from sim.navigation.remarching import renewed_field
from sim.navigation.renewal import renewed_grid
from sim.navigation.survey import survey

TINY = Plane((0.0, 0.0, 8.0, 8.0), "wall")
ROOM = Solids.of((), [(0.0, 0.0, 8.0, 1.0), (0.0, 7.0, 8.0, 8.0)], ())
DOOR = Solids.of((), [(4.0, 1.0, 5.0, 4.0)], ())


@cache
def ready_for_changes() -> None:
    """Plan anew once, on a tiny ground: so that the first door that closes is like any other.

    To load the code took several times as long as to plan, on a map of 512 x 512. Once a process.
    """
    before = planning_grid(ROOM, TINY, 0.5)
    field = flow_field(before, (2.0, 4.0))
    after = renewed_grid(before, ROOM.joined([DOOR]), TINY, None)
    again = renewed_field(field, after)
    bent(bends(field, again), again, field.targets[:, :2])
    survey(after, survey(before, None))
