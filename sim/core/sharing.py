"""Sharing work out among threads: in chunks, which whichever thread is awake takes next.

No thread waits for a chunk that none has begun: the thread that needs the whole takes all that
is left itself. So on a busy machine, where other threads get no turn, the work is done as if
there were one thread. What may still be waited for is a chunk in hand of a thread that has lost
its turn: where that costs more than threads save, none are asked for a while.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import count as counting
from queue import SimpleQueue
from time import perf_counter, thread_time
from typing import Any
from weakref import finalize

from numba import config as numba_config

from sim.core.errors import BadInput

FINEST = 128
"""Fewest rows of a chunk."""
MEMORY = 0.9
"""How much of what threads have saved so far still counts after the next job."""
PATIENCE = 1.0
"""How long the end of a thread is waited for, s."""
_users: set[int] = set()
_numbers = counting()
SHORTEST, LONGEST = 16, 1024
"""Jobs that are done alone after threads have not paid: twice as many each time, up to a bound."""


class Job:
    """Work on rows, chunk by chunk; `found` (in no order) is what it returned for each of them."""

    def __init__(
        self, work: Callable[..., Any], chunks: Sequence[tuple[int, int]], arguments: Any
    ) -> None:
        self._work, self._arguments = work, arguments
        self._chunks, self._left = len(chunks), deque(chunks)
        self._ended: SimpleQueue[None] = SimpleQueue()
        self._failure: BaseException | None = None
        self._process = os.getpid()
        self.found: list[Any] = []
        self.saved = 0.0
        """Seconds of work that other threads did."""
        self.asking = 0.0
        """Seconds that it took to wake them: on a busy machine the caller may lose its turn."""
        self._inner: Job | None = None

    def help(self) -> None:
        """Take chunks, in a thread that no other waits for."""
        _here.job = self
        while self._take(helping=True):
            pass
        _here.job = None
        self._ended.put(None)

    def result(self) -> list[Any]:
        """Do all that is left, and wait for what others have in hand; raises what they raised.

        What they share out in their turn is taken part in meanwhile.
        """
        while self._take():
            pass
        begun = perf_counter()
        while len(self.found) < self._chunks:
            if self._inner is None or not self._inner._join():
                self._ended.get()
        if self.asking > 0.0:  # a job done alone tells nothing
            _pay.book(self.saved - self.asking - (perf_counter() - begun))
        if self._failure is not None:
            raise self._failure
        return self.found

    def _join(self) -> bool:
        """Take a chunk that another thread waits for; whether there was one."""
        try:
            return self._take(helping=True)
        finally:
            self._ended.put(None)

    def share_out(self, inner: Job) -> list[Any]:
        """The result of a part of a chunk in hand, which the thread that waits for it may join."""
        self._inner = inner
        self._ended.put(None)
        return inner.result()

    def waited(self) -> bool:
        """Wait for the result; False for work of another process, from before a fork."""
        if self._process != os.getpid():
            return False
        self.result()
        return True

    def _take(self, helping: bool = False) -> bool:
        """Do the next chunk; whether there was one. What is raised is kept for the result."""
        try:
            try:
                begin, end = self._left.popleft()
            except IndexError:
                return False
            begun = thread_time()
            found = self._work(begin, end, *self._arguments)
            if helping:
                self.saved += thread_time() - begun
            self.found.append(found)
        except BaseException as failure:
            self._failure = failure
            self.found.append(None)
        return True


class _Pay:
    """Whether threads save time, as far as has been seen."""

    def __init__(self) -> None:
        self._saved, self._alone, self._pause = 0.0, 0, SHORTEST

    def ask(self) -> bool:
        """Whether to ask for help with the next job."""
        self._alone = max(self._alone - 1, 0)
        return self._alone == 0

    def book(self, saved: float) -> None:
        """Take down what help with a job has saved, s; less than 0 where it was waited for."""
        self._saved = MEMORY * self._saved + saved
        if self._saved < 0.0:
            self._saved, self._alone = 0.0, self._pause
            self._pause = min(2 * self._pause, LONGEST)
        elif self._saved > 0.0:
            self._pause = SHORTEST


_pay = _Pay()
_most = int(numba_config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
_count = _most
_here = threading.local()


def threads() -> int:
    """How many threads compiled code uses; the cores there are, unless told otherwise."""
    return _count


def use_threads(count: int) -> None:
    """Use this many threads, for all worlds of this process. Results do not depend on it.

    Raises `BadInput` for more than there are (numba's own count, set by NUMBA_NUM_THREADS).
    """
    global _count
    if not 1 <= count <= _most:
        raise BadInput(f"threads = {count}: must be between 1 and {_most}")
    _count = count


def share(work: Callable[..., Any], rows: int, *arguments: Any) -> list[Any]:
    """What `work(begin, end, *arguments)` returns for the chunks of `rows` rows, in no order."""
    spare, outer = _spare(), getattr(_here, "job", None)
    chunks = _chunks(rows, spare + (1 if outer is None else 2))
    if len(chunks) < 2 or (spare < 1 and outer is None) or not _pay.ask():
        return [work(0, rows, *arguments)]
    job = Job(work, chunks, arguments)
    if spare > 0:
        _call(job, spare)
    return job.result() if outer is None else outer.share_out(job)


def aside(work: Callable[..., Any], *arguments: Any) -> Job:
    """Have another thread do this; if none has begun, asking for the result does it."""
    job = Job(lambda _begin, _end: work(*arguments), [(0, 1)], ())
    if _spare() >= 1 and _pay.ask():
        _call(job, 1)
    return job


def _spare() -> int:
    """How many threads can help the one that asks: a helper has been called away by another."""
    return _count - (1 if getattr(_here, "job", None) is None else 2)


@lru_cache
def _chunks(rows: int, threads: int) -> tuple[tuple[int, int], ...]:
    """Large chunks first, then ever smaller ones, so that all end at about the same time."""
    chunks, begin = [], 0
    while begin < rows:
        end = min(begin + max((rows - begin) // (2 * threads), FINEST), rows)
        chunks.append((begin, end))
        begin = end
    return tuple(chunks)


def _call(job: Job, helpers: int) -> None:
    waiting = _crew(os.getpid())[0]
    begun = perf_counter()
    for _ in range(helpers):
        waiting.put(job)
    job.asking = perf_counter() - begun


@cache
def _crew(_process: int) -> tuple[SimpleQueue[Job | None], list[threading.Thread]]:
    """What waits to be done, and the other threads; a forked process has none of its parent's."""
    waiting: SimpleQueue[Job | None] = SimpleQueue()
    crew = [
        threading.Thread(target=_help, args=(waiting,), name=f"rows-{number}", daemon=True)
        for number in range(_most - 1)
    ]
    for thread in crew:
        thread.start()
    return waiting, crew


def _help(waiting: SimpleQueue[Job | None]) -> None:
    while (job := waiting.get()) is not None:
        job.help()


def help_for(user: object) -> None:
    """Keep the other threads for as long as this object lives, or any other that has asked."""
    number = next(_numbers)
    _users.add(number)
    finalize(user, _left, number).atexit = False


def _left(number: int) -> None:
    _users.discard(number)
    if not _users:
        end_helpers(wait=False)


def end_helpers(wait: bool = True) -> None:
    """End the other threads when they have done what they have in hand; later work has new ones.

    They are waited for, but not while one compiles, which may take long.
    """
    if _crew.cache_info().currsize:
        waiting, crew = _crew(os.getpid())
        _crew.cache_clear()
        for _ in crew:
            waiting.put(None)
        for thread in crew if wait else ():
            if thread is not threading.current_thread():
                thread.join(PATIENCE)
