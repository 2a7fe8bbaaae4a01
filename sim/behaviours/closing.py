"""Where two courses meet, for units that pursue."""

from __future__ import annotations

import numpy as np

from sim.core.arrays import Floats


def closing_time(offset: Floats, velocity: Floats, speed: Floats) -> Floats:
    """(n,) s until each of n pursuers at its `speed` (n,) can be where its quarry then is.

    `offset` and `velocity` (n, 2) are the quarry's, in any common frame; it is taken to keep its
    course. The least t >= 0 with |offset + velocity t| = speed t. Where a quarry cannot be caught
    there is none: then it is the time at which the gap |offset + velocity t| - speed t is least.
    """
    square = (velocity**2).sum(axis=1) - speed**2
    half = (offset * velocity).sum(axis=1)
    away = (offset**2).sum(axis=1)
    root = half**2 - square * away
    # Of the two forms of the root the one that loses no digits, and holds for equal speeds.
    below = np.where(root >= 0, -half + np.sqrt(np.maximum(root, 0.0)), 0.0)
    caught = np.divide(away, below, out=np.full(len(away), np.inf), where=below > 0)
    return np.where(np.isfinite(caught), caught, _nearest(half, away, velocity, speed))


def _nearest(half: Floats, away: Floats, velocity: Floats, speed: Floats) -> Floats:
    """(n,) s, at least 0, at which the gap to a faster quarry is least."""
    moving = np.maximum(np.hypot(velocity[:, 0], velocity[:, 1]), 1e-300)
    along = half / moving
    aside = np.sqrt(np.maximum(away - along**2, 0.0))
    faster = np.sqrt(np.maximum(moving**2 - speed**2, 0.0))
    ahead = np.divide(speed * aside, faster, out=np.zeros_like(aside), where=faster > 0)
    time: Floats = np.maximum((ahead - along) / moving, 0.0)
    return time
