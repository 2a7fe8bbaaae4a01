"""Arrival at points, regions and along routes, and what is measured up to it."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.solids import Solids

from .scenes import WEDGE, Along, At, Inside, figures, play, setting, together, walk

GOAL = At((10.0, 0.0), 0.5)


def one(want, frames, **more):
    """The figures of a single unit."""
    return figures(setting(frames[:1], [want], **more), frames[:, None])


def test_arrival_is_the_first_frame_within_tolerance():
    """Ten units at 1 a second: within half a unit after 9.5 s, on the circle itself."""
    result = one(GOAL, walk(((0, 0), (10, 0), 100)))
    assert (result["arrived"], result["arrived_share"]) == (1, 1.0)
    assert result["mean_time_s"] == pytest.approx(9.5)
    assert result["mean_time_ratio"] == pytest.approx(1)
    assert result["mean_path_ratio"] == pytest.approx(1)


def test_ratios_compare_with_the_free_path_at_the_desired_speed():
    """A detour of 3, 4, 5: path ratio 7 / 5 to the edge of the disc, time ratio by the speed."""
    frames = walk(((0, 0), (3, 0), 30), ((3, 0), (3, 4), 40))
    result = one(At((3.0, 4.0), 0.05), frames, speed=2.0)
    assert result["mean_path_ratio"] == pytest.approx(7 / 4.95)
    assert result["max_time_ratio"] == pytest.approx(2 * 7 / 4.95)


def test_arrival_is_not_undone():
    """Pushed off later, a unit was still there."""
    result = one(GOAL, walk(((9, 0), (10, 0), 10), ((10, 0), (20, 0), 20)))
    assert result["arrived"] == 1
    assert result["max_time_s"] == pytest.approx(0.5)


def test_nobody_came():
    """Without an arrival times are null, counts 0."""
    result = one(GOAL, walk(((0, 0), (9, 0), 10)))
    assert (result["arrived"], result["arrived_share"]) == (0, 0.0)
    for key in ("mean_time_s", "max_time_s", "mean_time_ratio", "settled_s", "jitter_flips"):
        assert result[key] is None


def test_no_goal_no_figures():
    """Where nobody has an arrival its figures are null, and the others stay."""
    result = one(None, walk(((0, 0), (9, 0), 10)))
    assert result["arrived"] is None
    assert result["arrived_share"] is None
    assert result["contacts"] == 0
    assert not play(setting(np.zeros((1, 2)), [None]), np.zeros((3, 1, 2))).done


def test_starting_at_the_goal_is_an_arrival_without_a_ratio():
    """Time 0 over a free path of 0 is left out of the ratios, not 0 or infinite."""
    frames = together(walk(((10, 0), (10, 0), 1)), walk(((8, 5), (10, 5), 20)))
    scene = setting(frames[0], [GOAL, At((10.0, 5.0), 0.5)])
    result = figures(scene, frames)
    assert result["arrived"] == 2
    assert result["mean_time_s"] == pytest.approx(0.75)
    assert result["mean_time_ratio"] == pytest.approx(1)


def test_region_is_entered_by_the_centre():
    """A region has no tolerance; its free path ends at its nearest point."""
    result = one(Inside((4, -1, 6, 1)), walk(((0, 3), (6, 1), 20), ((6, 1), (5, 0), 10)))
    assert result["mean_time_s"] == pytest.approx(2.0)
    assert result["mean_path_ratio"] == pytest.approx(np.hypot(6, 2) / np.hypot(4, 2))


def test_route_is_visited_in_order():
    """Passing the last point first is no arrival."""
    route = Along([(5, 0), (0, 0), (5, 0)], 0.1)
    frames = walk(((2, 0), (5, 0), 30), ((5, 0), (0, 0), 50), ((0, 0), (5, 0), 50))
    assert one(route, frames[:60])["arrived"] == 0
    result = one(route, frames)
    assert result["mean_time_s"] == pytest.approx(12.9)
    assert result["mean_path_ratio"] == pytest.approx(12.9 / (2.9 + 4.8 + 4.8))


def test_points_in_one_place_are_passed_in_one_frame():
    """Route points within tolerance of each other do not cost a frame each."""
    frames = walk(((0, 0), (2, 0), 20))
    assert one(Along([(2, 0), (2, 0.1), (2, 0)], 0.25), frames)["mean_time_s"] == pytest.approx(1.8)


def test_goals_across_the_seam():
    """On a torus the short way counts, for points, regions and path lengths."""
    frames = walk(((8, 5), (11, 5), 30)) % 10
    result = one(At((1.0, 5.0), 0.5), frames, period=(10, 10))
    assert result["mean_time_s"] == pytest.approx(2.5)
    assert result["mean_path_ratio"] == pytest.approx(1)
    result = one(Inside((10.5, 4, 11.5, 6)), frames, period=(10, 10))
    assert result["mean_time_s"] == pytest.approx(2.5)
    assert result["mean_time_ratio"] == pytest.approx(1)


def test_ratios_round_a_wall():
    """Against the shortest way round it, which is two tangents and an arc."""
    wall = Solids(walls=np.array([[5.0, -3, 5, 3]]))
    frames = walk(((0, 0), (0, 4), 40), ((0, 4), (10, 0), 100))
    result = one(GOAL, frames, solids=wall)
    assert result["arrived"] == 1
    tangent, off = np.sqrt(34 - 0.25), np.arctan2(3, 5) + np.arcsin(0.5 / np.sqrt(34))
    free = 2 * tangent + off - 0.5
    assert result["mean_time_ratio"] == pytest.approx(result["mean_time_s"] / free)
    assert result["mean_path_ratio"] == pytest.approx((4 + np.sqrt(116) - 0.5) / free, rel=0.01)


def test_unknown_free_path_gives_no_ratio():
    """Where no way leads round a wall there is no free path: null, never a wrong figure."""
    wall = Solids(walls=np.array([[5.0, -9, 5, 9]]))
    frames = walk(((0, 0), (10, 0), 100))
    result = one(GOAL, frames, solids=wall, bounds=(-9.0, -9.0, 20.0, 9.0))
    assert result["arrived"] == 1
    assert result["mean_time_ratio"] is None
    assert result["mean_path_ratio"] is None


def test_leaving_units_have_arrived():
    """A unit is seen at its goal in one frame and gone in the next."""
    frames = walk(((8, 0), (9.5, 0), 15), ((9.5, 0), (9.5, 0), 10))[:, None]
    frames[16:] = np.nan
    scene = setting(frames[0], [GOAL])
    metrics = play(scene, frames)
    result = metrics.result()
    assert result["arrived"] == 1
    assert result["settled_s"] == pytest.approx(1.6)
    assert result["jitter_flips"] is None
    assert metrics.done
    assert not play(scene, frames[:16]).done


def test_units_that_leave_do_not_arrive_by_resting_at_others():
    """Of two that rest side by side at one point both have arrived, unless it is an exit."""
    frames = np.repeat([[[10.0, 0.0], [11.05, 0.0]]], 30, axis=0)
    for leave, arrived in ((False, 2), (True, 1)):
        assert figures(setting(frames[0], [GOAL] * 2, leave=leave), frames)["arrived"] == arrived


def test_settled_is_when_the_last_arrived_unit_came_to_rest():
    """Speed is length travelled over a quarter second: 3 steps of 0.1 s after the last move."""
    frames = walk(((9, 0), (10, 0), 10), ((10, 0), (10, 0), 20))
    result = one(GOAL, frames)
    assert result["settled_s"] == pytest.approx(1.3)
    pushed = np.concatenate([frames, [[10.2, 0]] * 6])
    assert one(GOAL, pushed)["settled_s"] == pytest.approx(3.4)
    assert one(GOAL, pushed[:-4])["settled_s"] is None


def test_creeping_below_one_percent_is_settled():
    """The threshold is 1 % of the hull's own length a second."""
    for pace, settled in ((0.039, True), (0.041, False)):
        frames = walk(((9.9, 0), (9.9 + 4 * pace, 0), 40))
        result = one(GOAL, frames, hull=WEDGE)
        assert (result["settled_s"] == 0.0) is settled


