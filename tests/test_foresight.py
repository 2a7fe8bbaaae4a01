"""Looking while the engine is still at work: the same run, and nothing seen that is not so."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pymunk
import pytest

from sim import Diverged, Goal, Region, World
from sim.core.sharing import threads, use_threads
from sim.perception.neighbours import GridLooker

TORUS = {"bounds": (0.0, 0.0, 120.0, 90.0), "edges": "wrap"}


def flocks(**options) -> World:
    """Two flocks on a small torus: they cross its seam, touch, and chase."""
    world = World(seed=3, discs=[(60, 45, 6)], **{**TORUS, **options})
    world.add_group("a", Region(0, 0, 120, 90), model="flock", count=40, view="narrow")
    world.add_group("b", Region(0, 0, 120, 90), model="flock", count=30, goal=Goal("chase", "a"))
    return world


def leavers() -> World:
    """Walkers in a walled room that leave it by an exit, one after the other."""
    world = World(seed=2, bounds=(0, 0, 40, 20), edges="wall")
    world.add_group(
        "a", Region(20, 2, 34, 18), count=25, model="crowd", speed=5.0,
        goal=Goal.into((36, 8, 40, 12), leave=True),
    )  # fmt: skip
    return world


def alike(one: World, other: World) -> bool:
    """To the last bit."""
    names = ("position", "velocity", "angle", "spin")
    a, b = one.units, other.units
    return all(np.array_equal(getattr(a, n), getattr(b, n), equal_nan=True) for n in names)


class Watch:
    """Lets worlds look ahead, or not, and counts how often they did, and looked when asked."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.ahead, self.here, self.on = 0, 0, True
        find = GridLooker.find

        begin = GridLooker._look_ahead

        def watched(looker, units):
            self.here += 1
            return find(looker, units)

        def ahead(looker, draft):
            self.ahead, self.here = self.ahead + 1, self.here - 1
            begin(looker, draft)

        patch.setattr(GridLooker, "find", watched)
        patch.setattr(GridLooker, "_look_ahead", ahead)
        patch.setattr(GridLooker, "foresees", lambda _looker, _units: self.on)

    def step(self, world: World, on: bool = True) -> None:
        """A step of a world that does so, or does not."""
        self.on = on
        world.step()

    def abreast(self, one: World, other: World, steps: int) -> Iterator[int]:
        """Steps of two worlds, of which one looks ahead; whatever is done then, they stay alike."""
        for step in range(steps):
            self.step(one)
            self.step(other, on=False)
            yield step
            assert alike(one, other), step


@pytest.fixture
def watch(monkeypatch):
    """Which thread looks when."""
    return Watch(monkeypatch)


@pytest.mark.parametrize("made", [flocks, leavers])
def test_the_same_run(made, watch):
    """Whether what all see is found before or after the engine's step makes no difference."""
    one, other = made(), made()
    for _ in watch.abreast(one, other, 200):
        pass
    assert watch.ahead == 200
    left = (~one.units.present).sum()
    assert left > 5 or made is flocks  # they did leave
    assert watch.here <= 201 + 1 + left  # each step of the other, and where bodies went


def test_nobody_looks_twice(watch):
    """Reading between steps costs no second look: the snapshot stays the one looked at."""
    world = flocks()
    for _ in range(20):
        watch.step(world)
        before = world.units
        world.percepts(world.groups[0])
        assert world.units is before
    assert (watch.ahead, watch.here) == (20, 1)


def test_what_is_moved_by_hand_is_seen_there(watch):
    """A body moved, or pushed, after the step is seen where it is, and as it moves now."""
    one, other = flocks(), flocks()
    for step in watch.abreast(one, other, 60):
        for world in (one, other):
            body = world.roster.bridge.bodies[step % 70]
            assert body is not None
            if step % 3 == 0:
                body.position = 10.0 + step, 80.0
            elif step % 3 == 1:
                body.velocity = 5.0, -7.0


