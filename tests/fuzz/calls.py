"""Calls of the Python interface with whatever values: done, or refused with a reason."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from sim import BadInput, Diverged, Goal, Hull, Points, Region, Ring, Uniform, World
from sim.behaviours import RULES
from sim.record.trajectory import Trajectory
from sim.screen.capture import FilmRecorder

from . import living_calls
from .scenarios import MODELS
from .spoiling import NUMBERS, TEXTS, number, point, value

MOST = 40
MOST_SAID = 1000


def make(folder: Path, seed: int) -> list[str]:
    """A world, and ten calls; what each one that was not right said."""
    rng = random.Random(f"call {seed}")
    said: list[str] = []
    world = _try(lambda: World(**_options(rng)), said) or World(bounds=(0, 0, 200, 100))
    with world:
        _try(lambda: world.add_group("a", Region(10, 10, 90, 90), count=4, model="flock"), said)
        for _ in range(10):
            deed = rng.choice(DEEDS)
            _try(lambda deed=deed: deed(world, rng, folder), said)
        for _ in range(3):
            _try(world.step, said)
    return said


def _try(call: Callable[[], Any], said: list[str]) -> Any:
    try:
        return call()
    except (BadInput, Diverged) as error:
        said.append(str(error))
        if not 0 < len(str(error)) < MOST_SAID:
            raise AssertionError(f"a refusal of {len(str(error))} letters") from error
    return None


def _options(rng: random.Random) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if rng.random() < 0.7:
        options |= {"bounds": (0, 0, 200, 100), "edges": rng.choice(["open", "wall", "wrap"])}
    solids = {"discs": [[150, 50, 8]], "boxes": [[100, 30, 110, 60]], "walls": [[60, 20, 60, 70]]}
    name = rng.choice([*solids, "bounds", "edges", "time_step", "seed"])
    options |= {k: v for k, v in solids.items() if rng.random() < 0.5}
    if rng.random() < 0.5:
        rows = solids.get(name)
        if rows is not None and rng.random() < 0.7:
            row = list(rows[0])
            row[rng.randrange(len(row))] = rng.choice(NUMBERS)
            options[name] = [row]
        else:
            options[name] = number(rng)
    return options


def _add(world: World, rng: random.Random, _folder: Path) -> None:
    spawn = rng.choice(
        [lambda: Region(*(rng.choice(NUMBERS) for _ in range(4))), lambda: Region(5, 5, 95, 95),
         lambda: Ring(rng.choice(NUMBERS), 50, 30), lambda: Points(value(rng)),
         lambda: [point(rng) for _ in range(3)], lambda: [[20, 20], [40, 40]]]
    )()  # fmt: skip
    options: dict[str, Any] = {"count": 3} if isinstance(spawn, Region | Ring) else {}
    if rng.random() < 0.5:
        options["model"] = rng.choice(MODELS)
    for _ in range(rng.randrange(3)):
        name = rng.choice(
            ["count", "model", "view", "speed", "heading", "facing", "behaviours", "color", "hull"]
        )
        options[name] = value(rng)
        if name == "count" and isinstance(options[name], int) and MOST < options[name] <= 10**6:
            options[name] = MOST
    if isinstance(options.get("behaviours"), list | bool | int | float | str):
        options["behaviours"] = {rng.choice([*RULES, "nosuch"]): value(rng)}
    world.add_group(rng.choice(["b", "c", *TEXTS]), spawn, **options)


def _hull(world: World, rng: random.Random, _folder: Path) -> None:
    made = rng.choice(
        [lambda: Hull.disc(number(rng)),
         lambda: Hull(rng.choice(["box", "wedge", "disc", "x"]), number(rng), number(rng))]
    )()  # fmt: skip
    world.add_group(f"h{len(world.groups)}", [[50.0, 80.0]], hull=made)


def _goal(world: World, rng: random.Random, _folder: Path) -> None:
    group = rng.choice(world.groups) if world.groups else world.group("a")
    deed = rng.randrange(6)
    if deed == 0:
        group.go_to(point(rng), nearest=rng.random() < 0.5)
    elif deed == 1:
        group.go_to((190, 50), tolerance=number(rng))
    elif deed == 2:
        group.goal = Goal.along([point(rng) for _ in range(3)], loop=rng.random() < 0.5)
    elif deed == 3:
        group.goal = Goal.across(point(rng))
    elif deed == 4:
        group.goal = Goal.into([rng.choice(NUMBERS) for _ in range(4)])
    else:
        group.goal = Goal(rng.choice(["chase", "flee", "nosuch"]), rng.choice(["a", "b", "nosuch"]))


def _change(world: World, rng: random.Random, _folder: Path) -> None:
    group = rng.choice(world.groups) if world.groups else world.group("a")
    deed = rng.randrange(4)
    if deed == 0:
        speeds = [number(rng) for _ in range(max(2, len(group)))]
        deeds = (lambda: speeds[0], lambda: speeds, lambda: Uniform(speeds[0], speeds[1]))
        group.speed = rng.choice(deeds)()
    elif deed == 1:
        group.view = value(rng)
    elif deed == 2:
        group.switch(value(rng), on=True)
    else:
        name = rng.choice([*group.settings, *RULES, "nosuch"])
        parameters = [*RULES[name].parameters] if name in RULES else []
        group.configure(name, **{rng.choice([*parameters, "weight", "range", "view"]): value(rng)})


def _ask(world: World, rng: random.Random, _folder: Path) -> None:
    deed = rng.randrange(5)
    if deed == 0:
        world.queries.rays([point(rng)], [point(rng)])
    elif deed == 1:
        world.feelers.cast([point(rng)], [point(rng)], number(rng))
    elif deed == 2:
        world.queries.pick(point(rng), number(rng))
    elif deed == 3:
        world.queries.clear(Hull.disc(2), [point(rng)], number(rng))
    else:
        world.group(value(rng))


def _write(world: World, rng: random.Random, folder: Path) -> None:
    if not world.groups:
        return
    name = rng.choice(["run.npz", "run.txt", "film.gif", "film.nosuch", *TEXTS])
    if rng.random() < 0.5:
        made: Any = Trajectory(folder / name, rng.choice([1, 2, 0, -1]))
    else:
        made = FilmRecorder(
            folder / name, world, size=(64, 48), fps=rng.choice([25.0, *NUMBERS]),
            speed=rng.choice([1.0, *NUMBERS]),
        )  # fmt: skip
    made.abort()


def _step(world: World, _rng: random.Random, _folder: Path) -> None:
    world.step()
    assert np.isfinite(world.units.position[world.units.present]).all()


DEEDS = [_add, _hull, _goal, _change, _ask, _write, _step, *living_calls.DEEDS]
