"""Numbers of groups, areas, parts, sources and units: work that grows with them, and limits."""

import numpy as np
import pytest

import sim
from sim.core import spawn
from sim.core.cells import sort_into_cells
from sim.core.hull import sizes
from sim.core.plane import Plane
from sim.core.shapes import Box
from sim.core.solids import Solids
from sim.group import Group
from sim.living import population
from sim.living.sources import Source
from sim.navigation import planning_grid, rounds
from sim.navigation.areas import PARTS, Area, factors, slowness
from sim.perception import leaders
from sim.scenario.load import loads

HEAD = 'title = "Many"\nduration = 1\n'
GROUP = '[[groups]]\nname = "g{}"\nspawn = {{ points = [[{}, 0]] }}\n'
TABLES = {
    "groups": (HEAD, GROUP, 2_000),
    "areas": (
        HEAD + GROUP.format(0, 0),
        "[[areas]]\nregion = [{}, 0, 9e9, 1]\nspeed = 0.5\n# {}\n",
        10_000,
    ),
    "sources": (HEAD + GROUP.format(0, 0), '[[sources]]\ngroup = "g0"\nrate = 1\n#{}{}\n', 1_000),
    "map.parts": (
        HEAD + GROUP.format(0, 0) + "[map.parts]\n",
        "p{} = {{ box = [{}, 5, 9e9, 6] }}\n",
        10_000,
    ),
}


@pytest.mark.parametrize("key", TABLES)
def test_a_file_with_too_many_tables_is_refused(key, tmp_path):
    """File, key, number and limit are told, and nothing is built; the limit itself is allowed."""
    head, table, most = TABLES[key]
    text = head + "".join(table.format(k, k) for k in range(most))
    loads(text, tmp_path / "many.toml")
    with pytest.raises(sim.BadInput) as told:
        loads(text + table.format(most, most), tmp_path / "many.toml")
    for said in ("many.toml: ", f"{key}: there are {most + 1:,}", f"at most {most:,}"):
        assert said in str(told.value)


def test_a_file_with_too_many_units_is_refused(tmp_path):
    """Each group is below the limit, all together are not: refused before a unit is placed."""
    crowd = '[[groups]]\nname = "{}"\ncount = 600_000\nspawn = {{ region = [0, 0, 9e3, 9e3] }}\n'
    with pytest.raises(sim.BadInput, match=r"groups: 1,200,000 units in all; must be at most"):
        loads(HEAD + crowd.format("a") + crowd.format("b"), tmp_path / "many.toml")


@pytest.mark.parametrize("own", [True, False])
def test_a_source_with_too_many_points_is_refused(own, tmp_path):
    """In a file with its key, be they the source's own points or those of its group."""
    points = [[2.0 * k, 0.0] for k in range(1_001)]
    start = f"spawn = {{ points = {points} }}\n"
    group = '[[groups]]\nname = "g"\n' + ("spawn = { points = [[0, 9]] }\n" if own else start)
    source = '[[sources]]\ngroup = "g"\nrate = 1\n' + (start if own else "")
    with pytest.raises(sim.BadInput) as told:
        loads(HEAD + group + source, tmp_path / "many.toml")
    key = "sources[0].spawn.points" if own else "sources[0].spawn:"
    assert f"many.toml: {key}" in str(told.value)
    assert "1,001 points to enter at; must be at most 1,000" in str(told.value)


@pytest.mark.parametrize(
    ("limit", "add"),
    [
        ("sim.living.changes.MOST_GROUPS", lambda world: world.add_group("b", [(9, 9)])),
        ("sim.living.site.MOST_AREAS", lambda world: world.add_area(Box(0, 0, 1, 1))),
        ("sim.living.site.MOST_PARTS", lambda world: world.add_solid(Box(5, 5, 6, 6), name="b")),
        ("sim.living.population.MOST_UNITS", lambda world: world.group("a").add([(9, 9)])),
    ],
)
def test_a_world_with_too_many_is_as_it_was(limit, add, monkeypatch):
    """What is one too many is refused with the limit, and the world goes on without it."""
    world = sim.World()
    world.add_group("a", [(0, 0)])
    world.add_area(Box(0, 0, 1, 1))
    world.add_solid(Box(20, 5, 21, 6), name="a")
    monkeypatch.setattr(limit, 1)
    with pytest.raises(sim.BadInput, match="must be at most"):
        add(world)
    assert (len(world.groups), len(world.areas), len(world.parts), len(world.ids)) == (1, 1, 1, 1)
    world.step()


@pytest.mark.parametrize("spawn", [sim.Region(0, 0, 90, 90), sim.Points([(30.0, 30.0)])])
def test_units_of_a_source_wait_while_the_world_is_full(spawn, monkeypatch):
    """A world without room for more units is as a region without: they enter as others leave."""
    monkeypatch.setattr("sim.living.population.MOST_UNITS", 2)
    world = sim.World()
    group = world.add_group("a", [(0, 0), (5, 5)])
    source = Source("a", spawn, times=(0.0,))
    world.agenda.sources.append(source)
    world.step()
    assert (len(group), source.waiting) == (2, 1)
    group.remove([0])
    world.step()
    assert (len(group), source.waiting) == (2, 0)


def test_a_region_that_is_full_is_not_tried_over_and_over(monkeypatch):
    """Of 500 units that wait none finds a place at the first try, which is then the last.

    100 sources of a million units a second each at one region took 0.5 s a step.
    """
    tried: list[int] = []
    clear_of = spawn.clear_of
    monkeypatch.setattr(
        spawn,
        "clear_of",
        lambda darts, *rest: (tried.append(len(darts)), clear_of(darts, *rest))[1],
    )
    region, rng, reach = sim.Region(0, 0, 10, 10), np.random.default_rng(1), np.full(500, 0.5)
    grid = np.stack(np.meshgrid(*[np.arange(0.5, 10, 0.8)] * 2), axis=-1).reshape(-1, 2)
    full = spawn.Standing(grid, np.full(len(grid), 0.5))
    found = spawn.scatter(region, reach, Plane(), Solids(), full, rng, 5, 128)
    assert np.isnan(found).all()
    assert len(tried) == 1


