"""What the demos of the flock say of their rules, in figures: with the rule, and without it."""

from __future__ import annotations

import numpy as np

from sim import World
from tests.test_rule_demos import one_course, played


def distances(world: World, places: np.ndarray) -> np.ndarray:
    """(n, n) distances between places (n, 2) on the plane of the world."""
    away = world.plane.nearest(places[:, None] - places)
    return np.hypot(away[..., 0], away[..., 1])


def test_flocking():
    """All end as one flock on one course; without its rules they fly each its own way."""
    means = []
    for off in ((), ("cohesion", "alignment")):
        run = played("flocking", 30, *off)
        means.append((one_course(run.velocity), distances(run.world, run.position[-1]).mean()))
    (course, near), (apart, far) = means
    assert course > 0.95
    assert apart < 0.6
    assert near < 0.3 * far


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


def test_player():
    """Its thrusters turn it, and as it turns it slides outward; without them it lies still."""
    slides, turned, run = [], [], [0.0, 0.0]
    for k, off in enumerate(((), ("thrusters",))):
        world = played("player", 3, *off).world
        player = world.group("player")
        before = player.heading[0]
        while world.time < 4:
            world.step()
            (c, s), (x, y) = player.heading[0], player.velocity[0]
            slides.append(c * y - s * x)
            run[k] = float(np.hypot(x, y))
        c, s = player.heading[0]
        turned.append(np.degrees(np.arctan2(before[0] * s - before[1] * c, before @ (c, s))))
    assert turned[0] > 45  # to starboard, by half a push for a second
    assert slides[0] > 0.1  # the push at the bow itself
    assert np.mean(slides[:60]) < -5
    assert run[0] > 60
    assert turned[1] == run[1] == 0


def from_player(name: str, group: str, *off: str) -> float:
    """Mean distance of a group's units from the player, from 8 s to 15 s of a demo."""
    run = played(name, 15, *off)
    world = run.world
    rows, player = world.group(group).rows, world.group("player").rows
    away = world.plane.nearest(run.position[480:, rows] - run.position[480:, player])
    return float(np.hypot(away[..., 0], away[..., 1]).mean())


def test_chase():
    """The units fall in behind the player; without the rule they are as far off as by chance."""
    assert from_player("chase", "blue") < 0.5 * from_player("chase", "blue", "chase")


def test_leader():
    """Leaders bring the flock near the player; without their chase it flies past it by chance."""
    assert from_player("leader", "blue") < 0.7 * from_player("leader", "blue", "chase")


def test_intercept():
    """Interceptors are nearer to the player than the chasers, and than without the rule."""
    cutting, lost = (from_player("intercept", "interceptors", *off) for off in ((), ("intercept",)))
    assert cutting < 0.5 * lost
    assert cutting < 0.8 * from_player("intercept", "chasers")
