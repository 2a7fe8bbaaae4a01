"""Interrupts at random moments of a command: exit status 130, and files that can be read.

Most commands run in a fork of a process that has started up already (`nursery`); one in `FRESH` has
a start of its own.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sim.core.interrupts import INTERRUPTED

from .deeds import Deed, deed, prepare
from .driver import ROOT, Campaign, environment
from .worker import MEMORY

FRESH = 15
LIBRARIES = 2 << 30
"""Bytes of address space that libraries take, more or less."""
LONGEST, SHORTEST = 6.0, 1.0
"""Seconds after its begin at which the last interrupt comes, with and without a start-up; earlier
ones are more frequent."""
AGAIN_S = 0.3
"""Seconds within which an impatient one comes again."""
SECONDS = 60


def interrupt(kind: str, first: int, count: int, folder: Path, log: Path | None = None) -> Campaign:
    """Some commands, each interrupted once or twice."""
    found = Campaign(kind, log)
    if not list(found.left(first, count)):
        return found
    scenario, recording = prepare(folder)
    with _nursery(folder, scenario) as forked:
        for begin, length in list(found.left(first, count)):
            for seed in range(begin, begin + length):
                rng = random.Random(f"interrupt {seed}")
                place = folder / f"case_{seed}"
                place.mkdir()
                todo = deed(seed, place, scenario, recording)
                fresh = seed % FRESH == 0
                found.take({"seed": seed, **_case(rng, todo, place, fresh, forked)})
    return found


def _case(
    rng: random.Random,
    todo: Deed,
    place: Path,
    fresh: bool,
    forked: Callable[..., subprocess.Popen],
) -> dict:
    """One command, interrupted; how it ended."""
    begun = time.monotonic()
    number = rng.choice([signal.SIGINT, signal.SIGTERM])
    twice = rng.random() < 0.25
    log = place / "log.txt"
    process, told = (_start(todo, log), None) if fresh else forked(todo, log)
    pid = process.pid if told is None else told
    longest = LONGEST if fresh else SHORTEST
    while _alive(pid) and not _guards(pid):
        time.sleep(0.001)  # what comes before that is Python's own start
    time.sleep(rng.uniform(0.0, longest) ** 2 / longest)
    _send(pid, number)
    if twice:
        time.sleep(rng.uniform(0.0, AGAIN_S))
        _send(pid, number)
    status = _wait(process, pid, told is not None)
    said = log.read_text(encoding="utf-8", errors="replace")
    fault = ""
    allowed = (INTERRUPTED, 0) if todo.ends else (INTERRUPTED,)
    if status not in allowed or "Traceback" in said or "xception" in said:
        fault = said[-2000:] or "nothing said"
    elif left := [each.name for each in place.iterdir() if each.name.startswith(".")]:
        fault = f"left {left}"
    else:
        try:
            todo.read(twice)
        except Exception as error:
            fault = f"a file cannot be read: {error!r}"
    if fault:
        fault = f"{number.name}{' twice' * twice}: {' '.join(todo.arguments)}: {status}: {fault}"
    return {"statuses": [status], "s": time.monotonic() - begun, "fault": fault}


def _start(todo: Deed, log: Path) -> subprocess.Popen:
    """The command, from the beginning."""
    most = MEMORY + LIBRARIES

    def before() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))

    with log.open("w") as out:
        return subprocess.Popen(
            [sys.executable, "-m", "sim", *todo.arguments], cwd=ROOT, stdout=out, stderr=out,
            stdin=subprocess.DEVNULL, env=environment(), preexec_fn=before,
        )  # fmt: skip


@contextmanager
def _nursery(folder: Path, scenario: Path) -> Iterator[Callable[..., tuple[subprocess.Popen, int]]]:
    """A function that runs a command in a fork of a warm process, and returns its process id."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.fuzz.nursery", str(folder), str(scenario)], cwd=ROOT,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=environment(),
    ) as nursery:  # fmt: skip
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        assert nursery.stdout.readline().strip() == "ready"

        def forked(todo: Deed, log: Path) -> tuple[subprocess.Popen, int]:
            print(json.dumps([todo.arguments, str(log)]), file=nursery.stdin, flush=True)
            return nursery, int(nursery.stdout.readline())

        yield forked
        nursery.stdin.close()


def _wait(process: subprocess.Popen, pid: int, forked: bool) -> int:
    """The exit status of a command; -9 where it had to be ended."""
    last = time.monotonic() + SECONDS
    while _alive(pid) and time.monotonic() < last:
        time.sleep(0.002)
    _send(pid, signal.SIGKILL)
    return int(process.stdout.readline()) if forked and process.stdout else process.wait()


def _send(pid: int, number: int) -> None:
    """Send a signal, to a process that need not be there any more."""
    if _alive(pid):
        with suppress(ProcessLookupError):  # it has ended since
            os.kill(pid, number)


def _stat(pid: int) -> dict[str, str]:
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return {}
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


def _alive(pid: int) -> bool:
    """Whether a process goes on."""
    return _stat(pid).get("State", "Z").strip()[0] not in "ZX"


def _guards(pid: int) -> bool:
    """Whether a process has begun to see to SIGTERM."""
    return bool(int(_stat(pid).get("SigCgt", "0"), 16) >> (signal.SIGTERM - 1) & 1)
