"""Units come, go and change group while a world runs."""

import numpy as np
import pytest

import sim
from sim.behaviours import rule
from sim.core.errors import BadInput

WALL = [[10, -8, 11, -2], [10, 2, 11, 8]]


def hall(**options) -> sim.World:
    """Two groups that swap sides through a door."""
    world = sim.World(seed=3, boxes=WALL, **options)
    world.add_group("red", sim.Region(0, -6, 8, 6), count=8, goal=sim.Goal.to((20, 0)))
    world.add_group("blue", sim.Region(12, -6, 20, 6), count=6, goal=sim.Goal.to((0, 0)))
    return world


def run(world: sim.World, steps: int) -> None:
    """Some steps."""
    for _ in range(steps):
        world.step()


def places(world: sim.World) -> dict[int, list[float]]:
    """Where each unit is and how it moves, by its id."""
    units = world.units
    state = np.column_stack([units.position, units.velocity, units.angle, units.spin])
    return dict(zip(world.ids.tolist(), state.tolist(), strict=True))


def test_units_added_get_ids_of_their_own_and_a_place_in_their_group():
    """Ids go on from the last, whichever group they are in; nobody else is moved."""
    world = hall()
    run(world, 20)
    before = places(world)
    red, blue = world.groups
    ids = red.add(sim.Region(-9, -6, -1, 6), count=3)
    assert ids.tolist() == [14, 15, 16]
    assert red.ids.tolist() == [*range(8), 14, 15, 16]
    assert blue.ids.tolist() == list(range(8, 14))
    assert (world.units.group[blue.rows] == blue.index).all()
    now = places(world)
    assert all(now[name] == state for name, state in before.items())


def test_units_added_go_where_their_group_goes():
    """Units that join later arrive too, by the ways that are planned."""
    world = hall()
    run(world, 20)
    ids = world.groups[0].add([[0.0, -7.5], [0.0, 7.5]])
    world.groups[1].remove(world.groups[1].ids)
    run(world, 2400)
    rows = np.isin(world.ids, ids)
    assert world.orders.minds.arrived[rows].all()


def test_units_removed_are_gone_for_good():
    """They have neither a row nor a body, and their ids are unknown from then on."""
    world = hall()
    run(world, 20)
    before, bodies = places(world), len(world.space.bodies)
    world.remove([2, 9])
    assert sorted(places(world)) == sorted(set(before) - {2, 9})
    assert len(world.space.bodies) == bodies - 2
    assert all(before[name] == state for name, state in places(world).items())
    with pytest.raises(BadInput, match="ids: 9 has left the world"):
        world.remove([3, 9])
    assert world.groups[0].add([[-5.0, 0.0]]).tolist() == [14]


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        ([1, 1], "1 is named twice"),
        ([99], "99 is no unit's"),
        ([-1], "-1 is no unit's"),
        ([1.5], "whole numbers"),
        ("red", "whole numbers"),
    ],
)
def test_ids_that_name_no_unit_are_refused(ids, said):
    """The message says which id, and nothing has changed."""
    world = hall()
    with pytest.raises(BadInput, match=said):
        world.remove(ids)
    with pytest.raises(BadInput, match=said):
        world.regroup(ids, "blue")
    assert len(world.units) == 14


def test_a_group_stands_for_its_units():
    """All of it that are there, where ids are asked for; a group of another world is refused."""
    world = hall()
    red, blue = world.groups
    red.remove([0])
    assert world.select(red).ids.tolist() == red.ids.tolist() == list(range(1, 8))
    world.regroup(blue, "red")
    assert world.select(blue).ids.tolist() == []
    world.remove(red)
    assert len(world.ids) == 0
    with pytest.raises(BadInput, match="group 'red': is a group of another world"):
        hall().select(red)


def test_a_group_removes_its_own_units_only():
    """The id of another group's unit is refused, with that group's name."""
    world = hall()
    with pytest.raises(BadInput, match="9 is of group 'blue', not 'red'"):
        world.groups[0].remove([9])


def test_no_room_for_units_that_are_added():
    """Places that are taken are refused, and nothing is left in the space."""
    world = hall()
    bodies = len(world.space.bodies)
    with pytest.raises(BadInput, match="overlaps another"):
        world.groups[0].add(world.units.position[:1].copy())
    with pytest.raises(BadInput, match="starts inside a solid"):
        world.groups[0].add([[10.5, 5.0]])
    assert len(world.space.bodies) == bodies
    assert world.ids_given == 14


