"""What comes, goes and moves on the ground of a world, as pieces that recordings can keep."""

from __future__ import annotations

from collections.abc import Iterable

from sim.core.pieces import Piece, Pose
from sim.engine.build import Body
from sim.engine.movers import solids_in_place
from sim.living.parts import Part


def pieces_of(parts: Iterable[Part], bodies: Iterable[Body]) -> list[Piece]:
    """Parts and foreign bodies as they are after the last step of the engine."""
    found = [Piece(p, p.name, p.shape.solids, p.closed, _pose(p)) for p in parts]
    for number, body in enumerate(bodies):
        x, y = body.position
        pose = float(x), float(y), float(body.angle)
        there = body.space is not None
        found.append(Piece(body, f"body {number + 1}", solids_in_place(body), there, pose))
    return found


def _pose(part: Part) -> Pose:
    """Where the engine has a part, or where it is to come."""
    x, y = part.offset if part.body is None else part.body.position
    return float(x), float(y), 0.0
