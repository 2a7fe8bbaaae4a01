"""Right of way: which of two units goes first, on which side they pass, and how they share it.

All is worked out from what both can see, so both of a pair decide alike. `keep_clear` weighs the
claim of `right_of_way`; `give_way` takes `passing_side` and `share_of_yielding`.
"""

from __future__ import annotations

import numpy as np

from sim.core.compiled import inlined, leaf
from sim.orders.minds import FREE, ITS_TURN, WAITING

STANDING = 0.1
"""Slower than this share of the other's speed, one of a pair counts as standing."""
SHARING, FIRM = 1.5, 10.0
"""How quickly head-on (both swerve) becomes crossing (one yields), by the sine of the angle; and
how much more quickly that is for units that go the same way."""
SAME_WAY = 0.3
"""Cosine of the angle within which two units walk the same way."""
ROUND = 0.3
"""What a unit whose turn it is does itself to get round one that waits."""


@inlined
def passing_side(x, y, wx, wy, heat):  # type: ignore[no-untyped-def]
    """On which side another passes: 1 if it turns about me clockwise (on screen), -1 otherwise.

    (x, y) is the offset to it, (wx, wy) its velocity less mine. Both of a pair find the same. In a
    dead heat, where their centres would pass closer than `heat`, it is -1: port to port if they
    meet head-on, and the unit from starboard goes first, as at sea.
    """
    return 1.0 if x * wy - y * wx > heat * np.sqrt(wx * wx + wy * wy) else -1.0


@inlined
def looks(toward, pace, square):  # type: ignore[no-untyped-def]
    """Whether something lies in a wide view along a course: 135 degrees to either side.

    All three are products: of velocity and offset, of velocity and itself, of offset and itself.
    A unit that goes nowhere looks all round.
    """
    return toward > 0.0 or 2.0 * toward * toward <= pace * square


@inlined
def share_of_yielding(x, y, vx, vy, ox, oy, side):  # type: ignore[no-untyped-def]
    """How much of the giving way is mine, 0 to 1; what is left is the other's.

    (x, y) is the offset to the other, (vx, vy) my velocity, (ox, oy) its own, `side` how we pass.
    The unit that is first at the crossing goes on; the second yields; one that is not seen by the
    other (from astern, or standing) yields to no unit but must be gone round. Head-on both yield.
    """
    mine, other, square = vx * vx + vy * vy, ox * ox + oy * oy, x * x + y * y
    sees = looks(x * vx + y * vy, mine, square) and mine > STANDING * STANDING * other
    seen = looks(-x * ox - y * oy, other, square) and other > STANDING * STANDING * mine
    if not seen:
        return 1.0
    if not sees:
        return 0.0
    # Side and sine tell the first: (t_mine - t_other) = offset x (other - mine) / mine x other.
    both = np.sqrt(mine * other)
    sine, cosine = (vx * oy - vy * ox) / both, (vx * ox + vy * oy) / both
    steep = SHARING * (1.0 + FIRM * max(cosine, 0.0))
    return min(max(0.5 + steep * side * sine, 0.0), 1.0)


@leaf
def right_of_way(x, y, apart, cosine, sine, length):  # type: ignore[no-untyped-def]
    """By how much the other goes first, in hull lengths: as the other sees it, the negative.

    (x, y) is the other's place, (cosine, sine) its heading, in one's own frame. The first part is
    how much further one has to the crossing of the two courses; on one course, how far one is
    behind. The second decides a dead heat: the one that has the other to starboard yields.
    """
    later = (x * (1.0 + cosine) + y * sine) / length
    starboard = (y + (cosine * y - sine * x)) / apart
    return later + 0.5 * starboard


@inlined
def share_by_turn(mine, other, share):  # type: ignore[no-untyped-def]
    """How much of a change of course is mine where the place decides, not the pair.

    At a narrow place a unit that has to wait clears the way for units whose turn it is, and stands
    for all others: these go round it. Between units of one stance the pair decides.
    """
    if mine == other:
        return share
    if mine == WAITING:
        return 1.0
    return (1.0 if mine == FREE else ROUND) if other == WAITING else share


@inlined
def at_a_place(mine, other):  # type: ignore[no-untyped-def]
    """Whether both of a pair are at a narrow place, or come to it, that some wait for."""
    return ((mine == WAITING) | (mine == ITS_TURN)) & ((other == WAITING) | (other == ITS_TURN))


@inlined
def ignores(mine, other):  # type: ignore[no-untyped-def]
    """Whether a unit, as it has to wait, stands whatever another does that is on its way."""
    return (mine == WAITING) & (other == FREE)


@leaf
def leaning(claim):  # type: ignore[no-untyped-def]
    """From -1 to 1 as a claim grows: tanh to 2e-3, in a few products and one quotient."""
    square = claim * claim
    over = claim * (945.0 + square * (105.0 + square))
    return min(max(over / (945.0 + square * (420.0 + 15.0 * square)), -1.0), 1.0)
