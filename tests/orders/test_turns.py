"""Right of way at narrow places: one direction at a time, and the sides take turns."""

from collections.abc import Callable

import numpy as np
import pytest

from sim import Box, Goal, Hull, Region, Stop, World
from sim.core.columns import kinds
from sim.core.plane import Plane
from sim.orders.minds import ITS_TURN, UNASKED
from sim.orders.places import NOWHERE, Bound, Places, Turns, bound_for
from sim.orders.shared_stops import shared_stops
from sim.orders.turns import BEHIND, GONE, JOIN, KEEP_OFF, LEAVE, MANY, OUT, PATIENCE, take_turns

HULL = Hull.disc(0.5)


def street(*units: tuple[float, int], room: int = MANY, lanes: int = 1, in_order: bool = False):
    """Units so far ahead of a place that they go through by an exit, with a place for them.

    A negative way: the unit is on the far side, and bound for nowhere.
    """
    ahead = np.array([way for way, _ in units], float)
    leaves = np.array([side for _, side in units])
    bound = Bound.nowhere(len(units))
    bound.place[:], bound.exit[:], bound.ahead[:] = 0, leaves, ahead
    position = np.column_stack([np.where(leaves == 0, -ahead, ahead), np.zeros(len(units))])
    bound.way_out[:, 0] = np.where(leaves == 0, 2.0, -2.0)
    return (
        bound,
        position,
        Places(
            np.array([2]),
            np.array([room]),
            np.array([lanes]),
            np.array([KEEP_OFF]),
            np.array([GONE]),
            np.array([in_order]),
            np.array([NOWHERE]),
        ),
    )


def decide(turns: Turns, bound: Bound, position, places, seconds: float = 0.0) -> None:
    """Decide once, `seconds` after the last time."""
    n = len(position)
    take_turns(
        position, np.ones(n), np.full(n, 0.5), np.ones(n, np.bool_), bound, places, seconds, turns
    )


def second_gets_on(bound: Bound, position, places, times: int) -> Turns:
    """The turns once two have theirs, a third comes from the other side, and the second gets on."""
    turns = Turns.none(3)
    bound.ahead[2] = 50.0
    decide(turns, bound, position, places)
    bound.ahead[2] = 1.5
    for _ in range(times):
        bound.ahead[1] -= 0.4
        decide(turns, bound, position, places, 0.8 * PATIENCE)
    return turns


def test_nobody_waits_where_nobody_comes_the_other_way():
    """All that are near enough to ask have their turn, however many they are."""
    bound, position, places = street((0.5, 0), (1.0, 0), (3.0, 0), (6.0, 0))
    turns = Turns.none(4)
    decide(turns, bound, position, places)
    assert (turns.turn == 0).all()
    assert not turns.waiting.any()


def test_units_inside_go_on_and_the_others_wait():
    """One inside; of two that come the other way the near one waits, the far one still walks."""
    bound, position, places = street((0.0, 0), (1.0, 1), (KEEP_OFF + 3, 1))
    turns = Turns.none(3)
    decide(turns, bound, position, places)
    assert turns.turn.tolist() == [0, NOWHERE, NOWHERE]
    assert turns.waiting.tolist() == [False, True, False]


def test_the_side_that_waited_longest_is_next():
    """When the last has come out, all that wait on one side get their turn together."""
    bound, position, places = street((0.0, 0), (1.0, 1), (2.0, 1), (1.0, 0))
    turns = Turns.none(4)
    for _ in range(3):
        decide(turns, bound, position, places, 1.0)
    assert turns.turn.tolist() == [0, -1, -1, -1]
    bound.place[0], position[0, 0] = NOWHERE, 5.0
    decide(turns, bound, position, places, 1.0)
    assert turns.turn[1:].tolist() == [0, 0, -1]
    assert turns.waiting.tolist() == [False, False, False, True]


@pytest.mark.parametrize("in_order", [True, False])
def test_at_a_counter_it_is_the_turn_of_the_one_that_came_first(in_order):
    """Another that is nearer has pushed past it; elsewhere the nearest goes in first."""
    bound, position, places = street((2.0, 0), (1.0, 0), room=1, in_order=in_order)
    turns = Turns.none(2)
    turns.idle[:] = 5.0, 3.0
    decide(turns, bound, position, places)
    assert turns.turn.tolist() == ([0, NOWHERE] if in_order else [NOWHERE, 0])


