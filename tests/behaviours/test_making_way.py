"""Units at rest make way for one that wants to pass, whether they were ever ordered or not."""

from types import SimpleNamespace

import numpy as np
import pytest

from sim import Goal, Hull, Region, World
from sim.behaviours.avoidance.nearest import Crowd
from sim.behaviours.avoidance.off_the_way import off_the_way
from sim.behaviours.ground import ground_of
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.orders.minds import PATIENCE, Minds
from sim.perception.bodies import STILL, Bodies
from sim.perception.lists import Neighbours
from sim.perception.surroundings import Surroundings

ME, WAITS, RESTS = 0, 1, 2
FAR = (99.0, 99.0)
WAITING_AT = (-1.1, 0.0)


def asked(places, to=(20.0, 0.0), blocked=2 * PATIENCE, end=1, left=30.0, turn=0.0, **more):
    """Which way one at rest goes off; hulls of radius 0.5, gaps of 0.5 count.

    `places` are of the one that waits, heading for `to`, and of one that rests, all as it sees them
    itself, and it faces along x; `turn` turns all but what it sees. `more`: which of the three have
    `arrived`, their `radii`, `walls`, as it sees them, and the `plane`.
    """
    minds, plane = Minds.blank(3), more.get("plane", Plane())
    minds.moving[WAITS], minds.blocked[WAITS], minds.end[WAITS] = True, blocked, end
    minds.arrived[more.get("arrived", [])] = True
    own = np.array([(0.0, 0.0), *places])
    c, s = np.cos(turn), np.sin(turn)
    at, to = own @ [[c, s], [-s, c]], np.array([to]) @ [[c, s], [-s, c]]
    heading, still = np.tile([c, s], (3, 1)), np.zeros((3, 2))
    bodies = Bodies(
        at, still, heading, np.array(more.get("radii", [0.5] * 3)), still[:1], 0, np.ones(1)
    )
    bound_for, lefts = np.full((3, 2), np.nan), np.full(3, np.nan)
    bound_for[WAITS], lefts[WAITS] = to, left
    crowd = Crowd(bodies, minds, None, bound_for, lefts, plane.size, plane.origin)
    walls = np.array(more.get("walls", np.empty((0, 4)))).reshape(-1, 2) @ [[c, s], [-s, c]]
    solid = Surroundings.of(plane, Solids(), walls.reshape(-1, 4))
    ground = ground_of(SimpleNamespace(**solid._asdict(), plane=plane, moving=STILL), 0.5)
    x, y = np.ascontiguousarray(own[1:].T)  # else the rule is compiled for another layout too
    apart = np.hypot(x, y)
    both = np.array([[WAITS, RESTS]], np.int32)
    each = Neighbours(np.array([2]), both, x[None], y[None], apart[None], np.ones((1, 2), np.uint8))
    return off_the_way(ME, each, np.argsort(apart), 2, crowd, ground, 0.5)[:2]


@pytest.mark.parametrize("turn", [0.0, 2.0])
def test_aside_to_the_side_on_which_it_stands(turn: float):
    """Farther off straight aside, and from near by also on; on the way itself to starboard."""
    assert asked([(-1.4, -0.3), FAR], to=(20.0, -0.3), turn=turn) == pytest.approx((0.0, 1.0))
    assert asked([(-1.4, 0.3), FAR], to=(20.0, 0.3), turn=turn) == pytest.approx((0.0, -1.0))
    on, out = asked([WAITING_AT, FAR], turn=turn)
    assert on == pytest.approx(out)
    assert np.hypot(on, out) == pytest.approx(1.0)


def test_for_none_but_one_that_has_waited():
    """Not for one that gets on, is bound for the same point, is far off or has its place before."""
    assert asked([WAITING_AT, FAR]) != (0.0, 0.0)
    assert asked([WAITING_AT, FAR], blocked=PATIENCE) == (0.0, 0.0)
    assert asked([WAITING_AT, FAR], end=0) == (0.0, 0.0)
    assert asked([(-1.7, 0.0), FAR]) == (0.0, 0.0)
    assert asked([WAITING_AT, FAR], to=(-0.8, 0.0), left=0.3) == (0.0, 0.0)
    assert asked([WAITING_AT, FAR], to=(-0.8, 0.0), left=9.0) != (0.0, 0.0)


def test_for_one_that_needs_the_margin_to_get_there():
    """One that leaves a hair before the point stood 0.02 short of it: hulls keep some room.

    Of two runs of 12 that leave where 12 others stay, neither was over after 160 s; now both are.
    """
    assert asked([(-1.06, 0.0), FAR], to=(-0.51, 0.0), left=0.55) != (0.0, 0.0)
    assert asked([(-1.2, 0.0), FAR], to=(-0.7, 0.0), left=0.5) == (0.0, 0.0)


