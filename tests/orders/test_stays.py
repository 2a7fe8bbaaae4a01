"""Stops of a route: units stay there for a time, or are served one at a time."""

from __future__ import annotations

import numpy as np
import pytest

from sim import BadInput, Goal, Region, Stop, World
from sim.living.sources import Source
from sim.orders.turns import ASK, KEEP_OFF_A_STOP
from sim.study.report import Report

STEP = 1 / 60


def stayed(goal: Goal, seconds: float, **options) -> float:
    """How long the first unit is within a hull radius of (5, 0), s."""
    world = World(**options)
    world.add_group("a", [(0, 0)], goal=goal)
    near = 0
    while world.time < seconds and (goal.loop or not world.groups[0].arrived.all()):
        world.step()
        near += np.hypot(*(world.units.position[0] - (5, 0))) < world.groups[0].hull.radius
    assert world.groups[0].arrived.all() or goal.loop
    return near * STEP


@pytest.mark.parametrize("walls", [(), [[-5, -9, 15, -9]]])
def test_a_unit_waits_at_a_stop(walls):
    """It stays as long as the stop says and goes on; without a wait it walks through."""
    through = stayed(Goal.along([(5, 0), (9, 3)]), 25, walls=walls)
    waits = stayed(Goal.along([Stop(5, 0, wait=3.0), (9, 3)]), 25, walls=walls)
    assert through < 1.5
    # It comes to rest at the stop and leaves it again: up to two seconds beside the wait.
    assert 3.0 < waits < through + 3.0 + 2.0


def test_it_waits_every_time_round():
    """On a loop a unit waits at the stop in each round."""
    goal = Goal.along([Stop(5, 0, wait=2.0), (9, 0)], loop=True)
    assert stayed(goal, 40) > 2.5 * 2.0


def test_one_at_a_time_is_served():
    """Five leave a counter one after the other; where each waits they stand there together."""
    ends = {}
    for kind in ("serve", "wait"):
        world = World()
        stop = Stop(8, 0, **{kind: 2.0})
        goal = Goal.along([stop, (16, 0)], tolerance=3.0)
        world.add_group("a", [(0, y) for y in (-4, -2, 0, 2, 4)], goal=goal)
        served = np.zeros(5)
        while world.time < 40 and not (served > 0).all():
            world.step()
            left = world.roster.orders.staying.left
            been = world.roster.orders.leg > 0
            served[(served == 0) & been & (left == 0)] = world.time
        ends[kind] = np.sort(served)
    assert np.diff(ends["serve"]).min() > 2.0 - 2 * STEP
    assert np.ptp(ends["wait"]) < 4.0 < np.ptp(ends["serve"])


@pytest.mark.parametrize("model", ["crowd", "walkers", "soldiers", "mages", "squares"])
def test_units_stand_in_line_before_a_counter(model: str):
    """Three, of which one is served: the others stand, and each has its turn.

    All pressed on to the counter, circled round the one that was served, and pushed it off:
    `soldiers` turned at 1 rad/s, `mages` at 3, `squares` went 2.4 lengths a second.
    """
    world, size = World(seed=1), 14.0 if model == "squares" else 1.0
    goal = Goal.along([Stop(8 * size, 0, serve=4.0), (16 * size, 0)])
    start = Region(-5 * size, -3 * size, size, 3 * size)
    group = world.add_group("a", start, count=3, model=model, goal=goal)
    came, turned, went, waited = np.full(3, np.inf), np.zeros(3), np.zeros(3), np.zeros(3)
    while world.time < 30 and not (world.orders.leg > 0).all():
        there, angle = group.position.copy(), world.units.angle.copy()
        world.step()
        off = np.hypot(*(group.position - (8 * size, 0)).T)
        came[(off < 3.5 * size) & np.isinf(came)] = world.time
        waits = (world.time > came + 1.0) & (world.orders.minds.halts)
        waited += STEP * waits
        turned += np.abs(np.angle(np.exp(1j * (world.units.angle - angle)))) * waits
        went += np.hypot(*(group.position - there).T) / size * waits
    assert (world.orders.leg > 0).all()
    assert waited.max() > 4.0
    assert (turned / np.maximum(waited, 1.0)).max() < 0.5
    assert (went / np.maximum(waited, 1.0)).max() < 0.2


