"""The book's craft: its published figures, and the forces on it at any size and heading."""

from dataclasses import replace

import numpy as np
import pytest

from sim import BadInput, Hull, World
from sim.core.units import Units
from sim.models.flock_book import FLOCK_BOOK, HELM
from sim.steering.craft import Crafts, Drive
from sim.steering.helm import BowHelm

BOOK = FLOCK_BOOK.hull
STEP = 1 / 60


def drive(seconds: float, controls=(0.0, 0.0, 1.0), heading: float = 0.0, **options) -> World:
    """One craft from rest, its port and starboard thrusters and engine held."""
    world = World()
    group = world.add_group("boat", [(0, 0)], model="player", heading=heading, **options)
    group.controls[:] = controls
    for _ in range(round(seconds / STEP)):
        world.step()
    return world


def speed(world: World) -> float:
    """Of the first unit, world units / s."""
    return float(np.hypot(*world.units.velocity[0]))


def one(velocity=(0.0, 0.0), spin: float = 0.0, heading: float = 0.0) -> Units:
    """A snapshot of one craft at the origin."""
    return replace(
        Units.blank(np.zeros(1, np.int64)),
        velocity=np.array([velocity], float),
        spin=np.array([spin], float),
        angle=np.array([heading], float),
        heading=np.array([[np.cos(heading), np.sin(heading)]]),
    )


def forces(units: Units, command=(0.0, 0.0), hull: Hull = BOOK, helm: BowHelm = HELM) -> np.ndarray:
    """Force along x and y, and torque."""
    out = np.zeros((1, 3))
    speed = np.array([helm.terminal_speed(hull.length)])
    crafts = Crafts.alike(hull, speed, speed)
    helm.steer(Drive(units, slice(0, 1), np.array([command], float), crafts, STEP, out))
    return out[0]


def test_terminal_speed():
    """Full thrust ends at 70.8 units/s, as the model says of itself."""
    assert speed(drive(5)) == pytest.approx(70.8, rel=0.01)
    assert HELM.terminal_speed(BOOK.length) == pytest.approx(70.8, rel=0.01)


@pytest.mark.parametrize("model", ["flock_book", "flock"])
def test_interceptor_is_quicker(model):
    """Half as much thrust again ends at 86.7 units/s, in both flocks."""
    world = World()
    world.add_group("i", [(0, 0)], model=model, behaviours={"cruise": {"weight": 1.5}})
    for _ in range(300):
        world.step()
    assert speed(world) == pytest.approx(86.7, rel=0.01)


def test_time_to_speed():
    """Nine tenths of the terminal speed are reached within 0.35 s."""
    speeds = np.array([speed(drive(n * STEP)) for n in range(15, 30)])
    steps = 15 + int(np.argmax(speeds >= 0.9 * HELM.terminal_speed(BOOK.length)))
    assert steps * STEP == pytest.approx(0.35, abs=0.03)


@pytest.mark.parametrize(("controls", "way"), [((1, 0, 1), 1), ((0, 1, 1), -1)])
def test_steady_turn(controls, way):
    """At one full steering force: 2.83 rad/s on a radius of 22.5 units, at 63.8 units/s."""
    world = drive(10, controls)
    assert world.units.spin[0] == pytest.approx(way * 2.83, rel=0.05)
    assert speed(world) == pytest.approx(63.8, rel=0.03)
    lap = [world.units.position[0]]
    for _ in range(round(2 * np.pi / abs(world.units.spin[0]) / STEP)):
        world.step()
        lap.append(world.units.position[0])
    across = np.ptp(np.array(lap), axis=0)
    assert across / 2 == pytest.approx([22.5, 22.5], rel=0.05)


@pytest.mark.parametrize("mass", [1e-3, 0.1, 10.0, 1e4])
@pytest.mark.parametrize("velocity", [(1e4, 0.0), (-1e4, 0.0), (0.0, 1e4), (300.0, -2e3)])
def test_drag_never_overshoots(mass, velocity):
    """However light the hull and however fast it goes, drag slows it and never turns it back."""
    hull = Hull("wedge", 4, 2, mass)
    before = np.array(velocity)
    after = before + forces(one(velocity), hull=hull)[:2] / mass * STEP
    assert np.isfinite(after).all()
    assert after @ before > 0
    assert np.hypot(*after) < np.hypot(*before)


