"""Units that pursue: those that follow one at rest rest behind it; strangers at rest make way."""

import numpy as np
import pytest

from sim import Goal, Hull, World
from sim.living.events import Blocked

WALLS = [(0, -1.25, 20, -1.25), (0, 1.25, 20, 1.25)]
TAIL = [(4, 0), (5.5, 0.5), (7, 0), (8.5, -0.5), (10, 0.3)]
MODELS = ["crowd", "mages", pytest.param("walkers", marks=pytest.mark.slow)]


def corridor(model: str, seed: int, tail: list[tuple[float, float]] = TAIL) -> World:
    """A corridor two and a half hulls wide; some follow one that rests in it."""
    world = World(walls=WALLS, time_step=0.05, seed=seed)
    world.add_group("guide", [(14, 0.6)], model=model, heading=0.0)
    world.add_group("tail", tail, model=model, goal=Goal("follow", "guide"))
    return world


def run(world: World, seconds: float) -> None:
    """Run on until then."""
    while world.time < seconds:
        world.step()


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("model", MODELS)
def test_one_passes_those_who_follow_one_at_rest(model, seed):
    """Straight it takes 26 s; it stood behind them without end. Later they are at the guide again.

    Two seeds of each: 42 to 45 s, `walkers` 37 and 42, `mages`, which are not at rest, 19.
    """
    world = corridor(model, seed)
    goes = world.add_group("pass", [(-8, 0)], model=model, goal=Goal.to((26, 0)))
    while not goes.arrived[0] and world.time < 100:
        world.step()
    assert world.time < 85
    run(world, world.time + 15)
    guide, tail = (world.group(name).position for name in ("guide", "tail"))
    assert np.hypot(*(tail - guide).T).max() < 6.5  # five in a file, and the gap


def test_those_who_have_come_up_rest_side_by_side():
    """Six `squares` in two files press on each other: each was barred by one that did not rest.

    Half of them never came to rest; now all do within 18 s.
    """
    walls = [(0, -1.5, 20, -1.5), (0, 1.5, 20, 1.5)]
    world, hull = World(walls=walls, time_step=0.05, seed=1), Hull("box", 1.0, 1.0, 80.0)
    world.add_group("guide", [(14, 0.6)], model="squares", hull=hull, speed=1.4, heading=0.0)
    tail = [(x, y) for x in (4, 6.5, 9) for y in (-0.7, 0.7)]
    world.add_group(
        "tail", tail, model="squares", hull=hull, speed=1.4, goal=Goal("follow", "guide")
    )
    run(world, 18)
    assert world.orders.minds.halts[world.group("tail").rows].all()


@pytest.mark.parametrize("model", MODELS)
def test_one_at_rest_that_is_sent_on_passes_those_behind_it(model):
    """Its way leads back through them: they follow at once, and make way again while it is blocked.

    Alone it takes 14 s. `crowd` stood along both walls, and it between them without end; now it
    takes 14 to 39 s.
    """
    world = corridor(model, 1)
    guide = world.group("guide")
    run(world, 15)
    guide.go_to((-4, 0))
    world.step()
    assert not world.orders.minds.halts.any()
    run(world, 70)
    assert guide.arrived[0]
    assert np.hypot(*(world.group("tail").position - guide.position).T).max() < 5


def test_one_that_is_held_up_by_a_stranger_does_not_rest():
    """It has to get past; once it is, it comes up to the one that it follows, and rests.

    The stranger makes no way first: the rule by which it would is off.
    """
    boxes = [(0, -3, 20, -0.6), (0, 0.6, 20, 3)]
    world = World(boxes=boxes, time_step=0.05, seed=1)
    world.add_group("guide", [(14, 0)], heading=0.0)
    stranger = world.add_group("stranger", [(8, 0)], heading=0.0, goal=Goal.to([(8, 0)]))
    stranger.switch("avoidance", False)
    one = world.add_group("one", [(4, 0)], goal=Goal("follow", "guide"))
    run(world, 10)
    row = one.rows.start
    assert abs(one.position[0, 0] - 7) < 0.5
    assert not world.orders.minds.halts[row]
    stranger.switch("avoidance", True)
    stranger.go_to((25, 0))
    world.group("guide").go_to((24, 3))
    run(world, 45)
    assert world.orders.minds.halts[row]
    assert np.hypot(*(one.position - world.group("guide").position).T) < 2.2


@pytest.mark.parametrize("model", ["crowd", "walkers"])
def test_they_stand_still(model):
    """Those behind others rest too, though their way is barred, and want nothing."""
    world = corridor(model, 1)
    run(world, 20)
    tail = world.group("tail")
    assert world.orders.minds.halts[tail.rows].all()
    assert np.hypot(*tail.velocity.T).max() < 0.01
    assert np.abs(tail.terms["follow"]).max() == 0


def test_one_comes_up_when_the_one_before_it_is_gone():
    """Its way is free then: it goes on up to its gap, less half a hull length."""
    boxes = [(0, -3, 20, -0.6), (0, 0.6, 20, 3)]
    world = World(boxes=boxes, time_step=0.05, seed=1)
    world.add_group("guide", [(14, 0)], heading=0.0)
    tail = world.add_group("tail", [(2, 0), (4, 0), (6, 0)], goal=Goal("follow", "guide"))
    run(world, 15)
    assert world.orders.minds.halts[tail.rows].all()
    assert 14 - tail.position[0, 0] > 3
    world.remove(tail.ids[1:])
    run(world, 25)
    assert 14 - tail.position[0, 0] < 2.5


