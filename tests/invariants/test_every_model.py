"""Every model among every kind of solid: it runs, and threads change no bit of it."""

from __future__ import annotations

import numpy as np
import pytest

from sim import Goal, Hull, Region, World
from sim.core.sharing import threads, use_threads
from sim.core.units import Units
from sim.maps import TileMap
from sim.models import MODELS
from sim.navigation import grid

KINDS = {
    "none": {},
    "discs": {"discs": [(60.0, 40.0, 3.0), (90.0, 80.0, 2.0)]},
    "boxes": {"boxes": [(50.0, 40.0, 56.0, 52.0), (90.0, 70.0, 94.0, 90.0)]},
    "walls": {"walls": [(50.0, 40.0, 70.0, 60.0), (90.0, 70.0, 94.0, 90.0)]},
}


def tiles() -> TileMap:
    """A room of 160 x 160 with a few tiles of 4 in it."""
    solid = np.zeros((40, 40), np.bool_)
    solid[12:15, 12:14] = solid[20, 22:26] = True
    return TileMap(solid, (4.0, 4.0))


def world_of(model: str, kind: str, count: int) -> World:
    """Some units of a model among such solids; half of them have a goal of its own kind."""
    solids = {"map": tiles()} if kind == "tiles" else KINDS[kind]
    side = 160.0 * np.sqrt(max(1.0, count / 700))
    if kind == "tiles":
        side = 160.0
    world = World(seed=5, **solids)
    able = frozenset().union(
        *(s.rule.serves for s in MODELS[model].compose(None).values() if s.rule.serves)
    )
    goal = Goal.into((70.0, 0.0, 74.0, 160.0), leave=True) if "go" in able else None
    box = Hull("box", 1.0, 0.6, 80.0)
    start = Region(1.0, 1.0, side - 1.0, side - 1.0)
    world.add_group("a", start, count=count - 40, model=model, hull=box, goal=goal)
    hunt = next((Goal(kind, "a") for kind in sorted(able) if kind != "go"), None)
    world.add_group("b", start, count=40, model=model, hull=Hull.disc(0.4, 80.0), goal=hunt)
    return world


def state(units: Units) -> np.ndarray:
    """All that moves, a row a unit."""
    return np.column_stack([units.position, units.velocity, units.angle, units.spin])


def walk(model: str, kind: str, count: int, steps: int) -> None:
    """Two runs, one thread and all of them, bit for bit alike."""
    most, ends = threads(), []
    for number in (1, most):
        use_threads(number)
        try:
            world = world_of(model, kind, count)
            for _ in range(steps):
                world.step()
            ends.append(state(world.units))
        finally:
            use_threads(most)
    here = np.isfinite(ends[0])
    assert here.all(axis=1).sum() > count / 2
    assert np.array_equal(*ends, equal_nan=True)


@pytest.fixture
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ways are planned on grids of few nodes: one thread makes them, in most of the time here."""
    monkeypatch.setattr(grid, "MOST_NODES", 10_000)


@pytest.mark.usefixtures("shared_out", "coarse")
@pytest.mark.parametrize("kind", [*KINDS, "tiles"])
@pytest.mark.parametrize("model", sorted(MODELS))
def test_every_model_among_every_kind_of_solid(model: str, kind: str):
    """At 700 units and a few steps."""
    walk(model, kind, 700, 3)


@pytest.mark.slow
@pytest.mark.usefixtures("shared_out")
@pytest.mark.parametrize("count", [2_000, 10_000])
@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("model", sorted(MODELS))
def test_many_of_every_model(model: str, kind: str, count: int):
    """Larger worlds, as shared out as they are in earnest."""
    walk(model, kind, count, 2)
