"""`python -m tests.fuzz KIND [COUNT] [FIRST]`: a campaign, as docs/reliability.md tells of them."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from .driver import KINDS, campaign
from .interrupts import interrupt


def main() -> None:
    """Run a campaign and say how it went; exit status 1 for faults."""
    kind = sys.argv[1] if len(sys.argv) > 1 else ""
    count, first = (int(sys.argv[k]) if len(sys.argv) > k else n for k, n in ((2, 100), (3, 0)))
    if kind not in (*KINDS, "interrupts"):
        sys.exit(f"KIND: must be one of {', '.join((*KINDS, 'interrupts'))}")
    with tempfile.TemporaryDirectory() as folder:
        run = interrupt if kind == "interrupts" else campaign
        found = run(kind, first, count, Path(folder))
    print(found.told())
    sys.exit(bool(found.faults))


if __name__ == "__main__":
    main()
