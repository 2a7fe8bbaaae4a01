"""Running a world: step by step, with watchers that read and never write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import get_ident
from time import perf_counter
from typing import Protocol

from numba.core import event

from sim.core.interrupts import PATIENCE, Interrupts, breakable, put_off
from sim.world import World


class Watcher(Protocol):
    """Sees the start and every step after it, and closes its output whatever ends the run."""

    def observe(self, world: World) -> None:
        """Look at the world as it is now."""

    def close(self) -> None:
        """Finish: what was seen so far is complete and readable. Most have nothing to finish."""
        return


@dataclass(frozen=True)
class Outcome:
    """How a run went."""

    wall_s: float
    """Seconds spent stepping, watchers and compiling not counted."""
    interrupted: bool
    """Whether Ctrl-C ended it early."""
    refused: Exception | None = None
    """The error that ended it, of the kinds that it was told to end by."""
    compiling_s: float = 0.0
    """Seconds that it waited for kernels to be compiled, or read from disk."""


class _Compiling(event.Listener):  # type: ignore[misc]
    """How long this thread has waited for kernels, in seconds: for those of other threads too."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._thread, self._deep, self._begun = get_ident(), 0, 0.0

    def on_start(self, _: event.Event) -> None:
        """A kernel is wanted, maybe for another one."""
        if get_ident() == self._thread:
            self._begun = self._begun if self._deep else perf_counter()
            self._deep += 1

    def on_end(self, _: event.Event) -> None:
        """It is there."""
        if get_ident() == self._thread:
            self._deep -= 1
            self.seconds += 0.0 if self._deep else perf_counter() - self._begun


def run(
    world: World,
    steps: int,
    watchers: Sequence[Watcher] = (),
    done: Callable[[], bool] = lambda: False,
    ends_by: tuple[type[Exception], ...] = (),
) -> Outcome:
    """Step the world, at most `steps` times, until `done`, or until Ctrl-C.

    An error of the kinds that it `ends_by` is not raised: the outcome has it.

    Ctrl-C (or SIGTERM, in the command line) ends it between two steps, and never before all
    watchers have seen the start. They are closed at the end, also after an error, which goes on to
    the caller.
    """
    spent, interrupted, refused, clock = 0.0, False, None, _Compiling()
    with put_off(), event.install_listener("numba:compiler_lock", clock):
        try:
            for watcher in watchers:
                watcher.observe(world)
            with breakable(PATIENCE):
                for _ in range(steps):
                    if done() or Interrupts.seen:
                        break
                    begun, waited = perf_counter(), clock.seconds
                    world.step()
                    spent += perf_counter() - begun - (clock.seconds - waited)
                    for watcher in watchers:
                        watcher.observe(world)
        except KeyboardInterrupt:
            interrupted = True
        except ends_by as error:
            refused = error
        except Exception:  # compiled code that is broken off fails in ways of its own
            if not Interrupts.seen:
                raise
        finally:
            close(watchers)
        return Outcome(spent, interrupted or Interrupts.seen, refused, clock.seconds)


def close(watchers: Iterable[Watcher]) -> None:
    """Close all, even where one fails; the first failure goes on to the caller."""
    failures: list[Exception] = []
    for watcher in watchers:
        try:
            watcher.close()
        except Exception as failure:
            failures.append(failure)
    if failures:
        raise failures[0]
