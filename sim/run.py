"""Running a world: step by step, with watchers that read and never write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

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
    """Seconds spent stepping, watchers not counted."""
    interrupted: bool
    """Whether Ctrl-C ended it early."""
    refused: Exception | None = None
    """The error that ended it, of the kinds that it was told to end by."""


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
    spent, interrupted, refused = 0.0, False, None
    with put_off():
        try:
            for watcher in watchers:
                watcher.observe(world)
            with breakable(PATIENCE):
                for _ in range(steps):
                    if done() or Interrupts.seen:
                        break
                    begun = perf_counter()
                    world.step()
                    spent += perf_counter() - begun
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
        return Outcome(spent, interrupted or Interrupts.seen, refused)


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
