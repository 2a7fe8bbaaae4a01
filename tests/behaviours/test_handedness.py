"""Going round by handedness (C3, C7)."""

import numpy as np
import pytest

from sim import Region, World
from sim.behaviours.handedness import _follow, _Going
from sim.engine.contacts import SOLID, Contacts
from sim.perception.bodies import Bodies

EAST, SOUTH, WEST, NORTH = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])


def follows(*normals, course=EAST, boxes=True, awake=True, other=None, heading=EAST, least=-2.0,
            stopped=()):  # fmt: skip
    """What one unit follows that touches others along these normals, own frame."""
    n = len(normals)
    out = np.zeros((1, 2))
    nothing = np.zeros((1, 2))
    bodies = Bodies(nothing, nothing, np.array([heading]), np.zeros(1), nothing, 0, np.ones(1))
    contacts = Contacts(
        np.array([0, n]), np.arange(n) if other is None else np.array(other),
        np.array(normals).reshape(-1, 2),
    )  # fmt: skip
    moving = ~np.isin(np.arange(n + 1), stopped)
    going = _Going(np.array([course]), np.array([awake]), np.array([least]), moving)
    _follow(out, going, boxes, bodies, contacts)
    return out[0]


@pytest.mark.parametrize(
    ("into", "along"), [(EAST, NORTH), (SOUTH, EAST), (WEST, SOUTH), (NORTH, WEST)]
)
def test_sides_run_clockwise(into, along):
    """The left side of a square leads up the screen, its top to the right, and so on round."""
    assert np.array_equal(follows(into), along)


def test_sides_are_summed_and_normalised():
    """Two sides at right angles: the direction between them, at full acceleration."""
    assert np.allclose(follows(EAST, SOUTH), (NORTH + EAST) / np.sqrt(2))
    assert np.allclose(follows(EAST, EAST, SOUTH), (2 * NORTH + EAST) / np.sqrt(5))


def test_a_sum_that_vanishes_starts_anew():
    """Between two: the side ahead, or of those abreast the last; a third is then added to it."""
    assert np.array_equal(follows(EAST, WEST), NORTH)
    assert np.array_equal(follows(EAST, WEST, course=WEST), SOUTH)
    assert np.allclose(follows(SOUTH, EAST, NORTH), (NORTH + EAST) / np.sqrt(2))
    assert np.hypot(*follows(NORTH, EAST, SOUTH, WEST)) == pytest.approx(1)


def test_the_order_of_contacts_is_of_no_matter():
    """The same bit for bit in any order, as those depend on how units are numbered (C8)."""
    rng = np.random.default_rng(4)
    for boxes in (True, False):
        for _ in range(50):
            angles = rng.integers(8, size=rng.integers(1, 7)) * np.pi / 4 + 0.1
            normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
            first = follows(*normals, boxes=boxes)
            again = follows(*rng.permutation(normals), boxes=boxes)
            assert np.array_equal(first, again)


def test_corners_belong_to_a_side():
    """A box takes the normal of a corner for the nearest of its sides; discs follow it as it is."""
    slanting = np.array([np.cos(0.5), np.sin(0.5)])
    assert np.array_equal(follows(slanting), NORTH)
    assert np.allclose(follows(slanting, boxes=False), (np.sin(0.5), -np.cos(0.5)))


def test_only_units_have_sides():
    """A wall is slid along: it leads nobody."""
    assert np.array_equal(follows(EAST, SOUTH, other=[SOLID, 3]), EAST)


def test_only_while_awake():
    """A unit at rest stays where it is, whatever it touches (C7)."""
    assert not follows(EAST, awake=False).any()


