"""Cases run what they say, and fail where what they ask does not hold."""

from __future__ import annotations

import json

import pytest

from sim.core.errors import BadInput
from sim.core.resources import folder
from sim.study.verify.case import Finding, found, shots
from sim.study.verify.cases import CASES, LEFT_OUT, find, perform
from sim.study.verify.page import Result, markdown

QUICK = ["RiMEA 1, NIST 2.1", "RiMEA 2, RiMEA 3, NIST 2.2", "NIST 4.1", "NIST 2.10"]
"""That run within seconds."""


@pytest.mark.parametrize("name", CASES)
def test_every_run_is_one_that_can_be_made(name: str):
    """Files, changes and a rule beside the model's are taken, and no two runs are the same."""
    made = shots(CASES[name], "crowd", ["keep_headway"], 2)
    assert len({shot.key for shot in made}) == len(made) == 2 * len(CASES[name].runs)


def test_every_scene_is_of_a_case():
    """No file of `maps/verify` is left over."""
    used = {case.path(run).name for case in CASES.values() for run in case.runs}
    assert {file.name for file in (folder("maps") / "verify").glob("*.toml")} <= used


@pytest.mark.parametrize("name", QUICK)
def test_holds_with_the_default_model(name: str):
    """As it does in the table of the documentation."""
    rows = [{**shot.head, **perform(shot)} for shot in shots(CASES[name], "crowd", [], 1)]
    [finding] = found(CASES[name], rows)
    assert finding.holds, finding.measured


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Single file", "RiMEA 4"])
def test_diagrams_hold_with_headway_alone(name: str):
    """People slow down in a crowd: `crowd` as it is does not, with `keep_headway` it does."""
    [case] = find([name])
    for rules, holds in (([], False), (["keep_headway"], True)):
        rows = [{**shot.head, **perform(shot)} for shot in shots(case, "crowd", rules, 1)]
        assert found(case, rows)[0].holds is holds


def test_rules_are_checked_against_the_model_that_runs():
    """Not that of the file: one of `squares` is refused for `crowd` (below), and taken for it."""
    [case] = find(["NIST 4.1"])
    assert len(shots(case, "squares", ["press_aside"], 1)) == 2


def row(run: str, seed: int = 0, **figures):
    """A row of a run in which all arrived."""
    known = {"arrived_share": 1.0, "wall_crossings": 0, "max_time_s": 10.0, **figures}
    return {"run": run, "seed": seed, "error": None, "figures": known, "read": {}}


