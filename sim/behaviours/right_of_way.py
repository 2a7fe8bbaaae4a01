"""Whose turn it is where two courses cross: what both can see, hence what both decide alike."""

from __future__ import annotations

import numpy as np

from sim.compiled import inlined

STANDING = 0.1
"""Slower than this share of the other's speed, one of a pair counts as standing."""
SHARING, FIRM = 1.5, 10.0
"""How quickly head-on (both swerve) becomes crossing (one yields), by the sine of the angle; and
how much more quickly that is for those who go the same way."""


@inlined
def passing_side(x, y, wx, wy, heat):  # type: ignore[no-untyped-def]
    """On which side another passes: 1 if it turns about me clockwise (on screen), -1 otherwise.

    (x, y) is the offset to it, (wx, wy) its velocity less mine. Both of a pair find the same. In a
    dead heat, where their centres would pass closer than `heat`, it is -1: port to port if they
    meet head-on, and whoever comes from starboard goes first, as at sea.
    """
    return 1.0 if x * wy - y * wx > heat * np.sqrt(wx * wx + wy * wy) else -1.0


@inlined
def _looks(toward, speed, square):  # type: ignore[no-untyped-def]
    """Whether something lies in a wide view along the course: 135 degrees to either side."""
    return toward > 0.0 or 2.0 * toward * toward < speed * square


@inlined
def share_of_yielding(x, y, vx, vy, ox, oy, side):  # type: ignore[no-untyped-def]
    """How much of the giving way is mine, 0 to 1; what is left is the other's.

    (x, y) is the offset to the other, (vx, vy) my velocity, (ox, oy) its own, `side` how we pass.
    Whoever reaches the crossing first goes on; whoever comes second yields; who is not seen by the
    other (from astern, or standing) yields to nobody but must be gone round. Head-on both yield.
    """
    mine, other, square = vx * vx + vy * vy, ox * ox + oy * oy, x * x + y * y
    sees = _looks(x * vx + y * vy, mine, square) and mine > STANDING * STANDING * other
    seen = _looks(-x * ox - y * oy, other, square) and other > STANDING * STANDING * mine
    if not seen:
        return 1.0
    if not sees:
        return 0.0
    # Side and sine tell who is first: (t_mine - t_other) = offset x (other - mine) / mine x other.
    both = np.sqrt(mine * other)
    sine, cosine = (vx * oy - vy * ox) / both, (vx * ox + vy * oy) / both
    steep = SHARING * (1.0 + FIRM * max(cosine, 0.0))
    return min(max(0.5 + steep * side * sine, 0.0), 1.0)