def test_for_one_that_goes_farther_into_its_region():
    """An idle unit makes way for it, one that is at its own place does not."""
    assert asked([WAITING_AT, FAR], arrived=[WAITS]) != (0.0, 0.0)
    assert asked([WAITING_AT, FAR], arrived=[ME]) != (0.0, 0.0)
    assert asked([WAITING_AT, FAR], arrived=[WAITS, ME]) == (0.0, 0.0)


def test_off_its_way_only_from_near_by():
    """One that stands clear of the way, or behind, goes straight away, so that one can back out."""
    assert asked([(-1.0, 1.4), FAR], to=(20.0, 1.4)) == (0.0, 0.0)
    assert asked([(1.1, 0.0), FAR]) == pytest.approx((-1.0, 0.0))
    assert asked([(1.7, 0.0), FAR]) == (0.0, 0.0)
    assert asked([(1.1, 0.0), FAR], left=9.0) == (0.0, 0.0)  # it is soon there
    assert asked([(2.1, 0.0), (1.05, 0.0)]) == pytest.approx((-1.0, 0.0))


def test_hulls_of_unlike_sizes_have_room():
    """Clear of the way is where both hulls, and a margin of 0.3 of the own radius, have room."""
    radii = (0.5, 2.0, 0.5)
    assert asked([(-2.0, 2.6), FAR], to=(20, 2.6), radii=radii)[1] < -0.99
    assert asked([(-2.0, 2.7), FAR], to=(20, 2.7), radii=radii) == (0.0, 0.0)


def test_one_that_can_go_nowhere_asks_for_no_way():
    """Its way is cut, so it heads for where it is."""
    assert asked([WAITING_AT, FAR], to=WAITING_AT, left=0.0) == (0.0, 0.0)


def test_one_that_pursues_others_goes_where_it_faces():
    """It has no place: units ahead of it go off its way, and on."""
    on, out = asked([WAITING_AT, FAR], to=(np.nan, np.nan), left=np.nan)
    assert on == pytest.approx(out)


@pytest.mark.parametrize("wall", [[], [(-9, 0.48, 9, 0.48)]])
def test_ways_lead_over_the_seam_of_a_torus(wall):
    """To a place beyond it a unit goes the short way."""
    torus = Plane((-20.0, -20.0, 20.0, 20.0), "wrap")
    here, beyond = (
        asked([WAITING_AT, FAR], to=(x, -0.3), plane=torus, walls=wall) for x in (15.0, -25.0)
    )
    assert here == pytest.approx(beyond)
    assert np.sign(here[1]) == (-1 if wall else 1)


def test_others_between_are_left_room():
    """One behind another at rest, beside the way or on it, makes way as well."""
    beside = (-0.2, 0.8), (20.0, 1.9)
    assert asked([(-0.6, 1.9), FAR], to=beside[1]) == (0.0, 0.0)
    assert asked([(-0.6, 1.9), beside[0]], to=beside[1]) == pytest.approx((0.0, -1.0))
    assert asked([(-2.2, 0.0), FAR]) == (0.0, 0.0)
    on, _ = asked([(-2.1, 0.0), (-1.05, 0.0)])
    assert on > 0.0


@pytest.mark.parametrize("turn", [0.0, 2.0])
def test_to_the_other_side_of_a_wall(turn: float):
    """One pressed to a wall goes off it, across the way; between two walls on along it."""
    starboard, port, off = (-9, 0.48, 9, 0.48), (-9, -0.48, 9, -0.48), (-9, 1.9, 9, 1.9)
    on, out = asked([WAITING_AT, FAR], walls=[starboard], turn=turn)
    assert on == pytest.approx(-out)
    both = asked([WAITING_AT, FAR], walls=[starboard, port], turn=turn)
    assert both == pytest.approx((1.0, 0.0))
    on, out = asked([WAITING_AT, FAR], walls=[off], turn=turn)
    assert on == pytest.approx(out)
    beside = [(-0.6, 1.9), (-0.2, 0.8)]  # for one between: off the way, it does not cross it
    assert asked(beside, to=(20, 1.9), walls=[port], turn=turn) == pytest.approx((1.0, 0.0))
    assert asked(beside, to=(20, 1.9), turn=turn) == pytest.approx((0.0, -1.0))


