"""Leaders lead flocks of any size to their quarry, on the torus too (rule A12)."""

from pathlib import Path

import numpy as np
import pytest

from sim.scenario.build import build
from sim.scenario.load import load

MAP = Path(__file__).resolve().parents[2] / "maps" / "leader.toml"
NEAR = 15.0
"""Lengths from the player."""


@pytest.mark.parametrize(
    ("count", "seconds"), [(200, 25), pytest.param(2000, 20, marks=pytest.mark.slow)]
)
def test_a_large_flock_is_led_to_the_player(count, seconds):
    """At least twice as many are near the player as chance would have, and few lead."""
    world = build(load(MAP, [f"groups.blue.count={count}"]))
    group, shares, leads = world.groups[0], [], []
    reach = NEAR * group.hull.length
    for step in range(seconds * 60):
        world.step()
        if step >= 600 and step % 15 == 0:
            player = world.units.position[count]
            away = world.plane.nearest(world.units.position[:count] - player)
            shares.append((np.hypot(*away.T) < reach).mean())
            leads.append(group.leads.mean())
    chance = np.pi * reach**2 / world.plane.size.prod()
    assert np.mean(shares) > 2 * chance
    assert 0 < np.mean(leads) < 0.5
