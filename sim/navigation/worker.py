"""A thread that works beside the simulation, and what it is to do."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
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
