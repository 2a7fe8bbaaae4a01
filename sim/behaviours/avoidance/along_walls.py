"""Going along what is solid: for hulls that are not round, whatever they avoid other units by."""

from __future__ import annotations

import numpy as np

from sim.behaviours.avoidance.clearance import USED_UP, WALLS, Off, Room, farthest, off_walls
from sim.behaviours.avoidance.foreseen import walker
from sim.behaviours.avoidance.solver import LANES, ROWS, nearest
from sim.behaviours.commands import VELOCITY
from sim.behaviours.ground import Ground, ground_of
from sim.behaviours.table import Terms, rule
from sim.core.compiled import Kernel
from sim.core.overlap import Shapes
from sim.core.own import own
from sim.orders.minds import FREE
from sim.perception.bodies import Bodies
from sim.perception.percepts import Percepts

TABLE = -(-WALLS // LANES) * LANES
"""For half-planes, in the table of the solver."""


@rule("avoidance", gives=VELOCITY)
def along_walls(me: Percepts, wanted: Terms, *, room: Room = USED_UP) -> Terms:
    """Change the wanted velocity so that a hull that is not round goes along walls, not into them.

    For models that avoid other units by other rules. As in `keep_clear` a unit first turns to the
    course on which its outline gets on best (`open_course`): at a door to the one that leads
    through. Its outline on that course then uses up the room to what is solid in no less than
    `room`. A hull with its bow at a wall stands, and so does not turn across a corridor. A round
    hull slides along walls anyhow, and nothing is changed.
    """
    out = np.zeros(me.velocity.shape)
    if me.hull.shape != "disc" and len(me.faces.rows) + len(me.discs.rows):
        far = farthest(me.bodies.reach, me.rows.start, me.speeds, room)
        ground = tuple(ground_of(me, far))
        others = tuple(me.bodies), tuple(me.shapes)
        _go_along(out, wanted, others, ground, room)
    return out


@Kernel.making_arrays
def _go_along(begin, end, out, wanted, others, ground, room):  # type: ignore[no-untyped-def]
    bodies, shapes, ground = Bodies(*others[0]), Shapes(*others[1]), Ground(*ground)
    planes, turned = np.zeros((ROWS, TABLE)), np.empty((2, max(shapes.corners.shape[1], 2), 2))
    for i in range(begin, end):
        me, speed = bodies.start + i, bodies.speeds[i]
        wx, wy = speed * wanted[i, 0], speed * wanted[i, 1]
        if wx == 0.0 and wy == 0.0:
            continue
        off, unit = Off(own(room, i), bodies.reach[me], speed), walker(bodies, i, FREE)
        hull = me, shapes, turned
        found, (wx, wy) = off_walls(ground, unit, off, (wx, wy), hull, planes)
        if found == 0:
            continue
        vx, vy, _, _ = nearest(planes, found, found, 0.0, wx, wy, speed)
        out[i, 0], out[i, 1] = vx / speed - wanted[i, 0], vy / speed - wanted[i, 1]
