"""Whose turn it is: one thread at a time works on a world, and between its steps changes it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from threading import RLock
from typing import Any, Concatenate, ParamSpec, TypeVar

from sim.core.errors import BadInput
from sim.core.interrupts import hold, let_go

P = ParamSpec("P")
T = TypeVar("T")
DECIDING = "while units decide"
MOVING = "while the engine moves units"
ELSEWHERE = "while another thread is at work on the world"


class Turn:
    """Of a world: whether a thread is at work on it, and in which part of a step.

    No thread waits for another: a rule may wait for a thread, and both would wait without end. A
    process that was forked amid the work of another thread never sees the end of it. Ctrl-C waits
    for the end of a turn, so that it never leaves one taken, nor a world half changed.
    """

    def __init__(self, moved: Callable[[], None]) -> None:
        self._lock = RLock()
        self.part = ""
        """Of a step that is being taken; "" outside of these parts."""
        self.late: Callable[[], object] | None = None
        """What is to be done before the ground or the orders are read: it has changed."""
        self.step = Within(self.begin_step, partial(self._end_step, moved))
        """Within, a step is taken; `moved` is called at its end, however it ends."""
        self.deciding, self.moving = (
            Within(partial(self._enter, part), partial(self._enter, ""))
            for part in (DECIDING, MOVING)
        )
        """Within, units decide, or the engine moves them."""

    def catch_up(self) -> None:
        """Do what is late, but not in the middle of a step: the next one begins with it.

        Raises `BadInput` while another thread is at work.
        """
        if self.late is not None and not self.part:
            with self.taken("ground: cannot be read"):
                late, self.late = self.late, None
                try:
                    if late is not None:
                        late()
                except BaseException:
                    self.late = late
                    raise

    @property
    def amid(self) -> str:
        """What keeps this thread from changing the world just now; "" between steps."""
        try:
            with self.taken(""):
                return self.part
        except BadInput:
            return ELSEWHERE

    def take(self, said: str) -> None:
        """No other thread can take its turn till this one gives it up; the same can, again.

        Raises `BadInput` that begins as `said` if another has it.
        """
        hold()
        if not self._lock.acquire(blocking=False):
            let_go()
            raise BadInput(f"{said} {ELSEWHERE}: a world is for one thread at a time")

    def give_up(self) -> None:
        """Another thread may take its turn."""
        self._lock.release()
        let_go()

    def begin_step(self) -> None:
        """Take the turn for a step. Raises `BadInput` in the middle of one.

        What is done at a time (`World.at`) may take steps of its own: units do not decide yet.
        """
        self.take("step: cannot be taken")
        if self.part:
            self.give_up()
            asked = "a rule" if self.part == DECIDING else "what the engine calls"
            raise BadInput(f"step: {asked} cannot take one; it is asked in the middle of one")

    def _end_step(self, moved: Callable[[], None]) -> None:
        try:
            moved()
        finally:
            self.give_up()

    def _enter(self, part: str) -> None:
        self.part = part

    def taken(self, said: str, first: Callable[[], object] = lambda: None) -> Within:
        """Within, the turn is taken, after which `first` is done. Raises `BadInput` as `take`."""
        return Within(partial(self._take_and, first, said), self.give_up)

    def _take_and(self, first: Callable[[], object], said: str) -> None:
        self.take(said)
        try:
            first()
        except BaseException:
            self.give_up()
            raise

    def change(self, said: str) -> Within:
        """The same, for what is refused in the middle of a step too."""
        return self.taken(said, partial(self.check, said))

    def check(self, said: str) -> None:
        """Raise `BadInput` that begins as `said` in the middle of a step.

        For all decide from one snapshot, and then all move.
        """
        if self.part:
            raise BadInput(f"{said} {self.part}, only between steps")


class Within:
    """A block: `enter` is done before it, and `leave` after it, however it ends."""

    def __init__(self, enter: Callable[[], object], leave: Callable[[], object]) -> None:
        self._enter, self._leave = enter, leave

    def __enter__(self) -> None:
        self._enter()

    def __exit__(self, *_: object) -> None:
        self._leave()


def in_turn(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """A method of a world that raises `BadInput` while another thread is at work on it."""

    @wraps(method)
    def do(world: Any, /, *given: P.args, **named: P.kwargs) -> T:
        with world.roster.turn.taken(f"{method.__name__}: cannot be done"):
            return method(world, *given, **named)

    return do
