"""Fields of discs and boxes that soldiers cross by their rays alone: nobody plans their way."""

import numpy as np

from sim import Goal, World

Box = tuple[float, float, float, float]
GAP = 1.5
"""Lengths between any two things in a field: the free way."""


def field(rng: np.random.Generator, things: int = 14) -> tuple[list, list]:
    """Discs (radius 0.5 to 2.5) and boxes (sides 1 to 4) in 24 by 16 lengths."""
    discs, boxes, taken = [], [], []
    for _ in range(400):
        if len(taken) == things:
            break
        at, round_ = rng.uniform([3, -8], [27, 8]), rng.random() < 0.5
        half = np.full(2, rng.uniform(0.5, 2.5)) if round_ else rng.uniform(0.5, 2.0, 2)
        gaps = [np.hypot(*np.maximum(np.abs(at - c) - half - h, 0)) for c, h in taken]
        if min(gaps, default=GAP) >= GAP:
            taken.append((at, half))
            if round_:
                discs.append((*at, half[0]))
            else:
                boxes.append((*(at - half), *(at + half)))
    return discs, boxes


def cross(fields: int) -> dict[str, np.ndarray]:
    """One soldier a field, from its left edge to its right one, for at most a minute."""
    discs, boxes, start, goal = [], [], [], []
    for number in range(fields):
        rng = np.random.default_rng(number)
        x, y = (number % 20) * 100.0, (number // 20) * 100.0
        round_, square = field(rng)
        discs += [(a + x, b + y, r) for a, b, r in round_]
        boxes += [(a + x, b + y, c + x, d + y) for a, b, c, d in square]
        ends = rng.uniform(-6, 6, 2)
        start.append((x - 1, y + ends[0]))
        goal.append((x + 31, y + ends[1]))
    return walk(World(discs=discs, boxes=boxes), start, goal, 60)


def walk(world: World, start: list, goal: list, seconds: float, **rules) -> dict[str, np.ndarray]:
    """Soldiers in a world, each to its own place.

    Which units arrived, least gap, mean speed, headings and steering.
    Gaps are in lengths from hull to solid, speeds in desired speeds, from the first second to the
    last before the arrival.
    """
    world.roster.orders.guide = None
    group = world.add_group(
        "a", start, model="soldiers", heading=0.0, goal=Goal.to(goal), behaviours=rules
    )
    n = len(start)
    gap, way, steps, angles, steering = np.full(n, np.inf), np.zeros(n), np.zeros(n), [], []
    for step in range(int(seconds * 60)):
        world.step()
        orders = world.roster.orders  # to show them takes a third of a step
        moving = orders.minds.moving
        if not moving.any():
            break
        units = world.units
        gap = np.minimum(gap, -world.solids.depth(units.position, world.plane) - 0.5)
        counts = moving & (step > 60) & (orders.remaining > group.speed)
        way += np.where(counts, np.hypot(*units.velocity.T) / group.speed, 0.0)
        steps += counts
        angles.append(units.angle)
        steering.append(np.where(moving, group.command[:, 1], 0.0))
    return {
        "arrived": world.orders.minds.arrived,
        "gap": gap,
        "speed": way / steps,
        "angles": np.array(angles).T,
        "steering": np.array(steering).T,
    }


def pass_pairs(pairs: int) -> dict[str, np.ndarray]:
    """One soldier a pair of overlapping discs that stand in its way, each pair another."""
    rng = np.random.default_rng(5)
    discs, start, goal = [], [], []
    for number in range(pairs):
        at = np.array(((number % 10) * 100.0, (number // 10) * 100.0))
        size, way = rng.uniform(0.7, 3, 2), rng.uniform(-np.pi, np.pi)
        apart = rng.uniform(abs(size[0] - size[1]) + 0.3 * size.min(), 0.98 * size.sum())
        middle = at + np.array((11, rng.uniform(-1.5, 1.5)))
        half = apart / 2 * np.array((np.cos(way), np.sin(way)))
        discs += [(*(middle - half), size[0]), (*(middle + half), size[1])]
        start.append(at)
        goal.append(at + np.array((24, 0)))
    return walk(World(discs=discs), start, goal, 40)