def test_nobody_is_settled_before_the_last_arrival():
    """A unit that creeps in below the threshold is settled when it arrives, not at the start."""
    result = one(GOAL, walk(((9.49, 0), (9.51, 0), 40)))
    assert 1 < result["max_time_s"] < 3
    assert result["settled_s"] == pytest.approx(result["max_time_s"])


def test_jitter_counts_reversals_after_arrival_in_the_last_two_seconds():
    """A unit that turns back every step at its goal flips 10 times a second in steps of 0.1 s."""
    shake = np.array([[10 + 0.01 * (k % 2), 0.0] for k in range(60)])
    assert one(GOAL, shake)["jitter_flips"] == pytest.approx(10)
    calm = np.concatenate([shake, np.repeat(shake[-1:], 10, axis=0)])
    assert one(GOAL, calm)["jitter_flips"] == pytest.approx(5)
    quiet = np.concatenate([shake, np.repeat(shake[-1:], 20, axis=0)])
    assert one(GOAL, quiet)["jitter_flips"] == 0
    shoves = np.cumsum([[10, 0.0]] + [[0.02, 0.0], [-0.0005, 0.0]] * 10, axis=0)
    assert one(GOAL, shoves)["jitter_flips"] == 0
    small = np.array([[10 + 0.0009 * (k % 2), 0.0] for k in range(60)])
    assert one(GOAL, small)["jitter_flips"] == 0


def test_jitter_before_arrival_does_not_count():
    """A unit that dances on the way has not arrived: only the seconds since are looked at."""
    dance = np.array([[9 + 0.01 * (k % 2), 0.0] for k in range(30)])
    frames = np.concatenate([dance, walk(((9.1, 0), (9.9, 0), 8), ((9.9, 0), (9.9, 0), 2))])
    assert one(GOAL, frames)["jitter_flips"] == 0
