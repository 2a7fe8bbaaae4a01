"""Leaders lead flocks of any size to their quarry, on the torus too (rule A12)."""

from pathlib import Path

import numpy as np
import pytest

from sim import Goal, World
from sim.behaviours.flocking import cohesion
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


@pytest.mark.parametrize(
    ("model", "leads"), [("flock", [True, True]), ("flock_book", [False, True])]
)
def test_a_mate_beyond_the_quarry_is_not_followed(model, leads):
    """A unit with its quarry before it and a mate behind that leads; in the book it follows."""
    world = World()
    group = world.add_group("a", [(0, 0), (100, 0)], heading=0.0, model=model)
    world.add_group("prey", [(30, 1)], model="player", heading=0.0)
    group.goal = Goal("chase", "prey")
    world.step()
    assert group.leads.tolist() == leads


def test_a_leader_counts_as_so_many_while_the_group_pursues():
    """The mean place of one leader and one other, by `heed`; without a quarry both count alike."""
    world = World()
    group = world.add_group("a", [(0, 0), (40, 30), (40, -30)], heading=0.0, model="flock_book")
    world.add_group("prey", [(900, 0)], model="player", heading=0.0)
    for goal, aside in ((None, 0.0), (Goal("chase", "prey"), (9 * 30 - 30) / 10)):
        group.goal = goal
        me = world.percepts(group)["cohesion"]
        me = me._replace(who_leads=lambda: np.array([False, True, False]))
        wanted = np.arctan2(aside, 40) / np.pi
        assert cohesion(me, me.seen, heed=9.0)[0, 1] == pytest.approx(wanted)
