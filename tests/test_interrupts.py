"""Interrupts: put off to the end of a step, whatever is going on, and never lost."""

import os
import signal
import sys
import time
from collections.abc import Callable

import pytest

from sim import World
from sim.commands import guard
from sim.core.interrupts import KINDS, Interrupts, breakable, put_off, raised
from sim.run import run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")


class Presser:
    """A watcher that presses Ctrl-C at a step, `times` times, and would swallow what it does."""

    def __init__(self, step: int, times: int = 1) -> None:
        self.step, self.times, self.steps = step, times, []

    def observe(self, world: World) -> None:
        """Press it, in the middle of one's own work."""
        if world.steps == self.step:
            for _ in range(self.times):
                os.kill(os.getpid(), signal.SIGINT)
        self.steps.append(world.steps)

    def close(self) -> None:
        """Nothing to finish."""


def test_a_step_is_not_cut_in_two():
    """Whoever watches sees the step to its end; then the run ends."""
    before = signal.getsignal(signal.SIGINT)
    first, last = Presser(3), Presser(-1)
    outcome = run(World(), 10, [first, last])
    assert outcome.interrupted
    assert first.steps == last.steps == [0, 1, 2, 3]
    assert signal.getsignal(signal.SIGINT) is before
    assert not run(World(), 2).interrupted


def test_a_second_one_breaks_off():
    """Whoever does not want to wait for the end of a step presses again."""
    watcher = Presser(3, times=2)
    assert run(World(), 10, [watcher]).interrupted
    assert watcher.steps == [0, 1, 2]


def test_all_see_the_start():
    """However often it is pressed there: files of a run have a first frame, all or none of them."""
    first, last = Presser(0, times=3), Presser(-1)
    assert run(World(), 10, [first, last]).interrupted
    assert first.steps == last.steps == [0]


def test_files_are_finished_however_often_it_comes():
    """What ends a file is broken off by nothing: the watchers after it have theirs to end."""
    closed = []

    class Ending(Presser):
        def close(self) -> None:
            for _ in range(3):
                os.kill(os.getpid(), signal.SIGINT)
            closed.append(self.step)

    assert run(World(), 10, [Ending(2, times=2), Ending(-1), Ending(-2)]).interrupted
    assert closed == [2, -1, -2]
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_one_that_a_callback_swallows_is_raised_again(capsys):
    """What Python cannot raise inside the end of an object comes a moment later, unprinted."""

    class Ending:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.001)

    def wait() -> None:
        ending = Ending()
        del ending
        time.sleep(60)

    with pytest.raises(KeyboardInterrupt), raised():
        wait()
    assert Interrupts.seen
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("file", ["llvmlite/some.py", "numba/core/serialize.py"])
@pytest.mark.parametrize("second", [False, True])
def test_one_that_comes_while_code_is_called_back_comes_a_moment_later(second, file):
    """What LLVM calls back cannot raise: code that it was to hand over was missing then.

    Its next call ended the process with SIGSEGV, which pygame made SIGABRT. What a kernel calls
    back, to hand over arrays, made it a `SystemError`.
    """
    names: dict[str, Callable[[], None]] = {}
    exec(
        compile(
            "def called_back(press): press()",
            os.path.join("packages", *file.split("/")),
            "exec",
        ),
        names,
    )
    handed_over = []

    def press() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        handed_over.append(True)

    def load() -> None:
        names["called_back"](press)
        time.sleep(60)

    def load_later() -> None:
        with put_off(), breakable(60):
            os.kill(os.getpid(), signal.SIGINT)
            load()

    with pytest.raises(KeyboardInterrupt), raised():
        (load_later if second else load)()
    assert handed_over == [True]


def test_a_step_that_takes_too_long_is_broken_off(monkeypatch):
    """After the first one a step has only so much time; to end the files there is any."""
    monkeypatch.setitem(run.__globals__, "PATIENCE", 0.05)
    waited = []

    class Slow(Presser):
        def observe(self, world: World) -> None:
            super().observe(world)
            if world.steps == self.step:
                time.sleep(60)

        def close(self) -> None:
            time.sleep(0.1)
            waited.append(True)

    assert run(World(), 10, [Slow(3)]).interrupted
    assert waited == [True]


def test_what_fails_after_an_interrupt_is_the_interrupt():
    """Compiled code that is broken off fails with errors of its own: they are none of the run."""

    class Failing(Presser):
        def observe(self, world: World) -> None:
            super().observe(world)
            if world.steps == self.step:
                raise SystemError("returned a result with an exception set")

    assert run(World(), 10, [Failing(2)]).interrupted


@pytest.mark.parametrize("number", KINDS)
def test_a_command_that_swallows_it_ends_with_130_all_the_same(number):
    """Nothing that an interrupt breaks off, or that takes it for its own, changes the status."""

    def swallows() -> None:
        try:
            os.kill(os.getpid(), number)
        except BaseException:
            assert Interrupts.seen

    def fails() -> None:
        try:
            os.kill(os.getpid(), number)
        finally:
            raise RuntimeError("broken off")

    before = [signal.getsignal(kind) for kind in KINDS]
    for command in (swallows, fails):
        with pytest.raises(SystemExit) as ended:
            guard(command)
        assert ended.value.code == 130
    assert [signal.getsignal(kind) for kind in KINDS] == before


def test_what_is_ignored_stays_so():
    """A process begun by `nohup`, or in the background, is not ended by Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with raised(), put_off():
            os.kill(os.getpid(), signal.SIGINT)
            assert not Interrupts.seen
    finally:
        signal.signal(signal.SIGINT, before)
