"""Scenes of soldiers, many of them far apart in one world: they know nothing of each other."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.spatial import cKDTree

from sim import Goal, Region, World

FAR = 2000.0
"""Lengths between two scenes."""
STILL = 1e-4
"""Speed of a unit that stands still: a hundredth of what tests of rest allow."""


def rank_order(position: np.ndarray, angle: np.ndarray) -> float:
    """-cos 6 x (bearing of a neighbour), mean over a unit's nearest, and over all units.

    The nearest are up to six within 1.4 times the nearest one's distance. 1 for offset rows across
    the heading, 0 by chance.
    """
    distance, index = cKDTree(position).query(position, k=min(7, len(position)))
    near = distance[:, 1:] <= 1.4 * distance[:, 1:2]
    away = position[index[:, 1:]] - position[:, None]
    bearing = np.arctan2(away[..., 1], away[..., 0]) - angle[:, None]
    each = np.where(near, -np.cos(6 * bearing), 0).sum(axis=1) / near.sum(axis=1)
    return float(each.mean())


def companies(seeds: int, count: int = 24, side: float = 30.0, **options) -> World:
    """A company from random places and headings in a square, for each seed."""
    world = World(seed=1)
    for seed in range(seeds):
        square = Region(seed * FAR, 0, seed * FAR + side, side)
        world.add_group(
            f"g{seed}", square, count=count, model="soldiers", heading="random", **options
        )
    return world


def face(world: World, angle: np.ndarray) -> None:
    """Turn all units to these headings."""
    world.roster.bridge.put(replace(world.units, angle=angle))
    world.roster.read_anew()


def until_rest(world: World, seconds: float) -> Iterator[None]:
    """After each step for that long at most, or until all have stood still for two seconds."""
    stood = 0
    for _ in range(round(seconds * 60)):
        world.step()
        yield
        speed = np.hypot(*world.units.velocity[world.units.present].T).max()
        stood = stood + 1 if speed < STILL else 0
        if stood == 120:
            return


def orders(world: World) -> list[float]:
    """The order of each group's ranks."""
    units = world.units
    return [rank_order(units.position[g.rows], units.angle[g.rows]) for g in world.groups]


ONLY = dict.fromkeys(
    (
        "velocity_matching",
        "rank_and_file",
        "linear_separation",
        "unaligned_avoidance",
        "keep_right",
    ),
    False,
)
EXACT = [(np.pi, 1, 1), (np.pi / 2, 1, 1), (-np.pi / 2, 1, 1), (0, 1.4, 0.7), (np.pi, 1.4, 0.7)]
"""Course of the second, and both speeds: head-on, from either side, overtaking."""
LEAD = 6.0
"""Seconds to the collision."""


def collide(pairs: int, behaviours: dict) -> tuple[np.ndarray, np.ndarray]:
    """Least distance of each of some random pairs on collision courses, and of the exact ones.

    And which arrived, (pairs, 2). Courses differ by 20 degrees or more, speeds lie between 0.6 and
    1.4 lengths / s, and courses miss each other by at most 0.3 lengths either way.
    """
    rng = np.random.default_rng(7)
    course = rng.uniform(-np.pi, np.pi, (pairs, 2))
    course[:, 1] = course[:, 0] + rng.uniform(np.pi / 9, 2 * np.pi - np.pi / 9, pairs)
    speed = rng.uniform(0.6, 1.4, (pairs, 2)).round(1)
    miss = np.zeros((pairs + len(EXACT), 2, 2))
    miss[:pairs, 1] = rng.uniform(-0.3, 0.3, (pairs, 2))
    course = np.concatenate([course, [(0, c) for c, _, _ in EXACT]])
    speed = np.concatenate([speed, [(a, b) for _, a, b in EXACT]])
    n = len(course)
    field = np.stack([np.arange(n) % 25, np.arange(n) // 25], axis=1) * 200.0
    along = np.stack([np.cos(course), np.sin(course)], axis=-1) * speed[..., None]
    start, goal = (field[:, None] + miss + along * t for t in (-LEAD, 2 * LEAD))
    world = World()
    for side in (0, 1):  # friends would fall in with each other
        world.add_group(
            f"{side}", start[:, side], model="soldiers", speed=speed[:, side].tolist(),
            heading=0.0, behaviours=behaviours, goal=Goal.to(goal[:, side]),
        )  # fmt: skip
    face(world, np.concatenate(course.T))
    least = np.full(n, np.inf)
    while world.time < 5 * LEAD and not world.roster.orders.minds.arrived.all():
        world.step()
        at = world.units.position
        away = at[n:] - at[:n]
        least = np.minimum(least, np.hypot(*away.T))
    return least, world.orders.minds.arrived.reshape(2, n).T
