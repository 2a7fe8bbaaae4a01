"""Whether ways that come from a file are ones: what they number is there, and fits their ground."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from sim.core.limits import within_reach
from sim.core.solids import Solids
from sim.navigation import Path
from sim.navigation.jams import Quickest
from sim.navigation.mouths import MOUTHS
from sim.navigation.passages import Passages
from sim.navigation.through import Crossings
from sim.navigation.trails import Trails
from sim.saving.likeness import need, within

MOST_STEPS = 1 << 20
"""Nodes of a lattice of passages, each way."""


def rows(values: Any, wide: int, what: str, least: int = 0) -> None:
    """Refuse what is no finite array (k, wide) of floats."""
    good = isinstance(values, np.ndarray) and values.dtype == float and values.ndim == 2
    need(good and values.shape[1] == wide and len(values) >= least, what)
    need(within_reach(values), what)


def check_crossings(met: Crossings, passages: Passages | None) -> None:
    """Raise `ValueError` for what do not lead through these passages."""
    count = 0 if passages is None else len(passages.mouths)
    need(met.first.ndim == 1 and len(met.first) and met.first[0] == 0, "crossings")
    need((np.diff(met.first) >= 0).all(), "crossings")
    need(met.span.ndim == met.through.ndim == 2, "crossings")
    need(met.span.shape[1] == 2 and met.through.shape[1] == 3, "crossings")
    need(len(met.span) == len(met.through), "crossings")
    within(met.through[:, 0], 0, count, "crossings")
    within(met.through[:, 1:], -1, MOUTHS + 1, "crossings")


def _solids(found: Solids) -> None:
    made = Solids.of(found.discs, found.boxes, found.walls)
    for name in ("discs", "boxes", "walls"):
        need(getattr(found, name).shape == getattr(made, name).shape, name)
    for corners in found.polygons:
        rows(corners, 2, "polygons", 3)


def _path(found: Path) -> None:
    rows(found.points, 2, "a way")
    rows(found.planned, 2, "a way")
    check_crossings(found.crossings, found.passages)


def _passages(found: Passages) -> None:
    for values in (found.origin, found.step):
        need(values.shape == (2,) and within_reach(values), "narrow passages")
    number, mouths = found.number, found.mouths
    need((found.step > 0).all() and number.ndim == 2, "passages")
    need(number.size and max(number.shape) <= MOST_STEPS, "narrow passages")
    need(mouths.shape[1:] == (MOUTHS, 2), "mouths of passages")
    within(number, -1, len(mouths), "numbers of passages")
    need(found.lanes.shape == (len(mouths),), "lanes of passages")
    need(np.isin(found.lanes, (1, 2)).all(), "lanes of passages")


def _trails(found: Trails) -> None:
    need(found.nearest.shape == found.field.distance.shape, "trails")
    need(found.nearest.min() >= -1 and found.cut.ndim == 1, "trails")


OF_VALUES: dict[type, Callable[[Any], None]] = {
    Solids: _solids, Path: _path, Passages: _passages, Trails: _trails,
    Quickest: lambda it: need(it.gain.shape == it.field.distance.shape, "the quickest ways"),
}  # fmt: skip
"""What is to be looked at of values whose classes do not check what they are made of."""
