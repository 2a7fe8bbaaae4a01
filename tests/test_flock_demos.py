"""What the demos of the flock say of their rules, in figures: with the rule, and without it."""

from __future__ import annotations

import numpy as np

from sim import World
from tests.test_rule_demos import one_course, played


def distances(world: World, places: np.ndarray) -> np.ndarray:
    """(n, n) distances between places (n, 2) on the plane of the world."""
    away = world.plane.nearest(places[:, None] - places)
    return np.hypot(away[..., 0], away[..., 1])


def test_cohesion():
    """The units gather; without the rule they spread over the whole torus."""
    means = []
    for off in ((), ("cohesion",)):
        run = played("cohesion", 12, *off)
        means.append(distances(run.world, run.position[-1]).mean())
    assert means[0] < 0.6 * means[1]


def test_alignment():
    """All head one way; without the rule each keeps the course it started on."""
    assert one_course(played("alignment", 12).velocity) > 0.95
    assert one_course(played("alignment", 12, "alignment").velocity) < 0.6
