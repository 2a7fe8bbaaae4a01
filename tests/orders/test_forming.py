"""Units form up, keep their places on the way, and close up after losses."""

from __future__ import annotations

import numpy as np
import pytest

from sim import Formation, Goal, Region, World
from sim.core.plane import Plane
from sim.orders.formation import SHAPES, turned
from sim.orders.standing_room import FREE, MOST_LOOKS, Look, Room, settled
from tests.orders.test_formations import targets

STEP = 1 / 60


def sent(model: str, formation: Formation, seed: int, n: int = 9) -> World:
    """Units of a model out of order, sent to a point 36 lengths off in a formation."""
    world, unit = World(seed=seed), 14.0 if model == "squares" else 1.0
    room = Region(0, 0, 9 * unit, 9 * unit)
    goal = Goal.to((30 * unit, 20 * unit), formation=formation)
    world.add_group("a", room, count=n, model=model, goal=goal)
    return world


def until(world: World, seconds: float, done) -> float:
    """Step until it is done; the time, s. Fails where it takes longer."""
    while not done():
        world.step()
        assert world.time < seconds
    return world.time


def off_place(world: World) -> float:
    """How far off its place the worst unit is, hull lengths."""
    off = np.hypot(*world.plane.nearest(world.units.position - targets(world)).T)
    return float(off.max() / world.groups[0].hull.length)


def at_rest(world: World) -> bool:
    """Whether nobody is on its way, nor sliding on after a push (0.05 lengths a second)."""
    group = world.groups[0]
    speed = np.hypot(*world.units.velocity.T)
    return not group.moving.any() and bool((speed < 0.05 * group.hull.length).all())


def arrives(model: str, shape: str, seed: int) -> None:
    """All of a group come to rest at their own places, faced as their formation is."""
    world = sent(model, Formation(shape, facing=0.3), seed)
    group = world.groups[0]
    until(world, 60, lambda: group.arrived.all() and at_rest(world))
    for _ in range(90):
        world.step()
    assert off_place(world) <= 0.5
    if not group.hull.upright:
        assert np.cos(world.units.angle - 0.3).min() > 0.999


@pytest.mark.parametrize(
    ("model", "shape"),
    [("crowd", "wedge"), ("soldiers", "line"), ("walkers", "box"), ("squares", "column"),
     ("mages", "circle")],
)  # fmt: skip
def test_all_take_their_places(model: str, shape: str):
    """Every walking model forms up."""
    arrives(model, shape, 1)


