"""The world of the benches: the full model on a torus among solids, as dense as a gathered flock.

All three rules look five hull lengths, the book's distance of separation, with the wide view, and
each unit has about ten others within it.
"""

from __future__ import annotations

import numpy as np

from sim.behaviours import Rule, Setting, Terms
from sim.core.arrays import Floats
from sim.core.errors import naming
from sim.core.spawn import Region
from sim.perception.percepts import Percepts
from sim.perception.sights import Feel
from sim.world import World

NEIGHBOURS, WITHIN = 10.0, 5.0
"""The neighbours that each unit sees, and within how many hull lengths."""
ASPECT = 4 / 3
BOOK = (0.0, 0.0, 1024.0, 768.0)
"""The book's window; it runs twenty units there."""
DISCS, DISC_RADIUS = 8, 2.5
"""How many solid discs (fewer for fewer than 400 units), and how large in hull lengths."""
MANY, WALLS, WALL_LENGTH = 200, 50, 10.0
"""How many discs and walls units with rays are among, and how long these are in hull lengths."""
THREE = Feel(lengths=25.0)
"""The rays: as long as the rules of avoidance look ahead."""
SEEN = 0.75
"""The share of the circle that the wide view sees."""


def book_world(units: int, contact_cells: bool = True) -> World:
    """The book's own: its window as a torus, a flock at random, with the ranges of its model."""
    world = World(bounds=BOOK, edges="wrap", seed=1, contact_cells=contact_cells)
    world.add_group("flock", Region(*BOOK), count=units, model="flock")
    return world


def bench_world(
    units: int,
    model: str = "flock",
    neighbours: float = NEIGHBOURS,
    rays: bool = False,
    contact_cells: bool = True,
) -> World:
    """The world of the bench, with `neighbours` within the reach of the flocking rules.

    With `rays` there are as many solids as `MANY` and `WALLS` say, and each unit feels by three.
    Raises `BadInput` for more neighbours than there is room for.
    """
    rules = {name: {"range": WITHIN} for name in ("cohesion", "alignment", "separation")}
    probe = World().add_group("one", [(0.0, 0.0)], model=model, view="wide", behaviours=rules)
    length, reach = probe.hull.length, probe.hull.reach
    count, radius = MANY if rays else min(DISCS, units // 50), DISC_RADIUS * length
    walls, along = WALLS if rays else 0, WALL_LENGTH * length
    area = units / neighbours * SEEN * np.pi * (WITHIN * length) ** 2
    area += count * np.pi * (radius + reach) ** 2 + walls * 2 * reach * along
    size = np.sqrt(area * np.array([ASPECT, 1 / ASPECT]))
    rng = np.random.default_rng(1)
    discs = np.insert(rng.uniform((0, 0), size, (count, 2)), 2, radius, axis=1)
    ends, turns = rng.uniform((0, 0), size, (walls, 2)), rng.uniform(0, np.pi, walls)
    ways = along * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    world = World(
        bounds=(0.0, 0.0, *size.tolist()), edges="wrap", seed=1,
        discs=discs, walls=np.hstack([ends, ends + ways]), contact_cells=contact_cells,
    )  # fmt: skip
    places = _lattice(units, size, reach, world, rng)
    with naming(f"neighbours = {neighbours:g}: must be fewer: "):
        group = world.add_group("flock", places, model=model, view="wide", behaviours=rules)
    if rays:
        group.follow_rule(Setting(_FEELS))
    return world


def seen(world: World) -> float:
    """How many each unit sees through the farthest sight, on average, now."""
    world.looking.known(world.groups[0])
    looker = world.looking.eyes().looker
    farthest = int(looker.table.reach.argmax()) % looker.table.reach.shape[1]
    return float(looker.count[farthest].mean())


def _lattice(
    units: int, size: Floats, reach: float, world: World, rng: np.random.Generator
) -> Floats:
    """Places (units, 2) on a jittered lattice, clear of solids: quickly made however many."""
    cells = units
    while True:
        columns = int(np.ceil(np.sqrt(cells * ASPECT)))
        rows = -(-cells // columns)
        cell = size / (columns, rows)
        lattice = np.stack(np.divmod(np.arange(columns * rows), columns), axis=1)[:, ::-1]
        room = np.maximum(1 - 2 * reach / cell, 0)
        places = (lattice + 0.5 + rng.uniform(-0.5, 0.5, lattice.shape) * room) * cell
        free = world.site.solids.depth(places, world.plane) < -reach
        if free.sum() >= units:
            return places[free][:units]
        cells += max(1, units - int(free.sum()))


def _ignore(me: Percepts) -> Terms:
    """Feels, and wants nothing."""
    return np.zeros(me.velocity.shape)


_FEELS = Rule("three_rays", _ignore, "obstacles", parameters={}, feels=THREE)
"""In no table: it is of no use elsewhere."""