@pytest.mark.parametrize(("lanes", "a_side", "both"), [(2, 4, True), (2, 5, False), (1, 1, False)])
def test_few_share_a_place_where_two_pass(lanes, a_side, both):
    """There both sides have their turn as long as eight ask; more take turns, as elsewhere."""
    units = [(1.0 + k, side) for side in (0, 1) for k in range(a_side)]
    bound, position, places = street(*units, lanes=lanes)
    turns = Turns.none(len(units))
    decide(turns, bound, position, places)
    assert len(set(turns.exit[turns.turn == 0])) == 1 + both
    assert turns.waiting.any() != both


def test_units_that_have_come_out_keep_their_turn_while_they_rest():
    """Near the mouth: so units that wait still clear the way for one that stops and goes on."""
    bound, position, places = street((0.0, 0), (1.0, 1))
    turns, moving = Turns.none(2), np.ones(2, np.bool_)
    decide(turns, bound, position, places, 1.0)
    bound.place[0], position[0, 0] = NOWHERE, 2.0 + GONE + 1.0
    for rests in (True, False):
        moving[0] = not rests
        take_turns(position, np.ones(2), np.full(2, 0.5), moving, bound, places, 1.0, turns)
        assert turns.turn.tolist() == [0, 0]
    position[0, 0] = 2.0 + OUT + 0.1
    decide(turns, bound, position, places, 1.0)
    assert turns.turn.tolist() == [NOWHERE, 0]


def test_a_turn_that_is_not_used_lapses():
    """A unit that comes no nearer does not keep the other side waiting."""
    bound, position, places = street((1.0, 0), (1.5, 1))
    turns = Turns.none(2)
    bound.ahead[1] = 50.0
    decide(turns, bound, position, places, 1.0)
    bound.ahead[1] = 1.5
    for _ in range(8):
        decide(turns, bound, position, places, 1.0)
    assert turns.turn.tolist() == [-1, 0]


def test_a_queue_keeps_its_turn_as_long_as_its_front_gets_on():
    """A unit behind others stands for long without being at fault; it keeps its turn till then."""
    bound, position, places = street((3.0, 0), (1.5, 0), (1.5, 1))
    turns = second_gets_on(bound, position, places, times=3)
    assert turns.turn.tolist() == [0, 0, -1]
    for _ in range(3):
        decide(turns, bound, position, places, 0.8 * PATIENCE)
    assert turns.turn.tolist() == [-1, -1, 0]


def test_the_first_of_a_queue_keeps_its_turn_while_others_of_its_side_get_on():
    """It would have to step back through them: of 80 at a door of 1.4 the last was through later.

    After 130 to 163 s instead of 97 to 117.
    """
    bound, position, places = street((1.0, 0), (6.0, 0), (1.5, 1))
    turns = second_gets_on(bound, position, places, times=6)
    assert turns.turn.tolist() == [0, 0, -1]


def test_units_behind_one_that_stands_before_a_mouth_leave_room_to_it():
    """For a time, where none comes the other way; at once again when it gets on."""
    bound, position, places = street((0.5, 0), (1.0, 0), (3.0, 0))
    turns = Turns.none(3)
    decide(turns, bound, position, places)
    for _ in range(2):
        decide(turns, bound, position, places, 0.6 * PATIENCE)
    assert turns.turn.tolist() == [0, NOWHERE, NOWHERE]
    decide(turns, bound, position, places, 0.1)
    assert turns.turn[1] == NOWHERE
    assert turns.waiting[1]
    for way, seconds in ((0.5, LEAVE), (0.1, 0.1)):
        stood = Turns(*(each.copy() for each in turns))
        bound.ahead[0] = way
        decide(stood, bound, position, places, seconds)
        assert stood.turn.tolist() == [0, 0, 0]
        bound.ahead[0] = 0.5


def test_units_close_behind_the_last_that_goes_in_go_with_it():
    """Until others have waited for some time; not units further off, and none when all are in."""
    for others_wait, last_at, joins in ((0.0, 3.0, True), (JOIN, 3.0, False), (0.0, 0.0, False)):
        bound, position, places = street((last_at, 0), (3.0 + BEHIND, 0), (9.0, 0), (1.0, 1))
        turns = Turns.none(4)
        turns.turn[0], turns.exit[0], turns.nearest[0] = 0, 0, last_at
        turns.idle[3] = others_wait
        decide(turns, bound, position, places)
        assert turns.turn.tolist() == [0, 0 if joins else -1, -1, -1]


