"""Tuning: what may be changed, how it is searched, and that a stop leaves no trace."""

from __future__ import annotations

import resource
from contextlib import suppress
from functools import partial

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.scenario.build import build
from sim.scenario.load import load
from sim.study.engines import engine
from sim.study.job import make, source
from sim.study.journal import journal
from sim.study.objective import Objective
from sim.study.tune import STUDY, Tuning, finished, opened, search, worth
from sim.study.tune_report import best_of, importance
from sim.study.tune_space import Range, declared, own_ranges, ranges_of, standing

pytest.importorskip("optuna")
WEIGHT = "groups.east.behaviours.cohesion.weight"
SLACK = "groups.east.behaviours.cohesion.slack"
FIGURES = ("polarisation", "contacts")


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ("1:2", Range("k", 1.0, 2.0)),
        ("-1:2.5", Range("k", -1.0, 2.5)),
        ("0.1:10:log", Range("k", 0.1, 10.0, "log")),
        ("5:50:whole", Range("k", 5.0, 50.0, "whole")),
        ("wide, narrow", Range("k", choices=("wide", "narrow"))),
    ],
)
def test_ranges(spec, found):
    """Intervals and choices; as text they are what was said."""
    assert declared(f"k={spec}") == found
    assert declared(found.text()) == found


@pytest.mark.parametrize(
    "setting",
    ["k=", "=1:2", "k=2:1", "k=1:1", "k=0:1:log", "k=1:2:lag", "k=0.5:2:whole", "k=one",
     "seed=1:9", "k=1:1e999", "k=a,,b"],
)  # fmt: skip
def test_ranges_refused(setting):
    """In one line that begins with what was given."""
    with pytest.raises(BadInput) as said:
        declared(setting)
    assert str(said.value).startswith(f"--range {setting}")


def test_own_ranges_are_those_of_rules_in_use(scenario):
    """About what each is set to, within its bounds; both ends run."""
    path = scenario(more="behaviours = { cohesion = { weight = 6.0 }, alignment = false }\n")
    found = {each.key: each for each in own_ranges(build(load(path)))}
    assert (found[WEIGHT].low, found[WEIGHT].high, found[WEIGHT].kind) == (2.0, 18.0, "log")
    assert not any(".alignment." in key or ".chase." in key for key in found)
    assert len(found) > 10
    for end in (0, 1):
        build(load(path, [f"{key}={each.ends[end]}" for key, each in found.items()]))
    assert not any("player" in key for key in found)


def test_a_key_alone_is_all_its_numbers(scenario):
    """Of a rule, of one number, or of a group; what has none is refused."""
    world = build(load(scenario()))
    own = own_ranges(world)
    rule = ranges_of(["groups.east.behaviours.cohesion"], world)
    assert {each.key.rpartition(".")[0] for each in rule} == {"groups.east.behaviours.cohesion"}
    assert [each.key for each in ranges_of([WEIGHT], world)] == [WEIGHT]
    assert ranges_of(["groups.east"], world) == ranges_of([], world) == own
    assert ranges_of([WEIGHT, f"{SLACK}=1:2"], world)[1] == Range(SLACK, 1.0, 2.0)
    with pytest.raises(BadInput, match=r"did you mean 'groups\.east\.behaviours\.cohesion'"):
        ranges_of(["groups.east.behaviours.cohesoin"], world)


def test_what_stands_is_tried_first_where_it_lies_within(scenario):
    """The model's values, and the file's before them."""
    world = build(load(scenario(more="behaviours = { cohesion = { weight = 6.0 } }\n")))
    ranges = [declared(f"{WEIGHT}=1:9"), declared(f"{SLACK}=0:1"),
              declared("groups.east.view=wide,narrow")]  # fmt: skip
    assert standing(world, ranges) == {WEIGHT: 6.0, "groups.east.view": "wide"}


def pretend(_work, jobs):
    """An engine of which the best is known: weight 2, slack 30, and a little luck of the seed."""
    for index, job in enumerate(jobs):
        said = dict(change.split("=") for change in job.changes)
        weight, slack = float(said[WEIGHT]), float(said[SLACK])
        luck = 0.05 * np.sin(37.0 * job.seed + weight)
        value = luck - (weight - 2) ** 2 - ((slack - 30) / 30) ** 2
        yield index, {"error": None, "polarisation": float(value), "contacts": None}


def tuning(scenario, objective="polarisation", minimise=False, seeds=4) -> Tuning:
    """Of two parameters of the small scenario."""
    ranges = (declared(f"{WEIGHT}=0:6"), declared(f"{SLACK}=0:120"))
    of = source(scenario(), ())
    return Tuning(of, ranges, Objective(objective, FIGURES), minimise, seeds, 4)


def trials_of(study) -> list[tuple]:
    """All that a study says of its trials."""
    return [
        (t.number, t.state.name, t.value, t.params, t.intermediate_values) for t in study.trials
    ]


def test_it_finds_what_is_best_and_gives_up_what_is_not(scenario, tmp_path):
    """Nearer than chance would come in this number of trials, with runs to spare."""
    what, told = tuning(scenario), []
    with journal(tmp_path, what.definition()) as kept, opened(what, tmp_path, {}) as study:
        search(what, study, 40, partial(make, kept=kept, spread=pretend, tell=told.append))
        best = best_of(study)
        assert abs(best.params[WEIGHT] - 2) < 0.4
        assert abs(best.params[SLACK] - 30) < 15
        states = [trial.state.name for trial in finished(study)]
        assert len(states) == 40
        assert states.count("PRUNED") > 5
        assert len(told) < 40 * 4
        shares = importance(study)
        assert sum(shares.values()) == pytest.approx(1.0)