def test_they_go_along_with_one_that_is_moved():
    """It is sent nowhere, but goes at a good pace, as by the user: they follow at once."""
    world = World(time_step=0.05, seed=1)
    one = world.add_group("one", [(5, 0)], model="player", heading=0.0)
    tail = world.add_group("tail", [(0, 0), (0, 2)], goal=Goal("follow", "one"))
    run(world, 10)
    assert world.orders.minds.halts[tail.rows].all()
    body = world.roster.bridge.bodies[one.rows.start]
    body.velocity = 1.0, 0.0
    world.roster.read_anew()
    world.step()
    assert not world.orders.minds.halts.any()


def idle_before(model: str, kind: str, hunters: int) -> World:
    """A corridor in which five stand that were never sent anywhere; some pursue one beyond it."""
    world = World(walls=WALLS, time_step=0.05, seed=1)
    box, speed = (Hull("box", 1.0, 1.0, 80.0), 1.4) if model == "squares" else (None, None)
    makes = {"model": model, "hull": box, "speed": speed, "heading": 0.0}
    world.add_group("idle", TAIL, **makes)
    world.add_group("quarry", [(28, 0)], **makes)
    start = [(-8 - 1.3 * (i // 2), 1.3 * (i % 2)) for i in range(hunters)]
    world.add_group("hunters", start, **makes, goal=Goal(kind, "quarry"))
    return world


PURSUITS = [(m, k) for m in ("crowd", "walkers", "squares") for k in ("follow", "chase")]


@pytest.mark.parametrize(("model", "kind"), [*PURSUITS, ("crowd", "approach")])
def test_idle_units_make_way_for_one_that_pursues_another(model, kind):
    """It stood before five in a corridor without end; now it is past all five after 24 to 41 s.

    With none in its way that takes 21 s. `mages` and `soldiers` push past those at rest.
    """
    world = idle_before(model, kind, 1)
    hunters = world.group("hunters")
    while hunters.position[0, 0] < 19 and world.time < 60:
        world.step()
    assert world.time < 55


@pytest.mark.parametrize("model", ["crowd", pytest.param("walkers", marks=pytest.mark.slow)])
def test_six_that_follow_pass_idle_units(model):
    """The first asks for way, the others queue behind it: all are past after 33 to 46 s."""
    world = idle_before(model, "follow", 6)
    while world.group("hunters").position[:, 0].min() < 19 and world.time < 70:
        world.step()
    assert world.time < 60


@pytest.mark.parametrize("kind", ["follow", "chase"])
def test_pursuers_that_queue_behind_each_other_are_not_blocked(kind):
    """Only a stranger holds up: those round their quarry, or behind others, ask for no way."""
    world = World(time_step=0.05, seed=1)
    world.add_group("quarry", [(0, 0)], heading=0.0)
    start = [(-10 - 1.5 * (i % 5), 1.5 * (i // 5)) for i in range(20)]
    hunters = world.add_group("hunters", start, goal=Goal(kind, "quarry"))
    for _ in range(600):
        world.step()
        assert not world.orders.minds.blocked[hunters.rows].any()


def test_one_that_a_stranger_holds_up_while_it_pursues_is_reported():
    """`Blocked` comes for it, as for one that is sent to a place; it asks no more once it is by."""
    world = idle_before("crowd", "follow", 1)
    hunters, blocked = world.group("hunters"), []
    while hunters.position[0, 0] < 19 and world.time < 60:
        world.step()
        blocked += [event for event in world.events if isinstance(event, Blocked)]
    assert set(blocked) == {Blocked(unit, "held up") for unit in hunters.ids.tolist()}
    run(world, 60)
    assert world.orders.minds.speed[hunters.rows].max() == 0


@pytest.mark.parametrize("goal", [None, Goal("flee", "quarry")])
def test_one_that_was_held_up_is_no_longer_when_it_pursues_no_more(goal):
    """Else `minds.speed` would say that a stranger still holds it up."""
    world = idle_before("crowd", "chase", 1)
    hunters = world.group("hunters")
    while not world.orders.minds.speed[hunters.rows].any() and world.time < 30:
        world.step()
    assert world.time < 30
    hunters.goal = goal
    assert not world.orders.minds.speed[hunters.rows].any()


@pytest.mark.parametrize(
    ("kind", "asks"), [("chase", True), ("intercept", True), ("approach", False)]
)
def test_one_asks_for_way_until_it_is_where_it_stops(kind, asks):
    """To chase is to come up close; one that approaches has come six lengths before its quarry."""
    world = World(walls=WALLS, time_step=0.05, seed=1)
    world.add_group("idle", [(2.4, 0)], heading=0.0)
    quarry = (7.2, 0) if kind == "approach" else (3.6, 0)
    world.add_group("quarry", [quarry], heading=0.0)
    hunters = world.add_group("hunters", [(1.2, 0)], goal=Goal(kind, "quarry"), heading=0.0)
    asked = False
    while world.time < 20:
        world.step()
        asked |= bool(world.orders.minds.speed[hunters.rows].any())
    assert asked == asks
