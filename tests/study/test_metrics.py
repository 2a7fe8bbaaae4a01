"""The figures together."""

from __future__ import annotations

import gc
import json
import tracemalloc

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.hull import Hull
from sim.core.solids import Solids
from sim.study.metrics import Metrics
from sim.study.setting import Cohort, Setting

from .scenes import BOX, DISC, WEDGE, At, Inside, figures, goals_of, play, setting, together, walk

KEYS = [
    "arrived",
    "arrived_share",
    "settled_s",
    "mean_time_s",
    "max_time_s",
    "mean_time_ratio",
    "max_time_ratio",
    "mean_path_ratio",
    "entered",
    "left",
    "stuck",
    "contacts",
    "max_overlap_share",
    "wall_crossings",
    "max_wall_overlap_share",
    "jitter_flips",
    "polarisation",
    "mean_nearest_distance",
    "rank_order",
    "composite01",
]


def busy(rng, units=30, frames=80):
    """Units of three hulls that blunder about among solids; some never come, one leaves."""
    start = rng.uniform(0, 20, (units, 2))
    position = start + np.cumsum(rng.normal(0, 0.4, (frames, units, 2)), axis=0)
    position[40:] = position[40]
    position[60:, 3] = np.nan
    wants = [[At((10, 10), 3.0), At(tuple(p), 4.0), Inside((0, 0, 8, 8)), None][i % 4] for i, p in
             enumerate(rng.uniform(0, 20, (units, 2)))]  # fmt: skip
    return position, rng.uniform(-4, 4, (frames, units)), wants


SOLIDS = Solids(
    discs=np.array([[4.0, 4, 1]]), boxes=np.array([[12.0, 3, 14, 9]]),
    walls=np.array([[2.0, 15, 16, 12]]),
)  # fmt: skip


def test_result_has_the_keys_of_the_format_and_no_other():
    """The whole and each group; plain JSON values."""
    position, angle, wants = busy(np.random.default_rng(0))
    groups = [("a", 10, DISC), ("b", 15, WEDGE), ("c", 5, BOX)]
    result = figures(
        setting(position[0], wants, groups=groups, solids=SOLIDS, bounds=(0, 0, 20, 20)),
        position,
        angle,
    )
    assert list(result) == [*KEYS, "groups"]
    assert list(result["groups"]) == ["a", "b", "c"]
    assert all(list(group) == KEYS for group in result["groups"].values())
    assert json.loads(json.dumps(result, allow_nan=False)) == result


@pytest.mark.parametrize("period", [(np.inf, np.inf), (20, 20)])
def test_numbering_changes_nothing(period):
    """The same units in another order give the same figures."""
    rng = np.random.default_rng(1)
    position, angle, wants = busy(rng)
    more = {"solids": SOLIDS, "period": period}
    if period[0] > 20:
        more["bounds"] = (0, 0, 20, 20)
    order = rng.permutation(len(wants))
    a = figures(setting(position[0], wants, hull=WEDGE, **more), position, angle)
    b = figures(
        setting(position[0, order], [wants[i] for i in order], hull=WEDGE, **more),
        np.ascontiguousarray(position[:, order]),  # else all is compiled for another layout too
        np.ascontiguousarray(angle[:, order]),
    )
    assert a["contacts"] > 10
    assert a["arrived"] > 1
    for key in KEYS:
        assert b[key] == (None if a[key] is None else pytest.approx(a[key])), key


def test_scale_changes_nothing():
    """All ratios and counts are the same in a world ten times as large."""
    position, angle, wants = busy(np.random.default_rng(2))
    wants = [At((10, 10), 3.0)] * len(wants)
    large = [At((100, 100), 30.0)] * len(wants)
    a = figures(setting(position[0], wants, hull=WEDGE), position, angle)
    hull = Hull("wedge", 40, 20, 1)
    b = figures(setting(10 * position[0], large, hull=hull, speed=10), 10 * position, angle)
    for key in set(KEYS) - {"composite01"}:
        assert b[key] == (None if a[key] is None else pytest.approx(a[key])), key


def test_composite01_by_hand():
    """50 a contact for each that takes part + time + speed squared x time, up to arrival."""
    walker = walk(((0, 0), (4, 0), 20), ((4, 0), (4, 9), 30))
    idler = walk(((2, 0.9), (2, 0.9), 50))
    frames = together(walker, idler, walk(((4, 6), (4, 6), 50)))
    result = figures(setting(frames[0], [At((4.0, 0.0), 0.05), None, None]), frames)
    assert result["contacts"] == 2
    mine, other = 50 + 2.0 + 2.0 * 2.0**2, 50 + 5.0
    assert result["composite01"] == pytest.approx((mine + other + other) / 3)


