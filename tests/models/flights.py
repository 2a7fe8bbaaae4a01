"""The flock's published figures: how well it holds together, and how close its units pass.

Two scenes: the book's torus, where twenty units start anywhere and any way, and a field of eight
discs that a flock flies through. Both are functions of a seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.arrays import Floats
from sim.core.spawn import Points, Region
from sim.study.bench_world import BOOK
from sim.study.contacts import overlaps
from sim.study.frame import Frame, Framer
from sim.study.metrics import Metrics
from sim.study.report import setting_of
from sim.study.views import FEWEST, UNITS, flocks_of, polarisation, shapes
from sim.world import World

DURATION, SETTLED, MEASURED = 60.0, 10.0, 10.0
"""s: the run; from when on no units should touch; how much of its end the other figures cover."""
APPROACH, CROSSING = 65.0, 30.0
"""Lengths from the flock to the first discs; s until it should have closed up behind the last."""
RADII = ((5.0, 6.25, 3.75), (4.5, 6.0), (6.25, 4.0, 5.0))
"""The eight discs, column by column, in lengths."""
PITCH = 17.0
"""Between disc centres along and across the way, lengths: gaps of five to eight."""
RANKS, FILES, SPACING, SCATTER = 5, 4, 5.0, 1.0
"""How the flock stands at its start; each place is off by up to `SCATTER`, lengths."""


@dataclass(frozen=True)
class Settled:
    """One run on the book's torus."""

    polarisation: float
    """Mean over the end of the run (Vicsek's order parameter of the headings)."""
    within: float
    """The same within the flock of three or more where it is least, at the end."""
    closest_pass: float
    """Least distance of two centres over that time, world units."""
    touching: int
    """Steps after the first ten seconds in which two hulls overlapped."""
    nearest: float
    """Mean distance of nearest neighbours over that time, lengths."""
    swing: float
    """Mean turn rate, either way, over that time, rad/s."""
    flocks: int
    """Separate flocks at the end."""


@dataclass(frozen=True)
class Passage:
    """One flight through the eight discs."""

    parted: int
    """Discs that had units on either side as the flock went by."""
    contacts: int
    """Contacts between units."""
    wall_overlap: float
    """Deepest overlap with a disc, as a share of the hull radius; 0 where none was touched."""
    flocks: int
    """Separate flocks at the end."""
    polarisation: float
    """At the end."""
    through: int
    """Units beyond the last disc at the end."""


def settle(
    model: str,
    view: str,
    seed: int,
    behaviours: Mapping[str, Any] | None = None,
    duration: float = DURATION,
) -> Settled:
    """Twenty units from a random start on the book's torus; `duration` in s."""
    world = World(seed=seed, bounds=BOOK, edges="wrap")
    group = world.add_group(
        "flock", Region(*BOOK), count=UNITS, model=model, view=view, behaviours=behaviours,
        heading="random",
    )  # fmt: skip
    framer, length = Framer(setting_of(world)), group.hull.length
    steps = round(duration / world.time_step)
    measured_from = steps - round(MEASURED / world.time_step)
    rows, touching = [], 0
    for _ in range(steps):
        world.step()
        units = world.units.copy()
        frame = framer(world.time, units.position, units.angle, units.present)
        if world.time > SETTLED:
            touching += _touch(frame, world)
        if world.steps > measured_from:
            near = frame.nearest
            swing = float(np.abs(units.spin).mean())
            rows.append((polarisation(units), near.min(), near.mean() / length, swing))
    figures = np.array(rows)
    return Settled(
        float(figures[:, 0].mean()), polarisation_within(world, length),
        float(figures[:, 1].min()), touching,
        float(figures[:, 2].mean()), float(figures[:, 3].mean()), shapes(world, length)[0],
    )  # fmt: skip


def polarisation_within(world: World, length: float) -> float:
    """The least polarisation of a flock of three or more; NaN without any."""
    heading = world.units.heading
    found = [
        float(np.hypot(*heading[rows].mean(axis=0)))
        for rows in flocks_of(world, length)[1]
        if len(rows) >= FEWEST
    ]
    return min(found, default=float("nan"))


def field_of_discs(length: float) -> Floats:
    """The eight discs (8, 3): x, y, radius, for hulls of this length; the flock comes along +x."""
    discs = [
        (APPROACH + PITCH * column, PITCH * (row - (len(radii) - 1) / 2), radius)
        for column, radii in enumerate(RADII)
        for row, radius in enumerate(radii)
    ]
    return np.array(discs) * length


def formed(seed: int, length: float) -> Floats:
    """Starting places (20, 2) of a flock in ranks and files behind the origin, slightly off."""
    i = np.arange(RANKS * FILES)
    places = np.stack([-(i % FILES), i // FILES - (RANKS - 1) / 2], axis=1) * SPACING
    off = np.random.Generator(np.random.PCG64(seed)).uniform(-SCATTER, SCATTER, places.shape)
    return (places + off) * length


def pass_discs(model: str, view: str, seed: int, length: float = 4.0) -> Passage:
    """A formed flock heads at eight discs on an open plane; `length` is the length of its hull."""
    discs = field_of_discs(length)
    world = World(seed=seed, discs=discs)
    world.add_group("flock", Points(formed(seed, length)), model=model, view=view, heading=0.0)
    metrics = Metrics(setting_of(world))
    sides = np.zeros((len(world.units), len(discs)))
    before = world.units.position
    for _ in range(round(CROSSING / world.time_step)):
        units = world.units.copy()
        metrics.observe(world.time, units.position, units.angle, units.present)
        world.step()
        _note_sides(before, world.units.position, discs, sides)
        before = world.units.position
    figures = metrics.result()
    parted = (sides > 0).any(axis=0) & (sides < 0).any(axis=0)
    beyond = before[:, 0] > (discs[:, 0] + discs[:, 2]).max()
    return Passage(
        int(parted.sum()), figures["contacts"], figures["max_wall_overlap_share"],
        shapes(world, length)[0], polarisation(world.units), int(beyond.sum()),
    )  # fmt: skip


def _touch(frame: Frame, world: World) -> bool:
    """Whether any two hulls overlap."""
    if not len(frame.pairs):
        return False
    hulls = [group.hull for group in world.groups]
    per_unit = np.array([(h.reach, h.radius) for h in hulls])[world.units.group]
    keys, _ = overlaps(
        frame.pairs, frame.position, world.plane.size, per_unit[:, 0].copy(), per_unit[:, 1].copy(),
        frame.hulls,
    )  # fmt: skip
    return len(keys) > 0


def _note_sides(before: Floats, now: Floats, discs: Floats, sides: Floats) -> None:
    """Where a unit draws level with a disc: +1 below it on screen, -1 above."""
    level = (before[:, None, 0] < discs[:, 0]) & (now[:, None, 0] >= discs[:, 0])
    below = np.sign(now[:, None, 1] - discs[:, 1])
    sides[:] = np.where(level & (sides == 0), below, sides)