def test_a_place_with_room_for_few_takes_the_nearest():
    """At a point that many touch only a few are at a time."""
    bound, position, places = street((3.0, 0), (1.0, 0), (2.0, 0), (4.0, 0), room=2)
    turns = Turns.none(4)
    decide(turns, bound, position, places)
    assert turns.turn.tolist() == [-1, 0, 0, -1]


def test_numbering_does_not_matter():
    """Units in another order have the same turns."""
    rng = np.random.default_rng(3)
    units = [
        (float(way), int(side))
        for way, side in zip(rng.uniform(0.1, 6, 30), rng.integers(0, 2, 30), strict=True)
    ]
    order = rng.permutation(30)
    found = []
    for some in (np.arange(30), order):
        bound, position, places = street(*(units[k] for k in some))
        turns = Turns.none(30)
        for _ in range(3):
            decide(turns, bound, position, places, 0.5)
        found.append((turns.turn, turns.waiting))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one[order], other)


def test_stops_that_many_touch_and_leave_are_narrow_places():
    """A shared last stop is no such place, nor one that few share, nor one of a single unit."""
    points = np.array([[0, 0], [9, 9]] * 6 + [[5, 5], [1, 1]], float)
    first = np.arange(0, 15, 2)
    numbers, firsts = kinds(points)
    stops, kept = shared_stops(numbers, len(firsts), first, np.zeros(7, np.bool_))
    assert points[firsts[kept]].tolist() == [[0.0, 0.0]]
    assert stops[:12:2].tolist() == [0] * 6
    assert (stops[1::2] == -1).all()
    assert stops[12] == -1
    goes_on = np.array([True] * 5 + [False] * 2)  # five have orders to come, and leave it again
    stops, kept = shared_stops(numbers, len(firsts), first, goes_on)
    assert points[firsts[kept]].tolist() == [[0.0, 0.0], [9.0, 9.0]]
    assert stops[:12].tolist() == [0, 1] * 5 + [0, -1]


def test_a_stop_is_ahead_by_the_shortest_way_across_a_seam():
    """On a torus a stop may be nearer across its edge."""
    plane = Plane((0, 0, 10, 10), "wrap")
    bound = bound_for(
        np.array([0]), np.array([[9.5, 5.0]]), np.array([[0.5, 5.0]]), np.array([0.25]), plane
    )
    assert bound.ahead[0] == pytest.approx(0.75)


def rooms(
    gap: float, count: int, sides: int = 2, rule: bool = True, seed: int = 1, *,
    length: float = 2.0, goal: Callable[[float], Goal] | None = None, model: str = "crowd",
    speed: float = 1.3,
) -> World:  # fmt: skip
    """Two rooms joined by a door or corridor, each with `count` units bound for the other.

    `goal` gives the goal for the x of its middle; without it that is a point.
    """
    half, end = gap * HULL.radius, length / 2
    world = World(
        seed=seed, bounds=(-13 - end, -9, 13 + end, 9), edges="wall",
        boxes=[[-end, -9, end, -half], [-end, half, end, 9]],
    )  # fmt: skip
    for side in (-1, 1)[:sides]:
        ends = sorted((side * (12.0 + end), side * (3.0 + end)))
        middle = -(8.0 + end) * side
        world.add_group(
            f"side {side}", Region(ends[0], -8, ends[1], 8), count=count, model=model, hull=HULL,
            speed=speed, goal=Goal.to((middle, 0)) if goal is None else goal(middle),
            behaviours=None if rule else {"take_turns": False},
        )  # fmt: skip
    return world


def arrive(world: World, seconds: float) -> float:
    """The share of units that have arrived after so long, or as soon as all have."""
    while world.time < seconds and not (world.roster.orders.minds.arrived.all() and world.time > 1):
        world.step()
    return float(world.orders.minds.arrived.mean())


def into_a_region(middle: float) -> Goal:
    """Anywhere in the far room."""
    return Goal.into((middle - 4, -7, middle + 4, 7))


