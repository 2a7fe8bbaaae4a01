"""What stands round the units, with parts on the ground: remembered, as doors open and close."""

from __future__ import annotations

from collections import OrderedDict
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
        self._known: OrderedDict[tuple[int, ...], tuple[Sequence[Solids], Surroundings]]
        self._known = OrderedDict()

    def with_parts(self, ground: Ground, parts: Sequence[Solids]) -> Surroundings:
        """The surroundings with some parts, which the ground has now."""
        if not parts:
            return self._bare
        key = tuple(id(each) for each in parts)  # the parts are kept: no other has their ids
        if key not in self._known:
            found = self._bare.joined(ground.bare, parts, ground.part_faces)
            self._known[key] = tuple(parts), found
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return self._known[key][1]
