"""Between walls streams that meet pass each other in lanes; elsewhere the rule has no say."""

from pathlib import Path

import numpy as np
import pytest

from sim import Formation, Goal, Hull, Stop, World
from sim.core.arrays import Floats
from sim.orders.filling import in_region
from sim.scenario.build import build
from sim.scenario.load import load

BRIDGE = Path(__file__).resolve().parent.parent.parent / "maps" / "bridge.toml"
WALLS = [(0, 0, 60, 10), (0, 20, 60, 30)]
"""Above and below a corridor ten wide, along x."""


def through(world: World, until: float) -> int:
    """How many units are in their regions when all are, or in the end."""
    while world.time < until:
        world.step()
        if not round(60 * world.time) % 60:
            there = in_region(world.plane, world.orders.region, world.units.position)
            if there.all():
                break
    return int(there.sum())


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_two_streams_cross_a_bridge_at_once(seed: int):
    """Forty a side on a bridge 4.3 hulls wide: all are over within 80 s.

    Five seeds took 53 to 58 s; alone a unit takes up to 29 s. Without the rule both streams took
    the whole width, and none had got over after 120 s.
    """
    assert through(build(load(BRIDGE, [f"seed={seed}"])), 80.0) == 80


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_without_the_rule_none_crosses_the_bridge(seed: int):
    """So the test above tests the rule."""
    off = [f"groups.{name}.behaviours.keep_to_starboard.weight=0" for name in ("west", "east")]
    assert through(build(load(BRIDGE, [f"seed={seed}", *off])), 80.0) == 0


def turned(world: World) -> Floats:
    """(n,) how far the rule turns the way wanted of each of the first group, rad."""
    terms = world.groups[0].terms
    (ax, ay), (x, y) = terms["arrive"].T, (terms["arrive"] + terms["keep_to_starboard"]).T
    return np.asarray(np.arctan2(ax * y - ay * x, ax * x + ay * y))


def meeting(
    y: float, other: tuple[float, float] | None = (26.0, 15.0), walls=WALLS, **plane
) -> World:
    """One headed east at (20, y), and another that comes the other way, after a step."""
    world = World(seed=0, bounds=(0, 0, 60, 30), boxes=walls, **plane)
    world.add_group(
        "a", [(20.0, y)], hull=Hull.disc(0.5), heading=0.0, speed=1.5, goal=Goal.to((50, y))
    )
    if other:
        world.add_group(
            "b", [other], hull=Hull.disc(0.5), heading=180.0, speed=1.5,
            goal=Goal.to((8, other[1])),
        )  # fmt: skip
    for _ in range(2):
        world.step()
    return world


def test_one_in_the_port_half_turns_to_starboard():
    """By 0.9 rad, its speed as it was; one in the starboard half goes on as it was."""
    world = meeting(12.0)
    np.testing.assert_allclose(turned(world), 0.9, atol=1e-9)
    terms = world.groups[0].terms
    both = terms["arrive"] + terms["keep_to_starboard"]
    np.testing.assert_allclose(np.hypot(*both.T), np.hypot(*terms["arrive"].T), atol=1e-9)
    assert turned(meeting(18.0)) == 0


@pytest.mark.parametrize(
    "other",
    [None, (16.0, 15.0), (29.0, 12.0), (26.0, 16.5)],
    ids=["none", "behind", "out of sight", "far aside"],
)
def test_where_none_comes_against_one_it_goes_straight(other):
    """One behind, beyond eight lengths or more than four to the side does not count."""
    assert turned(meeting(12.0, other)) == 0


def test_in_the_open_none_is_turned():
    """Without something solid within ten lengths to either side: only in corridors."""
    assert turned(meeting(12.0, walls=[])) == 0
    assert turned(meeting(12.0, walls=[(0, 0, 60, 10)])) == 0
    assert turned(meeting(12.0, walls=[(0, 0, 60, 1), (0, 20, 60, 30)])) == 0
    assert turned(meeting(12.0, walls=[(0, 0, 60, 3), (0, 22, 60, 30)])) > 0


def test_one_at_rest_is_no_stream():
    """A unit that has stopped, or stands at a halt, turns none, however it faces."""
    halt = Goal.along([Stop(26, 13, wait=60), (8, 13)], formation=Formation("line", facing=180))
    for goal in (None, halt):
        world = meeting(12.0, None)
        other = world.add_group("b", [(26.0, 13.0)], model="crowd", hull=Hull.disc(0.5),
                                heading=180.0, goal=goal)  # fmt: skip
        for _ in range(2):
            world.step()
        assert other.moving.all() == (goal is not None)
        assert turned(world) == 0


def test_near_a_narrow_place_the_turns_decide():
    """Nine lengths before a door of 1.2 it turns none; 20 lengths before it as without one."""
    for x, by in ((29, 0.0), (40, 0.9)):
        world = meeting(12.0, walls=[*WALLS, (x, 10, x + 1, 14.4), (x, 15.6, x + 1, 20)])
        while world.time < 1:  # by then the narrow places are known
            world.step()
        np.testing.assert_allclose(turned(world), by, atol=1e-9)


@pytest.mark.parametrize(
    ("high", "shift"), [(60.0, 0.0), (60.0, 37.0), (60.0, 44.0), (24.0, 8.0), (21.0, 4.0)]
)
def test_walls_count_across_a_seam(high: float, shift: float):
    """On a torus, wherever its seam lies, one hardly higher than the 20 lengths looked at too."""
    world = World(
        seed=0, bounds=(0, 0, 60, high), edges="wrap",
        boxes=[(0.0, (y + shift) % high, 60.0, (y + shift) % high + 3.0) for y in (3.4, 24.1)],
    )  # fmt: skip
    places = [(20.0, (15 + shift) % high)], [(26.0, (17 + shift) % high)]
    for name, place, heading, x in zip("ab", places, (0.0, 180.0), (35, 11), strict=True):
        world.add_group(
            name, place, hull=Hull.disc(0.5), heading=heading, speed=1.5,
            goal=Goal.to((x, place[0][1])),
        )  # fmt: skip
    for _ in range(2):
        world.step()
    np.testing.assert_allclose(turned(world), 0.9, atol=1e-9)
