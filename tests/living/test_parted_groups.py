"""Groups of which parts pursue, or that have no units: what is perceived and shown of them."""

import numpy as np
import pytest

import sim

from .test_pursuits import MODELS, run


@pytest.mark.parametrize(("model", "kind"), MODELS)
def test_a_group_without_units_may_pursue(model, kind):
    """Its goal waits for units that join: none at first, and none after all were removed."""
    world = sim.World(seed=1)
    world.add_group("prey", [(40, 7)])
    group = world.add_group("pack", [], model=model, goal=sim.Goal(kind, "prey"))
    world.step()
    ids = group.add([(0, 0)])
    world.step()
    assert world.orders.pursuits.of.tolist() == [-1, 0]
    group.remove(ids)
    world.step()
    assert len(world.percepts(group)) == len(group.active)


def test_what_is_shown_of_a_unit_is_what_it_decided_by():
    """Rays, places in the ranks and percepts: of each unit as in a group that all does as it does.

    A rule is asked once for those that pursue and once for the others.
    """
    places = np.array([(0, 0), (0, 4), (0, 900), (0, 904)])

    def company(parted: bool) -> tuple[sim.World, list[sim.Group]]:
        world = sim.World(seed=3, boxes=[[3, -3, 5, 1]])
        world.add_group("prey", [(40, 7)])
        each = [places] if parted else [places[:2], places[2:]]
        groups = [
            world.add_group(f"{k}", at, model="soldiers", heading=0.3) for k, at in enumerate(each)
        ]
        ids = world.ids[1:]
        world.select(ids[:2]).order(sim.Goal("approach", "prey"))
        world.select(ids[2:]).go_to((30, 905))
        run(world, 1)
        return world, groups

    (world, [mixed]), (_, alone) = company(True), company(False)
    for rule, name in (("ray_avoidance", "hits"), ("rank_and_file", "places")):
        told = mixed.figures[rule][name]
        apart = np.concatenate([group.figures[rule][name] for group in alone])
        assert np.isfinite(told[:2]).any()
        assert np.array_equal(told, apart, equal_nan=True)
    for known in world.percepts(mixed).values():
        assert known.quarry is None or known.quarry.who.tolist() == [0, 0, -1, -1]
    both = world.percepts(mixed)["linear_separation"]
    assert both.quarry is not None
    assert both.aim is not None


def test_no_rule_is_asked_for_what_no_unit_is_after_any_more():
    """A part chases, then goes elsewhere, at once or by what was queued, or is removed."""
    world = sim.World(seed=1)
    world.add_group("prey", [(9, 0)])
    group = world.add_group("a", [(0, 0), (0, 3), (0, 6)], model="soldiers", heading=0.0)
    some = world.select(group.ids[:1])
    for end in ("order", "queue", "remove"):
        some.chase("prey")
        world.step()
        assert group.kinds == {"chase", "go"}
        if end == "order":
            some.go_to((0, 0))
        elif end == "queue":
            some.go_to((0, 0), queue=True)
            world.remove(world.group("prey").ids)
        else:
            world.remove(some.ids)
        world.step()
        assert group.kinds == {"go"}
        assert all("go" in each.rule.serves for each in group.active if each.rule.serves)


def test_where_to_head_for_is_not_known_before_the_first_step_after_an_order():
    """Zeros and no length of a way then, though the last place is known; never a vector of NaN."""
    world = sim.World(seed=1)
    group = world.add_group("a", [(0, 0), (0, 3)], heading=0.0)
    for place in ((9, 0), (0, 9)):
        group.go_to(place)
        aim = next(iter(world.percepts(group).values())).aim
        assert np.array_equal(aim.offset, np.zeros((2, 2)))
        assert np.hypot(*aim.final.T).min() > 5
        assert np.isnan(aim.remaining).all()
        assert not aim.left.any()
        world.step()
        aim = next(iter(world.percepts(group).values())).aim
        assert np.hypot(*aim.offset.T).min() > 5
        assert np.isfinite(aim.remaining).all()


def test_to_ask_what_one_group_perceives_is_to_ask_no_other():
    """What leads the other was looked up of the last step, and is still that."""
    world = sim.World(seed=1)
    one, other = (world.add_group(name, [(x, 0), (x, 3)]) for x, name in enumerate("ab"))
    world.step()
    leads = other.leads
    world.percepts(one)
    assert other.leads is leads
