"""Going round what three rays ahead meet (rules B6, B7)."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.behaviours.commands import VELOCITY
from sim.behaviours.curves import side_of
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, Told, rule
from sim.core.compiled import Kernel, inlined
from sim.core.own import Amount, of_unit
from sim.perception.felt import Felt, widened
from sim.perception.percepts import Percepts
from sim.perception.sights import Feel

Ahead = Annotated[Amount, Within(0, 1e4, "how far the rays reach at rest, hull lengths")]
Foresight = Annotated[Amount, Within(0, 60, "and how much further, seconds of travel")]
Near = Annotated[Amount, Within(0, 1e4, "gap ahead from where on nothing else counts, lengths")]
Brake = Annotated[Amount, Within(1e-3, 1e4, "gap ahead below which a unit slows down, lengths")]
Merge = Annotated[
    Amount, Within(0, 1e4, "as far off but for so much, two without a gap are one, lengths")
]
Others = Annotated[bool, Within(0, 1, "whether units are felt, too")]
Clearance = Annotated[Amount, Within(0, 1e4, "room to leave beside the hull, hull widths")]
ABREAST, THICK = 0.63, 0.33
"""Hull widths. Each ray is thick: together the three feel the swept width and as much again beside
it, so that no wall's end slips between them, and what a unit passes stays felt while it does."""
OFF = 0.5
"""The most that a surface too near pushes back, in desired speeds."""
SHY = np.pi / 3
"""How far off a surface too near a unit bears at the most."""
SAME = 1e-6
"""Of edges that differ by less than this share of the reach: they are the same."""
BACK = np.pi / 3
"""So much further to turn, the other way round leads back."""
CLOSE = 4.0
"""Hull lengths from what a unit flees within which `flee` alone says how it goes along solids."""
GOING = 4.0
"""How much a heading off the way wanted says, per radian, beside where the thing lies (1 at its
rim): a unit that has turned aside by 15 degrees passes on the side it has turned to."""


FEEL = Feel((-ABREAST, 0.0, ABREAST), THICK, "ahead", "foresight", "clearance", "merge", "others")
"""The rays; the names are those of parameters of the rule."""


@rule("obstacles", gives=VELOCITY)
def ray_avoidance(
    me: Percepts,
    felt: Annotated[Felt, FEEL],
    wanted: Terms,
    *,
    ahead: Ahead = 2.0,  # noqa: ARG001 - read by the feelers
    foresight: Foresight = 2.0,  # noqa: ARG001 - read by the feelers
    near: Near = 1.0,
    clearance: Clearance = 0.15,
    brake: Brake = 0.5,
    merge: Merge = 5.0,  # noqa: ARG001 - read by the feelers
    others: Others = False,  # noqa: ARG001 - read by the feelers
) -> Told:
    """Pass beside what the rays meet, as a near miss, where it bars the way wanted (rules B6, B7).

    A thing bars all courses between the two that pass beside it with the clearance, the more of
    them the nearer it is. Of these two a unit takes the one on whose side the thing reaches less
    far across the line it wants to go along, unless that one leads back and the other does not; a
    unit that has turned aside already goes on that way. Neither changes as the unit turns or moves
    to that side, so it does not waver. Things without room for the hull to pass between count as
    one, whichever of them is met, if one is not further off than the other by more than `merge`;
    what goes on in line with the one that is met, as the pieces of a wall do, is a part of it. The
    term grows to 1 at the gap `near`. A unit that is about to run into something turns aside and
    stops, and backs off. One in flight from a unit close by leaves all to `flee`, which goes along
    solids, and may touch them: two rules of one distance shook it in corners. Tells `hits`: the
    places that it avoids.
    """
    length, width = me.hull.length, me.hull.width
    out, hit = np.empty((2, *me.velocity.shape))
    far = np.full(len(out), np.inf)
    if me.aim is not None:  # what stands behind the place it is sent to is in no unit's way
        far = np.where(me.aim.moving, np.hypot(*me.aim.final.T), np.inf)
    if me.quarry is not None:
        close = (np.hypot(*me.quarry.offset.T) < CLOSE * length) & (me.quarry.who >= 0)
        wanted = np.where((me.quarry.fled & close)[:, None], 0.0, wanted)
    room = width * (0.5 + clearance)
    gaps = _Gaps(length / 2, width / 2, room, near * length, brake * length)
    _pass(out, hit, tuple(felt), wanted, far, tuple(gaps))
    return Told(out, {"hits": hit})


class _Gaps(NamedTuple):
    """Half the hull, the room kept, and the gaps that count; world units."""

    bow: float
    half: float
    room: Amount
    near: Amount
    brake: Amount


@inlined
def _about(angle, middle):  # type: ignore[no-untyped-def]
    """The same direction, within half a turn of another."""
    return angle - 2 * np.pi * np.rint((angle - middle) / (2 * np.pi))


@inlined
def _barred(i, r, room, felt):  # type: ignore[no-untyped-def]
    """The courses between which a thing is passed too near, radians to starboard of the keel.

    Nearer than the room itself all that do not lead off are too near.
    """
    gap, toward, edge, rounding = felt.gap, felt.toward, felt.edge, felt.rounding
    middle = np.arctan2(toward[i, r, 1], toward[i, r, 0])
    px, py, sx, sy = edge[i, r, 0, 0], edge[i, r, 0, 1], edge[i, r, 1, 0], edge[i, r, 1, 1]
    port = _about(np.arctan2(py, px), middle) - widened(px, py, rounding[i, r, 0] + room)
    starboard = _about(np.arctan2(sy, sx), middle) + widened(sx, sy, rounding[i, r, 1] + room)
    if gap[i, r] < room:
        off = np.pi / 2 + SHY * min((room - gap[i, r]) / room, 1.0)
        port, starboard = min(port, middle - off), max(starboard, middle + off)
    return port, starboard