def through(group, world: World, most: float) -> float:
    """Seconds until all of a group have arrived, at most `most`."""
    while not group.arrived.all() and world.time < most:
        world.step()
    return world.time


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("radius", "count"), [(0.2, 300), (0.8, 150)])
def test_one_gets_through_a_hall_of_units_that_were_never_ordered(radius, count, seed):
    """Straight it takes 12 s; it stood before them without end, or went round to a wall.

    Those in the way go aside at half their speed, after it has waited for a second: 43 to 65 s.
    """
    world = World(bounds=(-15, -8, 15, 8), edges="wall", time_step=0.05, seed=seed)
    one = world.add_group("one", [(-12.0, 0.0)], hull=Hull.disc(radius), speed=2.0,
                          goal=Goal.to((12.0, 0.0)))  # fmt: skip
    world.add_group("hall", Region(-6, -8, 6, 8), count=count, hull=Hull.disc(0.2), speed=1.2)
    assert through(one, world, 90) < 75.0


def test_a_door_full_of_idle_units_is_cleared():
    """There is no room aside: they go on before one, the first for the next."""
    boxes = [(-1, -8, 1, -0.8), (-1, 0.8, 1, 8)]
    world = World(bounds=(-15, -8, 15, 8), edges="wall", boxes=boxes, time_step=0.05, seed=1)
    walk = world.add_group("walk", Region(-12, -2, -9, 2), count=3, hull=Hull.disc(0.3),
                           goal=Goal.into((9, -2, 12, 2)))  # fmt: skip
    world.add_group("idle", Region(-1.6, -0.8, 2.2, 0.8), count=13, hull=Hull.disc(0.25))
    assert through(walk, world, 120) < 90.0


@pytest.mark.parametrize("model", ["crowd", "walkers"])
def test_a_region_in_which_idle_units_stand_is_filled(model):
    """Those in the way make room for units that go farther in: 36 to 40 of 40 come in, and rest.

    They stopped behind the door, at the first idle ones, with half of the region free.
    """
    boxes, inside = [(20, 0, 20.4, 6.5), (20, 9.5, 20.4, 16)], (20.8, 0.4, 29.6, 15.6)
    world = World(bounds=(0, 0, 30, 16), edges="wall", boxes=boxes, time_step=0.05, seed=1)
    hull = Hull.disc(0.35)
    world.add_group("idle", Region(*inside), count=40, hull=hull, model=model)
    group = world.add_group("comes", Region(1, 1, 14, 15), count=40, hull=hull, model=model,
                            goal=Goal.into(inside))  # fmt: skip
    while group.moving.any() and world.time < 120:
        world.step()
    assert not group.moving.any()
    assert ((group.position > inside[:2]) & (group.position < inside[2:])).all(axis=1).sum() >= 34


@pytest.mark.parametrize("rank", [1, 3])
@pytest.mark.parametrize(("model", "aside"), [("mages", "step_aside"), ("squares", "press_aside")])
def test_one_goes_round_units_that_make_no_way(rank, model, aside):
    """It presses on for half a second only. Straight it takes 12.6 s: it stood without end."""
    world = World(time_step=0.05, seed=1)
    hull, y = Hull.disc(0.3), 0.7 * (np.arange(rank) - (rank - 1) / 2)
    one = world.add_group("one", [(-8.0, 0.0)], hull=hull, goal=Goal.to((8.0, 0.0)))
    places = np.column_stack((np.zeros(rank), y))
    world.add_group("rank", places, hull=hull, model=model, behaviours={aside: False},
                    goal=Goal.to(places))  # fmt: skip
    assert through(one, world, 60) < 30.0


