"""Ctrl-C in a program of a user waits for the end of what is being done to a world."""

import asyncio
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from types import FrameType

import numpy as np
import pytest

from sim import BadInput, World
from sim.behaviours import rule
from sim.core import interrupts
from sim.living import changes, ordering, turn

from .test_turns import two_groups

PLACES = {
    module.__file__ for module in (sys.modules["sim.world"], interrupts, turn, changes, ordering)
}
"""The files of what takes and gives up turns: where an interrupt comes amid them."""


def press() -> None:
    """Ctrl-C."""
    signal.raise_signal(signal.SIGINT)


def python_has_it() -> bool:
    """Whether Ctrl-C is left to Python, and nothing waits."""
    handler = signal.getsignal(signal.SIGINT)
    return handler is signal.default_int_handler and not interrupts.Interrupts.held


def pressed_at(moment: int, world: World) -> bool:
    """Change a world, with Ctrl-C at a moment of those that count; whether it has as many.

    Python raises an interrupt where a function begins, and after the call of a compiled one. Those
    count that are in `PLACES`.
    """
    left = moment

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal left
        if event in ("call", "c_return") and frame.f_code.co_filename in PLACES:
            left -= 1
            if left < 0:
                sys.setprofile(None)
                press()

    try:
        sys.setprofile(look)
        world.step()
        world.group("b").add([(95, 95)])
        world.remove(world.ids[-1:])
    except KeyboardInterrupt:
        assert left < 0
    finally:
        sys.setprofile(None)
    return left < 0


def test_at_any_moment_it_leaves_the_world_whole_and_free():
    """1 in 80 left it refused to other threads, and some ended the process later."""
    with two_groups() as world, ThreadPoolExecutor(1) as other:
        moment = 0
        while pressed_at(moment, world):
            moment += 1
            assert python_has_it()
            world.group("b").remove(world.group("b").ids[2:])
            shown = other.submit(lambda: world.units.position).result(60)
            there = [tuple(body.position) for body in world.roster.bridge.bodies]
            np.testing.assert_array_equal(shown, there)
            other.submit(lambda: world.group("b").go_to((10, 10))).result(60)
        assert moment > 100


@pytest.mark.usefixtures("own_rules")
def test_it_waits_for_the_end_of_the_step():
    """The rule goes on, the step is whole, and then it is raised."""
    begun = []

    @rule("flocking", gives="velocity")
    def wait(me):
        if not begun:
            press()
        begun.append(me)
        return np.zeros((len(me.units.position[me.rows]), 2))

    with two_groups() as world:
        world.group("a").configure("wait")
        with pytest.raises(KeyboardInterrupt):
            world.step()
        assert len(begun) == 1
        assert world.steps == 2
        assert python_has_it()
        world.step()


@pytest.mark.usefixtures("own_rules")
def test_a_second_one_does_not_wait():
    """A rule without end can be broken off, and the handler is Python's again."""

    @rule("flocking", gives="velocity")
    def endless(_):
        press()
        press()
        raise AssertionError("not broken off")

    with two_groups() as world:
        world.group("a").configure("endless")
        with pytest.raises(KeyboardInterrupt):
            world.step()
        assert python_has_it()
        assert world.steps == 1


def test_it_waits_for_the_outer_of_two_worlds():
    """What is done at a time may step another world: the step of this one goes on after it."""
    with two_groups() as world, two_groups() as inner:

        def step_it(_: World) -> None:
            press()
            inner.step()

        world.at(world.time, step_it)
        with pytest.raises(KeyboardInterrupt):
            world.step()
        assert (world.steps, inner.steps) == (2, 2)
        assert python_has_it()


def test_what_is_refused_leaves_it_to_python():
    """A change that is refused is over."""
    with two_groups() as world:
        with pytest.raises(BadInput):
            world.remove([77])
        assert python_has_it()
        with pytest.raises(KeyboardInterrupt):
            press()


def test_a_handler_of_your_own_is_called_at_the_end():
    """What it raises would leave the world half changed; one that is set amid a step stays."""
    seen = []
    with two_groups() as world:

        def press_now(_: World) -> None:
            press()
            seen.append("after")

        world.at(world.time, press_now)
        before = signal.signal(signal.SIGINT, lambda *_: seen.append(world.steps))
        try:
            world.step()
            assert seen == ["after", 2]
            signal.signal(signal.SIGINT, before)
            mine = lambda *_: None  # noqa: E731
            world.at(world.time, lambda _: signal.signal(signal.SIGINT, mine))
            world.step()
            assert signal.getsignal(signal.SIGINT) is mine
        finally:
            signal.signal(signal.SIGINT, before)


def test_a_second_one_does_not_break_off_a_step_of_a_task():
    """The first asks a task of asyncio to end; the second raised amid a later step of it."""

    def press_now(_: World) -> None:
        press()
        whole.append("on")

    async def steps() -> None:
        for _ in range(2):
            world.at(world.time, press_now)
            world.step()

    whole: list[str] = []
    with two_groups() as world:
        with pytest.raises(KeyboardInterrupt):
            asyncio.run(steps())
        assert whole == ["on", "on"]
        assert world.steps == 3
        assert python_has_it()


def test_a_debugger_may_set_back_what_it_found_amid_a_step():
    """So pdb does at its next stop: the first Ctrl-C after it was lost."""
    found = []
    with two_groups() as world:
        world.at(world.time, lambda _: found.append(signal.getsignal(signal.SIGINT)))
        world.step()
        signal.signal(signal.SIGINT, found[0])
        with pytest.raises(KeyboardInterrupt):
            press()
        assert python_has_it()
        signal.signal(signal.SIGINT, found[0])
        world.step()
        assert python_has_it()


def test_in_another_thread_nothing_is_set():
    """Python raises interrupts in the main thread alone."""
    with two_groups() as world, ThreadPoolExecutor(1) as other:
        found = []
        world.at(world.time, lambda _: found.append(python_has_it()))
        other.submit(world.step).result(60)
        assert found == [True]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_child_forked_amid_a_step_has_it_left_to_python():
    """The child may never come to the end of the step: its first Ctrl-C would be lost."""
    ends = []

    def fork(_: World) -> None:
        child = os.fork()
        if child == 0:
            os._exit(0 if python_has_it() else 3)
        ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

    with two_groups() as world:
        world.at(world.time, fork)
        world.step()
    assert ends == [0]