@inlined
def _beside(i, r, want, going, room, felt):  # type: ignore[no-untyped-def]
    """The course that passes beside what a ray meets; NaN where the wanted one does.

    `going` tells how far to port of its way the unit has turned, in radians.
    """
    toward, edge, rounding = felt.toward, felt.edge, felt.rounding
    low, high = _barred(i, r, room, felt)
    if not low < _about(want, (low + high) / 2) < high:
        return np.nan
    # Where one way round leads on and the other back, one goes on: along a long wall.
    middle = np.arctan2(toward[i, r, 1], toward[i, r, 0])
    way = _about(want, middle)
    to_port = way - _about(np.arctan2(edge[i, r, 0, 1], edge[i, r, 0, 0]), middle)
    to_starboard = _about(np.arctan2(edge[i, r, 1, 1], edge[i, r, 1, 0]), middle) - way
    if min(to_port, to_starboard) < np.pi / 2 and abs(to_port - to_starboard) > BACK:
        return low if to_port < to_starboard else high
    # How far it reaches to either side of the line along the course wanted.
    x, y = np.cos(want), np.sin(want)
    port = x * edge[i, r, 0, 1] - y * edge[i, r, 0, 0] - rounding[i, r, 0]
    starboard = x * edge[i, r, 1, 1] - y * edge[i, r, 1, 0] + rounding[i, r, 1]
    lean = min(max((port + starboard) / max(abs(starboard - port), 1e-300), -1.0), 1.0)
    # Met squarely, in the middle: it counts as being to port, and is passed to starboard.
    return low if side_of(lean + GOING * going, 1.0) > 0 else high


@inlined
def _weight(way, reach, near):  # type: ignore[no-untyped-def]
    """From 0 for what is met at the end of a ray to 1 for what is near."""
    return min(max((reach - way) / max(reach - near, 1e-9), 0.0), 1.0)


@inlined
def _farthest(i, done, felt, far):  # type: ignore[no-untyped-def]
    """The ray not done that meets something in the way last; -1 for none.

    Of rays that meet something as near, the one along the keel comes last of all.
    """
    distance, last = felt.distance, -1
    for r in range(distance.shape[1]):
        if done >> r & 1 or distance[i, r] > felt.reach[i] or felt.gap[i, r] > far[i]:
            continue
        farther = last < 0 or distance[i, r] > distance[i, last]
        if farther or (distance[i, r] == distance[i, last] and felt.abreast[last] == 0.0):
            last = r
    return last


@inlined
def _known(i, r, done, felt):  # type: ignore[no-untyped-def]
    """Whether a ray that is done has met the same thing, or what counts as one with it."""
    edge = felt.edge
    for q in range(edge.shape[1]):
        if done >> q & 1:
            apart = 0.0
            for side in (0, 1):
                for axis in (0, 1):
                    apart += abs(edge[i, q, side, axis] - edge[i, r, side, axis])
            if apart < SAME * felt.reach[i]:
                return True
    return False


@Kernel
def _pass(begin, end, out, hit, felt, wanted, far, gaps):  # type: ignore[no-untyped-def]
    felt, gaps = Felt(*felt), _Gaps(*gaps)
    distance, gap, toward = felt.distance, felt.gap, felt.toward
    for i in range(begin, end):
        bow, half, room, near, brake = of_unit(gaps, i)
        out[i], hit[i] = 0.0, np.nan
        if wanted[i, 0] == 0.0 and wanted[i, 1] == 0.0:
            continue
        going = course = np.arctan2(wanted[i, 1], wanted[i, 0])
        pace, say, done = 1.0, 0.0, 0
        # What is met nearest has the last word.
        for _ in range(distance.shape[1]):
            r = _farthest(i, done, felt, far)
            if r < 0:
                break
            passes = _beside(i, r, course, going, room, felt)
            if not np.isnan(passes) and not _known(i, r, done, felt):
                weight = _weight(felt.close[i, r], felt.reach[i], bow + near)
                course += weight * (passes - _about(course, passes))
                say = max(say, weight)
                hit[i, 0], hit[i, 1] = distance[i, r], felt.abreast[r]
            # What it would run into if it went on as it heads, it slows down before.
            low, high = _barred(i, r, half, felt)
            if low < _about(0.0, (low + high) / 2) < high:
                closing = max(toward[i, r, 0], 0.0)
                left = (gap[i, r] - half - (bow - half) * closing) / brake
                pace = min(pace, 1.0 - closing * (1.0 - min(max(left, -OFF), 1.0)))
            done |= 1 << r
        if pace < 1.0:
            say = 1.0
        # At full size, so that it leaves nothing to say to what wants the unit where it cannot go.
        ahead = min(np.cos(course), pace)
        out[i, 0] = say * ahead
        out[i, 1] = say * side_of(np.sin(course), 1.0) * np.sqrt(1.0 - ahead * ahead)