def test_groups_that_stay_as_they_are_are_not_told_so(monkeypatch):
    """One more group was told to all others: to set up 2,000 of them took more than a minute."""
    world, told = sim.World(), []
    take = Group.take_rows
    monkeypatch.setattr(
        Group, "take_rows", lambda group, *rows: (told.append(group.name), take(group, *rows))[1]
    )
    groups = [world.add_group(f"g{k}", [(3 * k, 0), (3 * k, 3)]) for k in range(20)]
    assert told == [group.name for group in groups]
    told.clear()
    world.remove([2])
    assert [group.ids.tolist() for group in groups[:3]] == [[0, 1], [3], [4, 5]]
    assert told == [f"g{k}" for k in range(1, 20)]


def test_only_new_hulls_are_measured(monkeypatch):
    """All groups were measured for each that came: of 2,000 that was half of the work."""
    world, measured = sim.World(seed=1), []
    monkeypatch.setattr(
        population, "sizes", lambda hulls, *of: (measured.extend(hulls), sizes(hulls, *of))[1]
    )
    for k in range(20):
        world.add_group(f"g{k}", [(9 * k, 0)], hull=sim.Hull.disc(1 + k / 10))
    assert measured == [group.hull for group in world.groups]


def test_units_are_sorted_once_for_who_leads(monkeypatch):
    """Groups that chase each other look ahead in one order of all: each had its own sorted."""
    world, asked = sim.World(seed=1), []
    for k in range(10):
        goal = sim.Goal("chase", f"g{(k + 1) % 10}")
        world.add_group(f"g{k}", [(20 * k, 0)], model="flock", goal=goal)
    monkeypatch.setattr(
        leaders, "sort_into_cells", lambda *what: (asked.append(1), sort_into_cells(*what))[1]
    )
    world.step()
    assert asked == [1]


def test_areas_far_from_all_units_are_not_looked_at(monkeypatch):
    """Each of 10,000 areas was asked at each step whether it holds the one unit: 0.7 s a step."""
    asked: list[Area] = []
    depth = Area.depth
    monkeypatch.setattr(
        Area, "depth", lambda area, *given: (asked.append(area), depth(area, *given))[1]
    )
    areas = [Area(Box(2 * k, 0, 2 * k + 1, 1), 0.5, 2.0, None) for k in range(300)]
    for plane in (Plane(), Plane((0, -5, 600, 5), "wrap")):
        asked.clear()
        assert (
            factors(np.array([(200.5, 0.5), (-50.0, 0.0)]), areas, plane, "speed").tolist()[0]
            == 0.5
        )
        assert len(asked) <= 4


def test_areas_are_gone_through_a_few_times_for_a_plan(monkeypatch):
    """Each was gone through for each of 16 parts of the ground at a node: 10,000 took a minute."""
    asked: list[Area] = []
    depth = Area.depth
    monkeypatch.setattr(
        Area, "depth", lambda area, *given: (asked.append(area), depth(area, *given))[1]
    )
    areas = [Area(Box(2 * k, 0, 2 * k + 1.3, 1), 0.5, 2.0 + k, None) for k in range(5)]
    cover = Solids().joined([area.shape.solids for area in areas])
    grid = planning_grid(Solids(), Plane(), 0.4, None, cover)
    found = slowness(grid, areas, Plane())
    assert len(asked) <= 3 * len(areas)
    node = np.array(grid.origin) + grid.step * (np.argwhere(found == found.max())[0][::-1])
    parts = [factors(node + off * grid.step, areas, Plane(), "cost") for off in PARTS[:, None]]
    assert found.max() == pytest.approx(np.mean(parts))


def test_points_of_circles_that_make_no_difference_are_passed_over(monkeypatch):
    """The open parts of a corner's circle follow from few points, and are those that all tell.

    On a torus 10,000 boxes and their images have 360,000 corners: 45 s went into the points.
    """
    boxes = np.array([(0.0, 0, 3, 3), (3.3, 0, 5, 2), (0, 3.9, 9, 5)])
    grid = planning_grid(Solids(boxes=boxes, discs=np.array([(7.0, 1, 0.7)])), Plane(), 0.5)
    looks: list[float] = []
    room_at = rounds.room_at.py_func
    monkeypatch.setattr(
        rounds, "room_at", lambda grid, x, y: (looks.append(x), rounds_room(grid, x, y))[1]
    )
    rounds_room = room_at
    circles = [(x, y, 0.5) for x in (0.0, 3.0, 3.3, 5.0) for y in (0.0, 3.0, 2.0)] + [(7.0, 1, 1.2)]
    for x, y, radius in circles:
        looks.clear()
        found = int(rounds._open_of.py_func(grid, x, y, radius))
        assert len(looks) <= 512 / 3
        assert found == _by_all_points(grid, x, y, radius, room_at)


def _by_all_points(grid, x, y, radius, room_at) -> int:
    """A bit for each of 64 parts where one of its eight points has room, and for those beside."""
    found = 0
    for k in range(512):
        angle = 2 * np.pi * k / 512
        room = room_at(grid, x + radius * np.cos(angle), y + radius * np.sin(angle))
        if room >= grid.radius * (1 - rounds.CLOSE):
            for beside in (-1, 0, 1):
                found |= 1 << (k // 8 + beside) % 64
    return found
