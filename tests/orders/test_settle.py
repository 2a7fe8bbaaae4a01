"""Units that are sent where others rest come to rest beside them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from sim import Goal, Hull, Region, World
from sim.core.overlap import Outlines
from sim.core.plane import Plane
from sim.core.units import Units
from sim.orders.packs import room_of_pack
from sim.orders.settle import CHAINED, GAP, Patience, Stand, adrift, at_rest

from . import halls

DISC = Hull.disc(1.0)
APART = 2
"""The end of units that keep clear of each other as circles."""


def stand(position, end, hull=DISC, angle=0.0, **plane):
    """Some alike of a hull, at these places."""
    n = len(position)
    outlines = Outlines([hull], np.zeros(n, np.int64))
    outlines.turn(np.full(n, angle), np.ones(n, np.bool_))
    radius = np.full(n, hull.radius)
    units = replace(Units.blank(np.zeros(n, np.int64)), position=np.array(position, float))
    apart = np.array(end) == APART
    return Stand(units, radius, np.array(end), apart, Plane(**plane), outlines)


def test_only_units_that_stand_at_one_at_rest():
    """Gaps up to two fifths of a radius, and only units that were sent to the same place."""
    places = [[0, 0], [2.2, 0], [-2.45, 0], [0, 2.1], [0, 40.0]]
    resting = np.array([True, False, False, False, False])
    found = at_rest(stand(places, [0, 0, 0, 1, 0]), ~resting, resting)
    assert found.tolist() == [False, True, False, False, False]


def test_gaps_are_measured_between_hulls():
    """Boxes of 4 x 2 stand at each other end to end at 4.3, side by side at 2.3, however turned."""
    box, resting = Hull("box", 4.0, 2.0), np.array([True, False, False, False])
    places, end = np.array([[0, 0], [4.3, 0], [0, 2.3], [0, -2.5]]), np.zeros(4, np.int64)
    for angle in (0.0, 0.7):
        c, s = np.cos(angle), np.sin(angle)
        turned = places @ [[c, s], [-s, c]]
        found = at_rest(stand(turned, end, box, angle), ~resting, resting)
        assert found.tolist() == [False, True, True, False]


def test_gaps_are_measured_between_circles_where_units_keep_apart_as_such():
    """The circles round boxes of 4 x 2 reach 2.236: two fifths more are 5.367 between centres."""
    box, resting = Hull("box", 4.0, 2.0), np.array([True, False, False, False])
    places = np.array([[0, 0], [5.3, 0], [0, 5.3], [0, -5.4]])
    found = at_rest(stand(places, np.full(4, APART), box), ~resting, resting)
    assert found.tolist() == [False, True, True, False]
    found = at_rest(stand(places, np.zeros(4, np.int64), box), ~resting, resting)
    assert not found.any()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("hull", [DISC, Hull("box", 4.0, 2.0)])
def test_as_by_all_pairs(hull, seed):
    """Which stand at which, and which are adrift, equals what all pairs and their packs say."""
    rng, wide = np.random.default_rng(seed), 5.0 if seed % 2 else 40.0
    n = int(rng.integers(2, 120))
    plane = {"bounds": (0.0, 0.0, 60.0, 50.0), "edges": "wrap"} if seed > 3 else {}
    places, end = rng.uniform(0, wide, (n, 2)), rng.integers(0, 3, n)
    some, there = rng.random((2, n)) < ((0.5,), (0.3,))
    at = stand(places, end, hull, 0.7, **plane)
    i, j = (each.ravel() for each in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    alike = (i != j) & (end[i] == end[j])
    found = np.zeros(n, np.bool_)
    found[i[alike & some[i] & there[j] & at.touch(i, j, GAP)]] = True
    assert np.array_equal(at_rest(at, some, there), found)
    linked = (alike & some[i] & some[j] & at.touch(i, j, CHAINED)).reshape(n, n)
    pack = connected_components(linked, directed=False)[1]
    held = np.isin(pack, pack[some & there])
    assert np.array_equal(adrift(at, some, there), some & ~held)


def test_gaps_across_the_seam():
    """On a torus the short way counts, for units at rest and for packs."""
    torus = {"bounds": (-5.0, 0.0, 15.0, 30.0), "edges": "wrap"}
    at = stand([[-4.5, 3], [14.3, 29.9], [14.3, 2.9]], [0, 0, 0], **torus)
    resting = np.array([True, False, False])
    assert at_rest(at, ~resting, resting).tolist() == [False, False, True]
    assert adrift(at, np.ones(3, np.bool_), resting).tolist() == [False, True, False]


def test_a_unit_that_waited_long_gets_on_as_soon_as_it_walks():
    """After two minutes in a queue one second at its speed is enough, at a tenth of it is not."""
    patience, one = Patience(2), np.ones(2)
    for k in range(60 * 121):
        walked = max(k / 60 - 120, 0.0) * np.array([1.3, 0.13])
        patience.watch(9.0 - walked, one > 0, one / 2, 1.3 * one, 1 / 60)
    assert patience.since[0] < 0.5
    assert patience.since[1] > 120


def test_a_large_slow_hull_that_walks_on_does_not_rest():
    """Two hulls at their full speed: 2 radii a second and, too slow for a fixed time, 0.5."""
    patience, radius, speed = Patience(2), np.array([0.5, 2.0]), np.ones(2)
    for k in range(300):
        left = 9.0 - k / 60 * speed
        patience.watch(left, speed > 0, radius, speed, 1 / 60)
        assert not patience.spent(left, radius, speed, speed > 0).any()


def test_room_is_that_of_hulls_whatever_their_shape():
    """Four discs of 1 take the room of one of 2, and boxes that of discs of their area."""
    disc, large, box = Hull.disc(1.0), Hull.disc(2.0), Hull("box", 2.0, np.pi / 2)
    four = room_of_pack(np.full(5, disc.area), np.zeros(5, np.int64), np.arange(5) > 0)
    one = room_of_pack(np.array([disc.area, large.area]), np.zeros(2, np.int64), np.arange(2) > 0)
    assert four[0] == pytest.approx(one[0])
    assert box.area == pytest.approx(disc.area)


def test_areas_of_hulls():
    """Those of their outlines, by the formula for polygons."""
    for hull in (Hull("box", 3.0, 2.0), Hull("wedge", 4.0, 2.0)):
        x, y = hull.outline.T
        assert hull.area == pytest.approx(0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def test_a_pack_rests_where_one_of_it_is_there():
    """A chain of small gaps up to one within tolerance; two that rest far off are adrift."""
    places = [[0, 0], [2.4, 0], [4.8, 0], [7.4, 0], [9.8, 0], [0, 2.1]]
    at, resting = stand(places, [0, 0, 0, 0, 0, 1]), np.ones(6, np.bool_)
    there = np.array([True, False, False, False, False, False])
    found = adrift(at, resting, there)
    assert found.tolist() == [False, False, False, True, True, True]
    resting[1] = False
    found = adrift(at, resting, there)
    assert found.tolist() == [False, False, True, True, True, True]
    assert not adrift(at, resting, resting).any()


@pytest.mark.parametrize("count", [2, 12])
def test_many_at_one_point(count):
    """All arrive, packed to a disc, and stand still: nobody pushes on."""
    world = World(seed=1)
    group = world.add_group(
        "a", halls.Region(0, 0, 12, 8), count=count, model="mages", goal=Goal.to((30, 4))
    )
    watch = halls.Watch(world, 60)
    assert np.isfinite(watch.time).all()
    for _ in range(60):
        world.step()
    assert np.hypot(*world.units.velocity.T).max() < 0.01
    away = np.hypot(*(world.units.position - (30, 4)).T)
    packed = group.hull.radius * np.sqrt(count / 0.6)
    assert away.max() < packed + 2 * group.hull.length


@pytest.mark.parametrize(
    ("model", "speed"),
    [("crowd", 1.0), ("crowd", 4.0), ("mages", 4.0), ("walkers", 4.0),
     *(pytest.param(model, 1.0, marks=pytest.mark.slow) for model in ("mages", "walkers"))],
)  # fmt: skip
def test_the_first_do_not_bar_the_way_where_the_tolerance_is_wide(model, speed):
    """A file of 25 comes to a point: they fill its surroundings, up to the rim if it must be.

    They rested one behind the other, up to the rim, and the last came 5 to 16 s late.
    """
    world = World(seed=1)
    k = np.arange(25)
    file = np.column_stack([-20 - 1.3 * k, np.where(k % 2, 0.6, -0.6)])
    group = world.add_group(
        "a", file, speed=speed, hull=Hull.disc(0.5), model=model, goal=Goal.to((0, 0), tolerance=6)
    )
    watch = halls.Watch(world, 60)
    late = watch.time - (np.hypot(*file.T) - 6) / speed
    assert late.max() < 1.2  # s: the units start from rest
    while group.moving.any():
        world.step()
    assert world.time < 70
    assert np.hypot(*world.units.position.T).max() < 6.5


@pytest.mark.parametrize("count", [20, 40])
def test_squares_that_give_up_in_their_pack_have_arrived(count):
    """One or two in ten said so: their timers stop them, away from the point itself."""
    world = World(seed=1, bounds=(0, 0, 1200, 800), edges="wall")
    group = world.add_group("a", halls.Region(50, 50, 300, 700), count=count, model="squares")
    group.go_to((700, 400))
    said = set()
    for _ in range(60 * 30):
        world.step()
        said |= {event.id for event in world.events if type(event).__name__ == "Arrived"}
        if not group.moving.any() and group.arrived.all():
            break
    assert group.arrived.all()
    assert said == set(group.ids.tolist())


def test_squares_that_give_up_far_off_have_not_arrived():
    """Others that stand in their way stop them: they are not where they were sent."""
    world = World(seed=1, bounds=(0, 0, 600, 100), edges="wall")
    world.add_group("wall", [(300, y) for y in range(8, 100, 15)], model="squares", speed=0.001)
    group = world.add_group("a", [(280, 50)], model="squares", goal=Goal.to((500, 50)))
    for _ in range(60 * 8):
        world.step()
        assert not group.arrived.any()


def test_a_unit_that_has_come_in_leaves_room_at_the_edge():
    """A region's first comers go on through it, so that all the others get in."""
    world = halls.straight(2.0)
    halls.party(world, 12, Goal.into((20, 0, 28, 8)))
    watch = halls.Watch(world, 60)
    assert np.isfinite(watch.time).all()
    assert not world.orders.minds.moving.any()


