"""Whether sources of units that come from a file are such as a world could have had."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sim.core.limits import is_number
from sim.core.spawn import Points, Region
from sim.living.sources import Source
from sim.saving.need import need

MOST = 1 << 40
"""Units that may be due."""


def check_sources(sources: list[dict[str, Any]], names: Collection[str]) -> None:
    """Raise `ValueError` or `BadInput` for a source that no world with these groups has."""
    for kept in sources:
        source, coming = Source.of(kept), kept["next"]
        whole = [source.entered, source.due, 0 if source.total is None else source.total]
        times = [source.start, *(source.times or ()), 0.0 if coming is None else coming]
        good = (
            set(kept) == {"given", "next", "rng"}
            and source.group in names
            and isinstance(source.spawn, Region | Points)
            and all(type(each) is int and 0 <= each <= MOST for each in whole)
            and source.entered <= source.due
            and all(type(each) in (int, float) and each >= 0 for each in times)
            and type(source.end) in (int, float)
            and (source.heading is None or source.heading == "random" or is_number(source.heading))
            and (coming is None) == (kept["rng"] is None)
        )
        need(good, "a source of units")