@pytest.mark.parametrize("count", [5, pytest.param(10, marks=pytest.mark.slow)])
@pytest.mark.parametrize("model", ["soldiers", "walkers"])
def test_other_models_take_turns_at_a_door(model: str, count: int):
    """All of both sides change rooms through a door of 1.4 hulls; without the rule many stand."""
    runs = [rooms(1.4, count, rule=rule, length=0.6, seed=2, model=model) for rule in (True, False)]
    assert arrive(runs[0], 100) == 1.0
    assert arrive(runs[1], runs[0].time) < 0.8  # 0.1 to 0.45 even after 100 s


def test_a_counter_serves_all_soldiers():
    """A dozen are served one at a time and go on: those that queue do not shut the first ones in.

    It takes 39 s. Soldiers that pressed ahead in queues shut them in: one in twelve came through.
    """
    assert arrive(counter(), 50) == 1.0


def counter() -> World:
    """A dozen soldiers on their way to a counter, and beyond it."""
    world = World(seed=3)
    world.add_group(
        "queue", Region(-14, -5, -6, 5), count=12, model="soldiers", hull=HULL, speed=1.5,
        goal=Goal.along([Stop(0, 0, serve=1.0), (12, 0)], tolerance=1.0),
    )  # fmt: skip
    return world


def test_small_units_leave_room_to_a_large_one():
    """Six small ones and a large one a side, at a door that it just fits: all are through.

    It takes 26 s. Small ones kept off by their own length: they stood before the large one that
    came out, and 8 of 14 units still stood after 300 s.
    """
    world = World(
        seed=1, bounds=(-14, -9, 14, 9), edges="wall", boxes=[[-1, -9, 1, -1.15], [-1, 1.15, 1, 9]]
    )
    for k, (count, radius, side) in enumerate([(6, 0.4, -1), (6, 0.4, 1), (1, 1, -1), (1, 1, 1)]):
        ends = sorted((side * 13, side * 4))
        world.add_group(
            f"g{k}", Region(ends[0], -8, ends[1], 8), count=count, model="crowd",
            hull=Hull.disc(radius), speed=1.3, goal=into_a_region(-9.0 * side),
        )  # fmt: skip
    assert arrive(world, 60) == 1.0


def test_two_sides_cross_a_bridge():
    """All of both cross a bridge of one and a half hulls; without the rule they stand on it."""
    runs = [rooms(1.5, 5, rule=rule, length=6.0, goal=into_a_region) for rule in (True, False)]
    assert arrive(runs[0], 60) == 1.0
    assert arrive(runs[1], 30) < 0.9


@pytest.mark.parametrize(("sides", "stance"), [(1, UNASKED), (2, ITS_TURN)])
def test_whether_others_wait_for_the_turn_of_a_unit_is_known(sides, stance):
    """All that have a turn at a door know it, when the other side has come up to it."""
    world = rooms(1.4, 8, sides)
    for _ in range(400):
        world.step()
    orders = world.roster.orders_now()
    has = orders.narrows.turns.turn != NOWHERE
    assert has.any()
    assert (orders.minds.stance[has & ~orders.narrows.turns.waiting] == stance).all()
    assert orders.narrows.turns.waiting.any() == (sides == 2)


def test_quick_units_get_through_a_door():
    """Of 8 a side at six hulls a second all arrive, in three times the time of one side alone.

    That is 12 s. When they foresaw each other for two seconds, however far that is, 1 of 16 arrived
    in 21 s.
    """
    alone, both = (
        rooms(1.6, 8, sides, length=0.8, goal=into_a_region, speed=6.0) for sides in (1, 2)
    )
    assert arrive(alone, 60) == 1.0
    assert arrive(both, 3 * alone.time) == 1.0


def test_a_one_way_run_is_the_same_with_and_without_the_rule():
    """Where nobody comes the other way, the rule changes nothing: bit for bit."""
    runs = []
    for rule in (True, False):
        world = rooms(1.4, 8, sides=1, rule=rule)
        for _ in range(600):
            world.step()
        runs.append(world.units.position.copy())
    assert np.array_equal(*runs)


def test_units_of_one_side_do_not_jam_in_a_door():
    """Where none comes the other way forty are through a door of 1.2 hulls after 73 s, at most 85.

    Of two that were as far along their common way, but not as near to the door, neither left room
    to the other: it took 93 s.
    """
    assert arrive(rooms(1.2, 40, sides=1), 85) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("gap", [1.2, 1.4, 1.7, 2.4])
