"""What acts where: thrust along the keel, the steering force at the bow, the grip at the centre."""

from dataclasses import replace

import numpy as np
import pytest

from sim import BadInput, Goal, Percepts, Region, Terms, World, rule
from sim.behaviours.commands import VELOCITY
from sim.core.units import Units
from sim.models import MODELS
from sim.models.crowd import CROWD
from sim.steering.course import CourseHelm
from sim.steering.craft import Crafts, Drive

WITH_BOW = ["flock", "flock_book", "player", "crowd", "walkers", "soldiers", "mages"]
ON_FOOT = [name for name in WITH_BOW if isinstance(MODELS[name].helm, CourseHelm)]


def steered(model: str) -> World:
    """Twelve units that turn and push, in the middle of a step: forces set, not yet moved."""
    world = World(seed=3)
    length = MODELS[model].hull.length
    side = 20 * length
    group = world.add_group("a", Region(0, 0, side, side), count=12, model=model, heading="random")
    if model == "player":
        group.controls = (0.2, 0.9, 1.0)
    elif model != "flock_book":
        group.go_to((side / 2, 3 * side))
    for _ in range(20):
        world.step()
    world.steer()
    return world


def set_on_bodies(world: World) -> np.ndarray:
    """(n, 3) force along x and y, and torque, that the engine holds for each unit."""
    bodies = [body for body in world.roster.bridge.bodies if body is not None]
    return np.array([(*body.force, body.torque) for body in bodies])


@pytest.mark.parametrize("model", [*WITH_BOW, "squares"])
def test_the_parts_are_what_the_engine_gets(model):
    """Laid together at their places, thrust, steering and grip are its force and its torque."""
    world = steered(model)
    group, given = world.groups[0], set_on_bodies(world)
    parts, keel = group.forces, world.units.heading
    beam = np.column_stack([-keel[:, 1], keel[:, 0]])
    bow = keel * parts.lever[:, None]
    push = beam * parts.steering[:, None]
    grip = keel * parts.grip[:, :1] + beam * parts.grip[:, 1:]
    force = keel * parts.thrust[:, None] + push + grip
    torque = bow[:, 0] * push[:, 1] - bow[:, 1] * push[:, 0] + parts.couple
    largest = np.abs(given).max()
    assert largest > 0
    np.testing.assert_allclose(force, given[:, :2], rtol=1e-12, atol=1e-12 * largest)
    np.testing.assert_allclose(torque, given[:, 2], rtol=1e-12, atol=1e-12 * largest)
    assert np.allclose(parts.total[:, 2], given[:, 2], rtol=1e-12, atol=1e-12 * largest)


@pytest.mark.parametrize("model", ON_FOOT)
def test_on_foot_all_turning_is_done_at_the_bow(model):
    """No torque but of the steering force; the ground only acts across the keel, as it holds."""
    world = steered(model)
    group = world.groups[0]
    parts = group.forces
    assert (parts.lever == group.hull.bow).all()
    assert group.hull.bow > 0
    assert np.abs(parts.steering).max() > 0
    assert not parts.couple.any()
    assert not parts.grip[:, 0].any()
    bound = group.helm.grip * group.hull.length * group.hull.mass
    assert np.abs(parts.grip[:, 1]).max() <= bound * (1 + 1e-12)


@pytest.mark.parametrize("grip", [0.0, 5.0])
def test_with_little_grip_the_bow_pushes_sideways(grip):
    """Standing, and turning to starboard: what the ground does not hold, moves the unit there."""
    hull, helm, dt = CROWD.hull, replace(CROWD.helm, grip=grip, sidestep=0.0), 1 / 60
    units, out = Units.blank(np.zeros(1, np.int64)), np.zeros((1, 3))
    speed = np.array([helm.terminal_speed(hull.length)])
    crafts = Crafts.alike(hull, speed, speed)
    drive = Drive(units, slice(0, 1), np.array([[0.0, 1.0]]), crafts, dt, out)
    helm.steer(drive)
    parts = helm.parts(drive)
    assert parts.steering[0] > 0
    assert parts.grip[0, 1] == pytest.approx(-grip * hull.length * hull.mass, abs=1e-12)
    assert out[0, 1] == pytest.approx(parts.steering[0] + parts.grip[0, 1], rel=1e-12)
    replace(helm, grip=CROWD.helm.grip).steer(drive)
    assert out[0, 1] == 0


