"""The source's rule: look-ahead, right of way, the mirrored yield and its fades (D1 to D6)."""

from math import acos, hypot, inf, pi

import numpy as np
import pytest

from sim import Goal, Region, World
from sim.behaviours.courses import lines, meeting, mirrored
from sim.behaviours.crossing import FIRST, FRAME, Other, Own, goes_first, judge, yielding
from tests.models.meetings import many_pairs, meet

SPEED, WIDTH, REACH = 1.3, 1.0, 3.0
LOOK = 120 * FRAME


def meeting_slowly(offset, a, b):
    """Where two segments cross, by solving for it; None for nowhere."""
    matrix = np.array([a, -np.asarray(b)]).T
    if abs(np.linalg.det(matrix)) < 1e-12:
        return None
    mine, other = np.linalg.solve(matrix, offset)
    return (mine, other) if 0 <= mine <= 1 and 0 <= other <= 1 else None


def share_slowly(offset, own, other):
    """1 for two that touch as they go now, 0 for two with a quarter of a width between them."""
    times = np.linspace(0, LOOK, 200001)[:, None]
    passing = np.hypot(*(offset + times * (other - own)).T).min()
    return np.clip((1.25 - passing / WIDTH) / 0.25, 0, 1)


def uncrossed_slowly(offset, own, other):
    """The push from one whose course does not cross: none if it passes clear, or astern."""
    apart = hypot(*offset)
    share = share_slowly(offset, own, other)
    matrix = np.array([own, -other]).T
    if abs(np.linalg.det(matrix)) > 1e-9:
        since = np.linalg.solve(matrix, offset)[0]
        share *= 1.0 if since >= 0 else np.clip(-since / LOOK - 1, 0, 1)
    angle = acos(np.clip(own @ other / hypot(*own) / hypot(*other), -1, 1))
    opposed = -np.cos(angle) if angle > pi / 2 else 0.0
    near = max(0.0, 1 - 1.25 * apart / REACH) ** 2
    side = np.array([0, -1 if offset[1] > 1e-9 * apart else 1])
    return ((1 - opposed) * -offset / apart + opposed * side) * (opposed + near) * share


def judge_slowly(offset, wish, own, other):
    """The push from one neighbour, step by step as the source tells it."""
    apart = hypot(*offset)
    away = -offset / apart
    if other @ offset / apart >= SPEED:
        return np.zeros(2)
    bound = meeting_slowly(offset, wish * SPEED * LOOK, other * LOOK)
    if bound is None:
        return uncrossed_slowly(offset, own, other)
    now = meeting_slowly(offset, own * LOOK, other * LOOK)
    mine, its = np.array(now or bound) * LOOK
    heat = abs(mine - its) < FRAME
    if (heat and offset[1] <= 1e-9 * apart) or (not heat and mine < its):
        return np.zeros(2)
    if mine < FRAME:
        return away
    much = 3.0 * np.clip(2 - abs(mine - its) / (50 * FRAME), 0, 1)
    if mine > 80 * FRAME:
        much *= (LOOK - mine) / (40 * FRAME)
    if its < 20 * FRAME and now is None and share_slowly(offset, own, other) == 0:
        much *= its / (20 * FRAME) * min(1, its / mine)
    near = max(0.0, 1 - 1.25 * apart / REACH) ** 2
    return (2 * (away @ wish) * wish - away) * (much + near)


def test_judgement_against_its_slow_form():
    """All cases come up, and each push is that of the source's steps."""
    rng = np.random.default_rng(1)
    pushed, kinds = 0, set()
    for _ in range(1000):
        offset = rng.uniform(0.3, 2) * np.array([rng.uniform(0.05, 1), rng.uniform(-1, 1)])
        turn = rng.uniform(-0.6, 0.6)
        wish = np.array([np.cos(turn), np.sin(turn)])
        own, other = rng.normal(size=(2, 2))
        kind, _, *found = judge(
            Own(*wish, *own, SPEED, WIDTH), Other(*offset, hypot(*offset), *other), REACH, LOOK
        )
        expected = judge_slowly(offset, wish, own, other)
        np.testing.assert_allclose(found, expected, atol=1e-4)
        pushed += bool(np.any(expected))
        kinds.add(kind)
    assert 150 < pushed < 950
    assert len(kinds) >= 4


