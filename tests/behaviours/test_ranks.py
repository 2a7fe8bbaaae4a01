"""Closing ranks."""

import numpy as np

from sim import World


def halted(at, goal=(0.0, 0.0), speed=56.0, **rules):
    """Squares sent to one point that all have given up already."""
    world, at = World(), np.array(at, dtype=float)
    group = world.add_group("a", at, model="squares", speed=speed, behaviours=rules)
    group.go_to(goal)
    world.roster.orders_now().minds.moving[:] = False
    return world


def pass_time(world, seconds):
    """The greatest speed in that time."""
    most = 0.0
    for _ in range(round(seconds * 60)):
        world.step()
        most = max(most, float(np.hypot(*world.units.velocity.T).max()))
    return most


def test_they_move_up_and_rest():
    """A loose ring packs round its point at half speed; then nothing moves any more."""
    around = np.arange(12) * np.pi / 6 + 0.1
    world = halted(60 * np.stack([np.cos(around), np.sin(around)], axis=1))
    assert 26 < pass_time(world, 10) < 28 + 3  # half of 56, and what a push adds
    assert pass_time(world, 2) < 1e-9
    away = np.hypot(*world.units.position.T)
    assert away.min() < 7
    assert away.max() < 36  # nobody is farther than in a column of five
    assert not world.orders.minds.moving.any()


def test_fast_ones_move_up_gently():
    """One of 20 hull lengths a second, 280, moves up at two, 28, not at half of its own speed."""
    assert 26 < pass_time(halted([(60.0, 0.0)], speed=280.0), 2) < 28 + 3


def test_the_nearest_gets_to_the_point():
    """Two that meet over their point do not block each other: the nearer goes on."""
    world = halted([(-8.0, 0.5), (9.0, 0.0)])
    pass_time(world, 4)
    away = np.hypot(*world.units.position.T)
    assert away.min() < 4
    assert away.max() < 20


def test_they_wait_for_those_on_their_way():
    """Nobody closes in while somebody on its way is in sight."""
    world = halted([(40.0, 0.0)])
    passer = world.add_group("b", [(40.0, 30.0)], model="squares", behaviours={"press_on": False})
    passer.go_to((400.0, 30.0))
    assert pass_time(world, 1) == 0
    world.roster.orders_now().minds.moving[passer.rows] = False
    assert pass_time(world, 1) > 20


def test_it_can_be_switched_off():
    """The source's own way: a unit that gave up stays there, until it tries again."""
    assert pass_time(halted([(60.0, 0.0), (0.0, 50.0)], close_ranks=False), 1) == 0
