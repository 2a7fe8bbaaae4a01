"""Compiling ahead, in a process beside: what a scenario's run is about to use, the longest first.

numba compiles one kernel at a time in a process, and a kernel is not known before it is called with
its arguments. So the helper rehearses: it takes a step of the scenario, with few units, in plain
Python, and takes down which kernels are called with what types. These it compiles, the longest
first, while the run itself compiles them as it comes to them. What one of them has compiled the
other reads from disk (see `sim.core.shared_cache`). A rehearsal that fails half-way is of use
still; results never depend on it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, Self

import numpy as np

from sim.core.compiled import Kernel
from sim.core.errors import BadInput
from sim.core.shared_cache import SharedCache, release, take
from sim.core.sharing import threads
from sim.scenario.build import build
from sim.scenario.load import load
from sim.study.report import Report

FEW = 6
"""Units of a group in a rehearsal."""
STEPS = 2
"""Of a rehearsal: some kernels are asked from the second step on."""
ALARM = hasattr(signal, "setitimer")
"""Whether a process can be woken after some time: not on Windows."""
PLAIN = 0.3
"""Seconds of its own that a kernel may take in plain Python."""
WATCH = 0.5
"""Seconds between two looks whether the run still lives."""
ALONE = 0
"""What is locked while there is a helper: one is enough."""
_helpers: list[subprocess.Popen[bytes]] = []
"""What this process has asked for; no process waits for it."""


class Call(NamedTuple):
    """A kernel, and the types that it is called with."""

    kernel: Any
    types: tuple[Any, ...]


def start_helper(file: Path, overrides: Sequence[str], *, judged: bool) -> None:
    """Begin to compile ahead what a run of a scenario takes, in a process of its own.

    `judged` is whether the run's figures are worked out as well. Nothing where there is one core.
    """
    if threads() > 1 and take(ALONE, wait=False):
        release(ALONE)
        task = json.dumps([str(file), list(overrides), judged, os.getpid()])
        with suppress(OSError):
            helper = subprocess.Popen(
                [sys.executable, "-m", "sim.warm_up", task],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            _helpers.append(helper)


def rehearse(file: Path, overrides: Sequence[str] = (), *, judged: bool = True) -> list[Call]:
    """The kernels that a run calls from Python, each with the types of a call, in order."""
    plan = load(file, overrides)
    smaller = [
        f"groups.{group.name}.count={FEW}"
        for group in plan.groups
        if group.spawn and group.spawn.points is None and group.size > FEW
    ]
    with suppress(BadInput):  # places may be one a unit
        plan = load(file, [*overrides, *smaller])
    with _Stage() as stage, np.errstate(all="ignore"), suppress(Exception):
        world = build(plan)
        report = Report(world, plan.title)
        for _ in range(STEPS):
            if judged:
                report.observe(world)
            world.step()
        if judged:
            report.observe(world)
            report.result(1.0)
    return list(stage.found)


def compile_all(calls: Sequence[Call]) -> None:
    """Compile what is not on disk yet; what others compile at the moment is left to them."""
    for kernel, types in calls:
        if not (isinstance(kernel._cache, SharedCache) and kernel._cache.taken):
            with suppress(Exception):
                kernel.compile(types)


def by_length(calls: Sequence[Call]) -> list[Call]:
    """Those first whose code is the longest, with the helpers that it names."""
    return sorted(calls, key=lambda call: -_length(call.kernel, set()))


def _length(kernel: Any, counted: set[int]) -> int:
    """Bytes of the code of a kernel, and of all kernels that it names and that do not count yet."""
    counted.add(id(kernel))
    code, names = kernel.py_func.__code__, kernel.py_func.__globals__
    named = (names.get(name) for name in code.co_names)
    inner = [each for each in named if hasattr(each, "py_func") and id(each) not in counted]
    return len(code.co_code) + sum(_length(each, counted) for each in inner)


class _TooSlowError(Exception):
    """Plain Python takes too long for a kernel."""


class _Rehearsed:
    """In a kernel's place: takes down the types of the arguments, and works in plain Python."""

    def __init__(self, kernel: Any, stage: _Stage) -> None:
        self.kernel, self._stage = kernel, stage

    def __call__(self, *arguments: Any) -> Any:
        main = threading.current_thread() is threading.main_thread()
        if main and self._stage.inside:
            return self.kernel.py_func(*arguments)
        types = tuple(self.kernel.typeof_pyval(each) for each in arguments)
        self._stage.found.setdefault(Call(self.kernel, types))
        if not main:  # alarms reach the main thread alone
            return self._stage.compiled(self.kernel, arguments)
        return self._stage.work_out(self.kernel, arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kernel, name)


