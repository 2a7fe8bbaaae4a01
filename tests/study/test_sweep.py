"""What is varied, and the tables that come of it."""

from __future__ import annotations

import math

import pytest

from sim.core.errors import BadInput
from sim.study.job import make, source
from sim.study.journal import journal
from sim.study.sweep import Sweep, check, split, varied
from sim.study.sweep_table import columns, figures, markdown, summarise, write_table

WEIGHT = "groups.east.behaviours.cohesion.weight"


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ("1:2:5", ["1.0", "1.25", "1.5", "1.75", "2.0"]),
        ("10:50:5", ["10", "20", "30", "40", "50"]),
        ("0.1:0.3:3", ["0.1", "0.2", "0.3"]),
        ("2:-2:2", ["2", "-2"]),
        ("1e-3:1e-1:2", ["0.001", "0.1"]),
        ("0,0.2,1", ["0", "0.2", "1"]),
        ("wide, narrow", ["wide", "narrow"]),
        ("true,false", ["true", "false"]),
        ("7", ["7"]),
        ("1,1,2", ["1", "2"]),
        ("[0,0,1,1],[0, 0, 2, 2]", ["[0,0,1,1]", "[0, 0, 2, 2]"]),
        ('"a,b",c', ['"a,b"', "c"]),
    ],
)
def test_specs(spec, texts):
    """Evenly spaced numbers with both ends, whole where all of it is, or a list."""
    assert list(varied(f"key={spec}").texts) == texts


@pytest.mark.parametrize(
    "setting",
    ["key", "key=", "=1", "key=1:2", "key=1:2:1", "key=1:2:2.5", "key=1:1:3", "key=1,,2",
     "key=1:2:3:4", "key=1:1e999:3", "seed=1,2", "key=1:2:1e9"],
)  # fmt: skip
def test_specs_refused(setting):
    """In one line that begins with what was given."""
    with pytest.raises(BadInput) as said:
        varied(setting)
    assert str(said.value).startswith(f"--vary {setting}")


def test_split_leaves_brackets_and_quotes_alone():
    """Commas within them are theirs."""
    assert split("{a = 1, b = [2, 3]}, 'x,y'") == ["{a = 1, b = [2, 3]}", "'x,y'"]


def test_every_combination_and_seed(scenario):
    """As many jobs as the product says, all different, from the file's own seed upward."""
    path = scenario(("duration", "seed = 7\nduration"))
    sweep = Sweep(source(path, ()), (varied(f"{WEIGHT}=0:2:3"), varied("duration=0.1,0.2")), 2)
    jobs = sweep.jobs()
    assert len({job.key for job in jobs}) == len(jobs) == 12
    assert [job.seed for job in jobs[:4]] == [7, 8, 7, 8]
    assert jobs[2].changes == (f"{WEIGHT}=0", "duration=0.2")


def test_a_key_that_never_fits_is_refused_and_one_that_sometimes_does_is_not(scenario):
    """A misspelled key is a mistake; a value out of bounds is a row."""
    of = source(scenario(), ())
    with pytest.raises(BadInput, match="did you mean 'speed'"):
        check(Sweep(of, (varied("groups.east.sped=1,2"),), 1))
    assert check(Sweep(of, (varied("groups.east.speed=-1,2"),), 1)).changes[-1].endswith("=2")


def test_where_the_file_lies_is_no_part_of_a_run(scenario, tmp_path):
    """What it says is."""
    (tmp_path / "other").mkdir()
    keys = [source(scenario(name=name), ()).job([], 0).key for name in ("a.toml", "other/b.toml")]
    assert keys[0] == keys[1]
    longer = source(scenario(("0.5", "0.6")), ())
    assert longer.job([], 0).key != keys[0]


@pytest.fixture
def table(scenario, tmp_path):
    """Of three weights, the last of them refused, two seeds each."""
    from sim.study.engines import engine

    sweep = Sweep(source(scenario(), ()), (varied(f"{WEIGHT}=0,1.5,x"),), 2)
    with engine("serial", 1) as spread, journal(tmp_path / "out", {}) as kept:
        return sweep.table(make(sweep.jobs(), kept, spread))


def test_pandas_and_polars_read_it(table, tmp_path):
    """The same numbers from either file; no clock in it."""
    pytest.importorskip("pyarrow")
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    parquet, comma = (write_table(table, tmp_path, kind) for kind in ("parquet", "csv"))
    one, two = pandas.read_parquet(parquet), polars.read_parquet(parquet)
    assert list(one.columns) == two.columns == list(columns(table))
    assert list(pandas.read_csv(comma).columns) == two.columns
    assert two["polarisation"].to_list() == [row.get("polarisation") for row in table]
    assert polars.read_csv(comma)["polarisation"].equals(two["polarisation"])
    assert two["error"].is_null().to_list() == [True] * 4 + [False] * 2
    assert two["run"].to_list() == list(range(6))
    assert two["contacts"].dtype == polars.Int64
    assert two["mean_time_s"].dtype == polars.Float64  # nobody arrives anywhere
    assert two["groups.east.polarisation"].equals(two["polarisation"], check_names=False)
    assert not {"wall_s", "unit_steps_per_s", "set", "key"} & set(two.columns)


def test_summary_is_mean_and_spread_of_what_did_not_fail(table):
    """By hand, for one figure."""
    shown = figures(table, [WEIGHT])
    assert "polarisation" in shown
    assert "units" not in shown
    found = summarise(table, [WEIGHT], ["polarisation"])
    assert (found.runs, found.failed) == ([2, 2, 2], [0, 0, 2])
    a, b = (row["polarisation"] for row in table[2:4])
    assert found.mean["polarisation"][1] == pytest.approx((a + b) / 2)
    assert found.spread["polarisation"][1] == pytest.approx(abs(a - b) / math.sqrt(2))
    text = markdown(found).splitlines()
    assert len(text) == 5
    assert text[-1] == "| x | 2 | 2 | - |"


def test_columns_are_of_one_type():
    """Whole numbers among others become floats, mixed ones text, nothing at all None."""
    rows = [{"a": 1, "b": 1, "c": True}, {"a": 2.5, "b": "x", "d": 4}]
    assert columns(rows) == {
        "a": [1.0, 2.5], "b": ["1", "x"], "c": [True, None], "d": [None, 4],
    }  # fmt: skip
