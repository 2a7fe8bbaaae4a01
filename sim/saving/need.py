"""What all checks of a state that comes from a file say."""

from __future__ import annotations

from typing import Any


def need(good: Any, what: str) -> None:
    """Raise `ValueError` that names what cannot be so, unless it is good."""
    if not good:
        raise ValueError(f"{what}: cannot be what a world has")


def within(values: Any, low: Any, high: Any, what: str) -> None:
    """Raise `ValueError` unless low <= all values < high."""
    need(((values >= low) & (values < high)).all(), what)
