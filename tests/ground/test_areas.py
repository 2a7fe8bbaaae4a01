"""Areas: speeds change within the helm's lag, and ways are the cheapest."""

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

import sim
from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.navigation.areas import Area, factors
from sim.navigation.chart import Chart
from sim.navigation.flow import as_targets

from .test_parts import run


@pytest.mark.parametrize(("speed", "area"), [(1.3, None), (0.65, 0.5), (1.95, 1.5)])
def test_speed_inside(speed, area):
    """A unit in an area walks at its factor of the desired speed; outside as ever."""
    world = sim.World()
    world.add_group("a", [(0.0, 0.0)], goal=sim.Goal.to((60, 0)), speed=1.3)
    if area is not None:
        world.add_area(sim.Box(5, -50, 200, 50), speed=area, cost=1)
    run(world, 180)
    assert world.units.velocity[0, 0] == pytest.approx(1.3, rel=0.05)
    run(world, 480)
    assert world.units.velocity[0, 0] == pytest.approx(speed, rel=0.05)


@pytest.mark.parametrize("model", ["crowd", "walkers", "squares", "soldiers"])
def test_nobody_stops_dead_at_the_edge(model):
    """At the edge the speed changes no quicker than the helm can change it, whatever the helm."""
    world = sim.World(seed=3)
    group = world.add_group("a", [(0.0, 0.0)], model=model, goal=sim.Goal.to((400, 0)))
    far = 4 * group.speed
    world.add_area(sim.Box(far, -500, far + 300, 500), speed=0.3, cost=1)
    speeds = []
    for _ in range(600):
        world.step()
        speeds.append(np.hypot(*world.units.velocity[0]))
    drop = -np.diff(speeds).min()
    most = getattr(group.helm, "acceleration", None)
    assert drop <= (1.01 * most * group.speed / 60 if most else 0.2 * group.speed)
    assert speeds[-1] < 0.7 * group.speed


@pytest.mark.parametrize("of_the_group", [False, True], ids=["area", "group"])
@pytest.mark.parametrize("model", ["crowd", "walkers", "mages", "squares", "soldiers"])
def test_it_slows_down_within_the_lag_of_the_helm(model, of_the_group):
    """To a hundredth of its speed in 2 s, through an area or a speed of the group's that is set.

    The bound on braking went by the speed that is wanted, and it took 25 s.
    """
    world = sim.World(seed=1)
    group = world.add_group("a", [(0.0, 0.0)], model=model, goal=sim.Goal.to((400, 0)), heading=0)
    usual = group.speed
    run(world, 180)
    assert np.hypot(*world.units.velocity[0]) > 0.9 * usual
    if of_the_group:
        group.speed = 0.01 * usual
    else:
        world.add_area(sim.Box(0, -500, 500, 500), speed=0.01, cost=1)
    run(world, 120)
    assert np.hypot(*world.units.velocity[0]) == pytest.approx(0.01 * usual, rel=0.2)


def test_only_the_groups_named():
    """An area for carts leaves all others alone; of two areas the slower counts."""
    world = sim.World()
    cart = world.add_group("carts", [(0.0, 0.0)], goal=sim.Goal.to((60, 0)), speed=1.0)
    world.add_group("feet", [(0.0, 9.0)], goal=sim.Goal.to((60, 9)), speed=1.0)
    world.add_area(sim.Box(-5, -50, 200, 50), speed=0.5, groups=["carts"])
    world.add_area(sim.Disc(0, 0, 200), speed=0.8, groups=["carts"])
    run(world, 300)
    assert world.units.velocity[:, 0] == pytest.approx([0.5, 1.0], rel=0.05)
    assert cart.speed == 1.0


def test_a_group_that_is_not_there():
    """An area for a group whose name was misspelled counted for none, without a word."""
    world = sim.World()
    with pytest.raises(BadInput, match=r"^group 'carts': the world has no group yet$"):
        world.add_area(sim.Box(0, 0, 9, 9), speed=0.5, groups=["carts"])
    world.add_group("carts", [(0.0, 0.0)])
    with pytest.raises(BadInput, match=r"^group 'cart': must be one of carts$"):
        world.add_area(sim.Box(0, 0, 9, 9), speed=0.5, groups=["carts", "cart"])
    assert not world.areas


