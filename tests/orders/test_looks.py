"""When units look along the field that leads them."""

import numpy as np
import pytest

import sim
from sim.maps.tile_map import TileMap
from sim.orders import along_fields
from tests.navigation.making import rooms

UNITS, DOOR = 300, (16, 15)
"""The door, as column and row, is one of two of the room in the upper left corner."""


@pytest.fixture
def looks(monkeypatch):
    """How many units look along a field, in a list that grows with each call."""
    counts, look = [], along_fields.look_along

    def counted(field, position, far):
        counts.append(len(position))
        return look(field, position, far)

    monkeypatch.setattr(along_fields, "look_along", counted)
    return counts


def crowd(goal=(50.0, 50.0), order=slice(None)):
    """A house, a door of it, and a crowd that stands far apart and sets off."""
    tiles = rooms(64)
    free = np.argwhere(~tiles)[:: len(np.argwhere(~tiles)) // UNITS][:UNITS, ::-1] + 0.5
    world = sim.World(seed=2, map=TileMap(tiles))
    x, y = DOOR
    door = world.add_solid(sim.Box(x, y, x + 1, y + 1), open=True)
    hull = sim.Hull.disc(0.2)
    group = world.add_group("all", free[order], model="crowd", hull=hull, heading=0.0)
    group.go_to(goal, nearest=True)
    return world, group, door


def steps_of(world, count, looks):
    """How many look in each of some steps."""
    found = []
    for _ in range(count):
        looks.clear()
        world.step()
        found.append(sum(looks))
    return found


def test_no_step_has_all_look_but_the_first(looks):
    """The field comes at the sixth step; from then on no step has more than a third of all."""
    world, _, _ = crowd()
    found = steps_of(world, 60, looks)
    assert max(found) == found[6] > 0.9 * UNITS
    assert max(found[7:]) < UNITS / 3  # 39 of 300: a place holds for ten steps, less near by


def test_whose_turn_it_is_to_look_knows_no_numbering():
    """Units in another order go the same ways, bit for bit: they stand too far apart to touch."""
    order = np.random.default_rng(1).permutation(UNITS)
    (one, first, _), (other, second, _) = crowd(), crowd(order=order)
    for _ in range(24):
        one.step()
        other.step()
    assert np.array_equal(first.position[order], second.position)


def test_a_door_far_from_most_ways_has_few_look_at_once(looks):
    """And where two changes come before the first takes effect all look at the second."""
    world, _, door = crowd()
    usual = max(steps_of(world, 30, looks)[7:])
    door.close()
    assert 0 < steps_of(world, 7, looks)[6] < usual + UNITS / 4  # 51; without a change 39 at most
    door.open()
    steps_of(world, 3, looks)
    door.close()
    first, *_, second = steps_of(world, 7, looks)[3:7]
    assert first < UNITS / 2  # 41: those near the door
    assert second > 0.9 * UNITS  # all
