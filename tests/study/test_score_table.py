"""The score table: what a cell says of its runs."""

from __future__ import annotations

import json

import pytest

from sim.study.score import refusals
from sim.study.score_table import cells, markdown, write_table


def row(scene="door", runner="crowd", seed=0, error=None, **figures):
    """A row as a run leaves it."""
    known = {
        "units": 10, "arrived_share": 1.0, "mean_time_s": 8.0, "mean_time_ratio": 1.5,
        "contacts": 20, "max_overlap_share": 0.02, "wall_crossings": 0,
        "max_wall_overlap_share": 0.0, "jitter_flips": 0.0, "settled_s": 9.0, "composite01": 100.0,
        "lane_order_start": None, "lane_order": None, "specific_flow": None,
    }  # fmt: skip
    made = {"scene": scene, "runner": runner, "seed": seed, "error": error}
    return made if error else made | {"figures": known | figures}


def test_seeds_are_put_together():
    """Means of shares and times, the worst of overlap and jitter, the sum of crossings."""
    (cell,) = cells(
        [
            row(max_overlap_share=0.01, wall_crossings=1, contacts=0),
            row(seed=1, arrived_share=0.5, settled_s=None, jitter_flips=3.0),
        ]
    )
    assert (cell.runs, cell.units, cell.arrived_share) == (2, 10, 0.75)
    assert cell.contacts_a_unit == 1.0
    assert (cell.max_overlap_share, cell.jitter_flips, cell.wall_crossings) == (0.02, 3.0, 1)
    assert (cell.settled_share, cell.settled_s) == (0.5, 9.0)
    assert not cell.solved
    (good,) = cells([row()])
    assert good.solved
    assert good.time_ratio_spread is None


def test_ratios_are_of_runs_in_which_all_arrived():
    """A run in which a few arrive soon and the rest never does not make a runner quick."""
    whole, stuck = {"mean_time_ratio": 4.0}, {"mean_time_ratio": 1.5, "arrived_share": 0.25}
    (cell,) = cells([row(**whole), row(seed=1, mean_time_ratio=5.0), row(seed=2, **stuck)])
    assert (cell.whole, cell.runs, cell.arrived_share) == (2, 3, 0.75)
    assert cell.mean_time_ratio == 4.5
    assert cell.time_ratio_spread == pytest.approx(0.5**0.5)
    assert "**0.75** (2 of 3)/4.5 ± 0.71/" in markdown([cell])
    (never,) = cells([row(**stuck), row(seed=1, **stuck)])
    assert (never.whole, never.mean_time_ratio, never.time_ratio_spread) == (0, 1.5, 0.0)


def test_what_is_undefined_stays_out():
    """A figure that one run has and another has not is that of the first; of none it is None."""
    (cell,) = cells([row(mean_time_ratio=None), row(seed=1, mean_time_ratio=1.25)])
    assert cell.mean_time_ratio == 1.25
    assert cell.specific_flow is None


def test_a_scene_without_units():
    """Nothing comes of nothing: no contacts a unit."""
    (cell,) = cells([row(units=0, contacts=0, arrived_share=None)])
    assert (cell.units, cell.contacts_a_unit) == (0, None)


def test_a_scene_is_refused_where_all_are():
    """Not where a runner alone cannot be put there, nor for what breaks off a run."""
    no = {"error": "BadInput: f: no", "refused": "f: no"}
    rows = [row(scene="a"), row(scene="a", runner="orca") | no, row(scene="b") | no]
    assert refusals([*rows, row(scene="c", error="RuntimeError: no")]) == ["f: no"]


def test_one_failure_is_the_cell():
    """A runner that failed in one run has no figures that would flatter it."""
    (cell,) = cells([row(), row(seed=1, error="RuntimeError: no")])
    assert cell.error == "RuntimeError: no"
    assert (cell.arrived_share, cell.solved) == (None, False)


def test_the_table_shows_which_did_not_arrive(tmp_path):
    """Bold shares below 1, also shares that would round to it; errors are named below."""
    rows = [
        row(), row(runner="orca", arrived_share=0.999), row(runner="x", arrived_share=0.0),
        row(scene="lane", lane_order_start=0.1, lane_order=0.8, specific_flow=1.75),
        row(scene="lane", runner="orca", error="BadInput: too large"),
    ]  # fmt: skip
    found = cells(rows)
    text = markdown(found)
    assert "| door (10) | 1/1.5/2/0.02 | **0.99**/1.5/2/0.02 | **0** |" in text
    assert "| lane (10) | 1/1.5/2/0.02 | error |  |" in text
    assert "0.1 > 0.8" in text
    assert "1.75" in text
    assert "- lane, orca: BadInput: too large" in text
    write_table(found, rows, tmp_path)
    assert (tmp_path / "score.md").read_text(encoding="utf-8") == text
    said = json.loads((tmp_path / "score.json").read_text(encoding="utf-8"))
    assert [cell["runner"] for cell in said["cells"]] == ["crowd", "orca", "x", "crowd", "orca"]
    assert said["runs"] == rows