def test_what_changes_between_steps(watch):
    """Another view, another group, a goal, another step of somebody's own: all as without it."""
    one, other = flocks(), flocks()
    for step in watch.abreast(one, other, 80):
        for world in (one, other):
            if step == 10:
                world.groups[0].view = "wide"
            if step == 20:
                world.add_group("c", [(5.0, 5.0), (9.0, 70.0)], model="flock")
            if step == 30:
                world.groups[1].goal = Goal("intercept", "c")
            if step == 40:
                world.steer()
                world.space.step(world.time_step)


def test_a_space_with_bodies_of_its_own(watch):
    """Foreign bodies, some of them later in the engine's order, and one with a way of its own."""
    worlds = []
    for _ in range(2):
        world = flocks(space=pymunk.Space())
        for x in (20.0, 100.0):
            body = pymunk.Body(500, 5000)
            body.position, body.velocity = (x, 45.0), (0.0, 9.0)
            world.space.add(body, pymunk.Circle(body, 3))
        worlds.append(world)
    for _ in watch.abreast(*worlds, 60):
        pass


def test_a_body_that_is_moved_by_its_own_function_still_is(watch):
    """A body's own `position_func` is called as ever, and is there again after the step."""
    world, moved = flocks(), []

    def mine(body: pymunk.Body, dt: float) -> None:
        moved.append(dt)
        pymunk.Body.update_position(body, dt)

    watch.step(world)
    for body in world.roster.bridge.bodies:
        assert body is not None
        assert body.position_func is pymunk.Body.update_position
        body.position_func = mine
    watch.step(world)
    assert len(moved) == len(world.units) == 70  # which waits for what is begun
    assert all(
        body is not None and body.position_func is mine for body in world.roster.bridge.bodies
    )
    assert watch.ahead == 2


def test_what_goes_wrong_ahead_is_said(watch, monkeypatch):
    """An error while looking ahead is raised at the next step, not swallowed."""
    world = flocks()
    watch.step(world)
    watch.step(world)
    assert len(world.units) == 70  # which waits for what is begun

    def fail(_looker, _units):
        raise RuntimeError("no eyes")

    monkeypatch.setattr(GridLooker, "find", fail)
    world.step()
    with pytest.raises(RuntimeError, match="no eyes"):
        world.step()


def test_an_interrupt_amid_the_step(watch, monkeypatch):
    """Control-C that arrives just then ends the run: the engine does not swallow it."""
    world = flocks()
    watch.step(world)

    def interrupt(_looker, _draft):
        raise KeyboardInterrupt

    monkeypatch.setattr(GridLooker, "look_ahead", interrupt)
    with pytest.raises(KeyboardInterrupt):
        world.step()
    monkeypatch.undo()
    world.step()


def test_a_lost_unit_is_named(watch):
    """A state that is not finite is found, drafted or not."""
    world = flocks()
    for _ in range(3):
        watch.step(world)
    body = world.roster.bridge.bodies[4]
    assert body is not None
    body.velocity = float("inf"), 0.0
    with pytest.raises(Diverged, match="unit 4 at step 3"):
        watch.step(world)


def test_small_worlds_and_single_threads_do_not():
    """Waking a thread costs more than a small world's look; and one thread is one thread."""
    world = flocks()
    world.step()
    looker = world.looking.eyes().looker
    assert not looker.foresees(1000)
    assert looker.foresees(10000) == (threads() > 1)
    most = threads()
    use_threads(1)
    try:
        assert not looker.foresees(10000)
    finally:
        use_threads(most)


def test_an_interrupt_as_it_is_waited_for_leaves_it_to_be_waited_for():
    """Else the next look wrote to the lists while the thread aside still did."""
    world, waited = flocks(), []

    class Aside:
        found = property(lambda _: waited[1:])

        def waited(self) -> bool:
            waited.append(len(waited))
            if len(waited) == 1:
                raise KeyboardInterrupt
            return True

    world.step()
    world.looking.eyes().looker._begun = Aside()
    with pytest.raises(KeyboardInterrupt):
        world.step()
    world.step()
    assert waited == [0, 1]
