"""Units that share one point arrive by resting in a chain to it."""

from __future__ import annotations

import numpy as np
import pytest

from .scenes import BOX, Along, At, figures, setting, together, walk

POINT = At((0.0, 0.0), 0.5)


def queue(*starts: float, gap: float = 0.2, still: int = 15, hull_length: float = 1.0):
    """Units that close up behind one on the point, `gap` between hulls, and rest there."""
    frames = []
    for place, start in enumerate(starts):
        end = place * (hull_length + gap)
        frames.append(walk(((start, 0), (end, 0), 10), ((end, 0), (end, 0), still)))
    return together(*frames)


def test_a_resting_queue_has_arrived_when_its_rest_began():
    """All three arrive, the later two at 1 s when they came to rest, not a second later."""
    frames = queue(1, 2.2, 3.4)
    result = figures(setting(frames[0], [POINT] * 3), frames)
    assert result["arrived"] == 3
    assert result["max_time_s"] == pytest.approx(1.0)
    assert result["mean_time_s"] == pytest.approx((0.5 + 1 + 1) / 3)
    assert result["mean_path_ratio"] == pytest.approx((1 + 1 / 1.7 + 1 / 2.9) / 3)


@pytest.mark.parametrize(
    ("change", "arrived"),
    [
        ({}, 3),
        ({"gap": 0.249}, 3),
        ({"gap": 0.251}, 1),
        ({"still": 10}, 3),
        ({"still": 9}, 1),
    ],
)
def test_chains_need_rest_and_closeness(change, arrived):
    """Gaps below half a radius, and every step of one second at rest."""
    frames = queue(1, 2, 3, **change)
    assert figures(setting(frames[0], [POINT] * 3), frames)["arrived"] == arrived


def test_no_chain_without_one_at_the_point():
    """Resting together elsewhere is no arrival."""
    frames = queue(1, 2, 3) + np.array([0.6, 0])
    assert figures(setting(frames[0], [POINT] * 3), frames)["arrived"] == 0


def test_only_units_of_one_point_make_a_chain():
    """A unit that has a goal elsewhere has not arrived by resting here, nor helps others to."""
    frames = queue(1, 2, 3)
    elsewhere = At((9.0, 9.0), 0.5)
    assert figures(setting(frames[0], [POINT, elsewhere, POINT]), frames)["arrived"] == 1
    frames = np.concatenate([frames, np.full((len(frames), 1, 2), 30.0)], axis=1)
    scene = setting(frames[0], [POINT, elsewhere, POINT, elsewhere])
    assert figures(scene, frames)["arrived"] == 1


def test_a_route_ends_in_a_chain_only_on_its_last_leg():
    """Resting beside the last point before the others were visited is no arrival."""
    frames = np.concatenate([queue(1, 2, 3), queue(0, 1.2, 2.4)])
    first = At(tuple(frames[-1, 0]), 0.5)
    for stop, arrived in (((50.0, 0.0), 1), ((1.0, 0.0), 2)):
        wants = [first, Along([stop, (0.0, 0.0)], 0.5), None]
        assert figures(setting(frames[0], wants), frames)["arrived"] == arrived


def test_jitter_counts_from_when_the_rest_began():
    """The second unit rests from 1.0 s on and shakes from 2.0 to 2.5 s; the first came at 0.5 s."""
    frames = queue(1, 2.2, still=15)
    frames[21::2, 1, 0] += 0.02
    result = figures(setting(frames[0], [POINT] * 2), frames)
    assert result["jitter_flips"] == pytest.approx(4 / (2.0 + 1.5))


def test_a_break_in_rest_begins_it_anew():
    """One quick step in between and the second starts over."""
    frames = queue(1, 2.2, still=25)
    frames[18:, 1, 0] += 0.02
    scene = setting(frames[0], [POINT] * 2)
    assert figures(scene, frames)["max_time_s"] == pytest.approx(1.8)
    assert figures(scene, frames[:28])["arrived"] == 1


def test_gaps_are_between_hulls():
    """Boxes nose to tail are near, however far apart their centres are."""
    frames = queue(1, 4.4, gap=0.4, hull_length=3)
    scene = setting(frames[0], [POINT] * 2, hull=BOX)
    assert figures(scene, frames)["arrived"] == 2
    frames = queue(1, 4.6, gap=0.6, hull_length=3)
    assert figures(setting(frames[0], [POINT] * 2, hull=BOX), frames)["arrived"] == 1


def test_a_chain_across_the_seam():
    """The queue may lie across the edge of a torus."""
    frames = queue(1, 2.2, 3.4)
    frames[..., 0] = (frames[..., 0] - 1.0) % 20
    scene = setting(frames[0], [At((19.0, 0.0), 0.5)] * 3, period=(20, 20))
    assert figures(scene, frames)["arrived"] == 3


def test_a_long_chain_in_any_numbering():
    """Forty in a row arrive through one, whichever way round they are numbered."""
    places = np.arange(40) * 1.1
    for order in (places, places[::-1]):
        frames = np.repeat(np.stack([order, 0 * order], axis=1)[None], 12, axis=0)
        result = figures(setting(frames[0], [POINT] * 40), frames)
        assert result["arrived"] == 40
        assert result["max_time_s"] == 0
