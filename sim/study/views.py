"""What a view does to a flock, in figures: the same starts, seen wide, limited and narrow.

`python -m sim.study.views` prints the table of the documentation; with `--switched` what a change
of view does to one flock, and to what is scattered. `--quick` is a glance.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import breadth_first_order, connected_components

from sim.core.arrays import Bools, Floats, Ints
from sim.core.spawn import Region
from sim.core.units import Units
from sim.study.bench_world import BOOK
from sim.study.sweep_table import as_markdown
from sim.world import World

VIEWS = ("wide", "limited", "narrow")
UNITS = 20
ONE_FLOCK = 10.0
"""Units no farther apart than this, in lengths, belong to one flock."""
SEEDS, DURATION, LAST = 20, 30.0, 10.0
"""Starts; s of a run; s at its end over which the closest pass is taken."""
STARTS = {"one flock": ("wide", 30.0), "scattered": ("wide", 0.0), "bands": ("narrow", 30.0)}
"""The view that units had before, and for how long, s."""
MOMENTS = (5.0, 10.0, 30.0)
"""When one looks, s after the change of view."""
FEWEST = 3
"""Units that a flock must have for it to be long or round."""


class Figures(NamedTuple):
    """Of one run, at its end."""

    flocks: float
    """Chains of units within `ONE_FLOCK` lengths."""
    elongation: float
    """Longest over shortest spread of a flock (root mean square, principal axes); 1 is round. The
    geometric mean over flocks of three or more, weighted by their units; NaN without any."""
    polarisation: float
    closest_pass: float
    """Least distance of two centres over the last ten seconds, lengths."""


def fly(view: str, seed: int) -> Figures:
    """Twenty units from a random start on the book's torus."""
    world = World(seed=seed, bounds=BOOK, edges="wrap")
    start = Region(*BOOK)
    group = world.add_group("flock", start, count=UNITS, model="flock", view=view, heading="random")
    steps, closest = round(DURATION / world.time_step), np.inf
    for step in range(steps):
        world.step()
        if (steps - step) * world.time_step <= LAST:
            closest = min(closest, float(_distances(world).min()))
    length = group.hull.length
    flocks, long = shapes(world, length)
    return Figures(flocks, long, polarisation(world.units), closest / length)


def shapes(world: World, length: float) -> tuple[int, float]:
    """How many flocks there are now, and their elongation."""
    near, flocks = flocks_of(world, length)
    ratios, sizes = [], []
    for rows in flocks:
        if len(rows) >= FEWEST:
            laid = _laid_out(world, world.units.position, near, rows)
            low, high = np.linalg.eigvalsh(np.cov(laid.T))
            ratios.append(0.5 * np.log(high / max(low, 1e-9 * high)))
            sizes.append(len(rows))
    long = float(np.exp(np.average(ratios, weights=sizes))) if sizes else float("nan")
    return len(flocks), long


def polarisation(units: Units) -> float:
    """Norm of the mean heading: 1 where all point one way (Vicsek et al. 1995)."""
    return float(np.hypot(*units.heading[units.present].mean(axis=0)))


def apart(one: Floats, other: Floats) -> Floats:
    """(m,) difference of the means of two views' figures (k, m), over the larger spread.

    The spread is the standard deviation over the seeds.
    """
    spread = np.maximum(np.nanstd(one, axis=0), np.nanstd(other, axis=0))
    found: Floats = np.abs(np.nanmean(one, axis=0) - np.nanmean(other, axis=0)) / spread
    return found


class Look(NamedTuple):
    """What is to be seen at one moment."""

    flocks: float
    elongation: float
    polarisation: float
    nearest: float
    """Mean distance of a unit to its nearest mate, lengths."""
    distance: float
    """Mean distance of two units, lengths."""


def switch(start: str, view: str, seed: int) -> Floats:
    """(3, 5) the looks of twenty units 5, 10 and 30 s after they are given a view.

    Before, from random places and headings, they flew as `STARTS` says.
    """
    world, (first, seconds) = World(seed=seed, bounds=BOOK, edges="wrap"), STARTS[start]
    group = world.add_group(
        "f", Region(*BOOK), count=UNITS, model="flock", view=first, heading="random"
    )
    looks, since = [], 0.0
    for time in (0.0, *MOMENTS):
        for _ in range(round((seconds if time == 0.0 else time - since) / world.time_step)):
            world.step()
        group.view, since = view, time
        if time > 0.0:
            away, length = _distances(world) / group.hull.length, group.hull.length
            mean = float(away[np.isfinite(away)].mean())
            nearest = float(away.min(axis=1).mean())
            looks.append(Look(*shapes(world, length), polarisation(world.units), nearest, mean))
    return np.array(looks)


def switched(seeds: int) -> str:
    """Median of the looks of each start and view at each moment, and half what quartiles span."""
    rows = []
    for start in STARTS:
        runs = {v: np.array([switch(start, v, seed) for seed in range(seeds)]) for v in VIEWS}
        for k, time in enumerate(MOMENTS):
            for view, found in runs.items():
                quarters = np.nanpercentile(found[:, k], (25, 50, 75), axis=0).T
                told = (f"{mid:.2f} ± {(high - low) / 2:.2f}" for low, mid, high in quarters)
                rows.append([start, f"{time:g} s", view, *told])
    return as_markdown(["start", "after", "view", *Look._fields], rows)


def table(runs: Mapping[str, Floats]) -> str:
    """Mean and spread of each view's figures, and how far apart each pair of views is."""
    rows = []
    for view, found in runs.items():
        pairs = zip(np.nanmean(found, axis=0), np.nanstd(found, axis=0), strict=True)
        rows.append([view, *(f"{mean:.2f} ± {spread:.2f}" for mean, spread in pairs)])
    for one, other in combinations(runs, 2):
        far = (f"{x:.1f}" for x in apart(runs[one], runs[other]))
        rows.append([f"{one} to {other}, in spreads", *far])
    return as_markdown(["view", *(name.replace("_", " ") for name in Figures._fields)], rows)


def flocks_of(world: World, length: float) -> tuple[Bools, list[Ints]]:
    """Which units (N, N) stand so near that they belong together; the rows of each flock."""
    near = _distances(world) <= ONE_FLOCK * length
    count, flock = connected_components(near, directed=False)
    return near, [np.flatnonzero(flock == number) for number in range(count)]


def _distances(world: World) -> Floats:
    """(N, N) between units, the short way; infinite to themselves."""
    places = world.units.position
    off = world.plane.nearest(places[:, None] - places[None])
    found: Floats = np.hypot(off[..., 0], off[..., 1])
    np.fill_diagonal(found, np.inf)
    return found


def _laid_out(world: World, places: Floats, near: Bools, rows: Ints) -> Floats:
    """The places of one flock side by side, whatever seam it lies across."""
    laid = places.copy()
    order, before = breadth_first_order(near.astype(float), rows[0], directed=False)
    for row in order[1:]:
        last = before[row]
        laid[row] = laid[last] + world.plane.nearest(places[row] - places[last])
    return laid[rows]


if __name__ == "__main__":
    seeds = 2 if "--quick" in sys.argv else SEEDS
    if "--switched" in sys.argv:
        print(switched(seeds))
    else:
        print(table({v: np.array([fly(v, seed) for seed in range(seeds)]) for v in VIEWS}))
