"""What stands round the units, with parts on the ground: remembered, as doors open and close."""

from __future__ import annotations

from collections.abc import Sequence

from sim.core.solids import Solids
from sim.engine.ground import Ground
from sim.perception.surroundings import Surroundings

KEPT = 4
"""Grounds that are remembered. On 512 x 512 tiles each holds some megabytes."""


class Laid:
    """The surroundings on a ground with the last few sets of parts; `bare` are those without."""

    def __init__(self, bare: Surroundings) -> None:
        self._bare = bare
        self._known: dict[tuple[int, ...], tuple[Sequence[Solids], Surroundings]] = {}
        """By the ids of the parts, the last used at the end. Parts are kept: an id stays theirs."""

    def with_parts(self, ground: Ground, parts: Sequence[Solids]) -> Surroundings:
        """The surroundings with some parts, which the ground has now."""
        if not parts:
            return self._bare
        key = tuple(id(each) for each in parts)
        found = self._known.pop(key, None)
        if found is None:
            found = tuple(parts), self._bare.joined(ground.bare, parts, ground.part_faces)
        self._known[key] = found
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
        return found[1]
