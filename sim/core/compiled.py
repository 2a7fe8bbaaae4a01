"""How compiled kernels are made, and their rows shared out among threads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, ParamSpec, TypeVar, cast

import numba

from sim.core import sharing
from sim.core.kernel_cache import forget_stale
from sim.core.shared_cache import Compiled, njit

P = ParamSpec("P")
T = TypeVar("T")

WORTH = 2e-4
"""Seconds that a kernel is to take before others are asked to help: to wake takes a quarter."""


forget_stale(Path(__file__).parent.parent)


class Kernel:
    """A compiled function of rows `begin` to `end`, called with all arguments but these two.

    The first argument's length is the number of rows. Rows never read what other rows write, and
    hardly know where a chunk ends: so any number of threads gives the same bits.

    Of a named tuple numba finds out the type at each call, ten times as slowly as of a plain one.
    So kernels of every step, and of the models that are quickest, get plain ones, `tuple(cells)`,
    and name them again, `Cells(*cells)`, which costs nothing.

    Most kernels make no arrays, so numba need not count references to arrays: it did so at each
    unit, up to an eighth of a step of `crowd`. Where that takes long, a kernel `making_arrays` only
    makes the memory that it fills, and a leaf goes through the rows.
    """

    def __init__(self, function: Callable[..., Any], *, makes_arrays: bool = False) -> None:
        self.compiled = _compiled(function, nogil=True, _nrt=makes_arrays)
        self.name, self.__doc__ = function.__name__, function.__doc__
        self._takes = 0.0  # s a row, when it ran last

    @classmethod
    def making_arrays(cls, function: Callable[..., Any]) -> Kernel:
        """A kernel that makes arrays for itself."""
        return cls(function, makes_arrays=True)

    def __call__(self, rows: Any, *rest: Any) -> list[Any]:
        """What the function returns for each chunk of rows, in no order."""
        count = len(rows)
        if count <= sharing.FINEST:  # one chunk, however long it takes
            return [self.compiled(0, count, rows, *rest)]
        begun = perf_counter()
        if self._takes * count < WORTH:
            found = [self.compiled(0, count, rows, *rest)]
        else:
            found = sharing.share(self.compiled, count, rows, *rest)
        self._takes = (perf_counter() - begun) / (count or 1)
        return found


def compiled_before(kernel: Kernel) -> bool:
    """Whether numba's disk cache holds a build of this kernel."""
    return any(Path(kernel.compiled.stats.cache_path or ".").glob(f"*{kernel.name}*.nbi"))


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled helper for use inside kernels."""
    return njit(cache=True, error_model="numpy", inline="always")(function)


class Leaf(Compiled):
    """A helper that only kernels call.

    numba makes nothing by which Python could call it: for a helper with many arrays that took long,
    a fifth of the time of compiling in all. What both call is a `leaf_and_function`.
    """

    def __call__(self, *given: Any, **named: Any) -> Any:
        """As the function. Each process that calls it compiles it anew: for tests."""
        if not hasattr(self, "_outside"):
            self._outside = numba.njit(error_model="numpy")(self.py_func)
        return self._outside(*given, **named)


def leaf(function: Callable[P, T], **more: bool) -> Callable[P, T]:
    """A compiled helper that kernels alone call, with many arrays, and that makes and keeps none.

    So it need not count the references to them, as helpers do at each call: that took longer than
    what a ray does on its way.
    """
    made = _compiled(function, _nrt=False, no_cpython_wrapper=True, **more)
    if isinstance(made, Compiled):  # else numba does not compile at all
        made.__class__ = Leaf
    return cast("Callable[P, T]", made)


def built_in(function: Callable[P, T]) -> Callable[P, T]:
    """A leaf that becomes a part of each function that calls it.

    For one that is called at few places, for each unit. At a call each array goes over the stack as
    seven numbers or more, which takes longer than the work of a short leaf.
    """
    return leaf(function, forceinline=True)


def leaf_and_function(function: Callable[P, T]) -> Callable[P, T]:
    """A leaf that Python calls, too."""
    return cast("Callable[P, T]", _compiled(function, _nrt=False))


def _compiled(function: Callable[..., Any], **options: bool) -> Any:
    build: Any = njit  # one of the options has no name in public
    return build(cache=True, error_model="numpy", no_cfunc_wrapper=True, **options)(function)
