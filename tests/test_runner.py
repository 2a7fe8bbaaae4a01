"""Running a world with watchers: which sees what, and which are closed whatever happens."""

from time import sleep

import pytest
from numba.core.compiler_lock import global_compiler_lock

from sim import World
from sim.run import run


class Notes:
    """A watcher that writes down when it was called, and may fail."""

    def __init__(self, fails_at: int = -1, close_fails: bool = False) -> None:
        self.steps: list[int] = []
        self.closed = 0
        self.fails_at, self.close_fails = fails_at, close_fails

    def observe(self, world: World) -> None:
        """Take down the step."""
        self.steps.append(world.steps)
        if world.steps == self.fails_at:
            raise OSError(f"at step {world.steps}")

    def close(self) -> None:
        """Count."""
        self.closed += 1
        if self.close_fails:
            raise OSError("at the end")


def test_start_and_every_step():
    """A watcher sees step 0 and every step after it, once, and is closed once."""
    notes, world = Notes(), World()
    outcome = run(world, 3, [notes])
    assert notes.steps == [0, 1, 2, 3]
    assert notes.closed == 1
    assert not outcome.interrupted
    assert outcome.wall_s > 0


def test_no_steps():
    """A run of no steps still shows the start."""
    notes = Notes()
    assert run(World(), 0, [notes]).wall_s == 0
    assert notes.steps == [0]
    assert notes.closed == 1


def test_until_done():
    """A run ends early when all is done, which is asked before every step."""
    world, notes = World(), Notes()
    run(world, 10, [notes], done=lambda: world.steps == 4)
    assert notes.steps == [0, 1, 2, 3, 4]


def test_all_are_closed_after_an_error():
    """An error of one watcher goes on to the caller, after all are closed."""
    first, failing, last = Notes(), Notes(fails_at=2), Notes()
    with pytest.raises(OSError, match=r"^at step 2$"):
        run(World(), 5, [first, failing, last])
    assert (first.closed, failing.closed, last.closed) == (1, 1, 1)
    assert last.steps == [0, 1]


def test_all_are_closed_where_one_cannot_be():
    """The first that fails to close is told of; the others are closed all the same."""
    watchers = [Notes(), Notes(close_fails=True), Notes()]
    with pytest.raises(OSError, match=r"^at the end$"):
        run(World(), 1, watchers)
    assert [each.closed for each in watchers] == [1, 1, 1]


def test_an_error_of_a_step(monkeypatch: pytest.MonkeyPatch):
    """So it is when the world itself fails."""

    def fail(_: World) -> None:
        raise RuntimeError("in a step")

    notes = Notes()
    monkeypatch.setattr(World, "step", fail)
    with pytest.raises(RuntimeError, match=r"^in a step$"):
        run(World(), 5, [notes])
    assert (notes.steps, notes.closed) == ([0], 1)


def test_compiling_is_no_stepping():
    """Seconds in which numba has its lock, at whatever depth, count for no step."""

    class Compiled:
        """A world whose step compiles for a while, one kernel within another."""

        steps = 0

        def step(self):
            """Wait."""
            with global_compiler_lock:
                sleep(0.1)
                with global_compiler_lock:
                    sleep(0.1)

    outcome = run(Compiled(), 2)
    assert outcome.compiling_s >= 0.4
    assert 0 <= outcome.wall_s < 0.1
