"""Going along what is solid: for hulls that are not round, whatever they avoid other units by."""

from __future__ import annotations

import numpy as np

from sim.behaviours.avoidance.aside import TURNED, Aside, falls_short, turns_aside
from sim.behaviours.avoidance.clearance import USED_UP, WALLS, Off, Room, farthest, off_walls
from sim.behaviours.avoidance.foreseen import walker
from sim.behaviours.avoidance.solver import LANES, ROWS, nearest
from sim.behaviours.commands import VELOCITY
from sim.behaviours.ground import Ground, ground_of
from sim.behaviours.table import Terms, rule
from sim.core.compiled import Kernel
from sim.core.geometry import to_world
from sim.core.overlap import Shapes
from sim.core.own import own
from sim.orders.minds import FREE, Minds
from sim.perception.bodies import Bodies
from sim.perception.percepts import Percepts

TABLE = -(-WALLS // LANES) * LANES
"""For half-planes, in the table of the solver."""


@rule("avoidance", gives=VELOCITY)
def along_walls(
    me: Percepts, wanted: Terms, *, room: Room = USED_UP, aside: Aside = TURNED
) -> Terms:
    """Change the wanted velocity so that a hull that is not round goes along walls, not into them.

    For models that avoid other units by other rules. As in `keep_clear` the outline of the hull, as
    it will stand on its course, uses up the room to what is solid in no less than `room`; but it is
    not pushed off: a helm that turns to what it is told would turn it about in the mouth of a door.
    A hull with its bow at a wall stands, and so does not turn across a corridor. One that has
    hardly got on for a second, as both sides of a door bar it, tries further and further to
    starboard. A round hull slides along walls anyhow, and nothing is changed.
    """
    out = np.zeros(me.velocity.shape)
    if me.hull.shape != "disc" and len(me.faces.rows) + len(me.discs.rows):
        far = farthest(me.bodies.reach, me.rows.start, me.speeds, room)
        ground = tuple(ground_of(me, far))
        others = tuple(me.bodies), tuple(me.minds), tuple(me.shapes)
        _go_along(out, wanted, others, ground, (room, aside))
    return out


@Kernel
def _go_along(begin, end, out, wanted, others, ground, alike):  # type: ignore[no-untyped-def]
    bodies, minds, shapes = Bodies(*others[0]), Minds(*others[1]), Shapes(*others[2])
    ground, (room, aside) = Ground(*ground), alike
    planes, turned = np.zeros((ROWS, TABLE)), np.empty((2, max(shapes.corners.shape[1], 2), 2))
    for i in range(begin, end):
        me, speed = bodies.start + i, bodies.speeds[i]
        wx, wy = speed * wanted[i, 0], speed * wanted[i, 1]
        if wx == 0.0 and wy == 0.0:
            continue
        off = Off(own(room, i), bodies.reach[me], speed)
        found = off_walls(
            ground, walker(bodies, i, FREE), off, (wx, wy), (me, shapes, turned), planes
        )
        if found == 0:
            continue
        for n in range(found):
            planes[2, n] = min(planes[2, n], 0.0)
        vx, vy, _, _ = nearest(planes, found, found, 0.0, wx, wy, speed)
        if turns_aside(minds, me):
            turn = own(aside, i) * falls_short(vx, vy, wx, wy, speed)
            ux, uy = to_world(wx, wy, np.cos(turn), np.sin(turn))
            vx, vy, _, _ = nearest(planes, found, found, 0.0, ux, uy, speed)
        out[i, 0], out[i, 1] = vx / speed - wanted[i, 0], vy / speed - wanted[i, 1]
    return 0