FINE = 4
"""Places a step of the grid at which the oracle looks at the ground."""


HALF_A_STEP = 0.5 * 0.125 * 4
"""What half a step of the grid costs on the dearest ground."""


def oracle(grid, areas, plane, goals):
    """Distances to each goal by straight ways from node to node within four, at their mean cost."""
    rows, columns = grid.free.shape
    number = np.arange(rows * columns).reshape(rows, columns)
    x, y = (grid.origin[k] + np.arange((n - 1) * FINE + 1) * grid.step[k] / FINE
            for k, n in enumerate((columns, rows)))  # fmt: skip
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    cost = factors(places, areas, plane, "cost").reshape(len(y), len(x))
    moves = [(i, j) for i in range(-4, 5) for j in range(-4, 5) if np.gcd(i, j) == 1]
    one, two, weigh = [], [], []
    for i, j in moves:
        down = slice(max(-i, 0), rows - max(i, 0)), slice(max(-j, 0), columns - max(j, 0))
        up = slice(max(i, 0), rows - max(-i, 0)), slice(max(j, 0), columns - max(-j, 0))
        one.append(number[down].ravel())
        two.append(number[up].ravel())
        y, x = np.divmod(one[-1], columns)
        parts = []
        for along in (np.arange(4 * FINE) + 0.5) / (4 * FINE):
            v, u = y + along * i, x + along * j
            here = cost[np.rint(v * FINE).astype(int), np.rint(u * FINE).astype(int)]
            room = grid.free[np.rint(v).astype(int), np.rint(u).astype(int)] > 0
            parts.append(np.where(room, here, np.inf))
        weigh.append(np.mean(parts, axis=0) * np.hypot(i * grid.step[1], j * grid.step[0]))
    ways, one, two = np.concatenate(weigh), np.concatenate(one), np.concatenate(two)
    open_ = np.isfinite(ways)
    shape = (rows * columns, rows * columns)
    graph = coo_array((ways[open_], (one[open_], two[open_])), shape=shape)
    x, y = np.rint((np.array(goals) - grid.origin) / grid.step).astype(int).T
    return dijkstra(graph.tocsr(), indices=number[y, x]).reshape(-1, rows, columns)


def test_ways_are_the_cheapest():
    """Costs of ways over mud and a road are what a slow search finds, to a few per cent.

    Also to goals in mud, hard by its edge and on the road.
    """
    plane = Plane((0, 0, 30, 20), "wall")
    chart = Chart(Solids().joined([sim.Box(0, 0, 0.5, 0.5).solids, sim.Box(29, 19, 30, 20).solids]),
                  plane, None)  # fmt: skip
    world = sim.World(bounds=(0, 0, 30, 20), edges="wall")
    areas = (
        world.add_area(sim.Box(10, 0, 14, 15), speed=0.25),
        world.add_area(sim.Polygon([(16, 8), (26, 10), (20, 18)]), cost=3.0),
        world.add_area(sim.Box(2, 16, 28, 17.5), speed=2.0),
    )
    goals = [(25.0, 5.0), (12.0, 14.5), (10.25, 4.0), (19.0, 16.75)]
    fields = [chart.flow(as_targets([goal]), 0.5, areas) for goal in goals]
    costs = oracle(fields[0].grid, areas, plane, goals)
    for goal, field, slow in zip(goals, fields, costs, strict=True):
        inner = np.isfinite(field.distance) & (slow > 2)
        mine, slowly = field.distance[inner], slow[inner]
        slack = 0.0 if goal == (25.0, 5.0) else HALF_A_STEP
        assert (mine > 0.93 * slowly - slack).all(), goal
        assert (mine < 1.05 * slowly + slack).all(), goal


