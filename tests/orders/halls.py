"""Rooms and hallways of boxes, for tests that go through them."""

import numpy as np

from sim import Goal, Hull, Region, World
from sim.maps import TileMap

ROOM, LENGTH = 8.0, 10.0
HULL = Hull.disc(0.35, 80.0)


def bent(width: float, seed: int = 0) -> World:
    """Two rooms of 8 x 8 joined by a hallway with two corners.

    The rooms are (0, 0, 8, 8) and (18, 8, 26, 16).
    """
    half = width / 2
    boxes = [
        (8, 0, 26, 4 - half),
        (13 + half, 4 - half, 26, 8),
        (8, 4 + half, 13 - half, 8),
        (0, 8, 13 - half, 16),
        (13 - half, 12 + half, 18, 16),
        (13 + half, 8, 18, 12 - half),
    ]
    return World(seed=seed, bounds=(0, 0, 26, 16), edges="wall", boxes=boxes)


def straight(width: float, seed: int = 0) -> World:
    """Two rooms of 8 x 8 joined by a hallway 12 long: (0, 0, 8, 8) and (20, 0, 28, 8)."""
    half = width / 2
    boxes = [(8, 0, 20, 4 - half), (8, 4 + half, 20, 8)]
    return World(seed=seed, bounds=(0, 0, 28, 8), edges="wall", boxes=boxes)


def party(world: World, count: int, goal: Goal, name: str = "a", room=(0, 0, 8, 8), hull=HULL):
    """Some mages in a room, with somewhere to go, at 2 lengths of a second of 1 each."""
    return world.add_group(
        name, Region(*room), count=count, model="mages", hull=hull, speed=2.0, goal=goal
    )


class Watch:
    """Runs a world and takes down when each arrived, and the longest that any stood still."""

    def __init__(self, world: World, seconds: float) -> None:
        n = len(world.units)
        self.time, self.still = np.full(n, np.inf), np.zeros(n)
        self.crossings, still = 0, np.zeros(n)
        solid = world.solids.boxes
        while world.time < seconds:
            world.step()
            minds = world.roster.orders.minds  # to show them takes a third of a step
            new = minds.arrived & np.isinf(self.time)
            self.time[new] = world.time
            slow = np.hypot(*world.units.velocity.T) < 0.05 * minds.speed
            still = np.where(slow & minds.moving & ~minds.arrived, still + world.time_step, 0.0)
            self.still = np.maximum(self.still, still)
            x, y = world.units.position.T[:, :, None]
            within = (x > solid[:, 0]) & (x < solid[:, 2]) & (y > solid[:, 1]) & (y < solid[:, 3])
            self.crossings += int(within.any(axis=1).sum())
            if minds.arrived.all() and not minds.moving.any():
                break


def rooms(side: int, seed: int, smallest: int = 12) -> TileMap:
    """A map like those of games: rooms parted by walls one tile thin, with doors of 1 to 3 tiles.

    Each room is cut in two by a wall with two doors until it is small; no wall ends in a door.
    """
    rng, solid = np.random.default_rng(seed), np.zeros((side, side), bool)
    solid[[0, -1]] = solid[:, [0, -1]] = True
    todo = [(1, 1, side - 1, side - 1)]
    while todo:
        left, top, right, bottom = todo.pop()
        wide = right - left >= bottom - top
        part = solid[top:bottom, left:right] if wide else solid[top:bottom, left:right].T
        around = solid if wide else solid.T
        low, high = (left, right) if wide else (top, bottom)
        above, below = (top - 1, bottom) if wide else (left - 1, right)
        if high - low < smallest:
            continue
        sound = [k for k in range(low + 3, high - 3) if around[above, k] and around[below, k]]
        if not sound:
            continue
        at = int(rng.choice(sound))
        wall = part[:, at - low]
        wall[:] = True
        for _ in range(2):
            door, width = int(rng.integers(0, len(wall) - 2)), int(rng.integers(1, 4))
            wall[door : door + width] = False
        if wide:
            todo += [(left, top, at, bottom), (at + 1, top, right, bottom)]
        else:
            todo += [(left, top, right, at), (left, at + 1, right, bottom)]
    return TileMap(solid, (1.0, 1.0))