@pytest.mark.slow
@pytest.mark.parametrize("model", ["crowd", "soldiers", "walkers", "squares", "mages"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_all_take_their_places_over_seeds(model: str, shape: str, seed: int):
    """Every walking model forms up in every shape, from any start."""
    arrives(model, shape, seed)


def test_craft_circle_each_round_its_own_place():
    """Units that cannot rest get the places as their goals."""
    world = World(seed=1)
    goal = Goal.to((300, 0), formation=Formation("line", spacing=10))
    group = world.add_group("a", Region(0, 0, 60, 60), count=4, model="flock", goal=goal)
    assert len(np.unique(targets(world).round(6), axis=0)) == 4
    until(world, 60, lambda: group.arrived.all())


def test_numbering_is_of_no_matter():
    """From the same places in another order each goes the same way, to the last digit."""
    places, ends = np.random.default_rng(1).random((7, 2)) * 12, []
    for order in (np.arange(7), np.arange(7)[::-1]):
        world = World()
        goal = Goal.patrol([(0, 0), (9, 0), (9, 9)], formation=Formation("wedge"))
        world.add_group("a", places[order], heading=0.0, goal=goal)
        for _ in range(900):
            world.step()
        ends.append(world.units.position[np.argsort(order)])
    assert np.array_equal(*ends)


def marches(formation: Formation, route: list, n: int = 6) -> World:
    """Units on patrol in a formation, from about where it begins."""
    world = World(seed=2)
    goal = Goal.patrol(route, formation=formation)
    world.add_group("a", Region(-5, -5, 5, 5), count=n, goal=goal)
    return world


def out_of_shape(world: World, formation: Formation, heading: float) -> float:
    """How far off its place in the moving formation the worst unit is, hull lengths."""
    here = world.units.position - world.units.position.mean(axis=0)
    places = turned(formation.places(len(here)), heading)
    return float(np.hypot(*(here[:, None] - places).transpose(2, 0, 1)).min(axis=0).max())


def test_on_the_way_all_keep_their_places():
    """Between two stops of a patrol the formation is always the same, turned to its course."""
    formation = Formation("wedge")
    world = marches(formation, [(0, 0), (16, 0), (16, 14)])
    middle, worst = [], {0.0: [], np.pi / 2: []}
    for _ in range(round(50 / STEP)):
        world.step()
        x, y = world.units.position.mean(axis=0)
        middle.append((x, y))
        if 4 < x < 13 and abs(y) < 1:
            worst[0.0].append(out_of_shape(world, formation, 0.0))
        if 4 < y < 11 and world.units.velocity[:, 1].mean() > 0.5:
            worst[np.pi / 2].append(out_of_shape(world, formation, np.pi / 2))
    assert min(map(len, worst.values())) > 120
    assert max(map(max, worst.values())) < 0.25


def test_nobody_goes_on_before_the_last_has_come():
    """One that starts far off is waited for at the first stop."""
    world = World()
    goal = Goal.along([(0, 0), (30, 0)], formation=Formation("line"))
    group = world.add_group("a", [(0, 2), (0, -2), (-20, 0)], goal=goal)
    until(world, 60, lambda: (world.units.position[:, 0] > 3).any())
    assert world.units.position[:, 0].min() > 1.5
    until(world, 90, lambda: bool(group.arrived.all()))


def test_losses_close_up_and_additions_get_places():
    """Units that are left, and units that join, form up anew round the same point."""
    world = sent("crowd", Formation("line", facing=0.0), 1, n=5)
    group = world.groups[0]
    until(world, 60, lambda: group.arrived.all())
    group.remove(group.ids[[1, 3]])
    assert sorted(targets(world).round(6).tolist()) == [[30, 18], [30, 20], [30, 22]]
    until(world, 90, lambda: group.arrived.all() and not group.moving.any())
    assert off_place(world) < 0.5
    group.add([(20, 20)])
    assert sorted(targets(world)[:, 1].round(6)) == [17, 19, 21, 23]
    until(world, 120, lambda: group.arrived.all() and not group.moving.any())
    assert off_place(world) < 0.5


def test_a_loss_on_patrol_does_not_send_the_others_back():
    """They go on to the stop that they are bound for, and close up on the way there."""
    formation = Formation("line")
    world = marches(formation, [(0, 0), (25, 0)])
    until(world, 40, lambda: world.units.position[:, 0].mean() > 10)
    world.remove(world.ids[:1])
    for _ in range(120):
        world.step()
    assert world.units.position[:, 0].mean() > 11
    until(world, 60, lambda: world.units.position[:, 0].mean() > 23.5)
    assert out_of_shape(world, formation, 0.0) < 0.3


def test_a_unit_with_another_order_leaves_the_formation():
    """The others close up; it goes where it is sent."""
    world = sent("crowd", Formation("line", facing=0.0), 1, n=4)
    world.step()
    world.select([2]).go_to((0, 40))
    assert sorted(targets(world)[[0, 1, 3], 1].round(6)) == [18, 20, 22]
    assert targets(world)[2].tolist() == [0, 40]


def test_groups_ordered_together_form_up_together():
    """One selection is one formation, whatever the groups, and each place is taken once."""
    world = World(seed=1)
    world.add_group("red", Region(0, 0, 8, 8), count=3)
    world.add_group("blue", Region(12, 0, 20, 8), count=3, model="soldiers")
    squad = world.select(range(6))
    squad.go_to((10, 30), formation=Formation("line", facing=-np.pi / 2))
    assert sorted(targets(world)[:, 0].round(6)) == [5, 7, 9, 11, 13, 15]
    until(world, 60, lambda: bool(squad.arrived.all()))


def test_a_queued_formation_begins_when_all_are_ready():
    """The first to arrive waits for the others, then all take their places at once."""
    world = World()
    group = world.add_group("a", [(0, 0), (-12, 0)], goal=Goal.to([(3, 0), (3, 4)]))
    squad = world.select(group.ids)
    squad.go_to((20, 2), queue=True, formation=Formation("line"))
    until(world, 30, lambda: world.units.position[0, 0] > 5)
    assert world.units.position[1, 0] > 2
    until(world, 60, lambda: squad.arrived.all() and not group.moving.any())
    assert off_place(world) < 0.5


def test_on_a_torus_the_short_way():
    """A formation across the seam is formed by the short ways."""
    world = World(bounds=(0, 0, 40, 20), edges="wrap")
    goal = Goal.to((38, 10), formation=Formation("column", facing=0.0))
    group = world.add_group("a", [(4, 9), (6, 11), (8, 10), (10, 9)], goal=goal)
    until(world, 20, lambda: group.arrived.all() and not group.moving.any())
    assert sorted(targets(world)[:, 0].round(6)) == [1, 35, 37, 39]
    assert off_place(world) < 0.5


def test_saved_and_loaded(tmp_path):
    """A patrol in formation goes on from a file, bit for bit, a loss after the load included."""
    world = marches(Formation("wedge"), [(0, 0), (9, 0)], n=5)
    for _ in range(400):
        world.step()
    world.save(tmp_path / "run.state")
    other, ends = World.load(tmp_path / "run.state"), []
    for each in (world, other):
        for k in range(300):
            each.step()
            if k == 60:
                each.remove(each.ids[[2]])
        ends.append(each.units.position)
    assert np.array_equal(*ends)


def test_room_that_there_is_not_is_not_looked_for_without_end():
    """A formation of 2,000 units whose places lie outside of a hall took over ten minutes."""
    asked: list[int] = []

    def free(places):
        asked.append(len(places))
        return np.zeros(len(places), np.bool_)

    look = Look(Room(Plane(), 1.0, 0.5, 0.5, free))
    places = np.stack(np.divmod(np.arange(100.0), 10), axis=1)
    for _ in range(2):  # a halt each
        found, blocked = settled(places, np.zeros(2), look)
        assert (found == places).all()
        assert blocked.all()
    assert sum(asked) < MOST_LOOKS / FREE + 2 * len(places)
