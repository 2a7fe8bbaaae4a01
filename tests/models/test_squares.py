"""Squares on tile maps: gaps, packs, and two groups in one gap (C1, C3 to C9)."""

from pathlib import Path

import numpy as np
import pytest

from sim import Goal, Hull, Region, World
from sim.maps import TileMap, read
from sim.study.report import Report

MAPS = Path(__file__).parents[2] / "maps"
AT_REST = 1e-9
"""World units / s: what rounding leaves of a velocity is far less."""


def swap(seed: int, count: int = 20, speed: float | None = None) -> World:
    """Two groups on either side of the choke, each sent to the middle of the other's side."""
    tiles = read(MAPS / "choke.tmx")
    world = World(seed=seed, map=tiles)
    for name, goal in (("red", "east"), ("blue", "west")):
        world.add_group(
            name, Region(*tiles.named(name).box), count=count, model="squares",
            speed=speed, goal=Goal.to(tiles.named(goal).centre),
        )  # fmt: skip
    return world


def judged(world: World, seconds: float) -> dict:
    """The figures of a run that ends early when all have arrived and rest."""
    report = Report(world, "squares")
    report.observe(world)
    for _ in range(round(seconds / world.time_step)):
        if report.done:
            break
        world.step()
        report.observe(world)
    return report.result(1.0)


def pass_time(world: World, seconds: float) -> float:
    """The greatest speed of anybody in that time."""
    most = 0.0
    for _ in range(round(seconds / world.time_step)):
        world.step()
        most = max(most, float(np.hypot(*world.units.velocity.T).max()))
    return most


def rest(world: World, most: float) -> float:
    """Seconds until none moves or wants to, at most `most`."""
    start = world.time
    while world.time - start < most:
        world.step()
        if not world.roster.orders.minds.moving.any() and pass_time(world, 0.1) < AT_REST:
            return world.time - start
    raise AssertionError(f"still moving after {most} s")


def swapped(seed: int) -> None:
    """Everybody is there well within 180 s, through no wall, and nothing moves any more."""
    world = swap(seed)
    found = judged(world, 180)
    assert found["arrived_share"] == 1, seed
    assert found["max_time_s"] < 90  # 34 s to 44 s in these seeds; twice that is a jam
    assert found["wall_crossings"] == 0
    assert found["max_overlap_share"] < 0.5
    assert pass_time(world, 3) < AT_REST


