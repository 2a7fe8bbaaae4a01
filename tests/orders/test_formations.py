"""Formations: their places, which unit gets which, and what is refused."""

from __future__ import annotations

from itertools import permutations
from math import ceil, cos, hypot, pi, sin, sqrt

import numpy as np
import pytest

from sim import BadInput, Box, Formation, Goal, Hull, Stop, World
from sim.orders.assigning import MOST, assign
from sim.orders.formation import SHAPES


def plainly(shape: str, n: int, spacing: float) -> list[tuple[float, float]]:
    """Places one by one, ahead and to starboard; their mean is brought to the point at the end."""
    found = []
    for i in range(n):
        if shape == "line":
            found.append((0.0, spacing * i))
        elif shape == "column":
            found.append((-spacing * i, 0.0))
        elif shape == "echelon":
            found.append((-spacing * i * sqrt(0.5), spacing * i * sqrt(0.5)))
        elif shape == "wedge":
            arm = (i + 1) // 2
            side = 1 if i % 2 else -1
            found.append((-spacing * arm * sqrt(0.5), side * spacing * arm * sqrt(0.5)))
        elif shape == "circle":
            radius = spacing / 2 / sin(pi / n) if n > 1 else 0.0
            found.append((radius * cos(2 * pi * i / n), radius * sin(2 * pi * i / n)))
        else:
            files = ceil(sqrt(n))
            rank = i // files
            wide = min(files, n - rank * files)
            found.append((-spacing * rank, spacing * (i % files - (wide - 1) / 2)))
    ahead, aside = (sum(each) / n for each in zip(*found, strict=True))
    return [(x - ahead, y - aside) for x, y in found]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n", [1, 2, 3, 7, 16, 23])
def test_places(shape: str, n: int):
    """The places are those of a slow plain formula, and neighbours stand a spacing apart."""
    places = Formation(shape, spacing=1.5).places(n)
    assert places == pytest.approx(np.array(plainly(shape, n, 1.5)), abs=1e-9)
    apart = [hypot(*(a - b)) for k, a in enumerate(places) for b in places[:k]]
    assert not apart or min(apart) == pytest.approx(1.5)


def test_offsets():
    """Given places are as given; units beyond them stand in the same pattern behind."""
    places = Formation(offsets=[[2, 0], [0, 1.5]]).places(4)
    assert places.tolist() == [[2, 0], [0, 1.5], [-2, 0], [-4, 1.5]]


@pytest.mark.parametrize("seed", range(4))
def test_the_ways_are_the_shortest_of_all(seed: int):
    """No other choice has a lesser sum of squares, and numbering is of no matter."""
    rng = np.random.default_rng(seed)
    starts, ends = rng.random((2, 6, 2)) * 10
    which = assign(starts, ends)
    costs = [((starts - ends[list(each)]) ** 2).sum() for each in permutations(range(6))]
    assert ((starts - ends[which]) ** 2).sum() == pytest.approx(min(costs))
    order = rng.permutation(6)
    assert (ends[assign(starts[order], ends)] == ends[which][order]).all()


def test_many_get_a_place_each():
    """More than are assigned together: each a place of its own, by ways a twentieth of chance's."""
    starts, ends = np.random.default_rng(1).random((2, 3 * MOST, 2))
    which = assign(starts, ends)
    assert sorted(which) == list(range(3 * MOST))
    assert ((starts - ends[which]) ** 2).sum() < ((starts - ends) ** 2).sum() / 20


