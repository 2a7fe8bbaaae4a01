"""What is known of units that have left: nothing of it is left over, and nobody minds them."""

import numpy as np
import pytest

from sim import Goal, Hull, World

GONE, HERE = 0, 1


def left(model: str) -> World:
    """One of two has left at an exit; the other, and one of another group, walk on past it."""
    world = World(seed=1, walls=[(-5, 4, 5, 4)])
    options = {"model": model, "hull": Hull.disc(0.5, 80.0), "speed": 2.0, "heading": 0.0}
    goal = Goal.to([(0.4, 0), (9, 0)], leave=True)
    world.add_group("a", [(0, 0), (-3, 0)], goal=goal, **options)
    world.add_group("b", [(-3, 2)], goal=Goal.to((9, 2)), **options)
    for _ in range(30):
        world.step()
    return world


@pytest.mark.parametrize("model", ["crowd", "mages", "squares", "soldiers", "walkers", "flock"])
def test_nothing_is_known_of_units_that_left(model: str):
    """Its state is NaN; it is bound for nowhere, wants nothing, sees, touches and leads nobody."""
    world = left(model)
    units, group, orders = world.units, world.group("a"), world.orders
    assert units.present.tolist() == [False, True, True]
    for name in ("position", "velocity", "angle", "spin", "heading"):
        state = getattr(units, name)
        assert np.isnan(state[GONE]).all(), name
        assert np.isfinite(state[HERE:]).all(), name
    assert np.isnan(orders.aim[GONE]).all()
    assert np.isnan(orders.remaining[GONE])
    assert orders.minds.arrived[GONE]
    assert not orders.minds.moving[GONE]
    assert orders.minds.blocked[GONE] == orders.minds.timer[GONE] == 0.0
    assert not group.command[GONE].any()
    assert not group.forces.total[GONE].any()
    assert all(not term[GONE].any() for term in group.terms.values())
    assert all(np.isfinite(term).all() for term in group.terms.values())
    assert group.winner[GONE] == ""
    assert not group.leads[GONE]
    first, other = world.contacts.first, world.contacts.other
    assert first[GONE] == first[GONE + 1]
    assert GONE not in other


@pytest.mark.parametrize("model", ["crowd", "soldiers"])
def test_no_unit_sees_units_that_left(model: str):
    """It has no neighbours and no rays, and is nobody's neighbour."""
    world = left(model)
    for group in world.groups:
        for me in world.percepts(group).values():
            absent = ~me.units.present[me.rows]
            assert np.isnan(me.velocity[absent]).all()
            if me.seen is not None:
                each = me.seen.each
                assert not each.count[absent].any()
                for row, count in enumerate(each.count):
                    assert GONE not in each.index[row, :count]
            if me.felt is not None:
                assert not np.isfinite(me.felt.distance[absent]).any()
            if me.aim is not None:
                assert not me.aim.moving[absent].any()
                assert np.isnan(me.aim.remaining[absent]).all()
                assert np.isnan(me.aim.offset[absent]).all()
