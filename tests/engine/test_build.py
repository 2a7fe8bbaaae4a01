"""How the engine is set up for units: its cells where a crowd is large, its tree elsewhere."""

import numpy as np
import pytest

from sim import Hull, World
from sim.engine import cells
from sim.engine.cells import sort_by_cells

SMALL, LARGE = Hull("wedge", 4, 2), Hull.disc(12.0)


def crowd(monkeypatch: pytest.MonkeyPatch, least: int, **options: object) -> World:
    """Sixty units that meet head-on, among solids; cells are used from `least` units on."""
    monkeypatch.setattr(cells, "CROWD", least)
    world = World(seed=2, discs=[(60, 20, 5)], walls=[(20, 60, 90, 75)], **options)  # type: ignore[arg-type]
    rng = np.random.default_rng(2)
    places = (np.stack(np.divmod(np.arange(60), 10), axis=1) + rng.uniform(0.3, 0.7, (60, 2))) * 6
    for name, shift, heading in (("east", (0, 0), 0.0), ("west", (70, 3), np.pi)):
        group = world.add_group(
            name, places[:30] + shift, model="player", hull=SMALL, heading=heading
        )
        group.controls[:, 2] = 0.2
    return world


@pytest.mark.parametrize(
    "options", [{}, {"bounds": (-20, -20, 130, 100), "edges": "wrap"}], ids=["open", "torus"]
)
def test_cells_or_tree_the_same_physics(monkeypatch: pytest.MonkeyPatch, options: dict) -> None:
    """Whatever finds the contacts, units push each other alike; order tells only much later."""
    ends = []
    for least in (1, 10_000):
        world, touched = crowd(monkeypatch, least, **options), 0
        for _ in range(30):
            world.step()
            touched += len(world.roster.touch.read(60).other)
        assert touched > 20
        ends.append(world.units.position)
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)


def test_when_cells_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """For many hulls that are alike, and not where solids would fill too many of the cells."""
    monkeypatch.setattr(cells, "CROWD", 100)
    space = World().space
    assert not sort_by_cells(space, [SMALL], 99)
    assert sort_by_cells(space, [SMALL], 100)
    assert not sort_by_cells(space, [SMALL, LARGE], 100)
    wide = World(boxes=[(0, 0, 1e5, 1e5)]).space
    assert not sort_by_cells(wide, [SMALL], 100)


def test_rays_and_places_with_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine's own queries answer alike either way."""
    told = []
    for least in (1, 10_000):
        world = crowd(monkeypatch, least)
        rng = np.random.default_rng(3)
        starts, ends = rng.uniform(-20, 120, (2, 200, 2))
        rays = world.queries.rays(starts, ends)
        free = world.queries.clear(SMALL, starts, 0.3)
        told.append((rays.hit, rays.row, np.nan_to_num(rays.fraction), free))
    for one, other in zip(*told, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)
