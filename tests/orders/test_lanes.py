"""Lanes out of narrow places: units that wait at a mouth leave one for those that come out."""

import numpy as np
import pytest

from sim import Goal, Hull, Region, World
from sim.orders.lanes import HALF, LESS, aside, lanes_out, passed_on
from sim.orders.places import Bound, Turns

MOUTH = (2.0, 0.0)


def meeting(*outside: tuple[float, float]):
    """One unit inside a passage along x, about to come out at `MOUTH`, and some that wait there."""
    n = 1 + len(outside)
    bound, turns = Bound.nowhere(n), Turns.none(n)
    bound.place[:], bound.exit[0], bound.exit[1:] = 0, 0, 1
    bound.ahead[0], bound.ahead[1:] = 0.0, 1.0
    bound.mouth[:], turns.way_out[0] = MOUTH, MOUTH
    turns.turn[0], turns.exit[0], turns.idle[1:] = 0, 0, 1.0
    return bound, turns, np.array([(1.0, 0.0), *outside])


def lanes(bound: Bound, turns: Turns, position, course):
    """The lanes of all, whose hulls are 1 long."""
    n = len(position)
    return lanes_out(bound, turns, position, course, np.ones(n), np.ones(n, np.bool_))


def test_a_lane_leads_where_those_go_that_come_out():
    """Units that wait at that mouth know its direction; without one there is no lane."""
    bound, turns, position = meeting((3.0, 1.0), (4.0, -1.0))
    course = np.array([(3.0, 3.0), (-1.0, 0.0), (-1.0, 0.0)])
    lane = lanes(bound, turns, position, course)
    assert lane[0].tolist() == [0.0, 0.0]
    assert lane[1:] == pytest.approx(np.full((2, 2), np.sqrt(0.5)))
    turns.turn[0] = -1
    assert not lanes(bound, turns, position, course).any()


def test_there_is_no_lane_where_units_go_apart():
    """Two that come out to opposite sides leave no direction in which all could be let pass."""
    bound, turns, position = meeting((3.0, 1.0), (3.0, 0.0))
    turns.turn[2], turns.exit[2], turns.way_out[2], bound.exit[2] = 0, 0, MOUTH, 0
    bound.place[2] = -1
    course = np.array([(0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])
    assert not lanes(bound, turns, position, course).any()


def test_a_unit_that_is_sent_into_the_place_makes_no_lane():
    """It comes out nowhere: where it leaves is infinite, and no number that is none comes of it."""
    bound, turns, position = meeting((3.0, 1.0))
    bound.ahead[0], turns.way_out[0] = 0.5, np.inf  # it has its turn, and is not inside yet
    with np.errstate(invalid="raise"):
        assert not lanes(bound, turns, position, np.ones((2, 2))).any()


def test_units_in_the_lane_go_to_its_side():
    """To the side on which they are, no further than needed; those beside and behind stay."""
    off = np.array([(2.0, 0.4), (2.0, -0.4), (2.0, HALF), (-1.0, 0.0)])
    found = aside(off, np.tile([1.0, 0.0], (4, 1)), np.ones(4), np.zeros(4, np.bool_))
    wanted = [(0.0, HALF - 0.4), (0.0, 0.4 - HALF), (0.0, 0.0), (0.0, 0.0)]
    assert found == pytest.approx(np.array(wanted))


def test_one_beside_a_solid_crosses_the_lane():
    """As far as it takes to be as far off its middle on the other side."""
    off, lane = np.array([(2.0, 0.4), (2.0, -0.4)]), np.tile([1.0, 0.0], (2, 1))
    found = aside(off, lane, np.ones(2), np.ones(2, np.bool_))
    assert found == pytest.approx(np.array([(0.0, -HALF - 0.4), (0.0, HALF + 0.4)]))


def test_four_streams_get_round_a_pillar_in_a_crossing():
    """A unit that waited beside the pillar pressed against it to clear the lane, and stood in it.

    Nothing went through two of the four gaps for 110 s; the last was out after 189.
    """
    arms = [(-30, -30, -4, -4), (4, -30, 30, -4), (-30, 4, -4, 30), (4, 4, 30, 30)]
    world = World(discs=[(0, 0, 4)], boxes=arms, seed=1)
    near, far = (12.0, -3.5, 29.0, 3.5), (24.0, -3.5, 29.0, 3.5)
    for turn in range(4):
        start, end = turned(near, turn), turned(far, turn + 2)
        goal = Goal.into(end, leave=True)
        world.add_group(str(turn), Region(*start), count=10, hull=Hull.disc(0.5), goal=goal)
    while world.units.present.any():
        world.step()
        assert world.time < 120


def test_units_that_wait_at_a_stop_let_those_out_that_have_been_there():
    """Twenty begin round the first stop of a patrol: a ring of those that wait shut in the others.

    After 60 s 12, 14 and 18 of them (three seeds) had got out.
    """
    for seed in (231, 232, 233):
        world = World(bounds=(-20, -10, 20, 10), edges="wall", seed=seed)
        start, hull = Region(-4, 4, 4, 9), Hull.disc(0.5)
        squad = world.add_group("squad", start, count=20, hull=hull, speed=1.5)
        world.select(squad.ids).patrol([(0.1, 8.3), (0, -8)])  # no whole numbers: 0.1 is rounded
        out = np.zeros(20, np.bool_)
        while world.time < 60:
            world.step()
            out |= squad.position[:, 1] < 0
        assert out.all()


def turned(box: tuple[float, ...], quarters: int) -> tuple[float, ...]:
    """The box after some quarter turns about the origin."""
    for _ in range(quarters):
        box = -box[3], box[0], -box[1], box[2]
    return box


def test_a_unit_makes_room_for_one_beside_it_that_has_to_go():
    """It goes the same way, if the other comes toward it; one further off stays."""
    position = np.array([(0.0, 0.0), (1.1, 0.0), (-1.1, 0.0), (3.0, 0.0)])
    hold = np.zeros((4, 2))
    hold[0] = (0.5, 0.0)
    found = passed_on(position, np.ones(4), hold)
    assert found == pytest.approx(np.array([(0, 0), (LESS * 0.5, 0), (0, 0), (0, 0)]))
