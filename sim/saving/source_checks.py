"""Whether sources of units that come from a file are such as a world could have had."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sim.living.sources import Source, is_time
from sim.saving.need import need


def check_sources(sources: list[dict[str, Any]], names: Collection[str]) -> None:
    """Raise `ValueError` or `BadInput` for a source that no world with these groups has."""
    for kept in sources:
        source, coming = Source.of(kept), kept["next"]
        good = (
            set(kept) == {"given", "next", "rng"}
            and source.group in names
            and (coming is None or is_time(coming))
            and (coming is None) == (kept["rng"] is None)
        )
        need(good, "a source of units")
