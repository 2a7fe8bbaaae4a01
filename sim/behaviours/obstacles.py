"""Going round things that stand still (AI for Game Developers, ch. 4.3)."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.commands import STEERING
from sim.behaviours.curves import side_of, turn
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.arrays import Floats
from sim.core.compiled import Kernel, inlined
from sim.core.geometry import nearest_image, periods, to_own_frame, to_world
from sim.core.own import Amount, most, of_unit
from sim.perception.bodies import Bodies
from sim.perception.percepts import Percepts
from sim.perception.places import BITS, Places, cell_at

Ahead = Annotated[Amount, Within(0, 1e4, "how far ahead a disc matters, hull lengths")]
Edge = Annotated[bool, Within(0, 1, "a disc is as far off as its edge, not as its centre")]
Clear = Annotated[Amount, Within(0, 1e4, "room kept round a disc, hull lengths")]


@rule("obstacles", gives=STEERING)
def avoid_discs(
    me: Percepts, *, ahead: Ahead = 25.0, clearance: Clear = 1.0, to_edge: Edge = True
) -> Terms:
    """Steer off the centre line of each disc on course: sum of look-ahead / distance (rule A9).

    A disc is on course when the heading passes it closer than its radius plus the clearance, and it
    lies ahead within the look-ahead. The distance is to its edge, and no less than a hull length.
    A disc that a unit comes to after its last place pushes by no more than the square of the room
    that the place has, in hull lengths, or 1: a place beside a disc can be reached.
    Without `to_edge` it is the book's: to the centre, and no less than the radius; a disc larger
    than the look-ahead is then never on course.
    """
    out = np.zeros((len(me.velocity), 2))
    if not len(me.discs.rows):
        return out
    length = me.hull.length
    near = me.discs.within(most((ahead + clearance) * length))
    look = _Look(ahead * length, clearance * length, length if to_edge else 0.0)
    bound = np.zeros_like(out)
    if me.aim is not None:
        bound[me.aim.moving] = me.aim.final[me.aim.moving]
    discs, place = (me.discs.rows, tuple(near)), (bound, me.hull.radius)
    _avoid(out, tuple(me.bodies), discs, me.plane.size, tuple(look), place)
    return out


@rule("obstacles", gives=STEERING)
def avoid_walls(me: Percepts, *, ahead: Ahead = 25.0, clearance: Clear = 1.0) -> Terms:
    """Turn off a wall on course: look-ahead / distance, toward the room there is.

    What the book's rule does for discs (A9), for all that is flat: walls, sides of boxes, the
    bounds of a walled plane. A wall is on course when the heading meets it, widened by the
    clearance, within the look-ahead. The way to turn is toward the sum of normal / distance of all
    walls that are faced and as near: taken one by one, the two walls of a corner would send a unit
    to and fro. A unit that faces a wall squarely turns to starboard. A unit that is led to a place,
    or circles round one, turns toward it: the room beside a gap is not where it wants to be. Where,
    less than a hull length off, a wall hides the place, or its bow would have to pass a wall as it
    turns, it turns toward the room instead: it would stand there.
    """
    out = np.zeros((len(me.velocity), 2))
    if not len(me.faces.rows):
        return out
    length = me.hull.length
    near = me.faces.within(most((ahead + clearance) * length))
    look = _Look(ahead * length, clearance * length, length)
    _fend(out, tuple(me.bodies), me.faces.rows, tuple(near), tuple(look), _led(me))
    return out


def _led(me: Percepts) -> Floats:
    """(n, 2) to the next place of one's way, or the last; zeros for units that are led nowhere."""
    if me.aim is None:
        return np.zeros((len(me.velocity), 2))
    return np.where(me.aim.moving[:, None], me.aim.offset, me.aim.final)


class _Look(NamedTuple):
    """How far ahead things matter, the room kept, and the least distance that counts; world units.

    The last is 0 where distances are to centres.
    """

    ahead: Amount
    clearance: Amount
    closest: float


@inlined
def _turns_through(wall, way):  # type: ignore[no-untyped-def]
    """Whether the bow passes the direction of the `wall` as it turns to that `way`; own frame."""
    (wall_x, wall_y), (x, y) = wall, way
    return wall_y * y > 0.0 and (wall_x * y - wall_y * x) * wall_y > 0.0


@inlined
def _meets(to, wall, way):  # type: ignore[no-untyped-def]
    """Where a `way` meets the line of a wall that begins at `to`: shares of the wall, of the way.

    (0, 0) if they are parallel.
    """
    (to_x, to_y), (wall_x, wall_y), (x, y) = to, wall, way
    slant = x * wall_y - y * wall_x
    if slant == 0.0:
        return 0.0, 0.0
    return (to_x * y - to_y * x) / slant, (to_x * wall_y - to_y * wall_x) / slant


