"""Walkers that meet: where they start and go, and what a run of theirs comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from sim import Goal, World

Floats = np.ndarray
APART = 60.0
"""Hull lengths between pairs that are to know nothing of each other."""


def pair(angle: float, way: float = 8.0, late: float = 0.0) -> tuple[Floats, Floats]:
    """Starts and goals of two whose courses cross at an angle (degrees), the second `late` later.

    Both are `way` (hull lengths) from the crossing, the second that much more.
    """
    turn = np.radians(angle)
    ahead = np.array([[1.0, 0.0], [np.cos(turn), np.sin(turn)]])
    far = np.array([[way], [way + late]])
    return -far * ahead, far * ahead


def ring(count: int, radius: float) -> tuple[Floats, Floats]:
    """Starts and goals of units that swap places across a circle."""
    turn = 2 * np.pi * np.arange(count) / count
    places = radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return places, -places


def many_pairs(count: int, seed: int) -> tuple[Floats, Floats]:
    """Pairs far from each other, each at random 30 to 150 degrees and on course to touch."""
    rng = np.random.default_rng(seed)
    starts, goals = [], []
    for k in range(count):
        angle = rng.choice([-1, 1]) * rng.uniform(30, 150)
        # Two equally fast ones, one late by that much, pass late x cos(angle / 2) apart.
        late = rng.uniform(-0.95, 0.95) / np.cos(np.radians(angle) / 2)
        places = np.concatenate(pair(angle, rng.uniform(6, 9), late))
        turn = rng.uniform(0, 2 * np.pi)
        c, s = np.cos(turn), np.sin(turn)
        places = places @ [[c, s], [-s, c]] + (k % 32 * APART, k // 32 * APART)
        starts.append(places[:2])
        goals.append(places[2:])
    return np.concatenate(starts), np.concatenate(goals)


@dataclass
class Met:
    """A run: figures of its N units."""

    ratio: Floats
    """(N,) time to arrival over the free time; NaN for units that did not arrive."""
    delay: Floats
    """(N,) that, as hull lengths travelled at the desired speed."""
    stray: Floats
    """(N,) farthest off the straight way, as a share of it."""
    asked: Floats
    """(N,) most that the others' presence ever asked of each, 1 being the desired speed."""
    deepest: float
    """Deepest overlap of two, as a share of a radius."""
    touches: set[tuple[int, int]]
    """Which units overlapped."""
    slow: Floats
    """(N / 2,) longest that both of a pair were below a fifth of their speed under way, s."""


def meet(starts: Floats, goals: Floats, seconds: float, **options: Any) -> Met:
    """Let walkers go until all have arrived, or for `seconds`."""
    world = World()
    group = world.add_group("a", starts, model="walkers", goal=Goal.to(goals), **options)
    n, way = len(starts), goals - starts
    far = np.hypot(*way.T)
    along = way / far[:, None]
    came, stray, asked = np.full(n, np.nan), np.zeros(n), np.zeros(n)
    both, slow = np.zeros(n // 2), np.zeros(n // 2)
    deepest, touches = 0.0, set()
    while world.time < seconds and np.isnan(came).any():
        world.step()
        units = world.units
        came[world.roster.orders.minds.arrived & np.isnan(came)] = world.time
        off = units.position - starts
        stray = np.maximum(stray, np.abs(off[:, 0] * along[:, 1] - off[:, 1] * along[:, 0]) / far)
        asked = np.maximum(asked, np.hypot(*(group.command - group.terms["arrive"]).T))
        for i, j in cKDTree(units.position).query_pairs(1.0):
            deepest = max(deepest, 2 * (1 - np.hypot(*(units.position[i] - units.position[j]))))
            touches.add((i, j))
        crawling = (np.hypot(*units.velocity.T) < 0.2 * group.speed) & np.isnan(came)
        crawling &= world.time > 0.5  # they start from rest
        pairs = crawling[: n // 2 * 2].reshape(-1, 2).all(axis=1)
        both = np.where(pairs, both + world.time_step, 0.0)
        slow = np.maximum(slow, both)
    free = (far - group.hull.radius) / group.speed
    return Met(came / free, (came - free) * group.speed, stray, asked, deepest, touches, slow)
