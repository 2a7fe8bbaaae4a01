"""Response curves at known angles, and the cases where a side or a bound must be decided."""

import numpy as np
import pytest

from sim import Goal, Percepts, Terms, World, rule
from sim.behaviours.curves import foresee, toward

BENT = {"range": 6, "view": "all", "fade": 0, "brake": 1, "foresight": 2}


def direction(degrees: float) -> np.ndarray:
    """One offset of length 7 at an angle to starboard."""
    angle = np.radians(degrees)
    return 7 * np.array([[np.cos(angle), np.sin(angle)]])


@pytest.mark.parametrize(
    ("degrees", "gain", "steering"),
    [(0, 1, 0), (45, 1, 0.25), (-45, 1, -0.25), (90, 1, 0.5), (-135, 1, -0.75), (179.999, 1, 1),
     (30, 3, 0.5), (60, 3, 1), (-120, 3, -1), (90, 0, 0)],
)  # fmt: skip
def test_turn(degrees, gain, steering):
    """Steering grows with the angle, a share of pi, by the gain, and never beyond 1."""
    assert toward(direction(degrees), gain)[0] == pytest.approx((0, steering), abs=1e-5)


def test_turn_at_the_ends():
    """Nothing to turn to needs no turn; what is exactly astern is turned to by starboard."""
    assert np.array_equal(toward(np.array([[0.0, 0.0], [5.0, 0.0], [-5.0, 0.0]]))[:, 1], (0, 0, 1))


def separate(*offsets: tuple[float, float], heading: float = 0.0, **given) -> np.ndarray:
    """The separation term of a unit at the origin whose neighbours stand at own-frame offsets."""
    world = World()
    c, s = np.cos(heading), np.sin(heading)
    group = world.add_group(
        "a", [(0, 0)], model="flock_book", heading=heading, behaviours={"separation": given}
    )
    places = [(c * x - s * y, s * x + c * y) for x, y in offsets]
    world.add_group("b", places, model="player", heading=heading)
    world.steer()
    return group.terms["separation"][0]


@pytest.mark.parametrize("heading", [0.0, 0.4, np.pi / 2, 2.5, -3.0])
def test_exactly_ahead_is_to_port(heading):
    """A neighbour exactly ahead is passed to starboard of it, whatever the heading."""
    assert separate((10, 0), heading=heading)[1] == pytest.approx(2)


def test_sides():
    """Steering is away from the neighbour's side, and harder the nearer it is."""
    assert separate((8, 6))[1] == pytest.approx(-2)
    assert separate((8, -6))[1] == pytest.approx(2)
    assert separate((3, 4))[1] == pytest.approx(-4)
    assert separate((8, 6), (8, -6))[1] == pytest.approx(0)


def test_range_is_where_separation_ends():
    """At its range the book's push is 1, with a fade of 1 it is nothing; beyond there is none."""
    assert separate((16, 12))[1] == pytest.approx(-1)
    assert separate((16, 12), fade=1)[1] == pytest.approx(0, abs=1e-12)
    assert separate((16, 12.01))[1] == 0


def test_brake_points_off_the_neighbour():
    """The push along the keel holds back from what is ahead and drives on from what is astern."""
    assert separate((8, 6), brake=0.5) == pytest.approx((-0.5 * 2 * 0.8, -2))
    assert separate((-6, 8), brake=0.5) == pytest.approx((0.5 * 2 * 0.6, -2))


def test_separation_is_bounded_at_contact():
    """Nobody counts as nearer than one hull width, at whatever distance or closing speed."""
    rng = np.random.default_rng(3)
    world = World(seed=3)
    places = rng.integers(-6, 7, (60, 2)) * 5.0
    one = world.add_group(
        "a", np.unique(places, axis=0), model="flock_book", behaviours={"separation": BENT}
    )
    bound = 24 / 2  # range / width
    for _ in range(120):
        world.steer()
        assert np.abs(one.terms["separation"]).max() <= bound * len(one)
        world.space.step(world.time_step)
        world.roster.steps += 1
    close = separate((0.5, 2.01), range=6)
    assert abs(close[1]) <= bound


