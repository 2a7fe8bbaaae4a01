"""`python -m tests.fuzz KIND [COUNT] [FIRST] [--log FOLDER]`: a campaign of docs/reliability.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from .driver import KINDS, campaign
from .interrupts import interrupt

LONG = {
    "recordings": 3_000,
    "calls": 2_000,
    "scenarios": 10_000,
    "maps": 3_000,
    "states": 3_000,
    "interrupts": 2_000,
}
"""Cases of the whole campaign; interrupts: 500 of each of four kinds of films."""


def main() -> None:
    """Run a campaign and say how it went; exit status 1 for faults."""
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    asked.add_argument(
        "kind", choices=(*LONG, "all"), help="all: one after another, all that are to be"
    )
    asked.add_argument("count", nargs="?", type=int, help="cases; without it, all that are to be")
    asked.add_argument("first", nargs="?", type=int, default=0, help="number of the first")
    asked.add_argument("--log", type=Path, help="note each case in this folder; go on from there")
    given = asked.parse_args()
    if given.log is not None:
        given.log.mkdir(parents=True, exist_ok=True)
    faults = 0
    for kind in LONG if given.kind == "all" else (given.kind,):
        log = None if given.log is None else given.log / f"{kind}.jsonl"
        count = LONG[kind] if given.count is None else given.count
        run = campaign if kind in KINDS else interrupt
        with tempfile.TemporaryDirectory() as folder:
            found = run(kind, given.first, count, Path(folder), log)
        print(found.told(), flush=True)
        faults += len(found.faults)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