def test_units_that_change_group_take_its_goal_and_its_rules():
    """They keep id, place and motion, and go where the other group goes."""
    world = hall()
    run(world, 30)
    before = places(world)
    world.regroup([0, 1], "blue")
    assert world.groups[1].ids.tolist() == [0, 1, *range(8, 14)]
    assert places(world) == before
    world.remove(world.groups[0].ids)
    run(world, 1500)
    assert world.groups[1].arrived.all()


def test_units_that_change_group_take_its_hull():
    """A larger hull is refused where it has no room, and stands in for the old one elsewhere."""
    world = sim.World()
    small = world.add_group("small", [[0.0, 0.0], [1.0, 0.0], [9.0, 0.0]], hull=sim.Hull.disc(0.4))
    large = world.add_group("large", [[20.0, 0.0]], hull=sim.Hull.disc(1.0))
    run(world, 1)
    said = r"^regroup: unit 0 at .* has no room for the hull of 'large': it overlaps another"
    with pytest.raises(BadInput, match=said):
        world.regroup([0], large)
    world.regroup([2], large)
    assert small.ids.tolist() == [0, 1]
    run(world, 1)
    found = world.queries.pick((9.9, 0.0))
    assert found is not None
    assert world.ids[found] == 2


@pytest.mark.usefixtures("own_rules")
def test_no_change_amid_a_step():
    """A rule that adds or removes units is refused: all decide from one snapshot."""
    world = hall()

    @rule("own")
    def vanish(me):
        """Have a unit removed."""
        world.remove([0])
        return np.zeros((len(me), 2))

    world.groups[0].configure("vanish")
    with pytest.raises(BadInput, match="cannot be removed while units decide"):
        world.step()


def test_rows_are_given_up():
    """However many come and go, there are no more rows than units, and no more bodies."""
    world = hall()
    run(world, 5)
    bodies = len(world.space.bodies)
    for _ in range(30):
        world.groups[0].remove(world.groups[0].ids[:2])
        world.groups[0].add(sim.Region(-30, -6, -10, 6), count=2)
        world.step()
    assert len(world.units) == 14
    assert len(world.space.bodies) == bodies
    assert world.ids_given == 14 + 60


def test_one_seed_is_one_run():
    """The same changes at the same steps give the same trajectory, bit for bit."""
    ends = []
    for _ in range(2):
        world = hall()
        run(world, 40)
        ids = world.groups[0].add(sim.Region(-9, -6, -1, 6), count=3)
        run(world, 40)
        world.remove(ids[:1])
        world.regroup([4, 5], "blue")
        run(world, 100)
        ends.append(places(world))
    assert ends[0] == ends[1]


def test_units_that_stay_do_not_notice_units_far_away():
    """Adding and removing units that nobody can meet leaves all others as they are, bit for bit."""
    still, changing = hall(), hall()
    ids = changing.groups[0].add([[-5000.0, 0.0]])
    for step in range(150):
        if step == 70:
            changing.remove(ids)
        still.step()
        changing.step()
    left = places(changing)
    assert {name: left[name] for name in places(still)} == places(still)


def test_pursuers_follow_units_that_come_and_go():
    """A chase goes on when the quarry's rows move, and turns to the units that are left."""
    world = sim.World(seed=1, boxes=[[4, -3, 5, 3]])
    hunters = world.add_group("hunters", [[0.0, 0.0], [0.0, 2.0]], model="soldiers")
    world.add_group("prey", [[10.0, 0.0], [10.0, 5.0]])
    hunters.goal = sim.Goal("chase", "prey")
    run(world, 60)
    hunters.add([[0.0, -2.0]])
    world.remove([2])
    run(world, 60)
    assert hunters.moving.all()
    world.remove([3])
    run(world, 2)
    assert not hunters.moving.any()


def test_a_group_goes_on_when_nobody_has_a_place_any_more():
    """All that were sent have gone, and those left were never sent: steps go on."""
    world = sim.World()
    group = world.add_group("a", [[0.0, 0.0], [9.0, 0.0]], goal=sim.Goal.to([(5, 0), (9, 5)]))
    group.add([[20.0, 0.0]])
    group.remove([0, 1])
    run(world, 3)
    assert not group.moving.any()


def test_a_goal_for_a_group_of_which_one_has_left_a_torus():
    """The others are sent: no way is looked for from where a unit that has left is not."""
    hull, first = sim.Hull.disc(0.3, mass=80), sim.Goal.to((5, 4), leave=True)
    with sim.World(bounds=(0, 0, 20, 20), edges="wrap", boxes=[(9, 0, 10, 8)]) as world:
        group = world.add_group("g", [(4, 4), (12, 12)], goal=first, hull=hull, speed=1.3)
        for _ in range(90):
            world.step()
        assert not world.units.present.all()
        group.goal = sim.Goal.to((15, 15))
        assert group.moving[world.units.present[group.rows]].all()
