"""Throngs: how many others a unit heeds where many are in range, and what it works out."""

import numpy as np

from sim import Goal, World
from sim.study.bench_models import DENSE, streams_world


def test_soldiers_in_a_throng_heed_few():
    """Each rule that looks lists the nearest alone: where one looks at all, all are measured."""
    world = streams_world(300, "soldiers", DENSE)
    for _ in range(5):
        world.step()
    rules = {name: s for name, s in world.groups[0].settings.items() if s.sight is not None}
    assert rules
    assert all(0 < s.nearest <= 24 for s in rules.values())
    looker = world.looking.eyes().looker
    most = {(s.view, s.range, s.whom): s.nearest for s in rules.values()}
    assert looker.listed.max() <= sum(most.values())
    for group in world.groups:
        for name in rules:
            group.configure(name, nearest=0)
    world.step()
    assert world.looking.eyes().looker.listed.max() > sum(most.values())


def test_walkers_that_meet_none_keep_their_wish():
    """Beside others that walk the same way, to the last bit: no bound is worked out for them."""
    course = np.array([np.cos(0.3), np.sin(0.3)])
    start = np.stack([np.zeros(12), np.arange(12) * 2.0], axis=1)
    world = World(seed=1)
    group = world.add_group("a", start, model="walkers", heading=0.3)
    group.goal = Goal.to(start + 40 * course)
    for _ in range(60):
        world.step()
    assert np.hypot(*world.units.velocity.T).min() > 0.5  # all walk, so each has a wish
    assert (group.terms["give_way"] == 0.0).all()
