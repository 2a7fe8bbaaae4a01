"""Pieces of ground that come, go and move: what each looks like, and where it is."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

import numpy as np

from sim.core.arrays import Floats
from sim.core.errors import BadInput
from sim.core.solids import Solids, convex, corners_of

Pose = tuple[float, float, float]
"""How far something is off from where its solids lie (world units), and turned round the point that
was the origin (radians, clockwise on screen)."""


class Piece(NamedTuple):
    """Something that may come, go or move, as it is at one moment."""

    key: Hashable
    """Which it is: the same at every moment."""
    name: str
    solids: Solids
    """What it looks like, in place."""
    closed: bool
    """Whether it stands there."""
    pose: Pose

    @property
    def standing(self) -> Solids:
        """The solids where they are now."""
        return posed(self.solids, self.pose)


def posed(solids: Solids, pose: Pose) -> Solids:
    """Solids in a pose. Boxes that are turned become polygons."""
    x, y, angle = pose
    if angle == 0:
        return solids if x == 0 and y == 0 else solids.moved(x, y)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    boxes = corners_of(solids.boxes)
    return Solids(
        np.column_stack([solids.discs[:, :2] @ turn, solids.discs[:, 2]]),
        walls=(solids.walls.reshape(-1, 2) @ turn).reshape(-1, 4),
        polygons=tuple(corners @ turn for corners in (*solids.polygons, *boxes)),
    ).moved(x, y)


def onward(was: Pose, now: Pose, size: Floats) -> Pose:
    """The image of a pose on a torus of `size` (2,), zeros for none, that is nearest to another."""
    place = np.array(now[:2])
    rounds = np.rint(np.divide(place - was[:2], size, out=np.zeros(2), where=size > 0))
    x, y = (place - rounds * size).tolist()
    return x, y, now[2]


def standing(pieces: Iterable[Piece]) -> Solids:
    """All that stands there now."""
    return Solids().joined([piece.standing for piece in pieces if piece.closed])


def told(solids: Solids) -> dict[str, Any]:
    """Solids as lists of numbers, by name: what `understood` takes."""
    return {
        "discs": solids.discs.tolist(), "boxes": solids.boxes.tolist(),
        "walls": solids.walls.tolist(), "polygons": [each.tolist() for each in solids.polygons],
    }  # fmt: skip


def understood(told: Any) -> Solids:
    """What `told` wrote. Raises `BadInput` for anything else."""
    if not isinstance(told, dict) or not {"discs", "boxes", "walls", "polygons"} <= told.keys():
        raise BadInput(f"{json.dumps(told)[:80]}: must have discs, boxes, walls and polygons")
    if not isinstance(told["polygons"], list):
        raise BadInput("polygons: must be a list")
    found = Solids.of(told["discs"], told["boxes"], told["walls"])
    corners = (convex(each, f"polygons[{k}]") for k, each in enumerate(told["polygons"]))
    return Solids(found.discs, found.boxes, found.walls, tuple(corners))
