"""The quickest ways: round queues, where that takes less time."""

import numpy as np
import pytest

from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation import flow_field, planning_grid
from sim.navigation.jams import CELL, SLOWEST, Quickest, Traffic, queues, quickest
from sim.orders.along_fields import PAYS

from .making import on_tiles

SHELL = [[-0.5, -0.5, 16.5, 0], [-0.5, 16, 16.5, 16.5], [-0.5, 0, 0, 16], [16, 0, 16.5, 16]]
HALL = Solids.of([], [*SHELL, [10, 0, 10.5, 2], [10, 3, 10.5, 13], [10, 14, 10.5, 16]], [])
"""Two rooms, and two doors between them, near the top and near the bottom."""
PLANE = Plane()
OUT = [14.0, 0.0, 16.0, 16.0]
RADIUS = 0.25


def queue(scale=1.0, count=24, pace=0.1) -> Traffic:
    """Some units that stand close together before the upper door."""
    x, y = np.meshgrid(7.0 + 0.5 * np.arange(6), 1.5 + 0.5 * np.arange(count // 6))
    place = np.column_stack([x.ravel(), y.ravel()])
    return Traffic(scale * place, np.full(count, pace), np.full(count, scale * RADIUS))


def ways(traffic: Traffic, scale=1.0) -> Quickest:
    """The quickest ways out of the hall, all of it larger or smaller."""
    solids = Solids.of([], (scale * HALL.boxes).tolist(), [])
    grid = planning_grid(solids, PLANE, scale * RADIUS)
    return quickest(flow_field(grid, scale * np.array(OUT)), traffic)


def nobody() -> Traffic:
    """No queue."""
    return Traffic(np.zeros((0, 2)), np.zeros(0), np.zeros(0))


def test_without_queues_the_shortest_is_the_quickest():
    """The same distances, bit for bit, and no time is saved anywhere."""
    found = ways(nobody())
    shortest = flow_field(found.field.grid, OUT)
    assert np.array_equal(found.field.distance, shortest.distance)
    assert np.nanmin(found.gain) == pytest.approx(1)
    assert np.nanmax(found.gain) == pytest.approx(1)


def test_leads_round_a_queue():
    """A unit behind the queue saves time by the other door, one through it does not."""
    found = ways(queue())
    behind, beyond = np.array([[5.0, 4.0]]), np.array([[12.0, 2.0]])
    assert found.share(behind)[0] < PAYS
    assert found.share(beyond)[0] > PAYS
    at = behind.copy()
    for _ in range(400):
        aim, left = found.field.sample(at)
        away = np.hypot(*(aim - at)[0])
        at = at + (aim - at) * min(1, 0.1 / max(away, 1e-12))
        if 10 < at[0, 0] < 10.5:
            assert at[0, 1] > 13
        if left[0] == 0:
            break
    assert at[0, 0] >= 14 - 1e-9


def test_a_queue_at_the_only_door_is_not_walked_round():
    """Whoever comes round its flank waits there all the same: it does not pay."""
    only = Solids.of([], [*SHELL, [10, 0, 10.5, 7], [10, 8, 10.5, 16]], [])
    grid = planning_grid(only, PLANE, RADIUS)
    traffic = Traffic(queue().position + np.array([0, 4.5]), queue().pace, queue().radius)
    found = quickest(flow_field(grid, OUT), traffic)
    x, y = np.meshgrid(np.arange(1, 9.5, 0.5), np.arange(1, 15.5, 0.5))
    assert np.nanmin(found.share(np.column_stack([x.ravel(), y.ravel()]))) > PAYS


def test_slow_ground_counts_as_longer():
    """Three times as slow, three times as far, but for what lies in sight of the destination."""
    grid = planning_grid(HALL, PLANE, RADIUS)
    shortest = flow_field(grid, OUT)
    thrice = flow_field(grid, OUT, np.full(grid.free.shape, 3.0))
    far = np.isfinite(shortest.distance) & (shortest.distance > 6)
    assert thrice.distance[far] == pytest.approx(3 * shortest.distance[far] - 1, abs=0.1)
    at = np.random.default_rng(3).uniform((1, 1), (9, 15), (50, 2))
    one, other = (field.sample(at)[0] - at for field in (shortest, thrice))
    along = (one * other).sum(axis=1) / np.hypot(*one.T) / np.hypot(*other.T)
    assert along.min() > 0.99


def test_gain_is_the_share_of_time():
    """Never above 1 but for rounding: no way is quicker than the quickest."""
    found = ways(queue())
    free = np.isfinite(found.field.distance) & (found.field.distance > 0)
    assert np.isfinite(found.gain[free]).all()
    assert found.gain[free].max() <= 1.02
    assert found.gain[free].min() >= 1 / SLOWEST
    assert np.isnan(found.gain[~free]).all()


def test_units_that_get_on_are_no_queue():
    """At the desired speed no unit is in the way; more that stand, or slower ones, are more."""
    grid = planning_grid(HALL, PLANE, RADIUS)
    assert (queues(grid, queue(pace=1.0))[0] == 1).all()
    few, many = queues(grid, queue(count=6))[0], queues(grid, queue())[0]
    assert (many >= few).all()
    assert SLOWEST >= many.max() > few.max() > 1
    assert queues(grid, queue(pace=0.5))[0].max() < many.max()


def test_numbers_and_scale_make_no_difference():
    """The same cells to the last bit in any order; a world twice as large has the same shares."""
    traffic, order = queue(), np.random.default_rng(2).permutation(24)
    grid = planning_grid(HALL, PLANE, RADIUS)
    shuffled = Traffic(*(column[order] for column in traffic))
    assert np.array_equal(queues(grid, traffic)[0], queues(grid, shuffled)[0])
    at = np.random.default_rng(1).uniform(0.5, 15.5, (100, 2))
    once, twice = ways(traffic).share(at), ways(queue(2.0), 2.0).share(2 * at)
    assert once == pytest.approx(twice, nan_ok=True, rel=1e-6)


def test_queues_beyond_the_grid_are_passed_over():
    """Ways there are straight."""
    grid = planning_grid(Solids.of([], [[0, 0, 1, 1]], []), PLANE, RADIUS)
    far = Traffic(np.array([[-50.0, 3.0], [90.0, 90.0]]), np.zeros(2), np.full(2, RADIUS))
    assert (queues(grid, far)[0] == 1).all()
    found = quickest(flow_field(grid, (2.0, 0.0)), far)
    assert np.nanmin(found.share(np.array([[-3.0, 0.0], [50.0, 2.0]]))) > 0.999


def test_a_grid_coarser_than_the_cells():
    """On large tiles nodes lie further apart than cells are wide: a queue slows its own cells."""
    grid, _, _ = on_tiles(np.zeros((4, 5), bool), RADIUS, 16.0)
    assert grid.step.min() > CELL * RADIUS
    cells, _ = queues(grid, queue())
    assert cells.max() > 1
    assert np.count_nonzero(cells > 1) <= 6
    found = quickest(flow_field(grid, (60.0, 50.0)), queue())
    assert np.isfinite(found.field.distance[grid.free > 0]).all()
    assert (found.field.slowness >= 1).all()


def test_ground_that_costs_is_no_queue():
    """Over mud the quickest way without queues is the cheapest: no unit gains by leaving it."""
    grid = planning_grid(HALL, PLANE, RADIUS)
    mud = np.where(np.arange(grid.free.shape[1]) * grid.step[0] > 10.0, 3.0, 1.0)
    slowness = np.ascontiguousarray(np.broadcast_to(mud, grid.free.shape))
    shortest = flow_field(grid, (15.0, 2.5), slowness, over_areas=True)
    found = quickest(shortest, nobody())
    assert np.nanmin(found.gain) > 0.95
    assert np.array_equal(found.field.distance, shortest.distance)