BAD = {
    "RiMEA 1": [row("1.33 m/s", max_time_s=35), row("1 m/s", max_time_s=40)],
    "RiMEA 2": [row("down", pace=0.65), row("up", pace=0.55)],
    "RiMEA 5": [row("", set_off=[10, 20, 30, 40, 50, 60, 70, 80, 90, 101])],
    "RiMEA 7": [row("by age", pace=[1.3] * 50), row("drawn", pace=[1.2] * 50)],
    "RiMEA 9": [row("four doors", max_time_s=10), row("two doors", max_time_s=11)],
    "RiMEA 10": [row("", main=14, second=8)],
    "RiMEA 11": [row("", near=300, far=0)],
    "RiMEA 12": [row("", first=1.0, second=1.0)],
    "RiMEA 13": [row("stairs", flow=2, before=2), row("level", flow=1, before=1)],
    "RiMEA 15": [row(name, max_time_s=k) for k, name in enumerate(("inner", "outer", "corner"))],
    "NIST 2.5": [row("", mean_time_s=100)],
    "NIST 2.8": [row("0 against", last=9), row("10 against", last=8)],
    "NIST 2.9": [row("", apart=11)],
    "NIST 2.10": [row("slow and wide", last=9), row("alike", last=10)],
    "NIST 4.1": [row("shut", near=1, far=0), row("open", near=1, far=0)],
    "NIST 5.2": [row("", flow=1.4)],
    "Single file": [row("1 a metre", speed=1.24)],
    "RiMEA 4": [row("2 a square metre", speed=0.2)],
    "Corridor both ways": [row("one 2 a", speed=0.5), row("both 2 a", speed=0.6)],
    "Bottleneck": [row("1 m", passing=1.0)],
    "Lanes": [row("", lane_order_start=0.1, lane_order=0.7)],
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_fails_where_it_does_not_hold(name: str):
    """Figures that are not as asked."""
    [case] = find([name])
    assert found(case, BAD[name])[0].holds is False


@pytest.mark.parametrize("change", [{"arrived_share": 0.9}, {"wall_crossings": 1}])
def test_fails_where_units_lack_or_pass_through_walls(change):
    """Whatever else was measured."""
    [case] = find(["RiMEA 6"])
    assert found(case, [row("")])[0].holds is True
    assert found(case, [row("", **change)])[0].holds is False


def test_fails_where_a_figure_is_not_known():
    """A unit that arrived some other way than through the lines that are looked at."""
    [case] = find(["RiMEA 2"])
    rows = [row("down", pace=0.65) | {"read": {"pace": None}}, row("up", pace=0.5)]
    assert found(case, rows) == [Finding("down: pace is not known of all", False)]


def test_one_run_that_fails_is_told():
    """Beside the runs of another seed, which are judged."""
    rows = [{"run": "", "seed": 0, "error": "no room", "figures": None}, row("", seed=1)]
    first, second = found(CASES["RiMEA 6, NIST 2.3"], rows)
    assert (first.holds, first.measured, second.holds) == (False, "the run: no room", True)


def test_cases_are_found_by_each_of_their_names():
    """One that is named twice is run once; an unknown one is refused with the nearest."""
    assert [case.name for case in find(["NIST 2.1", "rimea 1"])] == ["RiMEA 1, NIST 2.1"]
    assert len(find([])) == len(CASES)
    with pytest.raises(BadInput, match="did you mean 'Lanes'"):
        find(["Lnes"])


def test_a_table_says_the_worst_seed():
    """With how many of the seeds fail; a case that only tells has no verdict."""
    case = CASES["NIST 4.1"]
    some = Result(case, [Finding("good", True), Finding("bad", False)])
    assert (some.verdict, some.measured) == ("fails", "bad (1 of 2 seeds)")
    assert Result(case, [Finding("4 and 5", None)]).verdict == "told"
    assert "| NIST 4.1 |" in markdown([some], LEFT_OUT)


def test_command_writes_a_page_and_goes_on_where_it_was(cli, tmp_path):
    """Figures of a run that is kept are not made again; the page stands alone."""
    pytest.importorskip("matplotlib")
    options = ["verify", "NIST 4.1", "--workers", 1, "--out", tmp_path]
    said = cli(*options)
    assert said.status == 0, said.err
    assert "| holds |" in said.out
    page = (tmp_path / "verify.html").read_text()
    assert "<td class='holds'>" in page
    assert "http" not in page
    lines = (tmp_path / "rows.jsonl").read_text().splitlines()
    kept = [json.loads(line) for line in lines]
    for each in kept:
        each["read"]["far"] = 0
    (tmp_path / "rows.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in kept))
    assert "| fails |" in cli(*options).out


def test_command_refuses_before_it_runs(cli, tmp_path):
    """Unknown cases, models and rules, in one line each."""
    pytest.importorskip("matplotlib")
    for options, words in (
        (["RiMEA 99"], "case 'RiMEA 99': there is none of that name"),
        (["--model", "orca"], "orca"),
        (["--model", "crowt"], "crowt"),
        (["--rules", "keep_headwy"], "did you mean 'keep_headway'"),
        (["--rules", "press_aside"], "press_aside"),
        (["--rules", "keep_headway", "--model", "flock"], "keep_headway"),
    ):
        said = cli("verify", *options, "--workers", 1, "--out", tmp_path / "o")
        assert (said.status, words in said.err) == (2, True), said.err
        assert len(said.err.splitlines()) == 1