def world_of(goal: Goal, count: int = 3, **options) -> World:
    """Some units side by side, sent by a goal."""
    world = World(**options)
    world.add_group("a", [(0, 3 * k) for k in range(count)], goal=goal)
    return world


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Formation("wegde"), "formation.shape = 'wegde': must be one of line, column, "),
        (
            lambda: Formation("line", spacing=0.5),
            "formation.spacing = 0.5: must be a number from 1",
        ),
        (lambda: Formation("line", facing="east"), "formation.facing = 'east': must be a number"),
        (lambda: Formation(), "formation: must have a shape"),
        (lambda: Formation("line", offsets=[(0, 0)]), "formation: must have a shape"),
        (lambda: Formation(offsets=[1, 2]), "formation.offsets = [1, 2]: must be rows [ahead, "),
        (
            lambda: Goal.to((0, 0), formation="wedge"),
            "goal.formation = 'wedge': must be a Formation",
        ),
        (
            lambda: Goal.to([(0, 0), (1, 1)], formation=Formation("line")),
            "goal.formation: belongs to one point or one route for all",
        ),
        (
            lambda: Goal.along([Stop(0, 0, serve=1), (1, 1)], formation=Formation("line")),
            "goal.route: a stop of a formation has wait, not serve",
        ),
        (
            lambda: world_of(Goal.to((0, 0), formation=Formation(offsets=[(0, 0), (0, 2)]))),
            "goal.formation.offsets: has 2 for 3 units; must be one a unit",
        ),
        (
            lambda: world_of(
                Goal.to((0, 0), formation=Formation(offsets=[(0, 0), (0, 0.5), (2, 0)]))
            ),
            "goal.formation.offsets: two are 0.5 hull lengths apart: must be at least 1",
        ),
        (
            lambda: world_of(
                Goal.to((10, 3), formation=Formation("line")), boxes=[(5, -20, 30, 20)]
            ),
            "goal: no way leads from",
        ),
    ],
)
def test_refused(make, said: str):
    """What is no formation is refused with the key, the value and what is allowed."""
    with pytest.raises(BadInput) as refusal:
        make()
    assert said in str(refusal.value)


def test_boxes_that_never_turn_need_room_for_their_corners():
    """Squares in a wedge stand no nearer than their diagonal."""
    goal = Goal.to((0, 0), formation=Formation("wedge", spacing=1.2))
    world = World()
    with pytest.raises(BadInput, match=r"spacing = 1\.2: must be at least 1\.3935 for"):
        world.add_group("a", [(0, 0), (0, 40)], model="squares", goal=goal)


def targets(world: World) -> np.ndarray:
    """(N, 2) the last place of each unit."""
    orders = world.orders
    return orders.points[orders.first[1:] - 1]


def test_places_face_the_way_unless_told():
    """A column lies along the way that its units go; with a facing it lies along that."""
    goal = Goal.to((40, 3), formation=Formation("column"))
    way = sorted(targets(world_of(goal)).round(9).tolist())
    assert way == [[38, 3], [40, 3], [42, 3]]
    facing = Formation("column", facing=pi / 2)
    down = targets(world_of(Goal.to((40, 3), formation=facing)))
    assert sorted(down.round(9).tolist()) == [[40, 1], [40, 3], [40, 5]]


def test_places_in_what_is_solid():
    """They move to the nearest that is free, clear of each other, and the group's note says so."""
    goal = Goal.to((20, 3), formation=Formation("line", facing=0.0))
    world = world_of(goal, 5, boxes=[(18, 4.5, 22, 12)])
    assert world.groups[0].note == ""
    found = targets(world)
    assert "2 of 5 places of the formation are not free" in world.groups[0].note
    apart = np.hypot(*(found[:, None] - found).transpose(2, 0, 1)) + 9 * np.eye(5)
    assert apart.min() >= 1.0
    assert (world.solids.depth(found, world.plane) <= -0.5 + 1e-9).all()
    nominal = np.array([(20, 3 + 2 * k) for k in range(-2, 3)])
    kept = [(found == place).all(axis=1).any() for place in nominal]
    assert kept == [True, True, True, False, False]


def test_a_door_that_may_open_shuts_no_place_out():
    """As long as it is closed the units wait; then they take the places behind it."""
    world = World(bounds=(0, 0, 30, 12), edges="wall", boxes=[(15, 0, 16, 4), (15, 8, 16, 12)])
    door = world.add_solid(Box(15, 4, 16, 8), name="door")
    formation = Formation("line")
    group = world.add_group("a", [(3, 5), (3, 7)], goal=Goal.to((22, 6), formation=formation))
    for _ in range(300):
        world.step()
    assert (world.units.position[:, 0] < 15).all()
    door.open()
    for _ in range(1200):
        world.step()
    assert group.arrived.all()
    assert world.units.position[:, 0] == pytest.approx([22, 22], abs=0.3)


def test_hulls_of_two_groups_measure_by_the_longer():
    """A formation of several groups is spaced by the longest of their hulls."""
    world = World()
    world.add_group("small", [(0, 0)])
    world.add_group("large", [(0, 5)], hull=Hull.disc(1.0))
    world.select([0, 1]).go_to((30, 2.5), formation=Formation("line", spacing=1.5))
    assert np.ptp(targets(world)[:, 1]) == pytest.approx(3.0)