def test_walks_into_a_region_at_full_speed():
    """A unit sent into a region slows down for its place in there, not for the edge of the region.

    Something solid stands by, so that a flow field leads: it ends at the edge.
    """
    world = World(boxes=[[-8, -2, 1, -1.2]])
    group = world.add_group(
        "a", [[-4.0, 0.0]], model="crowd", hull=Hull.disc(0.2, 80.0), heading=0.0,
        goal=Goal.into([0, -1, 2, 1]),
    )  # fmt: skip
    while not world.roster.orders.minds.arrived.all():
        world.step()
    assert np.hypot(*world.units.velocity[0]) > 0.99 * group.speed


@pytest.mark.parametrize("model", ["crowd", "walkers"])
def test_the_nearest_takes_a_place_that_becomes_free_amid_a_pack(model: str):
    """The others stay: all thirty had set out again, and gone round for some seconds."""
    world = World(seed=1, time_step=0.05)
    pack = world.add_group("a", Region(-6, -6, 6, 6), count=30, model=model, hull=Hull.disc(0.3),
                           goal=Goal.to((0, 0)))  # fmt: skip
    while pack.moving.any():
        world.step()
    world.remove(pack.ids[[int(np.argmin(np.hypot(*pack.position.T)))]])
    before, most = pack.position.copy(), 0
    for _ in range(200):
        world.step()
        most = max(most, int(pack.moving.sum()))
    assert 1 <= most <= 3
    assert not pack.moving.any()
    assert np.hypot(*pack.position.T).min() < 0.3
    assert np.hypot(*(pack.position - before).T).mean() < 0.3


@pytest.mark.parametrize("model", ["crowd", "walkers", "soldiers"])
def test_units_pushed_off_places_of_their_own_go_back(model: str):
    """Places 2 hulls apart, dealt at random: units that come first make way, and then go back.

    One may find all ways back barred.
    """
    places = np.array([(2.0 * i, 2.0 * j) for i in range(6) for j in range(6)]) - 5.0
    world = World(seed=221)
    squad = world.add_group(
        "squad", Region(-12, -26, 12, -14), count=36, model=model, hull=Hull.disc(0.5), speed=1.5
    )
    places = np.random.default_rng(221).permutation(places)
    world.select(squad.ids).go_to(places)
    for _ in range(80 * 60):
        world.step()
    off = np.hypot(*(squad.position - places).T)
    assert squad.arrived.all()
    assert not squad.moving.any()
    assert np.count_nonzero(off > 0.5) <= 1