@pytest.mark.parametrize("helm", [HELM, replace(HELM, steadying=0.2)])
@pytest.mark.parametrize("mass", [1e-3, 0.1, 10.0])
@pytest.mark.parametrize("spin", [1e-3, 1.0, -1e4])
def test_turning_dies_down(helm, mass, spin):
    """Nor does drag, or a steadied bow, turn a spin round (a sideways push leaves a trace)."""
    hull = Hull("wedge", 4, 2, mass)
    torque = forces(one(spin=spin), hull=hull, helm=helm)[2]
    assert -1e-2 < (spin + torque / hull.moment * STEP) / spin < 1


def test_lever_arm_keeps_its_length():
    """The same command gives the same torque, and own-frame force, at any heading."""
    ahead = forces(one((50, 10), 1.0), (1, 0.7))
    for angle in np.linspace(-3, 3, 13):
        c, s = np.cos(angle), np.sin(angle)
        turned = np.array([[c, -s], [s, c]])
        out = forces(one(turned @ (50, 10), 1.0, angle), (1, 0.7))
        assert out[2] == pytest.approx(ahead[2], rel=1e-12)
        assert out[:2] == pytest.approx(turned @ ahead[:2], rel=1e-12)


def test_steering_pushes_and_turns():
    """The steering force acts at the bow: from rest it both pushes and turns to starboard."""
    fx, fy, torque = forces(one(), (0, 1))
    assert fy == pytest.approx(500, rel=0.05)
    assert torque == pytest.approx(fy * BOOK.bow, rel=0.2)  # the drag on turning takes the rest
    assert abs(fx) < 0.2 * fy  # turning, the force swings with the craft


def test_drag_is_the_books():
    """Drag ahead at speed v is 2 x 10.5 x half the air density x area x v^2, astern half that."""
    helm, slow = replace(HELM, thrust=0.0), 0.5
    ahead, astern = forces(one((slow, 0)), helm=helm)[0], forces(one((-slow, 0)), helm=helm)[0]
    assert ahead == pytest.approx(-2 * 10.5 * 0.5 * 0.0023769 * 24 * slow**2, rel=0.01)
    assert astern == pytest.approx(-ahead / 2, rel=0.01)


def test_heavier_answers_more_slowly():
    """Four times the mass takes longer to gather way and to turn, and ends at the same speed."""
    heavy = replace(BOOK, mass=40.0)
    assert speed(drive(0.3, hull=heavy)) < 0.6 * speed(drive(0.3))
    turns = [drive(0.05, (1, 0, 1), hull=h).units.spin[0] for h in (BOOK, heavy)]
    assert turns[1] < 0.5 * turns[0]
    assert speed(drive(20, hull=heavy)) == pytest.approx(speed(drive(20)), rel=1e-3)


def test_rescaled_craft_runs_the_same_run():
    """A craft four times as large goes four times as far, to the last bit."""
    small = drive(4, (0.3, 0, 1)).units
    large = drive(4, (0.3, 0, 1), hull=Hull("wedge", 16, 8, 10)).units
    assert np.array_equal(4 * small.position, large.position)
    assert np.array_equal(small.angle, large.angle)


@pytest.mark.parametrize("angle", [0.7, np.pi / 2, 3.0])
def test_rotated_craft_runs_the_same_run(angle):
    """Another heading at the start turns the whole path, and nothing else."""
    path = drive(2, (0, 0.4, 1)).units.position[0]
    c, s = np.cos(angle), np.sin(angle)
    turned = drive(2, (0, 0.4, 1), heading=angle).units.position[0]
    assert turned == pytest.approx(np.array([[c, -s], [s, c]]) @ path, abs=1e-8)


def test_bound_on_steering():
    """A command beyond the bound steers as one at the bound."""
    helm = replace(HELM, max_steering=2.0)
    for way in (-1, 1):
        beyond, at = (forces(one(), (1, way * c), helm=helm) for c in (1e6, 2.0))
        assert np.array_equal(beyond, at)


def test_desired_speed():
    """A helm for a speed ends at that speed."""
    assert HELM.for_speed(12.0, 4.0).terminal_speed(4.0) == pytest.approx(12.0)


@pytest.mark.parametrize("name", ["thrust", "drag", "max_steering", "steadying"])
def test_refuses_what_cannot_be(name):
    """Figures below zero are refused by name; zero itself is a figure like any other."""
    with pytest.raises(BadInput, match=rf"helm.{name} = -1"):
        replace(HELM, **{name: -1.0})
    assert getattr(replace(HELM, **{name: 0.0}), name) == 0
