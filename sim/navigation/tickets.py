"""What is asked of the planner, and the thread that does it beside the simulation."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats
from sim.navigation.areas import Area
from sim.navigation.chart import Chart
from sim.navigation.flow import FlowField
from sim.navigation.passages import Passages
from sim.navigation.paths import Path

T = TypeVar("T")


@dataclass(eq=False)
class Ticket(Generic[T]):
    """Something asked for: it takes effect at step `due`. `order` counts requests."""

    due: int
    order: int
    work: Callable[[Chart], T] = field(repr=False)
    """Does it, on a chart."""
    chart: Chart = field(repr=False)
    future: Future[T] = field(repr=False)
    fixed: bool = False
    """Whether it stays as it is when the ground changes again."""

    def result(self) -> T:
        """What was asked for, waited for if need be. Raises what the planning raised."""
        return self.future.result()


class Renewed(NamedTuple):
    """A ground that has changed: its chart, and fields as they are there."""

    chart: Chart
    fields: list[FlowField]
    bends: list[NDArray[np.uint8]]
    """By field: where ways may lead elsewhere than before, see `bends.bends`."""
    reshaped: dict[float, Floats]
    """By radius: where places may be joined to another part now, see `renewal.reshaped`."""


Way = tuple[Path, float]
"""A way, and the radius of the hulls that go it."""
Led = tuple[FlowField, tuple[Area, ...]]
"""A field, and the areas that it leads over."""


class Marked(NamedTuple):
    """Narrow passages by radius of the hulls; fields and ways that know them."""

    passages: dict[float, Passages]
    fields: list[FlowField]
    ways: list[Path]


Task = tuple[Future[Any], Callable[[], Any]]


class Worker:
    """Does what it is asked for, one thing after the other, on a thread that it starts when needed.

    While a step is being taken it begins nothing: but for compiled code threads of Python take
    turns, so the step would take longer.
    """

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: list[Task] = []
        self._held = False

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Have something done; what it returns."""
        future: Future[T] = Future()
        self._waiting.append((future, work))
        if not self._held:
            self.begin()
        return future

    def hold(self) -> None:
        """A step is being taken: begin nothing of what is asked for from now on."""
        self._held = True

    def let_go(self) -> None:
        """The step is over: begin all that was held back."""
        self._held = False
        self.begin()

    def begin(self) -> None:
        """Begin all that was asked for so far."""
        if self._waiting:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="planner")
            self._pool.submit(_do, self._waiting)
            self._waiting = []

    def end(self) -> None:
        """End the thread, when what it does now is done; the next request starts another.

        What has not begun never is: it is to be cancelled first.
        """
        self._waiting.clear()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = None


def _do(tasks: list[Task]) -> None:
    """Do what was asked for, in order, but for what was cancelled meanwhile."""
    for future, work in tasks:
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)
