"""numba's disk cache, shared by processes: each kernel is compiled by one, and others wait for it.

Processes that start together, as those of a sweep do, would else all compile the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numba
from numba.core import types
from numba.core.caching import FunctionCache
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys  # type: ignore[attr-defined]
from numba.np import linalg

from sim.core.collecting import paused

try:
    from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, lockf
except ImportError:  # there are no such locks on Windows: all compile for themselves
    lockf = None  # type: ignore[assignment]

LOCKS = Path(__file__).parent.parent / "__pycache__" / "kernels.lock"
"""A byte of this file is locked for each kernel that is being compiled."""


class SharedCache(FunctionCache):  # type: ignore[misc]
    """The cache of one kernel's builds, locked from looking for one in vain to storing it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._place = crc32(f"{self.cache_path}/{self._impl.filename_base}".encode())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The build from disk; None if this process is to make it, with the lock held."""
        found = self._read(sig, target_context)
        if found is None and take(self._place):
            found = self._read(sig, target_context)
            if found is not None:
                self.release()
        return found

    def _read(self, sig: Any, target_context: Any) -> Any:
        """The build from disk; None if there is none, or none that can be read.

        A damaged file cannot, nor a build that was made for a type whose module has moved since.
        numba's own loading first imports all that compiling takes: 0.2 s of each start. Here that
        waits until something is compiled, and then numba sees to it itself.
        """
        try:
            _import_few()
            rtsys.initialize(target_context)  # type: ignore[no-untyped-call]
            with self._guard_against_spurious_io_errors():  # type: ignore[no-untyped-call]
                return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # whatever unpickling raises
            self.flush()  # type: ignore[no-untyped-call]
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a build, and let others have it. One that cannot be stored is used all the same."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError:  # the disk is full: the next process compiles it again
            with suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]
        finally:
            self.release()

    def release(self) -> None:
        """Unlock."""
        release(self._place)

    @property
    def taken(self) -> bool:
        """Whether another process compiles this kernel now."""
        free = take(self._place, wait=False)
        if free:
            self.release()
        return not free


@cache
def _import_few() -> None:
    """Import what most builds name, without scipy.linalg, which takes 0.1 s of each start.

    numba would import it to see whether it is there. It is, as this package depends on scipy, and
    what multiplies matrices imports it then.
    """
    look = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


def take(place: int, *, wait: bool = True) -> bool:
    """Lock a place; False if another process has it, or if there are no locks here."""
    if _file() < 0:
        return False
    try:
        lockf(_file(), LOCK_EX if wait else LOCK_EX | LOCK_NB, 1, place)
    except OSError:
        return False
    return True


def release(place: int) -> None:
    """Unlock a place; nothing if it is not locked."""
    if _file() >= 0:
        lockf(_file(), LOCK_UN, 1, place)


_open: dict[int, int] = {}


def _file() -> int:
    """The open file of locks of this process; -1 if it cannot be had."""
    process = os.getpid()
    if process not in _open:
        try:
            LOCKS.parent.mkdir(exist_ok=True)
            can = lockf is not None
            _open[process] = os.open(LOCKS, os.O_RDWR | os.O_CREAT, 0o644) if can else -1
        except OSError:
            _open[process] = -1
    return _open[process]


class Compiled(CPUDispatcher):  # type: ignore[misc]
    """A compiled function. A value written in a call has the type of any other.

    numba compiles a function anew for each number that is written in a call of it: for 0, for 2.
    """

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What numba calls in compiled code, for arguments of these types."""
        plain: Any = types.unliteral
        base: Any = super()
        named = {name: plain(each) for name, each in kws.items()}
        return base.get_call_template([plain(each) for each in args], named)


if TYPE_CHECKING:
    from numba import njit as njit
else:

    def njit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
        """As numba's, with `cache=True` through a `SharedCache`."""
        cached = options.pop("cache", False)

        def decorated(function: Callable[..., Any]) -> Any:
            made = numba.njit(**options)(function)
            if cached and isinstance(made, CPUDispatcher):  # else numba does not compile at all
                made.__class__ = Compiled
                made._cache = SharedCache(made.py_func)
                made._compiler.compile = _uninterrupted(made._compiler.compile, made._cache)
            return made

        return decorated


def _uninterrupted(compile_: Callable[..., Any], cache: SharedCache) -> Callable[..., Any]:
    """Compile without collecting garbage, which finds little and takes a twelfth of the time."""

    def compiled(*arguments: Any) -> Any:
        with paused():
            try:
                return compile_(*arguments)
            except BaseException:
                cache.release()
                raise

    return compiled
