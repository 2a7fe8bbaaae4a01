"""Cases of one kind, one after another in this process, within bounds of memory and time.

`python -m tests.fuzz.worker KIND FIRST COUNT FOLDER`: a line of JSON for each case that is over; a
case that takes too long ends the process, as a fault of memory would.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import resource
import shutil
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path

from numba.core import event

MEMORY, SECONDS, WAITING = 3 << 30, 20, 300
"""Bytes; seconds of work a case, compiling not counted, and of waiting: the machine may be busy."""


def main() -> None:
    """Run the cases."""
    kind, first, count, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    warnings.simplefilter("ignore")
    faulthandler.register(signal.SIGPROF, chain=True)  # says where it is, and ends
    from . import calls, maps, recordings, scenarios, states
    from .running import command

    clock = Clock()
    event.register("numba:compile", clock)
    kinds = {
        "scenarios": scenarios, "maps": maps, "recordings": recordings, "calls": calls,
        "states": states,
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    if kind == "recordings":
        recordings.good(folder, "npz")
        recordings.good(folder, "txt")
    if kind == "states":
        for edges, model in states.KINDS:
            states.good(folder, edges, model)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY + mapped(), resource.RLIM_INFINITY))
    for seed in range(first, first + count):
        place = folder / f"{kind}_{seed}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        print(json.dumps({"seed": seed}), flush=True)
        gc.collect()  # a user's command ends its process: what the case before left is no part
        clock.begin()
        fault, statuses = "", []
        try:
            if kind == "calls":
                statuses = [2 if calls.make(place, seed) else 0]
            else:
                for arguments in kinds[kind].make(place, seed):
                    said = command(arguments)
                    statuses.append(said.status)
                    fault = fault or _fault(said.status, said.err)
        except Exception:
            fault = traceback.format_exc()[-3000:]
        took = clock.end()
        print(json.dumps({"seed": seed, "statuses": statuses, "s": took, "fault": fault}),
              flush=True)  # fmt: skip
        if not fault:
            shutil.rmtree(place)


class Clock(event.Listener):
    """Ends this process after some seconds of work, or far more of waiting.

    What is compiled for its first use is no work of the case that happens to use it first.
    """

    def __init__(self) -> None:
        self._begun = self._compiling = 0.0
        self._depth = 0

    def begin(self) -> None:
        """A case begins."""
        self._begun, self._compiling = time.process_time(), 0.0
        self._run(SECONDS)

    def end(self) -> float:
        """A case is over; seconds of work."""
        self._run(0)
        return self._work()

    def on_start(self, _event: event.Event) -> None:
        """A kernel is going to be compiled."""
        if self._depth == 0:
            self._compiling -= time.process_time()
            self._run(0)
        self._depth += 1

    def on_end(self, _event: event.Event) -> None:
        """It has been."""
        self._depth -= 1
        if self._depth == 0:
            self._compiling += time.process_time()
            self._run(max(SECONDS - self._work(), 0.1))

    def _work(self) -> float:
        return time.process_time() - self._begun - self._compiling

    @staticmethod
    def _run(seconds: float) -> None:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        faulthandler.cancel_dump_traceback_later()
        if seconds:
            faulthandler.dump_traceback_later(WAITING, exit=True, file=sys.__stderr__)


def _fault(status: int, err: str) -> str:
    """What is wrong with how a command ended, "" for nothing."""
    if "Traceback" in err:
        return err[-3000:]
    if status == 0 or (status == 2 and "rror" in err):
        return ""
    if status == 1 and "no longer finite" in err:
        return ""
    return f"status {status}: {err[-500:]}"


def mapped() -> int:
    """Bytes of address space that libraries take before the first case."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


if __name__ == "__main__":
    main()