def test_squares_have_no_bow():
    """Nothing turns them: all acts at the centre."""
    parts = steered("squares").groups[0].forces
    assert not parts.lever.any()
    assert not parts.thrust.any()
    assert not parts.steering.any()
    assert not parts.couple.any()
    assert parts.grip.any()


@pytest.mark.parametrize("model", ["flock", "flock_book"])
def test_craft_steer_as_commanded_and_the_water_resists(model):
    """Thrust is the command's; the water slows, and its couple is against the turning."""
    world = World()
    group = world.add_group("a", [(0, 0)], model="player", heading=0.0)
    group.helm = MODELS[model].helm
    group.controls = (0.5, 0.0, 1.0)
    for _ in range(240):
        world.step()
    parts, helm = group.forces, group.helm
    push = helm.reference_mass * group.hull.length
    assert parts.thrust[0] == pytest.approx(helm.thrust * push)
    meeting = helm.steadying * world.units.spin[0]
    assert parts.steering[0] == pytest.approx(helm.steering * push * (0.5 - meeting), rel=1e-3)
    assert world.units.spin[0] > 0.3
    assert parts.grip[0, 0] < 0
    assert parts.couple[0] == pytest.approx(-parts.lever[0] * parts.steering[0], rel=1e-3)


def test_before_the_first_step_nothing_acts():
    """Zeros, a row for each unit."""
    group = World().add_group("a", [(5, 5), (8, 8)], model="crowd")
    assert not group.forces.total.any()
    assert group.forces.total.shape == (2, 3)


@pytest.mark.parametrize("read", [False, True], ids=["at the end", "between"])
def test_forces_stay_those_of_the_last_step_as_units_come_and_go(read):
    """A unit that stays keeps what acted on it, whatever is read between; new ones have zeros."""
    world = World(seed=1)
    one = world.add_group("one", Region(0, 0, 19, 19), count=5, goal=Goal.to((40, 3)))
    two = world.add_group("two", Region(30, 0, 49, 19), count=4, goal=Goal.to((0, 3)))
    for _ in range(30):
        world.step()
    acted = {
        int(unit): total
        for group in (one, two)
        for unit, total in zip(group.ids, group.forces.total, strict=True)
    }
    assert all(total.any() for total in acted.values())

    def check():
        for group in (one, two) if read else ():
            known = [acted.get(int(unit), np.zeros(3)) for unit in group.ids]
            assert np.array_equal(group.forces.total, known)

    ids = one.ids.copy()
    one.remove([int(ids[1])])
    check()
    one.add([(60, 60)])
    check()
    world.regroup([int(ids[3])], "two")
    del acted[int(ids[3])]  # it is new there
    read = True
    check()


def test_forces_are_read_however_often_units_come_and_go_between_steps():
    """A window that stands still is built on: what acted is laid anew, not wrapped once more."""
    world = World(seed=1)
    group = world.add_group("a", Region(0, 0, 9, 9), count=2, goal=Goal.to((40, 3)))
    world.step()
    acted = group.forces.total
    for _ in range(600):
        ids = group.add([(60, 60)])
        assert len(group.terms["arrive"]) == 3
        group.remove(ids)
        assert len(group.command) == 2
    assert np.array_equal(group.forces.total, acted)


@pytest.mark.usefixtures("own_rules")
def test_forces_keep_to_their_units_when_a_step_after_a_removal_fails():
    """A rule of the other group raises: the first group has decided, and nothing acted anew."""

    @rule("avoidance", gives=VELOCITY)
    def falters(me: Percepts) -> Terms:
        """Raise once a unit of the first group has left."""
        if len(one) < 3:
            raise LookupError("falters")
        return np.zeros(me.velocity.shape)

    world = World(seed=1)
    one = world.add_group("one", [(0, 0), (4, 0), (8, 9)], goal=Goal.to((40, 3)), model="crowd")
    there = {"goal": Goal.to((0, 3)), "model": "crowd", "behaviours": {"falters": {}}}
    world.add_group("two", [(30, 0)], **there)
    for _ in range(5):
        world.step()
    acted = np.array(one.forces.total)
    one.remove(one.ids[:1])
    with pytest.raises(LookupError):
        world.step()
    assert acted.any()
    assert np.array_equal(one.forces.total, acted[1:])


@pytest.mark.parametrize("grip", [-1.0, float("nan"), float("inf")])
def test_refuses(grip):
    """The grip is 0 or greater, and finite."""
    with pytest.raises(BadInput, match=r"helm\.grip"):
        CourseHelm(grip=grip)