def test_customers_are_served_in_the_order_in_which_they_came():
    """Fourteen in a lump before a counter: none is later or earlier by more than three places.

    Three at a time go to it, so that two of them may change places. Units that had pushed past
    others were served first.
    """
    world, counter = World(seed=1, bounds=(0, 0, 24, 14), edges="wall"), np.array([12.0, 1.5])
    goal = Goal.along([Stop(*counter, serve=1.0), (2, 12)], leave=True)
    group = world.add_group("c", [], goal=goal)
    world.agenda.sources.append(Source("c", Region(18, 10, 23, 13), rate=2.0, total=14))
    came, served = list[int](), list[int]()
    while world.time < 60 and len(served) < 14:
        world.step()
        ids, orders = group.ids, world.orders
        off = np.hypot(*(group.position - counter).T)
        came += [i for i in ids[off < KEEP_OFF_A_STOP + ASK].tolist() if i not in came]
        through = (orders.leg > 0) & (orders.staying.left == 0)
        served += [i for i in ids[through].tolist() if i not in served]
    late = [served.index(i) - came.index(i) for i in served]
    assert len(served) == 14
    assert max(map(abs, late)) <= 3


def test_numbering_is_of_no_matter():
    """The same units in another order are served in the same order."""
    starts = np.array([(0, y) for y in (-4.0, -2.0, 0.0, 2.5, 4.0)])
    ends = []
    for order in (np.arange(5), np.array([3, 1, 4, 0, 2])):
        world = World()
        world.add_group("a", starts[order], goal=Goal.along([Stop(8, 0, serve=1.0), (16, 0)]))
        for _ in range(900):
            world.step()
        back = np.empty_like(world.units.position)
        back[order] = world.units.position
        ends.append(back)
    assert np.allclose(*ends, atol=1e-6)


def test_a_new_order_ends_a_stay():
    """A unit that is sent elsewhere does not finish waiting first."""
    world = World()
    group = world.add_group("a", [(0, 0)], goal=Goal.along([Stop(1, 0, wait=60), (9, 0)]))
    for _ in range(180):
        world.step()
    assert world.orders.staying.left[0] > 50
    group.go_to((4, 0))
    for _ in range(300):
        world.step()
    assert group.arrived.all()


@pytest.mark.parametrize(
    ("stop", "said"),
    [
        (Stop(1, 1, wait=-1), "wait = -1"),
        (Stop(1, 1, wait=1, serve=1), "not both"),
        (Stop(1, 1, serve=float("nan")), "serve = nan"),
    ],
)
def test_refused(stop, said):
    """A stop with a time that is none is `BadInput`."""
    with pytest.raises(BadInput, match=said):
        Goal.along([stop, (2, 2)])


def test_a_unit_that_waits_on_purpose_is_not_stuck():
    """Neither told as stuck nor counted as such, for as long as the stop holds it."""
    world = World()
    goal = Goal.along([Stop(5, 0, wait=20.0), (10, 0)])
    group = world.add_group("a", [(0, 0)], goal=goal)
    report, waited = Report(world, ""), 0
    for _ in range(round(17 / STEP)):
        world.step()
        report.observe(world)
        waited += world.roster.orders.staying.left[0] > 0
        assert not world.select(group.ids).stuck.any()
    assert waited * STEP > 12
    assert report.result(1.0)["stuck"] == 0


def test_a_place_that_is_given_twice_in_a_row_is_touched_once():
    """Six units come to rest at it: as a stop that many touch and leave, only one had arrived."""
    world = World(seed=1)
    group = world.add_group(
        "a", Region(-20, -5, -10, 5), count=6, speed=2.0,
        goal=Goal.along([(-5, 0), (5, 0), (5, 0)]),
    )  # fmt: skip
    while world.time < 30 and not group.arrived.all():
        world.step()
    assert group.arrived.all()


@pytest.mark.parametrize(
    ("stops", "left"),
    [
        ([(5, 0), (5, 0)], [0.0]),
        ([(5, 0), Stop(5, 0, wait=2), (5, 0)], [2.0]),
        ([Stop(5, 0, wait=2), Stop(5, 0, serve=1)], [2.0, 1.0]),
        ([(5, 0), (6, 0), (5, 0)], [0.0, 0.0, 0.0]),
    ],
)
def test_stays_at_one_place_are_kept(stops, left):
    """Of places that follow each other at one point, those at which units stay are left."""
    goal = Goal.along(stops)
    assert len(goal.routes[0]) == len(left)
    assert [stay[0] for stay in goal.stays[0]] == left if any(left) else goal.stays == ()