def test_what_remains_of_a_way_is_its_length():
    """Where the straight way is the cheapest it is taken, whatever ground costs, there or far off.

    From nodes a way is a few per cent longer at most: it turns at others.
    """
    goal, plane = np.array((4.0, 15.0)), Plane((0, 0, 50, 30), "wall")
    chart = Chart(sim.Box(49.5, 0, 50, 0.5).solids, plane, None)
    places = np.random.default_rng(4).uniform((1, 1), (45, 29), (500, 2))
    straight = np.hypot(*(places - goal).T)
    for region, cost in (((48, 28, 49, 29), 0.5), ((1, 1, 49, 29), 3.0), ((0, 0, 40, 30), 0.4)):
        area = Area(sim.Box(*region), 1.0, cost, None)
        field = chart.flow(as_targets([goal]), 0.5, (area,))
        deep = area.depth(places, plane) > 1.0 if region[0] < 48 else np.ones(500, np.bool_)
        aim, left = field.sample(places[deep])
        assert aim == pytest.approx(np.tile(goal, (deep.sum(), 1)))
        assert left == pytest.approx(straight[deep])
        grid = field.grid
        y, x = np.argwhere(np.isfinite(field.distance)).T
        known = np.hypot(*(grid.origin + np.stack([x, y], -1) * grid.step - goal).T)
        assert (field.lengths[y, x] > 0.999 * known).all()
        assert (field.lengths[y, x] < 1.03 * known + grid.step[0]).all() or region[0] == 1


def test_lengths_of_ways_are_those_that_the_ways_have():
    """Followed from place to place, a way over mud and a road is as long as what remained."""
    plane = Plane((0, 0, 30, 20), "wall")
    chart = Chart(sim.Box(12, 4, 13, 20).solids, plane, None)
    areas = (
        Area(sim.Box(5, 0, 9, 15), 1.0, 4.0, None),
        Area(sim.Box(14, 16, 28, 17.5), 1.0, 0.5, None),
    )
    field = chart.flow(as_targets([(26.0, 12.0)]), 0.5, areas)
    places = np.random.default_rng(2).uniform((1, 1), (11, 19), (60, 2))
    _, left = field.sample(places)
    at, gone = places.copy(), np.zeros(len(places))
    for _ in range(400):
        aim, _ = field.sample(at)
        gone += np.hypot(*(aim - at).T)
        at = aim
    known = np.isfinite(left)
    assert known.sum() > 50
    assert at[known] == pytest.approx(np.tile((26.0, 12.0), (known.sum(), 1)), abs=1e-6)
    assert left[known] == pytest.approx(gone[known], rel=0.03)


def test_units_go_round_mud():
    """A unit goes round mud where that is cheaper, and straight through where it is not."""
    for cost, around in ((6.0, True), (1.0, False)):
        world = sim.World(bounds=(0, 0, 40, 20), edges="wall")
        world.add_group("a", [(4.0, 10.0)], goal=sim.Goal.to((36, 10)))
        world.add_area(sim.Box(15, 5, 25, 20), cost=cost)
        inside = 0
        while world.time < 40 and not world.roster.orders.minds.arrived[0]:
            world.step()
            x, y = world.units.position[0]
            inside += 15.5 < x < 24.5 and y > 5.5
        assert world.orders.minds.arrived[0]
        assert (inside < 10) == around


@pytest.mark.parametrize(("speed", "top"), [(0.1, -5.0), (0.3, -3.3), (0.5, -1.0)])
def test_mud_on_an_open_plane_is_passed_along_its_edge(speed, top):
    """The way to a goal beyond it takes little longer than the shortest round the mud."""
    world = sim.World()
    group = world.add_group("a", [(0.0, 0.0)], goal=sim.Goal.to((30, 0)))
    world.add_area(sim.Box(10, top, 20, 20), speed=speed)
    while not group.arrived[0] and world.time < 40:
        world.step()
    assert world.time < 1.02 * (2 * np.hypot(10, top) + 10) / group.speed


@pytest.mark.parametrize("edges", ["open", "wrap"])
@pytest.mark.parametrize("model", ["crowd", "walkers", "mages"])
def test_a_place_in_sight_is_not_reached_through_mud(model, edges):
    """A unit keeps out of mud all along its edge, and to one way of two round a torus.

    It looked ahead along the way as far as it saw, and walked 7 units just within the edge; on a
    torus the place that it saw was nearer on the other side, and it turned to and fro for 5 s.
    """
    bounds = (0, 0, 40, 30) if edges == "wrap" else None
    world = sim.World(bounds=bounds, edges=edges)
    group = world.add_group("a", [(1.0, 12.0)], model=model, goal=sim.Goal.to((20, 5)))
    world.add_area(sim.Box(5, 5, 12, 25), speed=0.4)
    wades, way = 0.0, [group.position[0]]
    while not group.arrived[0] and world.time < 40:
        world.step()
        way.append(group.position[0])
        wades += world.time_step * bool((way[-1] > (5.1, 5.1)).all() and way[-1][0] < 11.9)
    east = world.plane.nearest(np.diff(way, axis=0))[:, 0]
    assert group.arrived[0]
    assert wades < 0.5
    assert np.abs(np.diff(np.sign(east[np.abs(east) > 1e-3]))).sum() <= 2