def test_met_dead_on_is_bounded():
    """On an exact collision course the push is that of a contact, along the keel as well."""
    world = World()
    given = {"model": "flock_book", "behaviours": {"cohesion": False, "alignment": False}}
    ahead = world.add_group("a", [(0, 0)], heading=0, **given)
    other = world.add_group("b", [(80, 0)], heading=np.pi, **given)
    for _ in range(30):
        world.step()
    for group in (ahead, other):
        group.configure("separation", **(BENT | {"range": 20}))
    world.steer()
    for group in (ahead, other):
        assert group.terms["separation"][0] == pytest.approx((-40, 40))


def test_foresee():
    """Closest approach within the time given, never past; units that part count as now."""
    assert foresee(10.0, 3.0, np.hypot(10, 3), -5.0, 0.0, 9.0) == pytest.approx((0, 3, 3))
    assert foresee(10.0, 3.0, np.hypot(10, 3), -5.0, 0.0, 1.0)[:2] == pytest.approx((5, 3))
    assert foresee(10.0, 3.0, np.hypot(10, 3), 5.0, 0.0, 9.0)[:2] == pytest.approx((10, 3))
    assert foresee(10.0, 3.0, np.hypot(10, 3), 0.0, 0.0, 9.0)[:2] == pytest.approx((10, 3))


@pytest.mark.usefixtures("own_rules")
def test_weight_zero_is_off():
    """A rule of weight 0 is not even asked, and leaves no term; nor does False."""

    @rule("test")
    def explode(_: Percepts) -> Terms:
        """Never to be asked."""
        raise AssertionError("asked")

    world = World()
    group = world.add_group(
        "a", [(0, 0), (9, 0)], model="flock", behaviours={"explode": {"weight": 0}}
    )
    world.step()
    group.configure("explode", weight=1)
    with pytest.raises(AssertionError, match="asked"):
        world.step()
    off = {"explode": False, "cohesion": {"weight": 0}, "alignment": False}
    other = world.add_group("b", [(0, 50), (9, 50)], model="flock", behaviours=off)
    group.configure("explode", weight=0)
    world.step()
    assert set(other.terms) == {"cruise", "separation", "avoid_discs", "avoid_walls"}


def file_of_three(**behaviours) -> tuple[World, object]:
    """Three units in a file along +x, the first in row 2, and a quarry ahead to starboard."""
    world = World()
    group = world.add_group(
        "a", [(0, 0), (15, 0), (30, 0)], model="flock", heading=0, behaviours=behaviours
    )
    world.add_group("prey", [(45, 90)], model="player", heading=0)
    group.goal = Goal("chase", "prey")
    return world, group


def test_leaders_alone_chase():
    """A unit that sees no mate ahead leads and chases; the rest follow it (A12)."""
    world, group = file_of_three()
    world.step()
    assert group.leads.tolist() == [False, False, True]
    assert group.terms["chase"][:2].tolist() == [[0, 0], [0, 0]]
    assert group.terms["chase"][2, 1] > 0
    group.configure("chase", leaders_only=False)
    world.step()
    assert (group.terms["chase"][:, 1] > 0).all()


def test_everyone_leads_without_flocking():
    """With flocking off there is nobody to follow: each goes after the quarry itself (A15)."""
    world, group = file_of_three()
    group.switch("flocking", False)
    world.step()
    assert group.leads.all()
    assert (group.terms["chase"][:, 1] > 0).all()
    assert not {"cohesion", "alignment", "separation"} & set(group.terms)
    group.switch("flocking", True)
    group.switch("pursuit", False)
    world.step()
    assert "chase" not in group.terms
    assert "cohesion" in group.terms


def test_the_quarry_is_no_mate():
    """A flock does not flock with its quarry, but does keep clear of it."""
    world = World()
    group = world.add_group("a", [(0, 0)], heading=0, model="flock_book")
    world.add_group("prey", [(12, 9)], model="player", heading=1)
    world.step()
    assert group.terms["cohesion"][0, 1] != 0
    group.goal = Goal("chase", "prey")
    world.step()
    assert group.terms["cohesion"][0, 1] == 0
    assert group.terms["separation"][0, 1] < 0
