"""Calls that change a world while it runs: units, parts, areas, orders, states."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np

from sim import Box, Disc, Polygon, Region, Wall, World

from .spoiling import NUMBERS, TEXTS, number, point, value


def _shape(rng: random.Random) -> Any:
    def some(right: float) -> Any:
        return right if rng.random() < 0.8 else number(rng)

    return rng.choice(
        [lambda: Box(some(120), some(10), some(124), some(40)),
         lambda: Disc(some(120), some(70), some(4)),
         lambda: Wall(some(20), some(5), some(60), some(5)),
         lambda: Polygon([[some(80), some(80)], [some(90), some(80)], [some(85), some(90)]]),
         lambda: value(rng)]
    )()  # fmt: skip


def _ids(world: World, rng: random.Random) -> Any:
    if rng.random() < 0.2:
        return value(rng)
    return rng.sample(world.ids.tolist(), min(len(world.ids), rng.randrange(4)))


def _units(world: World, rng: random.Random, _folder: Path) -> None:
    deed = rng.randrange(5)
    names = [*(group.name for group in world.groups), "nosuch"]
    if deed == 0:
        world.remove(_ids(world, rng))
    elif deed == 1:
        world.regroup(_ids(world, rng), rng.choice(names))
    elif deed == 2:
        world.group(rng.choice(names)).add(Region(5, 5, 95, 95), count=rng.choice([1, 3, -1, 0.5]))
    elif deed == 3:
        world.group(rng.choice(names)).add([point(rng) for _ in range(rng.randrange(3))])
    else:
        world.group(rng.choice(names)).remove(_ids(world, rng))
    assert len(np.unique(world.ids)) == len(world.ids) == len(world.units)


def _part(world: World, rng: random.Random, _folder: Path) -> None:
    parts = list(world.parts.values())
    if not parts or rng.random() < 0.4:
        path = None if rng.random() < 0.6 else [[0, 0, 0], [0.05, number(rng), 8], [0.1, 0, 0]]
        world.add_solid(
            _shape(rng), name=rng.choice([None, "gate", *TEXTS]), open=rng.random() < 0.5,
            path=path, loop=rng.random() < 0.5,
        )  # fmt: skip
        return
    part = rng.choice(parts)
    deed = rng.randrange(4)
    if deed == 0:
        part.close()
    elif deed == 1:
        part.open()
    elif deed == 2:
        part.remove()
    else:
        part.velocity = point(rng)


def _area(world: World, rng: random.Random, _folder: Path) -> None:
    world.add_area(_shape(rng), speed=rng.choice([0.5, number(rng)]),
                   cost=rng.choice([None, 3.0, number(rng)]),
                   groups=rng.choice([None, ["a"], value(rng)]))  # fmt: skip


def _select(world: World, rng: random.Random, _folder: Path) -> None:
    some = world.select(_ids(world, rng))
    deed = rng.randrange(6)
    if deed == 0:
        some.go_to(point(rng), queue=rng.random() < 0.5)
    elif deed == 1:
        some.patrol([[20, 20], point(rng)])
    elif deed == 2:
        some.hold()
    elif deed == 3:
        some.stop()
    elif deed == 4:
        some.chase(rng.choice(["a", "b", "nosuch"]))
    for array in (some.position, some.arrived, some.moving, some.stuck):
        assert len(array) == len(some)


def _ways(world: World, rng: random.Random, _folder: Path) -> None:
    world.path(point(rng), point(rng), number(rng))


def _state(world: World, rng: random.Random, folder: Path) -> None:
    state = world.save() if rng.random() < 0.5 else None
    if state is None:
        file = folder / "run.state"
        world.save(file)
        World.load(file).close()
        return
    for _ in range(rng.randrange(3)):
        world.step()
    world.load(state)


def _at(world: World, rng: random.Random, _folder: Path) -> None:
    group = rng.choice([*world.groups, None])
    if group is None:
        world.at(number(rng), rng.choice([print, value(rng)]))
        return
    act = rng.choice([lambda world: world.remove(world.ids[:1]),
                      lambda _: group.go_to((rng.choice(NUMBERS), 50.0))])  # fmt: skip
    world.at(rng.choice([0.0, world.time, world.time + 0.02]), act)


DEEDS = [_units, _part, _area, _select, _ways, _state, _at]
