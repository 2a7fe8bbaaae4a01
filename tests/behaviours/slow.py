"""The rules once more, unit by unit in plain numpy from their formulas, as an oracle."""

from __future__ import annotations

from collections.abc import Iterator
from math import acos, hypot, pi

import numpy as np

from sim import World
from sim.group import Group

SHARP = 1e-9


def own(world: World, i: int, vector: np.ndarray) -> tuple[float, float]:
    """A world vector as (ahead, starboard) of unit i."""
    c, s = world.units.heading[i]
    x, y = vector
    return float(c * x + s * y), float(c * y - s * x)


def to(world: World, i: int, point: np.ndarray) -> tuple[float, float]:
    """(ahead, starboard) from unit i to the nearest image of a point."""
    return own(world, i, world.plane.nearest(point - world.units.position[i]))


def in_view(view: str, ahead: float, starboard: float) -> bool:
    """Rules A2 to A4 with factors of 1."""
    if view == "wide":
        return ahead > 0 or abs(starboard) > abs(ahead)
    if view == "limited":
        return ahead > 0
    if view == "narrow":
        return ahead > 0 and abs(starboard) < ahead
    return True


def seen(world: World, i: int, view: str, reach: float, rows: range) -> Iterator[int]:
    """Which of these rows unit i sees, within `reach` world units."""
    for j in rows:
        ahead, starboard = to(world, i, world.units.position[j])
        if j != i and hypot(ahead, starboard) <= reach and in_view(view, ahead, starboard):
            yield j


def side(starboard: float, distance: float) -> int:
    """To starboard 1, to port or exactly ahead -1."""
    return 1 if starboard > SHARP * distance else -1


def turn(ahead: float, starboard: float, gain: float = 1.0) -> float:
    """Angle / pi toward the side of a direction, by a gain, at most 1; astern is to starboard."""
    distance = hypot(ahead, starboard)
    if distance == 0:
        return 0.0
    angle = acos(min(1.0, max(-1.0, ahead / distance)))
    way = 1 if ahead < 0 and abs(starboard) <= SHARP * distance else side(starboard, distance)
    return way * min(1.0, gain * angle / pi)


def cohesion(
    world: World, group: Group, reach: float, slack: float = 0.0, throttle: float = 0.0
) -> np.ndarray:
    """A6; with slack and throttle."""
    out = np.zeros((len(group), 2))
    rows = range(len(world.units))
    for n, i in enumerate(range(group.rows.start, group.rows.stop)):
        others = [
            to(world, i, world.units.position[j]) for j in seen(world, i, group.view, reach, rows)
        ]
        if others:
            ahead, starboard = np.mean(others, axis=0)
            distance = hypot(ahead, starboard)
            pull = min(1.0, distance / slack) if slack else 1.0
            out[n] = pull * throttle * ahead / distance, pull * turn(ahead, starboard)
    return out


def alignment(world: World, group: Group, reach: float, gain: float = 1.0) -> np.ndarray:
    """A7."""
    out = np.zeros((len(group), 2))
    rows = range(len(world.units))
    for n, i in enumerate(range(group.rows.start, group.rows.stop)):
        moving = [world.units.velocity[j] for j in seen(world, i, group.view, reach, rows)]
        if moving:
            out[n, 1] = turn(*own(world, i, np.mean(moving, axis=0)), gain)
    return out


def separation(
    world: World,
    group: Group,
    view: str,
    reach: float,
    fade: float = 0.0,
    brake: float = 0.0,
    foresight: float = 0.0,
) -> np.ndarray:
    """A8, with the push at the closest approach, found by trying many moments."""
    out = np.zeros((len(group), 2))
    rows, contact = range(len(world.units)), 2 * group.hull.radius
    for n, i in enumerate(range(group.rows.start, group.rows.stop)):
        for j in seen(world, i, view, reach, rows):
            offset = np.array(to(world, i, world.units.position[j]))
            passing = np.array(own(world, i, world.units.velocity[j] - world.units.velocity[i]))
            moments = np.linspace(0, foresight, 20001 if foresight else 1)
            track = offset + moments[:, None] * passing
            ahead, starboard = track[np.argmin(np.hypot(*track.T))]
            distance = hypot(ahead, starboard)
            push = reach / max(distance, contact) - fade
            out[n] -= brake * push * ahead / distance, side(starboard, distance) * push
    return out


def avoid_discs(world: World, group: Group, ahead: float, clearance: float) -> np.ndarray:
    """A9: `ahead` and `clearance` in world units."""
    out = np.zeros((len(group), 2))
    for n, i in enumerate(range(group.rows.start, group.rows.stop)):
        for x, y, radius in world.solids.discs:
            along, across = to(world, i, np.array([x, y]))
            distance = hypot(along, across)
            if 0 < along < ahead and abs(across) < radius + clearance:
                out[n, 1] -= side(across, distance) * ahead / max(distance, radius)
    return out


def quarry(world: World, i: int, target: Group) -> tuple[np.ndarray, np.ndarray]:
    """Own-frame offset to, and velocity of, the nearest of a group, both of unit i."""
    rows = range(target.rows.start, target.rows.stop)
    nearest = min(rows, key=lambda j: hypot(*to(world, i, world.units.position[j])))
    there = np.array(to(world, i, world.units.position[nearest]))
    return there, np.array(own(world, i, world.units.velocity[nearest]))


def chase(world: World, group: Group, target: Group, gain: float) -> np.ndarray:
    """A11: at where it is."""
    rows = range(group.rows.start, group.rows.stop)
    return np.array([(0, turn(*quarry(world, i, target)[0], gain)) for i in rows])


def intercept(world: World, group: Group, target: Group, gain: float) -> np.ndarray:
    """A11: at where it will be at range / closing speed."""
    out = np.zeros((len(group), 2))
    for n, i in enumerate(range(group.rows.start, group.rows.stop)):
        there, moving = quarry(world, i, target)
        closing = hypot(*(moving - np.array(own(world, i, world.units.velocity[i]))))
        time = hypot(*there) / closing if closing else 0.0
        out[n, 1] = turn(*(there + time * moving), gain)
    return out
