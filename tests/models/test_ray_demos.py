"""The demos of ray avoidance: nobody plans a way, so that what the rule does shows."""

from pathlib import Path

import numpy as np
import pytest

from sim.scenario.build import build
from sim.scenario.load import load

MAPS = Path(__file__).parents[2] / "maps"


@pytest.mark.parametrize("name", ["ray_avoidance", "two_obstacles"])
def test_the_rule_shows(name):
    """With the rule nobody touches a thing or stops; without it all run into one (B6, B7)."""
    for off in (False, True):
        plan = load(MAPS / f"{name}.toml", ["groups.blue.behaviours.ray_avoidance=false"] * off)
        world = build(plan)
        assert not world.orders.guide or not world.orders.guide.parties
        deepest = np.full(len(world.units), -np.inf)
        for step in range(int(plan.duration * 60)):
            world.step()
            if step % 6 == 0:
                depth = world.solids.depth(world.units.position, world.plane) + 0.5
                deepest = np.maximum(deepest, depth)
        moves = np.hypot(*world.units.velocity.T) > 0.5
        if off:
            assert (deepest > -0.002).all()
        else:
            assert (deepest < -0.05).all()
            assert moves.all()