@pytest.mark.parametrize("seed", [1, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.parametrize("model", ["crowd", "walkers"])
def test_one_gets_past_a_close_pack(seed, model):
    """Round it, or through: straight 21 s, here 32 to 73. Pressing on it was shut in amid it."""
    world = World(time_step=0.05, seed=seed)
    hull = Hull.disc(0.3)
    one = world.add_group("one", [(-13.0, 0.1)], hull=hull, model=model, goal=Goal.to((14.0, 0.0)))
    world.add_group("pack", Region(-5, -5, 5, 5), count=50, hull=hull, model=model,
                    goal=Goal.to((0.0, 0.0)))  # fmt: skip
    assert through(one, world, 120) < 90.0


@pytest.mark.parametrize("count", [60, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("model", ["crowd", "mages", "walkers"])
def test_one_amid_a_pack_is_let_out(model, count):
    """Sent elsewhere, alone it takes 19 s (`mages` 12), here 14 to 52; the others hardly move.

    `crowd` never let it out: only units next to it knew of it, and had no room.
    """
    world = World(time_step=0.05, seed=3)
    pack = world.add_group("pack", Region(-6, -6, 6, 6), count=count, model=model,
                           hull=Hull.disc(0.3), goal=Goal.to((0, 0)))  # fmt: skip
    while pack.moving.any():
        world.step()
    before, begun = pack.position.copy(), world.time
    inmost = int(np.argmin(np.hypot(*(before - before.mean(axis=0)).T)))
    one = world.select(pack.ids[[inmost]])
    one.go_to((15, 0))
    while not one.arrived.all() and world.time < begun + 80:
        world.step()
    assert world.time < begun + (40 if count == 60 else 70)
    moved = np.delete(np.hypot(*(pack.position - before).T), inmost)
    assert moved.mean() < 1.2  # two hulls; where all set out again it was 2 to 4


@pytest.mark.parametrize("model", ["crowd", "mages", "soldiers", "walkers"])
def test_one_set_in_a_pack_of_any_model_gets_out(model):
    """Straight it takes 12 s, here 11 to 26: `mages` that rested had made no way."""
    world = World(time_step=0.05, seed=1)
    rings = [(radius, turn) for radius, count in ((1.03, 6), (2.06, 12))
             for turn in np.arange(count) * 2 * np.pi / count]  # fmt: skip
    places = [(radius * np.cos(turn), radius * np.sin(turn)) for radius, turn in rings]
    world.add_group("pack", places, model=model, speed=1.3, goal=Goal.to((0, 0), tolerance=2.6))
    one = world.add_group("one", [(0, 0)], speed=1.3, goal=Goal.to((12, 0)))
    assert through(one, world, 60) < 40.0


@pytest.mark.parametrize("model", ["crowd", "walkers"])
def test_one_comes_to_a_place_in_a_corner_that_another_stands_on(model):
    """It goes to and fro before the other, and so waits too: alone it takes 5 s, here 10 and 11.

    `walkers`, which go round others, did so without end.
    """
    world = World(bounds=(0, 0, 8, 8), edges="wall", time_step=1 / 60, seed=1)
    world.add_group("idle", [(0.5, 0.5)])
    one = world.add_group("go", [(5.0, 4.0)], model=model, goal=Goal.to((0.6, 0.6)))
    assert through(one, world, 40) < 20.0


def test_a_slow_unit_that_gets_on_is_not_blocked():
    """At a fiftieth of a length a second it comes nearer, though by a tenth of a radius in 3 s."""
    world = World(time_step=0.05, seed=1)
    one = world.add_group("go", [(0.0, 0.0)], speed=0.02, heading=0.0, goal=Goal.to((2.0, 0.0)))
    while world.time < 60:
        world.step()
        assert world.orders.minds.blocked[one.rows].max() < 1.0
    assert one.position[0, 0] > 1.0


def test_boxes_part():
    """Long hulls too: four of them go through ninety."""
    world = World(bounds=(-15, -8, 15, 8), edges="wall", time_step=0.05, seed=1)
    walk = world.add_group("walk", Region(-14, -5, -9, 5), count=4, hull=Hull.box(0.9, 0.5),
                           goal=Goal.into((9, -5, 14, 5)))  # fmt: skip
    world.add_group("idle", Region(-6, -8, 6, 8), count=90, hull=Hull.box(0.8, 0.5))
    assert through(walk, world, 90) < 60.0


@pytest.mark.parametrize("seed", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("model", ["crowd", "walkers", "squares"])
@pytest.mark.parametrize("rests", ["crowd", "walkers", "mages", "soldiers", "squares"])
def test_whatever_rests_makes_way_in_a_corridor(rests, model, seed):
    """Alone it takes 24 s, past five at their places 25 to 46. Before `squares` it stood.

    `squares` set out again from where they had made way, while it still stood before them: 150 s.
    """
    walls, rng = [(-10, -1.25, 10, -1.25), (-10, 1.25, 10, 1.25)], np.random.default_rng(seed)
    world = World(walls=walls, time_step=0.05, seed=1)
    hull = Hull.disc(0.5)
    one = world.add_group("one", [(-14, 0.0)], model=model, hull=hull, speed=1.3, heading=0.0,
                          goal=Goal.to((17, 0.0)))  # fmt: skip
    off, along = rng.uniform(-0.6, 0.6, 5), rng.uniform(-0.2, 0.2, 5)
    places = np.column_stack((np.linspace(-5, 1, 5) + along, off))
    hull = Hull.box(0.9, 0.9) if rests == "squares" else hull
    world.add_group("rest", places, model=rests, hull=hull, speed=1.3, heading=0.0,
                    goal=Goal.to(places))  # fmt: skip
    assert through(one, world, 100) < 65.0
