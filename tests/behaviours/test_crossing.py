"""The source's rule: look-ahead, right of way, the mirrored yield and its fades (D1 to D6)."""

from math import acos, hypot, inf, pi

import numpy as np
import pytest

from sim import Goal, Region, World
from sim.behaviours.crossing import adjust, goes_first, meeting, mirrored, yielding

SPEED, REACH, LOOK, FRAME = 1.3, 3.0, 4.0, 1 / 30


def meeting_slowly(offset, a, b):
    """Where two segments cross, by solving for it; None for nowhere."""
    matrix = np.array([a, -np.asarray(b)]).T
    if abs(np.linalg.det(matrix)) < 1e-12:
        return None
    mine, other = np.linalg.solve(matrix, offset)
    return (mine, other) if 0 <= mine <= 1 and 0 <= other <= 1 else None


def adjust_slowly(offset, wish, own, other):
    """The push from one neighbour, step by step as the source tells it."""
    apart = hypot(*offset)
    away = -offset / apart
    if other @ offset / apart >= SPEED:
        return np.zeros(2)
    near = max(0.0, 1 - 1.25 * apart / REACH) ** 2
    bound = meeting_slowly(offset, wish * SPEED * LOOK, other * LOOK)
    if bound is None:
        angle = acos(np.clip(own @ other / hypot(*own) / hypot(*other), -1, 1))
        opposed = -np.cos(angle) if angle > pi / 2 else 0.0
        side = np.array([0, -1 if offset[1] > 1e-9 * apart else 1])
        return ((1 - opposed) * away + opposed * side) * (opposed + near)
    now = meeting_slowly(offset, own * LOOK, other * LOOK)
    mine, its = np.array(now or bound) * LOOK
    if mine < FRAME:
        return away
    heat = abs(mine - its) < FRAME
    if (heat and offset[1] <= 1e-9 * apart) or (not heat and mine < its):
        return np.zeros(2)
    much = 3.0 * np.clip(2 - abs(mine - its) / (50 * FRAME), 0, 1)
    if mine > 80 * FRAME:
        much *= (LOOK - mine) / (40 * FRAME)
    if its < 20 * FRAME and now is None:
        much *= its / (20 * FRAME) * min(1, its / mine)
    return (2 * (away @ wish) * wish - away) * (much + near)


def test_adjustment_against_its_slow_form():
    """All cases come up, and each push is that of the source's steps."""
    rng = np.random.default_rng(1)
    pushed = 0
    for _ in range(3000):
        offset = rng.uniform(0.3, 2) * np.array([rng.uniform(0.05, 1), rng.uniform(-1, 1)])
        turn = rng.uniform(-0.6, 0.6)
        wish = np.array([np.cos(turn), np.sin(turn)])
        own, other = rng.normal(size=(2, 2))
        found = adjust(*offset, hypot(*offset), *wish, *own, *other, SPEED, REACH, LOOK)
        expected = adjust_slowly(offset, wish, own, other)
        np.testing.assert_allclose(found, expected, atol=1e-9)
        pushed += bool(np.any(expected))
    assert 500 < pushed < 2900


def test_crossing_of_segments():
    """Inside both, at their ends, and not beyond."""
    assert meeting(1, 1, 2, 0, 0, -2) == pytest.approx((0.5, 0.5))
    assert meeting(2, 1, 2, 0, 0, -1) == pytest.approx((1, 1))
    assert meeting(2.1, 1, 2, 0, 0, -1) == (inf, inf)
    assert meeting(1, 1, 2, 0, 0, 2) == (inf, inf)


@pytest.mark.parametrize("b", [(2, 0), (-2, 0), (1, 1e-12), (0, 0)])
@pytest.mark.parametrize("offset", [(1, 0), (1, 1), (0, 0)])
def test_degenerate_segments(offset, b):
    """Parallel, on one line, opposite or standing: they cross nowhere, and nothing divides by 0."""
    assert meeting(*offset, 2, 0, *b) == (inf, inf)
    assert meeting(*offset, 0, 0, *b) == (inf, inf)