def test_what_bars_the_way():
    """Of others on their way only those ahead; of those that have stopped all, as in the source."""
    bars = 0.5 - 1e-3
    assert np.array_equal(follows(EAST, NORTH, WEST, least=bars), NORTH)
    assert not follows(NORTH, SOUTH, WEST, least=bars).any()
    assert np.array_equal(follows(NORTH, least=bars, stopped=[0]), WEST)
    assert np.allclose(follows(EAST, NORTH, least=bars, stopped=[1]), (NORTH + WEST) / np.sqrt(2))


def test_a_queue_gets_through():
    """Sixty go through a gap of one tile in half a second each; not so, following all sides."""
    left = []
    for ahead in (60.0, 180.0):
        world = World(boxes=[(100, -200, 160, -15), (100, 15, 160, 200)], seed=1)
        region = Region(-160, -110, 80, 110)
        group = world.add_group("red", region, count=60, model="squares")
        group.configure("go_round", ahead=ahead)
        group.go_to((300.0, 0.0))
        while world.time < 30 and (world.units.position[:, 0] < 160).any():
            world.step()
        left.append(int((world.units.position[:, 0] < 160).sum()))
    assert left[0] == 0
    assert left[1] > 8


def test_one_that_is_held_up_follows_all_sides():
    """Another on its way at its left does not bar it; after a second in vain it follows it too."""
    found = []
    for blocked in (0.0, 2.0):
        world, places = World(), np.array([(0.0, 0.0), (0.0, -13.99)])
        group = world.add_group("red", places, model="squares")
        group.go_to(places + 300.0 * EAST)
        world.step()
        world.roster.orders_now().minds.blocked[0] = blocked
        world.step()
        found.append(np.abs(group.terms["go_round"][0]).max())
    assert found[0] == 0
    assert found[1] > 0.5


def test_one_that_is_stuck_goes_the_other_way_round():
    """For ten seconds it has not got on by a hull length: clockwise is no way, say for a wall."""
    found = []
    for still in (9.0, 10.0):
        world = World()
        group = world.add_group("red", [(0.0, 0.0)], model="squares")
        world.add_group("rests", [(13.99, 0.0)], model="squares")
        group.go_to((300.0, 0.0))
        world.step()
        world.roster.orders_now().minds.still[0] = still
        world.steer()
        found.append(group.terms["go_round"][0] + group.terms["press_on"][0])
    assert np.allclose(found, (NORTH, SOUTH), atol=1e-6)


def test_own_frame():
    """A unit held at a quarter turn has the world's north on its port side."""
    assert np.allclose(follows(EAST, heading=SOUTH), (-1, 0))


def met(a, b, start=(0.0, 100.0), speeds=(56.0, 56.0), seconds=8.0):
    """Two squares on one line sent along it to a and b: all positions, (steps, 2, 2)."""
    world = World()
    for name, x, goal, speed in zip("ab", start, (a, b), speeds, strict=True):
        world.add_group(name, [(x, 0.0)], model="squares", speed=speed).go_to((goal, 0.0))
    seen = []
    for _ in range(round(seconds * 60)):
        world.step()
        seen.append(world.units.position)
    assert world.orders.minds.arrived.all()
    return np.array(seen)


def test_exactly_head_on():
    """Both pass, each to its own port, as mirror images: nothing at random is in it."""
    seen = met(200.0, -100.0)
    assert seen[:, 0, 1].min() < -7
    assert seen[:, 1, 1].max() > 7
    assert np.allclose(seen[:, 0] - (50, 0), (50, 0) - seen[:, 1], atol=1e-6)


def test_bump_from_behind():
    """The quicker goes round the slower, which lets itself be pushed to the other side."""
    seen = met(200.0, 320.0, start=(0.0, 40.0), speeds=(56.0, 30.0), seconds=12.0)
    beside = np.abs(seen[:, 0, 1] - seen[:, 1, 1]).max()
    assert beside > 14
    first = np.argmax(np.abs(seen[:, 0, 1]) > 1)
    assert seen[first:, 0, 1].min() < -1
    assert seen[-1, 0, 0] == pytest.approx(200, abs=10)
