"""Which units are looked at anew when a door opens or closes."""

import numpy as np
import pytest

import sim
from sim.maps.tile_map import TileMap
from sim.navigation.renewal import EVERYWHERE
from sim.orders import renewing
from tests.navigation.making import rooms

DOORS = [(13, 16), (16, 15)]
"""Both of the room in the upper left corner, as column and row; all other rooms hang together."""
UNITS = 600
"""Enough that the units of one room are a small share."""
NICHE, FORECOURT = (31, 16, 34, 18), (28, 13, 31, 21)


def run(goal, doors):
    """(steps, n, 3) where units are and who is cut off, as doors close and open again."""
    world = sim.World(seed=2, map=TileMap(rooms(64)))
    group = world.add_group(
        "all", sim.Region(1, 1, 63, 63), count=UNITS, model="crowd", hull=sim.Hull.disc(0.3)
    )
    parts = [world.add_solid(sim.Box(x, y, x + 1, y + 1), open=True) for x, y in doors]
    group.go_to(goal, nearest=True)
    seen = []
    for step in range(45):
        if step in (3, 25):
            for part in parts:
                (part.close if step == 3 else part.open)()
        world.step()
        seen.append(np.column_stack([group.position, world.roster.orders.guide.cut(UNITS)]))
    return np.array(seen)


def look_at_all(monkeypatch):
    """From now on all are looked at after each change."""
    monkeypatch.setattr(renewing, "told_apart", lambda *_: np.array(EVERYWHERE))


def looked_at(monkeypatch):
    """How many units are looked at, in a list that grows as they are."""
    counts, find = [], renewing._cut_off

    def counted(grid, here, *rest):
        counts.append(len(here))
        return find(grid, here, *rest)

    monkeypatch.setattr(renewing, "_cut_off", counted)
    return counts


@pytest.mark.parametrize(
    ("goal", "doors", "all_looked_at"),
    [
        ((50.0, 50.0), DOORS[:1], False),  # another way is left, and the goal is far off
        ((13.5, 14.5), DOORS[:1], False),  # beside the door, and still joined to all
        ((50.0, 50.0), DOORS, True),  # all in the room are cut off
        ((13.5, 16.5), DOORS[:1], True),  # in the door itself
    ],
)
def test_who_is_cut_off_is_found_as_if_all_were_looked_at(goal, doors, all_looked_at, monkeypatch):
    """And the same trajectories; but few are looked at where no part of the ground is parted."""
    counts = looked_at(monkeypatch)
    found, looked = run(goal, doors), sorted(counts)
    look_at_all(monkeypatch)
    whole = run(goal, doors)
    assert np.array_equal(found, whole, equal_nan=True)
    assert found[..., 2].any() == all_looked_at
    most = looked[-2]  # all are when they set off
    # One room of 16 and what is beside it hold less than a quarter; most of all are on their way.
    assert most > UNITS / 2 if all_looked_at else most < UNITS / 4


def test_units_that_come_as_near_as_they_can_are_looked_at_when_that_is_less_near(monkeypatch):
    """A goal in a niche that is shut: 2.3 off is near enough, 5.3 when its forecourt shuts too."""
    solid = np.zeros((32, 48), bool)
    solid[[0, -1]] = solid[:, [0, -1]] = solid[10:24, 31:38] = True
    solid[16:18, 31:34] = False
    for every in (False, True):
        if every:
            look_at_all(monkeypatch)
        world = sim.World(seed=1, map=TileMap(solid))
        group = world.add_group(
            "all", sim.Region(2, 2, 12, 29), count=20, model="crowd", hull=sim.Hull.disc(0.3)
        )
        shut = [world.add_solid(sim.Box(*box), open=True) for box in (NICHE, FORECOURT)]
        group.go_to((32.5, 17.0), tolerance=4.0)
        cut = []
        for part in shut:
            for step in range(15):  # they set off before it shuts; new ways are planned by the end
                if step == 5:
                    part.close()
                world.step()
            cut.append(world.roster.orders.guide.cut(20).sum())
        assert cut == [0, 20]


@pytest.mark.parametrize("every", [False, True])
def test_units_that_only_see_their_goal_are_looked_at_when_it_is_hidden(every, monkeypatch):
    """A slit as wide as they are, between two nodes of the grid: no nodes join the rooms.

    Beyond it, a screen that leaves the other room in one part hides the goal from them.
    """
    if every:
        look_at_all(monkeypatch)
    corners = [(0, 0, 0.5, 0.5), (39.5, 19.5, 40, 20)]
    wall = [(20, 0, 20.2, 9), (20, 9.66, 20.2, 20)]
    world = sim.World(seed=1, bounds=(0, 0, 40, 20), edges="wall", boxes=corners + wall)
    places = np.column_stack([np.arange(2, 18, 0.8), np.full(20, 9.33)])
    group = world.add_group("all", places, model="crowd", hull=sim.Hull.disc(0.3), speed=0.3)
    screen = world.add_solid(sim.Box(25, 7, 25.5, 12), open=True)
    group.go_to((30.0, 9.33))
    for _ in range(10):
        world.step()
    assert world.roster.orders.guide.planner.grid(0.3).label.max() == 1  # two parts
    screen.close()
    for _ in range(10):
        world.step()
    assert world.roster.orders.guide.cut(20).all()
