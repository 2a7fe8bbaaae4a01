"""Threads: made when they are needed, ended with the world, made anew after a fork."""

import gc
import os
import threading

import numpy as np
import pytest

from sim import Region, World

FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks there")


@pytest.fixture(autouse=True, scope="module")
def _alone():
    """The worlds that tests of other files have left in this process end their threads."""
    gc.collect()
    for each in gc.get_objects():
        if type(each) is World:
            each.close()


def helpers() -> set[str]:
    """The names of the threads that work for worlds."""
    names = {thread.name.partition("_")[0] for thread in threading.enumerate()}
    return names & {"planner", "rows-0"}


def walkers(goal=(190.0, 50.0)) -> World:
    """Three on their way round a box."""
    world = World(seed=1, bounds=(0, 0, 200, 100), edges="wall", boxes=[(100, 30, 110, 60)])
    group = world.add_group("a", Region(10, 20, 60, 80), count=3, model="crowd")
    group.go_to(goal)
    return world


def crowd(count: int) -> World:
    """Many on a torus."""
    world = World(seed=1, bounds=(0, 0, 900, 900), edges="wrap")
    world.add_group("a", Region(0, 0, 900, 900), count=count, model="flock")
    return world


def ends(world: World, steps: int) -> bytes:
    """Where all units are after these steps."""
    for _ in range(steps):
        world.step()
    return world.units.position.tobytes()


def in_a_child(work) -> bytes:
    """What some work returns in a forked process; "" where that takes more than 60 s."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write, work()[:4096])
        finally:
            os._exit(0)
    os.close(write)
    alarm = threading.Timer(60, os.kill, (child, 9))
    alarm.start()
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    alarm.cancel()
    return said


def test_a_world_that_plans_nothing_has_no_thread():
    """No thread before there is something for it to do, and none once the world is closed."""
    world = walkers()
    world.close()
    before = helpers()
    assert "planner" not in before
    with world:
        ends(world, 3)
        assert "planner" in helpers()
    assert not helpers()


def test_a_closed_world_goes_on():
    """To close a world changes nothing in its run: what was asked for is asked for again."""
    with walkers() as one:
        expected = ends(one, 30)
    with walkers() as other:
        for steps in (2, 3, 25):
            found = ends(other, steps)
            other.close()
    assert found == expected


@FORKS
@pytest.mark.parametrize("before", [0, 3, 20, pytest.param(1, marks=pytest.mark.slow)])
def test_a_world_that_plans_goes_on_in_a_forked_process(before: int):
    """Whether the fork comes before, amid or after the planning: the same run as in the parent."""
    with walkers() as world:
        ends(world, before)
        child = in_a_child(lambda: ends(world, 25))
        assert child == ends(world, 25)


@FORKS
def test_a_large_world_goes_on_in_a_forked_process():
    """The threads of compiled code stay behind; the child has its own, and the same bits."""
    with crowd(2100) as world:
        ends(world, 3)
        child = in_a_child(lambda: ends(world, 3))
        assert child == ends(world, 3)[:4096]
    assert np.isfinite(world.units.position).all()
