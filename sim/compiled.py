"""How compiled kernels are made: one source, a plain and a threaded build, picked by size."""

from __future__ import annotations

import os
import types
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from numba import config as numba_config
from numba import get_num_threads, njit, set_num_threads

from sim.errors import BadInput

os.environ.setdefault("GOMP_SPINCOUNT", "10000")
"""How long OpenMP's threads stay awake between two kernels. Their own default is long: on a machine
that has other things to do they then wait for each other's turns (measured, 10,000 units on 2 busy
cores: 110 ms a step instead of 13)."""
WORTH_THREADS = 600
"""Rows from which waking the other threads pays.

Measured on two quiet cores: 1,000 units take 0.69 ms a step with it, 0.79 without.
"""


def forget_stale(package: Path) -> None:
    """Drop the disk cache of all kernels under a package when any of its sources has changed.

    numba looks only at the file that a kernel stands in; a helper inlined from another file may
    have changed, and the old code would run on without a word.
    """
    sources = sorted(package.rglob("*.py"))
    state = repr([(f.name, f.stat().st_mtime_ns, f.stat().st_size) for f in sources])
    stamp = package / "__pycache__" / "kernels.stamp"
    try:
        if stamp.exists() and stamp.read_text() == state:
            return
        for index in package.rglob("*.nbi"):
            index.unlink(missing_ok=True)
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(state)
    except OSError:
        pass  # a package that cannot be written to does not change either


forget_stale(Path(__file__).parent)


class Kernel:
    """A compiled function of rows; the first argument's length decides between its two builds.

    Rows never read what other rows write, so both builds and any number of threads give the same
    bits. What rows write to must be an argument of its own: writing to an array within a tuple is
    lost in the threaded build.
    """

    def __init__(self, function: Callable[..., Any], nogil: bool = False) -> None:
        # The threaded twin needs a name of its own, or the two would share one entry of numba's
        # disk cache.
        twin = types.FunctionType(
            function.__code__, function.__globals__, function.__name__ + "_threaded"
        )
        twin.__qualname__ = function.__qualname__ + "_threaded"
        twin.__module__ = function.__module__
        build = partial(njit, cache=True, error_model="numpy", nogil=nogil)
        self.plain = build()(function)
        self.threaded = build(parallel=True)(twin)
        self.name, self.__doc__ = function.__name__, function.__doc__

    def __call__(self, rows: Any, *rest: Any) -> Any:
        """Run the build that suits the number of rows."""
        if len(rows) < WORTH_THREADS or threads() == 1:
            return self.plain(rows, *rest)
        _Threads.woken = True
        return self.threaded(rows, *rest)


AsideKernel = partial(Kernel, nogil=True)
"""A kernel that does not stop Python while it runs: for what is done `aside`."""


def compiled_before(kernel: Kernel) -> bool:
    """Whether numba's disk cache holds a build of this kernel."""
    return any(Path(kernel.plain.stats.cache_path or ".").glob(f"*{kernel.name}*.nbi"))


class _Threads:
    """What this process knows of the threads of compiled code."""

    woken = False
    """Whether any kernel has used them yet."""
    lost = False
    """Whether they ran in the process that this one was forked from: they did not come along, and
    whoever waits for them here waits for ever."""


def threads() -> int:
    """How many threads compiled code uses; the cores there are, unless told otherwise.

    One in a process that was forked from one whose compiled code had used several.
    """
    return 1 if _Threads.lost else int(get_num_threads())


def _forked() -> None:
    _Threads.lost = _Threads.lost or _Threads.woken


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def use_threads(count: int) -> None:
    """Use so many threads, for all worlds of this process. Results do not depend on it.

    Raises `BadInput` for more than there are (numba's own count, set by NUMBA_NUM_THREADS).
    """
    most = int(numba_config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    if not 1 <= count <= most:
        raise BadInput(f"threads = {count}: must be between 1 and {most}")
    set_num_threads(count)


def aside(work: Callable[..., Any], *arguments: Any) -> Future[Any]:
    """Have another thread do this, whose compiled code uses all threads but the caller's own."""
    _Threads.woken = True
    _Helper.pool = _Helper.pool if _Helper.process == os.getpid() else None
    if _Helper.pool is None:
        _Helper.pool, _Helper.process = ThreadPoolExecutor(1, "aside"), os.getpid()
    task = _Helper.pool.submit(_with_threads, max(1, threads() - 1), work, *arguments)
    task.process = _Helper.process  # type: ignore[attr-defined]
    return task


def waited(task: Future[Any]) -> bool:
    """Wait until what is done `aside` is done; False if another process does it, before a fork."""
    if task.process != os.getpid():  # type: ignore[attr-defined]
        return False
    task.result()
    return True


def end_aside() -> None:
    """End the thread that works aside, when it has done its work; the next work has a new one."""
    if _Helper.pool is not None and _Helper.process == os.getpid():
        _Helper.pool.shutdown()
    _Helper.pool = None


class _Helper:
    """One thread, which stays; a forked process has none of its parent's."""

    pool: ThreadPoolExecutor | None = None
    process = 0


def _with_threads(count: int, work: Callable[..., Any], *arguments: Any) -> Any:
    set_num_threads(count)  # it holds for the thread that says so
    return work(*arguments)


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled helper for use inside kernels."""
    compiled: Callable[..., Any] = njit(cache=True, error_model="numpy", inline="always")(function)
    return compiled


def leaf(function: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled helper, called from kernels with many arrays, that neither makes nor keeps any.

    So it need not count who refers to them, as helpers do at each call: that took longer than what
    a ray does on its way.
    """
    build: Any = njit  # the option has no name in public
    compiled: Callable[..., Any] = build(cache=True, error_model="numpy", _nrt=False)(function)
    return compiled
