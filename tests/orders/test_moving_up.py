"""Units that rest before their region get in as long as it has room."""

import numpy as np
import pytest

from sim import Goal, Hull, Region, World
from sim.core.plane import Plane
from sim.orders import moving_up, resting, settle
from sim.orders.filling import in_region

HALL = np.array([10.0, -3.0, 24.0, 3.0])
DISC, BOX = Hull.disc(0.5, 80.0), Hull.box(1.0, 0.8, 80.0)
BARRIER = [(11.2, y) for y in (-2.4, -1.2, 0.0, 1.2, 2.4)]
"""Five discs across a corridor 6 wide, so deep in the region that they stay where they are."""


def in_a_corridor(model="crowd", count=16, hall=HALL, barrier=BARRIER, hull=DISC):
    """A world whose units are sent into a region from before it, and others that stand in it."""
    walls = [[-14, -4, 26, -3], [-14, 3, 26, 4]]
    world = World(seed=3, bounds=(-14, -4, 26, 4), boxes=walls)
    places = [(-10 + 1.4 * (k // 4), -2.1 + 1.4 * (k % 4)) for k in range(count)]
    world.add_group(
        "a", [*barrier, *places], model=model, hull=hull, speed=1.6,
        heading=0.0, goal=Goal.into(tuple(hall)),
    )  # fmt: skip
    return world


def rest(world, seconds):
    """Step until all have rested for a second, that is two looks; where they stand."""
    still = 0.0
    while still < 1.0:
        world.step()
        still = 0.0 if world.orders.minds.moving.any() else still + 1 / 60
        assert world.time < seconds
    return world.units.position


@pytest.mark.parametrize("model", ["mages", "walkers"])
def test_a_file_that_bars_the_way_moves_up(model):
    """Sixteen come behind five that bar the way into a region with room for all: all get in."""
    assert in_region(Plane(), HALL, rest(in_a_corridor(model), 60.0)).all()


def test_the_order_of_the_units_does_not_matter():
    """For `crowd` too; and shuffled, all come to stand at the same places."""
    found = []
    for barrier in (BARRIER, BARRIER[::-1]):
        found.append(rest(in_a_corridor(barrier=barrier), 60.0))
    assert in_region(Plane(), HALL, found[0]).all()
    assert (found[0][:5][::-1] == found[1][:5]).all()
    assert (found[0][5:] == found[1][5:]).all()


@pytest.mark.slow
def test_without_the_rule_they_rest_before_the_region(monkeypatch):
    """So the tests above test the rule."""
    monkeypatch.setattr(resting, "move_up", lambda orders, *_: np.zeros(len(orders.leg), bool))
    assert not in_region(Plane(), HALL, rest(in_a_corridor(), 60.0)).all()


@pytest.mark.parametrize(
    ("model", "hull"),
    [("crowd", DISC), ("crowd", BOX), ("mages", DISC), ("walkers", DISC),
     pytest.param("mages", BOX, marks=pytest.mark.slow),
     pytest.param("walkers", BOX, marks=pytest.mark.slow)],
)  # fmt: skip
def test_before_a_full_region_all_come_to_rest_for_good(model, hull):
    """Twenty-five into a region that holds about six: all rest, and stay so for 10 s.

    Boxes keep clear of each other as circles do: side by side there is half a box between them.
    """
    world = in_a_corridor(model, count=20, hall=np.array([10.0, -3.0, 12.0, 3.0]), hull=hull)
    rest(world, 90.0)
    before = world.units.position.copy()
    until = world.time + 10.0
    while world.time < until:
        world.step()
    assert np.abs(world.units.position - before).max() < 0.5  # half a hull


@pytest.mark.slow
def test_units_held_up_by_a_stream_go_on_when_it_has_gone():
    """Forty cross forty. Without the rule some rest where they were held up."""
    walls = [[x, y, x + 21, y + 21] for x in (-25, 4) for y in (-25, 4)]
    world = World(seed=1, bounds=(-25, -25, 25, 25), boxes=walls)
    halls = [(9, -3, 24, 3), (-3, 9, 3, 24)]
    for name, spawn, hall in zip(
        "ws", [Region(-19, -3.4, -6, 3.4), Region(-3.4, -19, 3.4, -6)], halls, strict=True
    ):
        world.add_group(
            name, spawn, count=40, model="crowd", hull=Hull.disc(0.5, 80.0), speed=1.6,
            goal=Goal.into(hall),
        )  # fmt: skip
    inside = np.zeros(80, bool)
    while world.time < 120.0 and inside.mean() <= 0.95:
        world.step()
        inside |= in_region(world.plane, world.orders.region, world.units.position)
    assert inside.mean() > 0.95  # fewer without; one may rest with its middle beside the edge


@pytest.mark.parametrize("at_once", [5, pytest.param(50, marks=pytest.mark.slow)])
def test_across_the_seam_of_a_torus_they_move_up_too(at_once, monkeypatch):
    """They come over the seam into a region behind it: ways in are the short ones."""
    monkeypatch.setattr(moving_up, "AT_ONCE", at_once)
    hall = np.array([3.0, -3.0, 17.0, 3.0])
    world = World(seed=3, bounds=(0, -4, 60, 4), edges="wrap", boxes=[[20, -4, 21, 4]])
    barrier = [(4.2, y) for y in (-2.4, -1.2, 0.0, 1.2, 2.4)]
    places = [(50 + 1.4 * (k // 4), -2.1 + 1.4 * (k % 4)) for k in range(16)]
    world.add_group(
        "a", [*barrier, *places], model="crowd", hull=Hull.disc(0.5, 80.0), speed=1.6,
        heading=0.0, goal=Goal.into(tuple(hall)),
    )  # fmt: skip
    there = in_region(world.plane, hall, rest(world, 60.0))
    assert there.sum() >= 20  # one may rest beside the edge


@pytest.mark.parametrize(
    ("place", "bars"),
    [((1.9, 0.0), True), ((2.1, 0.0), False), ((1.0, 0.9), True), ((1.9, 0.9), False),
     ((-1.1, 0.0), False)],
)  # fmt: skip
def test_what_bars_the_way_of_a_hull(place, bars):
    """A disc of radius 0.5 that goes east for 1: whom it would meet, whatever else is there."""
    for far in ([], [(40.0, 2.0)]):
        world = World(seed=1)
        world.add_group("a", [(0.0, 0.0), place], hull=Hull.disc(0.5, 80.0))
        if far:
            world.add_group("b", far, hull=Hull.disc(3.0, 80.0))
        world.step()
        n = len(world.units)
        some, east = np.arange(n) == 0, np.tile((1.0, 0.0), (n, 1))
        assert settle.bars_way(world.orders, world.units, some, east, np.ones(n))[0] == bars
