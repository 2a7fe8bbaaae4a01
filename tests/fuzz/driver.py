"""Runs many cases in processes of their own, and starts another where one dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
KINDS = ("scenarios", "maps", "recordings", "calls", "states")
A_PROCESS = 500
"""Cases that one process takes: people run one command in a process, so that what thousands of
others leave in pieces of its memory (about 1 GB after 2,000) is not to count against a case."""
MOST_FAULTS = 40
"""A campaign with this many faults ends early."""


@dataclass
class Campaign:
    """What came of the cases; those in the file `log`, a line of JSON each, are not run again.

    A case that was at fault is: it is to be mended in between.
    """

    kind: str
    log: Path | None = None
    statuses: dict[int, int] = field(default_factory=dict)
    slowest_s: float = 0.0
    faults: list[tuple[int, str]] = field(default_factory=list)
    over: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Take those of the log."""
        if self.log is not None and self.log.exists():
            for line in self.log.read_text(encoding="utf-8").splitlines():
                case = json.loads(line)
                if not case["fault"]:
                    self._count(case)

    @property
    def cases(self) -> int:
        """How many are over."""
        return len(self.over)

    def take(self, case: dict[str, Any]) -> None:
        """Count a case, and note it in the log."""
        self._count(case)
        if self.log is not None:
            with self.log.open("a", encoding="utf-8") as file:
                print(json.dumps(case), file=file)

    def left(self, first: int, count: int) -> Iterator[tuple[int, int]]:
        """Begin and length of each row of numbers that are not over."""
        begin = None
        for seed in range(first, first + count + 1):
            waits = seed < first + count and seed not in self.over
            if waits and begin is None:
                begin = seed
            elif not waits and begin is not None:
                yield begin, seed - begin
                begin = None

    def told(self) -> str:
        """In a line, and a paragraph a fault."""
        ends = ", ".join(f"{n} x status {status}" for status, n in sorted(self.statuses.items()))
        lines = [f"{self.kind}: {self.cases} cases; {ends}; slowest {self.slowest_s:.1f} s; "
                 f"{len(self.faults)} faults"]  # fmt: skip
        return "\n".join([*lines, *(f"-- {seed}: {said}" for seed, said in self.faults)])

    def _count(self, case: dict[str, Any]) -> None:
        self.over.add(case["seed"])
        self.slowest_s = max(self.slowest_s, case["s"])
        for status in case["statuses"]:
            self.statuses[status] = self.statuses.get(status, 0) + 1
        if case["fault"]:
            self.faults.append((case["seed"], case["fault"]))


def campaign(kind: str, first: int, count: int, folder: Path, log: Path | None = None) -> Campaign:
    """Run the cases of a kind with the `count` numbers from `first` on."""
    found = Campaign(kind, log)
    for begin, length in list(found.left(first, count)):
        _run(found, begin, begin + length, folder)
    return found


def environment() -> dict[str, str]:
    """That of the processes: no screen, no sound."""
    return {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}


def _run(found: Campaign, at: int, last: int, folder: Path) -> None:
    """Run the cases from `at` to `last`, in as many processes as it takes."""
    while at < last and len(found.faults) < MOST_FAULTS:
        until = min(at + A_PROCESS, last)
        begun, status, err = _worker(found, at, until, folder)
        at = max([at, *(seed + 1 for seed in found.over if seed < until)])
        if at >= until:
            continue
        # It ended in the middle of a case, or before the first.
        how = signal.Signals(-status).name if status < 0 else f"exit {status}"
        fault = f"the process ended: {how}\n{err[-3000:]}"
        found.take({"seed": begun, "statuses": [], "s": 0.0, "fault": fault})
        at = begun + 1


def _worker(found: Campaign, at: int, last: int, folder: Path) -> tuple[int, int, str]:
    """One process; the last case that it began, its exit status and what it said in the end."""
    begun, log = at, folder / "log.txt"
    command = [sys.executable, "-m", "tests.fuzz.worker", found.kind, str(at), str(last - at),
               str(folder)]  # fmt: skip
    with log.open("w") as errors, subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment()
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            if not line.startswith("{"):
                continue
            case = json.loads(line)
            begun = case["seed"]
            if "s" in case:
                found.take(case)
        process.wait()
        return begun, process.returncode, log.read_text(encoding="utf-8", errors="replace")