@pytest.mark.parametrize("turn", np.linspace(0, 2 * pi, 13))
def test_mirror(turn):
    """A reflection about any course, upright and level ones too: twice is as before."""
    dx, dy = np.cos(turn), np.sin(turn)
    x, y = mirrored(0.3, -0.8, dx, dy)
    assert x * dx + y * dy == pytest.approx(0.3 * dx - 0.8 * dy)
    assert x * dy - y * dx == pytest.approx(-(0.3 * dy + 0.8 * dx))
    assert mirrored(x, y, dx, dy) == pytest.approx((0.3, -0.8))


def test_goes_first():
    """Whoever is nearer in time; within a frame, whoever has the other to port."""
    assert goes_first(1.0, 1.2, True)
    assert not goes_first(1.2, 1.0, False)
    assert goes_first(1.01, 1.0, False)
    assert not goes_first(1.0, 1.01, True)


def test_yielding():
    """Full for the second; fading with the difference, the time to go, and once it has crossed."""
    assert yielding(1.2, 1.0, True, LOOK) == pytest.approx(3)
    assert yielding(3.8, 3.4, True, LOOK) < yielding(3.4, 3.0, True, LOOK) < 3
    assert yielding(2.5, 0.1, True, LOOK) < yielding(2.0, 0.1, True, LOOK) < 3
    assert yielding(1.0, 0.1, False, LOOK) < yielding(1.0, 0.5, False, LOOK) < 3


def crowd(**behaviours) -> World:
    """Walkers that criss-cross a small place, some way into it, by one rule."""
    world = World(seed=2)
    group = world.add_group(
        "a", Region(-6, -6, 6, 6), count=24, model="walkers", heading="random",
        goal=Goal.across((0, 0)),
        behaviours={"give_way": False, **behaviours},
    )  # fmt: skip
    for _ in range(90):
        world.step()
    world.steer()
    assert len(group) == 24
    return world


@pytest.mark.parametrize("rule", ["anti_gravity", "crossing_paths"])
def test_rules_add_up(rule):
    """Over all that are ahead and nearer than 4/3 s of travel and half a width."""
    world = crowd(**{rule: {"strength": 2.0}})
    units, group = world.units, world.groups[0]
    expected = np.zeros((24, 2))
    for i in range(24):
        turn = np.array([units.heading[i], [-units.heading[i, 1], units.heading[i, 0]]])
        wish = turn @ (world.orders.aim[i] - units.position[i])
        own = turn @ units.velocity[i]
        reach = hypot(*own) * 4 / 3 + 0.5
        for j in set(range(24)) - {i}:
            offset, other = turn @ (units.position[j] - units.position[i]), turn @ units.velocity[j]
            apart = hypot(*offset)
            if offset[0] > 0 and apart < reach:
                push = -offset / apart
                if rule == "crossing_paths":
                    course = wish / hypot(*wish)
                    push = adjust(*offset, apart, *course, *own, *other, SPEED, reach, LOOK)
                expected[i] += 2.0 * (1 - apart / reach) * np.array(push)
    assert np.count_nonzero(np.abs(expected).max(axis=1)) > 5
    np.testing.assert_allclose(group.terms[rule], expected, atol=1e-9)


@pytest.mark.parametrize("angle", [30, 60, 90, 120, 150, 180])
def test_after_you(angle):
    """A dead heat locks two that only avoid each other; with the rule both soon arrive."""
    turn = np.radians(angle)
    starts = -6 * np.array([[1, 0], [np.cos(turn), np.sin(turn)]])
    came = {}
    for rule in ("anti_gravity", "crossing_paths"):
        world = World()
        only = {"give_way": False, rule: {"strength": 2.0}}
        world.add_group("a", starts, model="walkers", goal=Goal.to(-starts), behaviours=only)
        for _ in range(15 * 60):
            world.step()
        came[rule] = world.orders.minds.arrived.tolist()
    assert came == {"anti_gravity": [False, False], "crossing_paths": [True, True]}


def test_a_faster_one_is_ignored():
    """Who draws away is no obstacle (D5): nothing is asked of the one behind."""
    world = World()
    world.add_group("b", [(1.2, 0)], model="walkers", speed=1.6, goal=Goal.to([(30, 0)]))
    only = {"give_way": False, "crossing_paths": True}
    behind = world.add_group(
        "a", [(0, 0)], model="walkers", behaviours=only, goal=Goal.to([(29, 0)])
    )
    asked = 0.0
    for step in range(240):
        world.step()
        if step > 60:
            asked = max(asked, np.abs(behind.terms["crossing_paths"]).max())
    assert asked == 0.0