def test_composite01_counts_walls():
    """Walls are contacts too: one from touching to letting go, however many pieces there are."""
    tiles = Solids(boxes=np.array([[k, 0.4, k + 1, 1.0] for k in range(10)], dtype=float))
    frames = walk(((0, 0), (9, 0), 9), ((9, 0), (9, -1), 1), ((9, -1), (9, 0), 1))[:, None]
    with_walls = figures(setting(frames[0], time_step=1.0, solids=tiles), frames)
    without = figures(setting(frames[0], time_step=1.0), frames)
    assert with_walls["composite01"] - without["composite01"] == pytest.approx(2 * 50)
    assert without["composite01"] == pytest.approx(11 + 9 + 2)
    goal = [At((9.0, -1.0), 0.1)]
    until = figures(setting(frames[0], goal, time_step=1.0, solids=tiles), frames)
    assert until["composite01"] == pytest.approx(50 + 10 + 9 + 1)


def test_lengths_across_the_seam_are_short():
    """A unit that crosses the edge of a torus has not travelled across the world."""
    frames = (walk(((8, 5), (12, 5), 40)) % 10)[:, None]
    result = figures(setting(frames[0], [At((2.0, 5.0), 0.5)], period=(10, 10)), frames)
    assert result["mean_path_ratio"] == pytest.approx(1)
    assert result["composite01"] == pytest.approx(3.5 + 3.5)


def test_frames_are_read_and_never_written():
    """The caller's arrays stay as they are, also if it reuses them."""
    frames = walk(((0, 0), (4, 0), 20))
    buffer, metrics = np.zeros((1, 2)), Metrics(setting(frames[:1], [At((4.0, 0.0), 0.1)]))
    angle, present = np.zeros(1), np.ones(1, dtype=bool)
    for step, where in enumerate(frames):
        buffer[0] = where
        metrics.observe(5.0 + step * 0.1, buffer, angle, present)
        assert buffer[0] == pytest.approx(where)
    result = metrics.result()
    assert result["mean_path_ratio"] == pytest.approx(1, rel=0.03)
    assert result["max_time_s"] == pytest.approx(2.0)


def test_memory_does_not_grow_with_the_run():
    """Beyond 16 bytes a frame and group nothing is kept, whatever happens in the run."""
    grown = min(kept_of_a_run(), kept_of_a_run())  # what a library keeps once is none of theirs
    assert 2000 * 2 * 16 < grown < 2000 * 2 * 16 * 2 + 50_000


def kept_of_a_run():
    """Bytes that the figures keep of 2,000 frames, after 1,000 others."""
    rng = np.random.default_rng(4)
    start = rng.uniform(0, 20, (50, 2))
    metrics = Metrics(setting(start, [At((10.0, 10.0), 1.0)] * 50, hull=WEDGE, solids=SOLIDS))
    angle, present = np.zeros(50), np.ones(50, dtype=bool)
    shakes = rng.normal(0, 0.2, (64, 50, 2))

    def run(first, last):
        for step in range(first, last):
            metrics.observe(step * 0.1, start + shakes[step % 64], angle, present)

    run(0, 1000)
    tracemalloc.start(10)
    run(1000, 3000)
    gc.collect()  # what waits to be collected is not kept
    # What other threads of the process ask for meanwhile is none of theirs.
    theirs = tracemalloc.Filter(True, "*/sim/study/*", all_frames=True)
    kept = tracemalloc.take_snapshot().filter_traces([theirs])
    tracemalloc.stop()
    return sum(trace.size for trace in kept.traces)


def test_figures_can_be_asked_for_on_the_way():
    """Asking early does not disturb the run."""
    frames = walk(((0, 0), (4, 0), 20))[:, None]
    scene = setting(frames[0], [At((4.0, 0.0), 0.1)])
    metrics = play(scene, frames[:10])
    assert metrics.result()["arrived"] == 0
    for step in range(10, 21):
        metrics.observe(step * 0.1, frames[step], np.zeros(1), np.ones(1, dtype=bool))
    assert metrics.result() == figures(scene, frames)


def test_a_setting_whose_parts_do_not_fit_is_refused():
    """Rows without gaps, a goal and a start for each unit, time that passes."""
    goals, start, units = goals_of([None, None]), np.zeros((2, 2)), (np.ones(2), np.ones(2))
    whole = Cohort("a", slice(0, 2), DISC)
    Setting((whole,), goals, start, *units, 0.1)
    for cohorts, more in (
        ((Cohort("a", slice(1, 2), DISC),), (goals, start, *units, 0.1)),
        ((whole,), (goals_of([None]), start, *units, 0.1)),
        ((whole,), (goals, start[:1], *units, 0.1)),
        ((whole,), (goals, start, *units, 0.0)),
    ):
        with pytest.raises(ValueError, match=r"rows|units|time_step"):
            Setting(cohorts, *more)


def test_a_frame_of_other_units_is_refused():
    """One of more units than there are would be read, and written, beyond the end of arrays."""
    metrics = Metrics(setting(np.zeros((2, 2)), [At((4.0, 0.0), 0.1)] * 2, hull=WEDGE))
    for units in (1, 3, 50_000):
        with pytest.raises(BadInput, match=f"a frame of {units} units: must be of 2"):
            metrics.observe(0.0, np.zeros((units, 2)), np.zeros(units), np.ones(units, np.bool_))
