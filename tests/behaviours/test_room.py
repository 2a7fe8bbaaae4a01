"""The room between hulls: whose it is, and how quickly it may be used up."""

import numpy as np
import pytest

from sim.behaviours.keep_clear import Manners
from sim.behaviours.room import AT_REST, GENTLY, PUSHED, leave_room, off_hulls
from sim.orders.minds import Minds

MANNERS = Manners(
    horizon=2.0, room=0.08, margin=0.05, handed=0.4, rank=0.5, veer=1.4, aside=1.7, overtake=0.9,
    defer=0.5,
)  # fmt: skip
REACH, SPEED = 0.5, 1.3
KEPT = 0.5 * MANNERS.margin * REACH


def seen(place, gap: float) -> tuple:
    """One neighbour at a place's bearing, so far from hull to hull beyond the margin."""
    way = np.divide(place, np.hypot(*place))
    apart = 2 * REACH + KEPT + gap
    at = way * apart
    return np.array([0]), 1, np.array([0]), at[:1], at[1:], np.array([apart])


def closing(place, gap, velocity=(0.0, 0.0), moving=True) -> float:
    """How quickly one may close in on another, whatever happens."""
    planes = np.zeros((1, 3))
    found = off_hulls(
        *seen(place, gap), np.array([moving]), np.array([velocity], dtype=float),
        np.array([REACH]), 1.0, 0.0, REACH, MANNERS.margin, SPEED, MANNERS.room, planes, 0,
    )  # fmt: skip
    assert found == 1
    assert planes[0, :2] == pytest.approx(-np.divide(place, np.hypot(*place)))
    return float(-planes[0, 2])


def asked(
    place, gap, heading=0.0, velocity=(0.0, 0.0), moving=True, shared=False, **change
) -> float:
    """How quickly one is asked to close in at most; infinite where nothing is asked."""
    planes, minds = np.zeros((1, 3)), Minds.blank(2)
    minds.moving[0], minds.end[1] = moving, not shared
    found = leave_room(
        *seen(place, gap), minds, 1, np.array([velocity], dtype=float),
        np.array([[np.cos(heading), np.sin(heading)]]), np.array([REACH]), 1.0, 0.0, REACH,
        2 * REACH, SPEED, MANNERS._replace(**change), planes, 0,
    )  # fmt: skip
    return float(-planes[0, 2]) if found else np.inf


def test_half_is_ones_own():
    """Of the room to somebody on its way, in 0.08 s; who rests has no use for its own half.

    Nor for so wide a margin.
    """
    assert closing((1, 0), 0.02) == pytest.approx(0.5 * 0.02 / MANNERS.room)
    room = 0.1 + (1 - AT_REST) * KEPT
    assert closing((0, 1), 0.1, moving=False) == pytest.approx(room / GENTLY)


def test_who_goes_first_is_left_room():
    """Behind one that is held up one steps back till there is half a radius; it does not."""
    left = MANNERS.defer * REACH
    assert asked((1, 0), 0.0) == pytest.approx(-PUSHED * SPEED)
    assert asked((1, 0), left) == pytest.approx(0.0, abs=1e-3)
    assert asked((1, 0), left + 0.1) == pytest.approx(0.1 / GENTLY, abs=1e-3)
    assert asked((-1, 0), 0.0) == pytest.approx(0.0, abs=1e-12)
    assert asked((1, 0), 0.0, defer=0.0) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("side", [1, -1])
def test_of_two_abreast_one_steps_aside(side: int):
    """At a door where courses meet who is nearer to the crossing goes on, whoever asks."""
    turn = 0.7 * side
    far, near = (1, -0.6 * side), (-1, 0.6 * side)
    c, s = np.cos(turn), np.sin(turn)
    seen_by = (c * near[0] - s * near[1], s * near[0] + c * near[1])
    assert asked(far, 0.0, -turn) < 0.0
    assert asked(seen_by, 0.0, turn) == pytest.approx(0.0, abs=1e-12)


def test_who_walks_on_is_followed_closely():
    """The room left shrinks with the pace of who goes first: at full speed there is none."""
    paces = [asked((1, 0), 0.1, velocity=(share * SPEED, 0)) for share in (0.0, 0.5, 1.0)]
    assert paces[0] < 0 < paces[1] < paces[2]
    assert paces[2] == pytest.approx(SPEED + 0.1 / GENTLY)


@pytest.mark.parametrize(
    "other", [{"heading": np.pi}, {"heading": np.pi / 2}, {"shared": True}, {"moving": False}]
)
def test_nobody_else_is_left_room(other):
    """Not who comes against or across, rests, or is bound for one's own place: there all pack."""
    assert asked((1, 0), 0.0, **other) == np.inf
