"""What stands on ground that changes: round the units, remembered, and as recordings keep it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sim.core.pieces import Piece, Pose
from sim.core.solids import Solids
from sim.engine.build import Body
from sim.engine.ground import Ground
from sim.engine.movers import met, solids_in_place
from sim.living.parts import Part
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


def pieces_of(parts: Iterable[Part], bodies: Iterable[Body]) -> list[Piece]:
    """Parts and foreign bodies as they are after the last step of the engine."""
    found = [Piece(p, p.name, p.shape.solids, p.closed, _pose(p)) for p in parts]
    for number, body in enumerate(bodies):
        x, y = body.position
        pose = float(x), float(y), float(body.angle)
        solid = met(body)
        shapes = solid or [*body.shapes]  # taken out, it looks as before
        looks, there = solids_in_place(shapes), bool(solid)
        found.append(Piece((body, *shapes), f"body {number + 1}", looks, there, pose))
    return found


def _pose(part: Part) -> Pose:
    """Where the engine has a part, or where it is to come."""
    x, y = part.offset if part.body is None else part.body.position
    return float(x), float(y), 0.0
