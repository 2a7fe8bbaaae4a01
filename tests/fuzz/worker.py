"""Cases of one kind, one after another in this process, within bounds of memory and time.

`python -m tests.fuzz.worker KIND FIRST COUNT FOLDER`: a line of JSON for each case that is over; a
case that takes too long ends the process, as a fault of memory would.
"""

from __future__ import annotations

import faulthandler
import json
import resource
import shutil
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path

MEMORY, SECONDS, WAITING = 3 << 30, 20, 300
"""Bytes; seconds of work a case, and of waiting: the machine may be busy."""


def main() -> None:
    """Run the cases."""
    kind, first, count, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
    warnings.simplefilter("ignore")
    faulthandler.register(signal.SIGPROF, chain=True)  # says where it is, and ends
    from . import calls, maps, recordings, scenarios
    from .running import command

    kinds = {"scenarios": scenarios, "maps": maps, "recordings": recordings, "calls": calls}
    folder.mkdir(parents=True, exist_ok=True)
    if kind == "recordings":
        recordings.good(folder, "npz")
        recordings.good(folder, "txt")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY + _mapped(), resource.RLIM_INFINITY))
    for seed in range(first, first + count):
        place = folder / f"{kind}_{seed}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        print(json.dumps({"seed": seed}), flush=True)
        _limit(SECONDS)
        begun, fault, statuses = time.process_time(), "", []
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
        _limit(0)
        took = time.process_time() - begun
        print(json.dumps({"seed": seed, "statuses": statuses, "s": took, "fault": fault}),
              flush=True)  # fmt: skip
        if not fault:
            shutil.rmtree(place)


def _limit(seconds: int) -> None:
    """End this process after so many seconds of work, or far more of waiting; 0: no more."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    faulthandler.cancel_dump_traceback_later()
    if seconds:
        faulthandler.dump_traceback_later(WAITING, exit=True)


def _fault(status: int, err: str) -> str:
    """What is wrong with how a command ended, "" for nothing."""
    if "Traceback" in err:
        return err[-3000:]
    if status == 0 or (status == 2 and "rror" in err):
        return ""
    if status == 1 and "no longer finite" in err:
        return ""
    return f"status {status}: {err[-500:]}"


def _mapped() -> int:
    """Bytes of address space that libraries take before the first case."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


if __name__ == "__main__":
    main()
