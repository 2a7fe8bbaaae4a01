"""Units that leave at a place: each when it has come there itself, nobody else, and all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import Goal, Hull, Region, World
from sim.run import run
from sim.study.report import Report

HULLS = st.sampled_from(
    [
        Hull.disc(0.5, 80.0),
        Hull.disc(0.2, 80.0),
        Hull("box", 1.2, 0.6, 80.0),
        Hull("wedge", 1.6, 0.8, 80.0),
    ]
)
COORDINATE = st.floats(-8, 8)


def goal_of(kind: str, near: list[tuple[float, float]], leave: bool, tolerance: float | None):
    """A goal of that kind among places `near`, one a unit."""
    x, y = near[0]
    if kind == "point":
        return Goal.to((x, y), tolerance=tolerance, leave=leave)
    if kind == "points":
        return Goal.to(near, tolerance=tolerance, leave=leave)
    if kind == "antipode":
        return Goal.across((x, y), tolerance=tolerance, leave=leave)
    if kind == "route":
        return Goal.along([(x, y), (y, x), (x / 2, y / 2)], tolerance=tolerance, leave=leave)
    return Goal.into((x - 2, y - 1, x + 2, y + 1), leave=leave)


@st.composite
def group(draw):
    """What one group is: model, hull, where it starts and where it goes."""
    count = draw(st.integers(1, 6))
    places = draw(st.lists(st.tuples(COORDINATE, COORDINATE), min_size=count, max_size=count))
    kind = draw(st.sampled_from(["point", "points", "antipode", "route", "region"]))
    tolerance = draw(st.sampled_from([None, 0.3, 2.0]))
    return {
        "model": draw(st.sampled_from(["crowd", "squares"])),
        "hull": draw(HULLS),
        "speed": draw(st.floats(1.0, 8.0)),
        "count": count,
        "goal": goal_of(kind, places, draw(st.booleans()), tolerance),
    }


def there(world: World, rows: slice, goal: Goal) -> np.ndarray:
    """(n,) which units of a group are within tolerance of the last place, or in the region."""
    here = world.units.position[rows]
    if goal.region is not None:
        left, top, right, bottom = goal.region
        x, y = here.T
        return (left <= x) & (x <= right) & (top <= y) & (y <= bottom)
    orders = world.orders
    last = orders.points[orders.first[1:][rows] - 1]
    return np.hypot(*(here - last).T) <= orders.tolerance[rows]


@settings(max_examples=10, deadline=None)
@given(groups=st.lists(group(), min_size=1, max_size=3), seed=st.integers(0, 99))
def test_each_leaves_when_it_is_there_itself(groups, seed):
    """Random mixes: at each step those go that are at an exit of their own, and nobody else."""
    world = World(seed=seed)
    for k, options in enumerate(groups):
        world.add_group(str(k), Region(-12, -12, 12, 12), **options)
    for _ in range(240):
        before, due = world.units.present, np.zeros(len(world.units), np.bool_)
        legs = np.diff(world.orders.first) - 1
        for made in world.groups:
            if made.goal.leave:
                due[made.rows] = there(world, made.rows, made.goal)
        at_last = world.orders.leg.copy()
        world.step()
        # A unit may pass several points of a route in one step; the last leg is counted after it.
        due &= np.maximum(at_last, world.orders.leg) == legs
        gone = before & ~world.units.present
        assert np.array_equal(gone, before & due)
        orders = world.orders
        left = ~world.units.present
        assert not orders.minds.moving[left].any()
        assert orders.minds.moving[orders.leave & ~left].all()
        assert np.isnan(orders.aim[left]).all()


@pytest.mark.parametrize("model", ["crowd", "mages", "squares"])
def test_one_group_leaves_beside_another_that_stays(model: str):
    """All of the one leave, all of the other rest, and the run ends."""
    world = World(seed=3)
    options = {"count": 5, "model": model, "speed": 3.0, "hull": Hull.disc(0.5, 80.0)}
    world.add_group("a", Region(-12, -4, -5, 4), goal=Goal.to((0, 0), leave=True), **options)
    world.add_group("b", Region(5, -4, 12, 4), goal=Goal.to((0, 6)), **options)
    report = Report(world, "two groups")
    outcome = run(world, 3000, [report], lambda: report.done)
    assert report.result(outcome.wall_s)["arrived"] == 10
    assert np.array_equal(world.units.present, ~world.orders.leave)


def test_a_run_ends_as_the_last_leaves():
    """Eight at one exit: all have arrived, and the run ends a step after the last was there."""
    world = World(seed=1)
    world.add_group(
        "a", Region(-9, -3, -3, 3), count=8, model="crowd", goal=Goal.to((0, 0), leave=True)
    )
    report = Report(world, "exit")
    outcome = run(world, 3000, [report], lambda: report.done)
    found = report.result(outcome.wall_s)
    assert found["arrived"] == 8
    assert not world.units.present.any()
    assert found["simulated_s"] == pytest.approx(found["max_time_s"] + world.time_step)


def test_units_leave_amid_others_that_stay_at_the_same_point():
    """Five rest at a point; five more come to it from afar, and leave: the others make way.

    The last is out after 35 s. When they did not count as held up, four went round the pack, 1.7 to
    2.3 off the point, and after 100 s still did.
    """
    world = World(seed=5)
    options = {"count": 5, "model": "crowd", "speed": 1.3, "hull": Hull.disc(0.5)}
    world.add_group("stay", Region(-14, -6, -4, 6), goal=Goal.to((0, 0)), **options)
    go = world.add_group("go", Region(-30, -6, -20, 6), goal=Goal.to((0, 0), leave=True), **options)
    while world.time < 60 and world.units.present[go.rows].any():
        world.step()
    assert not world.units.present[go.rows].any()
    assert world.units.present.sum() == 5
