"""The room between hulls: whose it is, and how quickly it may be used up."""

import numpy as np
import pytest

from sim import Goal, World
from sim.behaviours.avoidance.clearance import (
    AT_REST,
    GENTLY,
    PUSHED,
    concerns,
    to_hull,
    to_the_first,
)
from sim.behaviours.avoidance.keep_clear import Manners
from sim.behaviours.avoidance.right_of_way import right_of_way
from sim.core.hull import Hull

REACH, SPEED = 0.5, 1.3
MANNERS = Manners(
    horizon=2.0, room=0.08, margin=0.05, handed=0.4, rank=0.5, veer=1.4, aside=1.7, overtake=0.9,
    defer=0.5, speed=SPEED, reach=REACH, length=2 * REACH,
)  # fmt: skip
KEPT = 0.5 * MANNERS.margin * REACH


def closing(gap, moving=True) -> float:
    """How quickly one may close in on another that stands, so far beyond the margin."""
    return to_hull(gap + KEPT, 0.0, moving, MANNERS)


def asked(place, gap, heading=0.0, velocity=0.0, **change) -> float:
    """How quickly one is asked to close in on one that walks on at a place's bearing."""
    way, apart = np.divide(place, np.hypot(*place)), 2 * REACH + KEPT + gap
    manners = MANNERS._replace(**change)
    claim = right_of_way(*(apart * way), apart, np.cos(heading), np.sin(heading), 2 * REACH)
    return to_the_first(gap + KEPT, way[0] * velocity, abs(velocity), claim, manners)


def test_half_is_ones_own():
    """Of the room to a unit on its way, in 0.08 s; one at rest has no use for its own half.

    Nor for so wide a margin.
    """
    assert closing(0.02) == pytest.approx(0.5 * 0.02 / MANNERS.room)
    room = 0.1 + (1 - AT_REST) * KEPT
    assert closing(0.1, moving=False) == pytest.approx(room / GENTLY)


def test_the_unit_that_goes_first_is_left_room():
    """Behind one that is held up one steps back till there is half a radius; it does not."""
    left = MANNERS.defer * REACH
    assert asked((1, 0), 0.0) == pytest.approx(-PUSHED * SPEED)
    assert asked((1, 0), left) == pytest.approx(0.0, abs=1e-3)
    assert asked((1, 0), left + 0.1) == pytest.approx(0.1 / GENTLY, abs=1e-3)
    assert asked((-1, 0), 0.0) == pytest.approx(0.0, abs=1e-12)
    assert asked((1, 0), 0.0, defer=0.0) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("side", [1, -1])
def test_of_two_abreast_one_steps_aside(side: int):
    """At a door where courses meet the unit nearer to the crossing goes on, whichever asks."""
    turn = 0.7 * side
    far, near = (1, -0.6 * side), (-1, 0.6 * side)
    c, s = np.cos(turn), np.sin(turn)
    seen_by = (c * near[0] - s * near[1], s * near[0] + c * near[1])
    assert asked(far, 0.0, -turn) < 0.0
    assert asked(seen_by, 0.0, turn) == pytest.approx(0.0, abs=1e-12)


def test_a_unit_that_walks_on_is_followed_closely():
    """The room left shrinks with the pace of the first unit: at full speed there is none."""
    paces = [asked((1, 0), 0.1, velocity=share * SPEED) for share in (0.0, 0.5, 1.0)]
    assert paces[0] < 0 < paces[1] < paces[2]
    assert paces[2] == pytest.approx(SPEED + 0.1 / GENTLY)


def begun(defer: float, heading: float = 0.0, goal=(40.0, 0.0), mine=(30.0, 0.0)) -> np.ndarray:
    """The first velocity of one that sets out close behind another, which faces `heading`."""
    world = World()
    rules = {"keep_clear": {"defer": defer}}
    goal, mine = (None if place is None else Goal.to(place) for place in (goal, mine))
    options = {"model": "crowd", "hull": Hull.disc(REACH), "speed": SPEED, "behaviours": rules}
    world.add_group("other", [(1.1, 0.0)], heading=heading, goal=goal, **options)
    world.add_group("one", [(0.0, 0.0)], heading=0.0, goal=mine, **options)
    world.step()
    return world.units.velocity[1]


@pytest.mark.parametrize(
    "other",
    [
        {"heading": np.pi, "goal": (-40.0, 0.0)},
        {"heading": np.pi / 2, "goal": (1.1, 40.0)},
        {"goal": (30.0, 0.0)},
        {"goal": None},
    ],
    ids=["comes against", "comes across", "bound for one place", "rests"],
)
def test_nobody_else_is_left_room(other):
    """Room is left to one that walks the same way, elsewhere; `defer` concerns nobody else."""
    assert not np.array_equal(begun(0.5), begun(0.0))
    assert np.array_equal(begun(0.5, **other), begun(0.0, **other))


def test_room_that_matters_to_nobody():
    """A unit too far off for anything to be asked is not asked about; all others are."""
    for gap in np.linspace(0.0, 2.0, 21):
        least = min(asked((1, 0), gap, heading) for heading in (-1.0, 0.0, 1.0))
        assert concerns(gap + KEPT, MANNERS) or least >= SPEED
    assert concerns(0.5, MANNERS)
    assert not concerns(0.9, MANNERS)