def test_the_least_is_found_by_asking_for_it(scenario, tmp_path):
    """Of the other sign, it is the same search."""
    studies = []
    for name, objective, minimise in (("a", "polarisation", False), ("b", "-polarisation", True)):
        what = tuning(scenario, objective, minimise)
        folder = tmp_path / name
        with journal(folder, what.definition()) as kept, opened(what, folder, {}) as study:
            search(what, study, 10, partial(make, kept=kept, spread=pretend))
            studies.append([trial.params for trial in study.trials])
            assert best_of(study).number == best_of(study).number
    assert studies[0] == studies[1]


@pytest.mark.parametrize("stops", [(5, 6, 20)])
def test_a_stop_leaves_no_trace(scenario, tmp_path, stops):
    """What is stopped within batches, and goes on, is the study that was never stopped."""
    what = tuning(scenario)

    def stopping(after):
        """An engine that is stopped after some runs."""

        def run(work, jobs):
            for index, row in pretend(work, jobs):
                after[0] -= 1
                if after[0] < 0:
                    raise KeyboardInterrupt
                yield index, row

        return run

    whole, parts, told = tmp_path / "whole", tmp_path / "parts", []
    with journal(whole, what.definition()) as kept, opened(what, whole, {WEIGHT: 1.0}) as study:
        search(what, study, 10, partial(make, kept=kept, spread=pretend))
        expected, rows = trials_of(study), len(kept.rows)
    for stop in (*stops, 10**6):
        with (
            journal(parts, what.definition()) as kept,
            opened(what, parts, {WEIGHT: 1.0}) as study,
            suppress(KeyboardInterrupt),
        ):
            search(
                what, study, 10, partial(make, kept=kept, spread=stopping([stop]), tell=told.append)
            )
    with opened(what, parts, {}) as study:
        assert trials_of(study) == expected
    assert expected[0][3][WEIGHT] == 1.0
    assert len(told) == rows


def test_null_figures_fail_their_trials(scenario, tmp_path):
    """And where all are null it ends with the reason."""
    what = tuning(scenario, "contacts")
    with (
        journal(tmp_path, what.definition()) as kept,
        opened(what, tmp_path, {}) as study,
        pytest.raises(BadInput, match="no trial has a value: seed 0: contacts is null"),
    ):
        search(what, study, 40, partial(make, kept=kept, spread=pretend))


def test_some_failed_trials_do_not_end_it(scenario, tmp_path):
    """Parameters that are refused, half of the time."""
    ranges = (declared("groups.east.speed=-30:20"),)
    what = Tuning(source(scenario(), ()), ranges, Objective("polarisation", FIGURES), False, 1, 4)
    with (
        journal(tmp_path, what.definition()) as kept,
        opened(what, tmp_path, {}) as study,
        engine("serial", 1) as spread,
    ):
        search(what, study, 8, partial(make, kept=kept, spread=spread))
        over = finished(study)
        failed = [trial for trial in over if trial.state.name == "FAIL"]
        assert 0 < len(failed) < len(over) == 8
        assert all("speed" in trial.user_attrs["why"] for trial in failed)
        good, bad = worth(
            what, [["groups.east.speed=20"], ["groups.east.speed=-1"]], [5, 6],
            partial(make, kept=kept, spread=spread),
        )  # fmt: skip
        assert np.isfinite(good.values).all()
        assert "2 without a value" in str(bad)


def test_a_folder_may_have_any_name(scenario, tmp_path):
    """Signs that mean something in an address, and in a template."""
    what, folder = tuning(scenario), tmp_path / "what? #1%20{x}"
    with journal(folder, what.definition()) as kept, opened(what, folder, {}) as study:
        search(what, study, 4, partial(make, kept=kept, spread=pretend))
    assert (folder / STUDY).stat().st_size
    assert {path.name for path in tmp_path.iterdir()} == {"small.toml", folder.name}


def test_a_full_disk_is_said_in_one_line(scenario, tmp_path):
    """Of the study, which goes on when there is room."""
    what, limits = tuning(scenario), resource.getrlimit(resource.RLIMIT_FSIZE)
    with journal(tmp_path, what.definition()) as kept:
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, limits[1]))
        refused = pytest.raises(BadInput, match=r"study\.db: cannot be written: disk I/O error$")
        try:
            with refused, opened(what, tmp_path, {}) as study:
                search(what, study, 4, partial(make, kept=kept, spread=pretend))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        with opened(what, tmp_path, {}) as study:
            search(what, study, 4, partial(make, kept=kept, spread=pretend))
            assert len(finished(study)) == 4


def test_nothing_to_tune_is_refused(scenario):
    """And a key that is given twice."""
    of, goal = source(scenario(), ()), Objective("polarisation", FIGURES)
    with pytest.raises(BadInput, match="nothing to tune"):
        Tuning(of, (), goal, False, 1, 1)
    with pytest.raises(BadInput, match="twice"):
        Tuning(of, (Range("k", 0, 1), Range("k", 0, 2)), goal, False, 1, 1)