class _Stage:
    """Where kernels are rehearsed: within it all of this package are; `found` are the calls."""

    def __init__(self) -> None:
        self.found: dict[Call, None] = {}
        self.inside = False
        self._places = list(_places())
        known: dict[int, _Rehearsed] = {}
        self._kernels = [kernel for *_, kernel in self._places]
        self._stand_ins = [known.setdefault(id(k), _Rehearsed(k, self)) for k in self._kernels]

    def __enter__(self) -> Self:
        """All callers use the stand-ins."""
        if ALARM:
            self._before = signal.signal(signal.SIGVTALRM, _stop)
        self._put(self._stand_ins)
        return self

    def __exit__(self, *_: object) -> None:
        """All callers use the kernels again."""
        self._put(self._kernels)
        if ALARM:
            signal.signal(signal.SIGVTALRM, self._before)

    def work_out(self, kernel: Any, arguments: tuple[Any, ...]) -> Any:
        """What a kernel does, in plain Python; compiled where that takes long."""
        self.inside = True
        try:
            _wake_after(PLAIN)
            return kernel.py_func(*arguments)
        except _TooSlowError:
            return self.compiled(kernel, arguments)
        finally:
            _wake_after(0.0)
            self.inside = False

    def compiled(self, kernel: Any, arguments: tuple[Any, ...]) -> Any:
        """What a kernel does, compiled."""
        self._put(self._kernels)
        try:
            return kernel(*arguments)
        finally:
            self._put(self._stand_ins)

    def _put(self, called: Sequence[Any]) -> None:
        """Have these called in all places."""
        for (owner, name, _), each in zip(self._places, called, strict=True):
            owner[name] = each


def _wake_after(seconds: float) -> None:
    """Call `_stop` when this process has worked for so long; 0 takes it back."""
    if ALARM:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


def _stop(_: int, frame: FrameType | None) -> None:
    """End what the main thread does in plain Python; later, if it is in numba's own code.

    It would be left there with the lock of the compiler taken, which all others then wait for.
    """
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("numba."):
            _wake_after(PLAIN)
            return
        frame = frame.f_back
    raise _TooSlowError


def _places() -> Iterator[tuple[dict[str, Any], str, Any]]:
    """Wherever a kernel is found by its name: the dictionary, the name, the kernel."""
    seen: set[int] = set()
    for module in [m for name, m in sys.modules.items() if name.split(".")[0] == "sim"]:
        for name, value in list(vars(module).items()):
            if isinstance(value, Kernel) and id(value) not in seen:
                seen.add(id(value))
                yield vars(value), "compiled", value.compiled
            elif isinstance(getattr(value, "_cache", None), SharedCache):
                yield vars(module), name, value


def main(task: str) -> None:
    """The helper: rehearse, then compile, as long as the run that asked for it lives."""
    file, overrides, judged, run = json.loads(task)
    if take(ALONE, wait=False):
        threading.Thread(target=_end_with, args=(run,), daemon=True).start()
        compile_all(by_length(rehearse(Path(file), overrides, judged=judged)))


def _end_with(run: int) -> None:
    """End this process when its parent is `run` no more, even within a kernel that takes long."""
    while os.getppid() == run:
        time.sleep(WATCH)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
