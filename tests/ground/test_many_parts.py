"""Many parts and areas are set up in a time that grows with their number alone."""

import pytest

import sim
from sim.core.solids import Solids
from sim.living.site import Site
from sim.scenario.build import build
from sim.scenario.load import loads

HEAD = """
title = "Many"
duration = 1
[map]
bounds = [0, 0, 100, 100]
edges = "wall"
"""
GROUP = """
[[groups]]
name = "a"
spawn = { points = [[50, 90]] }
goal = { point = [5, 90] }
"""


def many(parts: int, areas: int) -> str:
    """The text of a scenario."""
    boxes = [f"p{k} = {{ box = [{k}, {k}, {k}.5, {k}.5] }}" for k in range(parts)]
    regions = [f"[[areas]]\nregion = [{k}, 0, {k}.5, 9]\nspeed = 0.5" for k in range(areas)]
    return "\n".join([HEAD, "[map.parts]", *boxes, *regions, GROUP])


@pytest.fixture
def laid(monkeypatch):
    """How many parts were laid, each time that parts are laid."""
    found: list[int] = []
    lay = Site.lay
    monkeypatch.setattr(
        Site, "lay", lambda site, parts: (found.append(len(parts)), lay(site, parts))[1]
    )
    return found


def test_many_parts_are_laid_at_once(tmp_path, laid):
    """Laid one by one, each had all the others laid again: 1,000 took 20 s."""
    world = build(loads(many(40, 0), tmp_path / "many.toml"))
    assert laid == [40]
    assert len(world.solids.boxes) == 40
    assert all(part.closed for part in world.parts.values())


def test_parts_that_come_one_by_one_are_laid_at_once(laid):
    """In the engine each is there at once; what follows from them is renewed when it is read."""
    world = sim.World(bounds=(0, 0, 100, 100), edges="wall")
    group = world.add_group("a", [[50, 90]], goal=sim.Goal.to((5, 90)))
    world.step()
    parts = [world.add_solid(sim.Box(k, 1, k + 0.5, 2)) for k in range(40)]
    assert all(part.closed for part in parts)
    assert bool(world.queries.rays([(10.2, 0.5)], [(10.2, 3.0)]).hit[0])
    assert laid == []
    assert len(world.solids.boxes) == 40
    for part in parts[5:]:
        part.remove()
    group.go_to((10.2, 1.5), nearest=True)  # its way is planned on the ground as it is now
    assert group.note == ""
    world.step()
    assert laid == [40, 5]


def test_parts_without_a_name_get_one_that_is_free():
    """Also after others were removed."""
    world = sim.World()
    parts = [world.add_solid(sim.Disc(9 * k, 0, 1)) for k in range(4)]
    parts[1].remove()
    parts.append(world.add_solid(sim.Disc(50, 0, 1)))
    assert len({part.name for part in parts[2:]} | {parts[0].name}) == len(world.parts) == 4


def test_many_areas_are_led_over_at_once(tmp_path, monkeypatch):
    """Ways are planned over all areas once, not once for each."""
    joined: list[int] = []
    join = Solids.joined
    monkeypatch.setattr(
        Solids, "joined", lambda some, others: (joined.append(len(others)), join(some, others))[1]
    )
    world = build(loads(many(0, 30), tmp_path / "many.toml"))
    world.step()
    assert [count for count in joined if count > 1] == [30]
    assert len(world.areas) == 30