def test_two_groups_in_one_gap():
    """Twenty against twenty through two tiles: all arrive, with no help (C9)."""
    swapped(2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_two_groups_in_one_gap_every_seed(seed):
    """The same in 20 of 20 seeds."""
    swapped(seed)


@pytest.mark.parametrize(
    ("speed", "seed"),
    [(280.0, 2), *(pytest.param(560.0, seed, marks=pytest.mark.slow) for seed in range(4))],
)
def test_quick_squares(speed, seed):
    """Ten times as quick they arrive as well, and bump into each other by a fifth of a radius."""
    found = judged(swap(seed, speed=speed), 60)
    assert found["arrived_share"] == 1
    assert found["max_overlap_share"] < 0.2
    assert found["wall_crossings"] == 0


def test_long_hulls_bump_into_each_other_by_as_little_as_short_ones():
    """Boxes 2 by 1 sent through a door overlap by 9 % of a radius, four seeds 8 to 13: before 19.

    What counts is how far they move in a part of a step, by their shorter side.
    """
    solid = [(-0.5, -12, 0.5, -2.5), (-0.5, 2.5, 0.5, 12)]
    world = World(seed=2, bounds=(-22, -12, 22, 12), edges="wall", boxes=solid)
    hull = Hull.box(2.0, 1.0, 80.0)
    group = world.add_group("a", Region(-20, -8, -6, 8), count=25, model="squares", hull=hull)
    group.go_to((10, 0))
    found = judged(world, 40)
    assert found["arrived_share"] == 1
    assert found["max_overlap_share"] < 0.15
    assert found["max_wall_overlap_share"] < 0.07


def hall(tiles: int, count: int, seed: int) -> World:
    """Two rooms joined by so many tiles; each group is sent to the middle of the other's room."""
    solid = np.ones((12, 20), bool)
    solid[1:11, 1:9] = solid[1:11, 11:19] = False
    solid[6 - tiles // 2 :][:tiles, 9:11] = False
    world = World(seed=seed, map=TileMap(solid, (30.0, 30.0)))
    for name, left, goal in (("west", 30, (450, 180)), ("east", 330, (150, 180))):
        world.add_group(
            name, Region(left, 30, left + 240, 330), count=count, model="squares",
            goal=Goal.to(goal),
        )  # fmt: skip
    return world


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("count", [20, 40, 60, 100])
@pytest.mark.parametrize("tiles", [1, 2, 3])
def test_two_groups_sort_themselves_out(tiles, count, seed):
    """All arrive, through chokes of one to three tiles: they take turns, and go on after a jam."""
    assert judged(hall(tiles, count, seed), 300)["arrived_share"] == 1


@pytest.mark.slow
def test_two_between_a_wall_and_a_pack():
    """They stand in the mouth behind one at rest, and go round it on the side without the wall."""
    assert judged(hall(2, 100, 8), 150)["arrived_share"] == 1


MIXED = 200
"""Steps, of 1,200, with both sides in a gap: more is no turn."""


def test_sides_take_turns():
    """Through one tile goes one side at a time; without the rule both are in it at once (C9)."""
    both = []
    for turns in (True, False):
        world, steps = hall(1, 20, 1), 0
        for group in world.groups:
            group.switch("passages", turns)
        while world.time < 20 and steps <= MIXED:
            world.step()
            inside = np.abs(world.units.position[:, 0] - 300) < 30
            steps += bool(inside[:20].any() and inside[20:].any())
        both.append(steps)
    assert both[0] == 0
    assert both[1] > MIXED


def test_a_pack_is_no_file():
    """Squares that come one by one stand round their place, not in a line behind the first."""
    world = World()
    group = world.add_group("red", [(20.0 * k, 3.0) for k in range(12)], model="squares")
    group.go_to((-200.0, 0.0))
    for _ in range(15 * 60):
        world.step()
    off = np.hypot(*(world.units.position - (-200.0, 0.0)).T)
    assert not world.orders.minds.moving.any()
    assert off.max() < 12 * 14 / 3  # a file of twelve would reach 154


def crowd(seed: int) -> World:
    """Forty on one side of the choke, sent to one point on the other."""
    tiles = read(MAPS / "choke.tmx")
    world = World(seed=seed, map=tiles)
    goal = Goal.to(tiles.named("target").centre)
    world.add_group("red", Region(*tiles.named("red").box), count=40, model="squares", goal=goal)
    return world


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_forty_through_one_gap(seed):
    """They settle within 60 s, round their point, and nothing moves for 30 s more."""
    world = crowd(seed)
    found = judged(world, 60)
    assert found["arrived_share"] == 1
    assert found["settled_s"] < 60
    assert pass_time(world, 30) < AT_REST


def test_four_abreast():
    """Four squares side by side go through a gap of two tiles without holding each other up."""
    world = World(boxes=[(100, -200, 160, -30), (100, 30, 160, 200)])
    abreast = np.array([(0.0, y) for y in (-21.6, -7.2, 7.2, 21.6)])
    group = world.add_group("red", abreast, model="squares")
    group.go_to(abreast + np.array((300.0, 0.0)))
    for _ in range(420):
        world.step()
    assert world.orders.minds.arrived.all()  # 300 at 56 / s and half a second to start: 5.6 s
    assert np.ptp(world.units.position[:, 0]) < 14


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_pack_lets_one_through(seed):
    """A settled pack of thirty, crossed by one, is at rest within 15 s of its passing."""
    world = World(seed=seed)
    pack = world.add_group("pack", Region(-150, -150, 150, 150), count=30, model="squares")
    one = world.add_group("one", [(-250.0, 0.0)], model="squares")
    pack.go_to((0.0, 0.0))
    rest(world, 60)
    one.go_to((400.0, 0.0))
    for _ in range(60 * 40):
        world.step()
        place = world.units.position
        if place[-1, 0] > place[:-1, 0].max() + 14:
            break
    else:
        raise AssertionError("it never got through")
    assert world.time < 100
    # What is measured is the pack's coming to rest.
    world.roster.orders_now().minds.moving[one.rows] = False
    assert rest(world, 15) < 15
    assert pass_time(world, 30) < AT_REST


def test_renumbering():
    """Decisions and timers of a pack in touch are the same under other numbers (C8)."""
    rng = np.random.default_rng(1)
    places = np.array([(x, y) for x in range(6) for y in range(5)]) * 13.99
    order = rng.permutation(30)

    def run(at):
        world = World()
        group = world.add_group("pack", at[:29], model="squares")
        world.add_group("one", at[29:], model="squares").go_to((500.0, 30.0))
        group.go_to((40.0, 30.0))
        world.roster.orders_now().minds.moving[group.rows] = at[:29, 0] > 30
        for _ in range(3):
            world.step()
        return world, group

    order = np.append(rng.permutation(29), 29)
    (first, one), (second, other) = run(places), run(places[order])
    timers = first.orders.minds.timer
    assert len(np.unique(timers)) > 2
    assert np.allclose(timers[order], second.orders.minds.timer)
    assert np.array_equal(first.orders.minds.moving[order], second.orders.minds.moving)
    assert np.abs(one.terms["go_round"]).max() > 0.5
    command, same = (sum(group.terms.values()) for group in (one, other))
    assert np.allclose(command[order[:29]], same, atol=1e-6)


def test_scale():
    """Squares ten times as large, ten times as far, do the same."""
    found = []
    for scale in (1.0, 10.0):
        world = World()
        hull = Hull("box", 14 * scale, 14 * scale)
        for name, x, goal in (("a", 0.0, 200.0), ("b", 100.0, -100.0), ("c", 50.0, 50.0)):
            group = world.add_group(name, [(x * scale, 0.0)], model="squares", hull=hull)
            group.go_to((goal * scale, 0.0))
        for _ in range(300):
            world.step()
        found.append(world.units.position / scale)
    assert np.allclose(*found, atol=0.05)


@pytest.mark.slow
def test_two_thousand_packed():
    """Two thousand in a pack: in touch, never through each other, nobody lost."""
    lattice = np.stack(np.meshgrid(np.arange(50), np.arange(40)), axis=-1).reshape(-1, 2) * 16.0
    world = World()
    world.add_group("pack", lattice, model="squares").go_to(lattice.mean(axis=0))
    for _ in range(600):
        world.step()
    assert np.isfinite(world.units.position).all()
    assert len(world.contacts.other) > 2000