def test_an_area_far_off_changes_no_way():
    """Units that are beyond all areas, as their goal is, go straight."""
    for cost in (0.5, 4.0):
        world = sim.World()
        group = world.add_group("a", [(0.0, -50.0)], goal=sim.Goal.to((20, -50)))
        world.add_area(sim.Box(0, 0, 20, 20), cost=cost)
        run(world, 1080)
        assert group.arrived[0]
        assert world.units.position[0] == pytest.approx((20, -50), abs=0.6)


def test_an_area_on_an_empty_plane_without_cost_changes_no_way():
    """Ways cost the same everywhere where all areas do."""
    world = sim.World()
    area = world.add_area(sim.Disc(0, 0, 5), speed=0.5, cost=1.0)
    assert not Chart(Solids(), Plane(), None).slowness(0.5, (area,)).size


def test_ground_is_as_before_without_an_area():
    """Once it is removed, on the way, speeds and ways are those of a world that never had it."""
    ends = []
    for laid, removed in ((False, False), (True, True), (True, False)):
        world = sim.World(bounds=(0, 0, 30, 20), edges="wall", boxes=[(14, 6, 16, 14)])
        area = world.add_area(sim.Box(8, 0, 22, 10), speed=0.2) if laid else None
        world.add_group("a", [(3, 9)], goal=sim.Goal.to((27, 9)))
        world.step()
        if removed and area is not None:
            world.remove_area(area)
            assert world.areas == ()
            with pytest.raises(BadInput, match=r"area = .*: must be one of the world's areas"):
                world.remove_area(area)
        for _ in range(700):
            world.step()
        ends.append(world.units.position[0])
    assert ends[1] == pytest.approx(ends[0], abs=0.3)
    assert ends[2] != pytest.approx(ends[0], abs=1.0)


@pytest.mark.parametrize("edges", ["wall", "wrap"])
def test_areas_are_looked_at_where_they_lie(edges, monkeypatch):
    """Which of many areas holds a place is told by a look at those beside it alone."""
    plane, draw = Plane((0, 0, 100, 60), edges), np.random.default_rng(1)
    areas = [
        Area(shape, *draw.uniform(0.1, 3, 2), None)
        for x, y in draw.uniform((-300, -20), (300, 70), (40, 2)).tolist()
        for shape in (sim.Box(x, y, x + 3, y + 9), sim.Disc(x, y, 2),
                      sim.Polygon([(x, y), (x + 9, y), (x, y + 4)]))
    ]  # fmt: skip
    places = np.rint(draw.uniform(-0.1, 1, (3000, 2)) * (100, 60))
    expected = np.full(len(places), np.nan)
    for area in areas:
        inside = area.holds(places, plane)
        expected[inside] = np.fmin(expected[inside], area.speed)
    looked: list[int] = []
    depth = Solids.depth
    monkeypatch.setattr(
        Solids, "depth", lambda *given: (looked.append(len(given[1])), depth(*given))[1]
    )
    found = factors(places, areas, plane, "speed")
    np.testing.assert_array_equal(found, np.nan_to_num(expected, nan=1.0))
    assert sum(looked) < 0.2 * len(areas) * len(places)


def test_what_lies_beyond_a_wall_is_in_no_area():
    """Ground beyond walled bounds is solid, and of no area: each area counted there."""
    plane, area = Plane((0, 0, 10, 10), "wall"), Area(sim.Box(4, 4, 6, 6), 0.5, 2.0, None)
    assert area.holds(np.array([(5.0, 5.0), (-0.1, 5.0), (1.0, 1.0)]), plane).tolist() == [1, 0, 0]
