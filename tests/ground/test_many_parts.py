"""A scenario with many parts and areas is set up in a time that grows with their number alone."""

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


def test_many_parts_are_laid_at_once(tmp_path, monkeypatch):
    """Laid one by one, each had all the others laid again: 1,000 took 20 s."""
    laid: list[int] = []
    lay = Site.lay
    monkeypatch.setattr(
        Site, "lay", lambda site, parts: (laid.append(len(parts)), lay(site, parts))[1]
    )
    world = build(loads(many(40, 0), tmp_path / "many.toml"))
    assert laid == [40]
    assert len(world.solids.boxes) == 40
    assert all(part.closed for part in world.parts.values())


def test_many_areas_are_led_over_at_once(tmp_path, monkeypatch):
    """Ways are planned over all areas once, not once for each."""
    joined: list[int] = []
    join = Solids.joined
    monkeypatch.setattr(
        Solids, "joined", lambda some, others: (joined.append(len(others)), join(some, others))[1]
    )
    world = build(loads(many(0, 30), tmp_path / "many.toml"))
    assert [count for count in joined if count > 1] == [30]
    assert len(world.areas) == 30