def test_a_unit_that_passes_astern_or_clear_is_left_alone():
    """The first goes on unchanged though the second, turned to its stern, comes near (D2)."""
    own = Own(1.0, 0.0, 1.3, 0.0, SPEED, WIDTH)
    steep = np.array([-1.0, -0.83])  # its line cuts mine astern of me
    assert judge(own, Other(1.5, 1.5, hypot(1.5, 1.5), *steep), REACH, LOOK)[2:] == (0.0, 0.0)
    wide = Other(2.0, 1.4, hypot(2.0, 1.4), -1.3, 0.0)  # oncoming, 1.4 widths aside
    assert judge(own, wide, REACH, LOOK)[2:] == (0.0, 0.0)
    narrow = Other(2.0, 0.9, hypot(2.0, 0.9), -1.3, 0.0)
    assert judge(own, narrow, REACH, LOOK)[3] < -0.5
    assert judge(own, Other(1.5, 1.5, hypot(1.5, 1.5), 0.0, -0.5), REACH, LOOK)[0] == FIRST


def test_lines_cross_behind():
    """A negative share is behind the start."""
    assert lines(1, 1, 2, 0, 0, 1) == pytest.approx((0.5, -1))
    assert lines(-1, 1, 2, 0, 0, -1) == pytest.approx((-0.5, 1))


@pytest.mark.parametrize("pairs", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_mirroring_is_enough(pairs):
    """Pairs at 30 to 150 degrees by this rule alone: 1 % touch at most, one of 95 % yields (D3).

    The other is asked for 2 % of its speed at most. Without the rule nearly all touch.
    """
    only = {"give_way": False, "crossing_paths": True}
    met = meet(*many_pairs(pairs, seed=1), seconds=25.0, behaviours=only)
    asked = np.sort(met.asked.reshape(-1, 2))
    assert len(met.touches) <= 0.01 * pairs
    assert ((asked[:, 0] < 0.02) & (asked[:, 1] > 0.05)).mean() >= 0.95
    assert not np.isnan(met.ratio).any()


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
    assert goes_first(1.0 + FRAME / 2, 1.0, False)
    assert not goes_first(1.0, 1.0 + FRAME / 2, True)


def test_yielding():
    """Full for the second; fading with the difference, the time to go, and once it has crossed."""
    at = [yielding(mine * FRAME, its * FRAME, meets, LOOK) for mine, its, meets in (
        (36, 30, True), (114, 102, True), (102, 90, True), (75, 3, True), (60, 3, True),
        (30, 3, False), (30, 15, False),
    )]  # fmt: skip
    assert at[0] == pytest.approx(3)
    assert at[1] < at[2] < 3
    assert at[3] < at[4] < 3
    assert at[5] < at[6] < 3


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
    """Over all that are ahead and nearer than 40 frames of travel and half a width."""
    world = crowd(**{rule: {"strength": 2.0}})
    units, group = world.units, world.groups[0]
    expected = np.zeros((24, 2))
    for i in range(24):
        turn = np.array([units.heading[i], [-units.heading[i, 1], units.heading[i, 0]]])
        wish = turn @ (world.orders.aim[i] - units.position[i])
        own = turn @ units.velocity[i]
        reach = hypot(*own) * 40 * FRAME + 0.5
        for j in set(range(24)) - {i}:
            offset, other = turn @ (units.position[j] - units.position[i]), turn @ units.velocity[j]
            apart = hypot(*offset)
            if offset[0] > 0 and apart < reach:
                push = -offset / apart
                if rule == "crossing_paths":
                    course = wish / hypot(*wish)
                    push = judge(
                        Own(*course, *own, SPEED, WIDTH), Other(*offset, apart, *other), reach, LOOK
                    )[2:]
                expected[i] += 2.0 * (1 - apart / reach) * np.array(push)
    assert np.count_nonzero(np.abs(expected).max(axis=1)) > 5
    np.testing.assert_allclose(group.terms[rule], expected, atol=1e-9)


@pytest.mark.parametrize(
    "angle", [30, 90, 180, *(pytest.param(each, marks=pytest.mark.slow) for each in (60, 120, 150))]
)
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
    """A unit that draws away is no obstacle (D5): nothing is asked of the one behind."""
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