@Kernel
def _fend(begin, end, out, bodies, faces, near, look, led):  # type: ignore[no-untyped-def]
    bodies, near, look = Bodies(*bodies), Places(*near), _Look(*look)
    for i in range(begin, end):
        me, (look_ahead, clearance, closest) = bodies.start + i, of_unit(look, i)
        x, y = bodies.position[me, 0], bodies.position[me, 1]
        cosine, sine = bodies.heading[me, 0], bodies.heading[me, 1]
        way, room_x, room_y, barred = look_ahead, 0.0, 0.0, False
        there = to_world(led[i, 0], led[i, 1], cosine, sine)
        soon = closest / max(np.hypot(there[0], there[1]), closest)
        cell = cell_at(x, y, near.frame, near.shape, near.period)
        for n in range(near.first[cell] if cell >= 0 else 0, near.first[cell + 1]):
            k = near.items[n] >> BITS
            to_x, to_y = faces[k, 0] - x, faces[k, 1] - y
            wall_x, wall_y = faces[k, 2] - faces[k, 0], faces[k, 3] - faces[k, 1]
            length = np.sqrt(wall_x * wall_x + wall_y * wall_y)
            # The nearest point of the wall, seen from the unit.
            share = -(to_x * wall_x + to_y * wall_y) / (length * length)
            share = min(max(share, 0.0), 1.0)
            near_x, near_y = to_x + share * wall_x, to_y + share * wall_y
            squared = near_x * near_x + near_y * near_y
            faced = cosine * near_x + sine * near_y > 0.0
            if faced and 0.0 < squared < look_ahead * look_ahead:
                room_x -= near_x / squared
                room_y -= near_y / squared
                if squared < closest * closest:
                    barred = barred or _turns_through(
                        to_own_frame(near_x, near_y, cosine, sine), (led[i, 0], led[i, 1])
                    )
            along, distance = _meets((to_x, to_y), (wall_x, wall_y), (cosine, sine))
            beside = -clearance <= along * length <= length + clearance
            if beside and distance > 0.0:
                way = min(way, distance)
            along, distance = _meets((to_x, to_y), (wall_x, wall_y), there)
            barred = barred or (0.0 < distance < soon and 0.0 <= along <= 1.0)
        out[i, 0], out[i, 1] = 0.0, 0.0
        if way < look_ahead:
            to_x, to_y = led[i, 0], led[i, 1]
            if barred or (to_x == 0.0 and to_y == 0.0):
                to_x, to_y = to_own_frame(room_x, room_y, cosine, sine)
            out[i, 1] = look_ahead / max(way, closest) * turn(to_x, to_y, 2.0)


@inlined
def _place_before(place, disc, keeping):  # type: ignore[no-untyped-def]
    """How far the edge of a disc is from a unit's place, if the unit is there before it; else inf.

    Before it comes nearer to the disc than the place is, if it keeps its heading. Own frame;
    `keeping` is the clearance and half the width of the hull.
    """
    (x, y), (along, across, radius), (clearance, half) = place, disc, keeping
    if x <= 0.0 or abs(y) > clearance:
        return np.inf
    room = np.sqrt((x - along) ** 2 + (y - across) ** 2) - radius
    last = max(along - x, 0.0)
    kept = radius + min(max(room - half, 0.0), clearance)
    return room if last * last + across * across >= kept * kept else np.inf


@Kernel
def _avoid(begin, end, out, bodies, all_discs, size, look, place):  # type: ignore[no-untyped-def]
    bodies, look, (discs, near) = Bodies(*bodies), _Look(*look), all_discs
    near, torus, (bound, half) = Places(*near), periods(size), place
    for i in range(begin, end):
        to_x, to_y = bound[i, 0], bound[i, 1]
        me, (look_ahead, clearance, closest) = bodies.start + i, of_unit(look, i)
        left, top = bodies.position[me, 0], bodies.position[me, 1]
        cosine, sine = bodies.heading[me, 0], bodies.heading[me, 1]
        total, before = 0.0, -1
        cell = cell_at(left, top, near.frame, near.shape, near.period)
        for n in range(near.first[cell] if cell >= 0 else 0, near.first[cell + 1]):
            k = near.items[n] >> BITS
            if k == before:
                continue  # near by more than one image: the nearest one counts
            before = k
            dx, dy = nearest_image(discs[k, 0] - left, discs[k, 1] - top, torus)
            along, across = to_own_frame(dx, dy, cosine, sine)
            radius = discs[k, 2]
            reach = look_ahead + radius if closest > 0.0 else look_ahead
            # Most are not on course: one question, as what is guessed right costs nothing.
            if (along > 0.0) & (along < reach) & (abs(across) < radius + clearance):
                distance = np.sqrt(dx * dx + dy * dy)
                off = max(distance - radius, closest) if closest > 0.0 else max(distance, radius)
                if off < look_ahead:
                    much = look_ahead / off
                    if closest > 0.0:
                        disc, keeping = (along, across, radius), (clearance, half)
                        there = _place_before((to_x, to_y), disc, keeping)
                        much = min(much, max(there / closest, 1.0) ** 2)
                    total -= side_of(across, distance) * much
        out[i, 0], out[i, 1] = 0.0, total