@pytest.mark.parametrize(("count", "speed"), [(5, 1.3), (20, 1.3), (40, 1.3), (20, 6.0)])
def test_a_door_of_any_width(gap, count, speed):
    """All of both sides arrive, in at most three times the time of one side alone."""
    alone, both = (rooms(gap, count, sides, speed=speed) for sides in (1, 2))
    assert arrive(alone, 400) == 1.0
    assert arrive(both, 3 * alone.time) == 1.0


@pytest.mark.slow
def test_units_from_both_sides_of_a_door_do_not_stand_face_to_face():
    """Forty a side at a door of 1.4 hulls, in at most three times the time of one side alone.

    Two that came along the wall stood face to face before it until their turns lapsed, and then
    before all others: it took 3.2 times.
    """
    alone, both = (rooms(1.4, 40, sides, seed=5) for sides in (1, 2))
    assert arrive(alone, 200) == 1.0
    assert arrive(both, 3 * alone.time) == 1.0


def to_leave(middle: float) -> Goal:
    """To a point in the far room, and out of the world."""
    return Goal.to((middle, 0), leave=True)


@pytest.mark.slow
@pytest.mark.parametrize("goal", [None, into_a_region, to_leave])
@pytest.mark.parametrize("length", [5.0, 20.0])
@pytest.mark.parametrize("gap", [1.2, 2.0, 2.8])
@pytest.mark.parametrize("count", [1, 5, 12, 20])
def test_a_corridor_of_any_width(gap, count, length, goal):
    """All of both sides get through, to rest or to leave, in three times the time of one side."""
    alone = rooms(gap, count, sides=1, length=length, goal=goal)
    both = rooms(gap, count, length=length, goal=goal)
    assert arrive(alone, 600) == 1.0
    assert arrive(both, 3 * alone.time) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(("count", "speed"), [(30, 1.3), (60, 1.3), (100, 1.3), (30, 6.0)])
def test_a_point_that_many_touch_and_leave(count, speed):
    """All reach one point and go on, in 2.5 times the free time and a second a unit."""
    angle = 2 * np.pi * np.arange(count) / count
    radius = max(60.0, float(count))
    ends = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    world = World(seed=1)
    world.add_group(
        "all", Region(-35, -35, 35, 35), count=count, model="crowd", hull=HULL, speed=speed,
        goal=Goal.along(*([(0, 0), end] for end in ends)),
    )  # fmt: skip
    free = (np.hypot(*world.units.position.T).max() + radius) / speed
    assert arrive(world, 2.5 * free + count) == 1.0


def test_turns_lapse_with_the_stop_they_are_for(tmp_path):
    """Where stops that many share go, no unit keeps a turn or a wait by the number of one."""
    world = World(seed=1)
    groups = [
        world.add_group(f"at {y}", Region(0, y - 4, 8, y + 4), count=12,
                        goal=Goal.along([(12, y), (30, y)]))
        for y in (4, 24)
    ]  # fmt: skip
    narrows = world.roster.orders.narrows
    while not ((narrows.turns.turn == 1).any() and narrows.turns.waiting[:12].any()):
        world.step()
    groups[0].go_to((-20, 4))  # the second stop is the first now
    world.step()
    assert world.roster.orders.narrows.turns.turn.max() < 1
    for _ in range(narrows.every):
        world.step()
    assert (world.roster.orders.narrows.turns.turn == 0).any()
    groups[1].go_to((-20, 24))
    world.save(tmp_path / "run.state")
    World.load(tmp_path / "run.state").close()  # it was refused, for a place that is not there
    world.step()
    assert not world.roster.orders.minds.stance.any()
    assert not world.roster.orders.hold.any()


def test_where_the_last_narrow_place_has_gone_units_come_to_none():
    """A part makes a gap of 1.4 and opens: then it is 12 wide, and rules for wide ground hold.

    With steps so short no decision falls between the new ways and the new narrow places.
    """
    world = World(bounds=(0, 0, 40, 20), edges="wall", boxes=[(20, 0, 21, 8)], time_step=1 / 1000)
    part = world.add_solid(Box(20, 9.4, 21, 20), name="part")
    world.add_group("a", [(14, 8)], model="crowd", hull=Hull.disc(0.5), goal=Goal.to((30, 8)))
    for come in (True, False):
        for _ in range(500):
            world.step()
        narrows = world.roster.orders_now().narrows
        assert narrows.comes_to_one(slice(None), 10.0).all() == come
        part.open()
