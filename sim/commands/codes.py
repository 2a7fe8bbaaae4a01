"""Exit statuses of the command line."""

from sim.core.interrupts import INTERRUPTED

__all__ = ["BAD_INPUT", "FAILED", "INTERRUPTED"]

BAD_INPUT, FAILED = 2, 1
