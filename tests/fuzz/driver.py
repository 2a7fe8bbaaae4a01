"""Runs many cases in processes of their own, and starts another where one dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRIES = 4
"""How often a case is begun that has no end in its time: a first use of a kernel compiles it."""
KINDS = ("scenarios", "maps", "recordings", "calls")


@dataclass
class Campaign:
    """What came of so many cases."""

    kind: str
    cases: int = 0
    statuses: dict[int, int] = field(default_factory=dict)
    slowest_s: float = 0.0
    faults: list[tuple[int, str]] = field(default_factory=list)

    def told(self) -> str:
        """In a line, and a paragraph a fault."""
        ends = ", ".join(f"{n} x status {status}" for status, n in sorted(self.statuses.items()))
        lines = [f"{self.kind}: {self.cases} cases; {ends}; slowest {self.slowest_s:.1f} s; "
                 f"{len(self.faults)} faults"]  # fmt: skip
        return "\n".join([*lines, *(f"-- {seed}: {said}" for seed, said in self.faults)])


def campaign(kind: str, first: int, count: int, folder: Path, most_faults: int = 40) -> Campaign:
    """Run `count` cases of a kind from number `first` on."""
    found, at, last = Campaign(kind), first, first + count
    slow: dict[int, int] = {}
    while at < last and len(found.faults) < most_faults:
        command = [sys.executable, "-m", "tests.fuzz.worker", kind, str(at), str(last - at),
                   str(folder)]  # fmt: skip
        log = folder / "log.txt"
        with log.open("w") as errors, subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True,
            env={**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"},
        ) as process:  # fmt: skip
            assert process.stdout is not None
            begun = at
            for line in process.stdout:
                if not line.startswith("{"):
                    continue
                case = json.loads(line)
                begun = case["seed"]
                if "s" in case:
                    _take(found, case)
                    at = begun + 1
            process.wait()
            err = log.read_text(encoding="utf-8", errors="replace")
        if at < last:  # it died in the middle of a case, or before the first
            status = process.returncode
            slow[begun] = slow.get(begun, 0) + (status == -signal.SIGPROF)
            if 0 < slow[begun] < TRIES:  # kernels that it was the first to use are compiled by now
                at = begun
                continue
            how = signal.Signals(-status).name if status < 0 else f"exit {status}"
            found.faults.append((begun, f"the process ended: {how}\n{err[-3000:]}"))
            found.cases += 1
            at = begun + 1
    return found


def _take(found: Campaign, case: dict) -> None:
    found.cases += 1
    found.slowest_s = max(found.slowest_s, case["s"])
    for status in case["statuses"]:
        found.statuses[status] = found.statuses.get(status, 0) + 1
    if case["fault"]:
        found.faults.append((case["seed"], case["fault"]))
