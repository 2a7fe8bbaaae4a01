"""What a world leaves behind: no thread and no memory, however often it changed."""

import gc
import resource
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest

import sim
from sim.world import World

ROOT = Path(__file__).resolve().parents[2]


def resident() -> int:
    """Bytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def lively(count: int = 30) -> World:
    """A world that plans, changes its ground, and is saved and loaded."""
    world = World(seed=1, bounds=(0, 0, 60, 40), edges="wall", boxes=[(20, 0, 21, 18)])
    crowd = world.add_group(
        "crowd", sim.Region(2, 2, 18, 38), count=count, goal=sim.Goal.to((50, 20))
    )
    door = world.add_solid(sim.Box(20, 18, 21, 22), name="door", open=True)
    for _ in range(3):
        world.step()
    door.close()
    state = world.save()
    crowd.add(sim.Region(22, 2, 58, 38), count=4)
    for _ in range(9):
        world.step()
    assert world.events is not None
    world.load(state)
    world.step()
    return world


@pytest.mark.parametrize("closed", [True, False])
def test_a_world_that_is_dropped_is_gone(closed: bool):
    """Nothing holds a world, its space and its planner any more, and its thread has ended.

    In a process of its own: the threads of compiled code end with the last world there is.
    """
    code = f"from tests.living.test_dropped import drop; drop({closed})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def drop(closed: bool) -> None:
    """Make a world, drop it, and look for what is left."""
    lively().close()
    before = set(threading.enumerate())
    world = lively()
    planner = world.roster.orders_now().guide.planner
    threads = set(threading.enumerate()) - before
    held = [weakref.ref(each) for each in (world, world.space, world.parts["door"], planner)]
    assert threads
    if closed:
        world.close()
        assert not set(threading.enumerate()) - before
    del world, planner
    gc.collect()
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
    assert [each() for each in held] == [None] * len(held)
    assert not set(threading.enumerate()) - before


@pytest.mark.slow
def test_many_worlds_take_no_more_memory_than_few():
    """Thirty worlds, one after the other."""
    seen = []
    for _ in range(40):
        lively(300)
        gc.collect()
        seen.append(resident())
    assert seen[-1] - seen[9] < 8 << 20


@pytest.mark.slow
def test_memory_stays_level_while_units_come_and_go():
    """A thousand steps with a hundred additions and a hundred removals each, at 2,000 units."""
    world = World(seed=1, bounds=(0, 0, 150, 150), edges="wrap")
    crowd = world.add_group("crowd", sim.Region(0, 0, 150, 150), count=2000, model="crowd")
    seen = []
    for _ in range(1000):
        crowd.remove(crowd.ids[:100])
        crowd.add(sim.Region(0, 0, 150, 150), count=100)
        world.step()
        seen.append(resident())
    assert len(world.units) == 2000
    assert world.ids_given == 102_000
    assert max(seen[-100:]) - max(seen[200:300]) < 8 << 20
