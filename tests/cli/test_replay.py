"""`python -m sim replay`: recorded runs, again."""

import numpy as np
import pytest
from PIL import Image

from sim.record.stage import Stage
from sim.record.trajectory import load


@pytest.fixture
def recorded(cli, scenario, tmp_path):
    """Record the small scenario with some options."""

    def call(*options, name="run.npz"):
        target = tmp_path / name
        assert cli("run", scenario(), "--trajectory", target, *options).status == 0
        return target

    return call


@pytest.mark.parametrize("name", ["run.npz", "run.txt"])
def test_page(cli, recorded, tmp_path, name):
    """--html writes one page with the run's title."""
    page = tmp_path / "run.html"
    said = cli("replay", recorded(name=name), "--html", page)
    assert (said.status, said.err, said.out) == (0, "", f"wrote {page}\n")
    assert "<title>Small</title>" in page.read_text(encoding="utf-8")


def test_the_run_knows_its_stage(recorded):
    """What the command line changed is kept: units, colours and title; and which units led."""
    run = load(recorded("--set", "groups.east.count=4", "--set", "groups.east.color=red",
                        "--set", "title=Changed"))  # fmt: skip
    stage = Stage.read(run.stage)
    assert (stage.title, stage.units, stage.casts[0].color) == ("Changed", 4, "red")
    assert stage.plane.bounds == (0, 0, 200, 150)
    assert run.leads is not None
    assert run.leads.shape == (31, 4)
    assert run.leads[1:].any()


def without(path, *names, **changes):
    """Take arrays out of a recorded run, and put others into it."""
    with np.load(path) as arrays:
        kept = {name: arrays[name] for name in arrays if name not in names}
    np.savez(path, **{**kept, **changes})
    return path


def test_a_run_without_a_stage(cli, recorded, scenario, tmp_path):
    """Its scenario's text tells, or the file that is named; without either it is refused."""
    page = tmp_path / "run.html"
    bare = without(recorded(), "stage", "leads")
    assert cli("replay", bare, "--html", page).status == 0
    untold = without(bare, "text")
    said = cli("replay", untold, "--html", page)
    assert said.status == 2
    assert f"{untold}: does not tell what was run: name it with --scenario FILE" in said.err
    assert cli("replay", untold, "--scenario", scenario(), "--html", page).status == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"stage": "{}"}, "stage: cannot be understood"),
        ({"group": np.array(["east"] * 5)}, "has the shape"),
        ({"leads": np.zeros((2, 6), bool)}, "leads has the shape (2, 6): must be (31, 6)"),
        ({"position": np.zeros((31, 6))}, "position has the shape"),
        ({"time": np.array(["a"] * 31)}, "not a trajectory"),
        ({"time": -np.arange(31.0)}, "time: must be finite numbers that do not go back"),
        ({"time": np.full(31, np.nan)}, "time: must be finite numbers that do not go back"),
        ({"position": np.full((31, 6, 2), np.inf)}, "position, angle: must be finite numbers"),
        (
            {"position": np.full((31, 6, 2), 1e308) * np.resize([1, -1], (31, 6, 2))},
            "position: must be numbers from -1e+12 to 1e+12",
        ),
        (
            {
                "time": np.zeros(0),
                "position": np.zeros((0, 6, 2)),
                "angle": np.zeros((0, 6)),
                "leads": np.zeros((0, 6), bool),
            },
            "a run without a frame",
        ),
    ],
)
def test_foreign_arrays(cli, recorded, tmp_path, change, said):
    """A file whose arrays do not belong together: one line, exit status 2, no page."""
    page = tmp_path / "run.html"
    found = cli("replay", without(recorded(), **change), "--html", page)
    assert found.status == 2
    assert said in found.err
    assert len(found.err.splitlines()) == 1
    assert not page.exists()


@pytest.mark.parametrize("content", [None, b"", b"no zip", b"PK\x03\x04 and no more"])
def test_broken_files(cli, tmp_path, content):
    """So is one that is missing, empty, or something else."""
    path = tmp_path / "run.npz"
    if content is not None:
        path.write_bytes(content)
    said = cli("replay", path, "--html", tmp_path / "run.html")
    assert said.status == 2
    assert said.err.startswith(f"error: {path}: ")
    assert len(said.err.splitlines()) == 1


def test_other_units_than_were_run(cli, recorded, scenario, tmp_path):
    """A scenario of another number of units cannot be that of the run."""
    other = scenario(("count = 6", "count = 5"), name="other.toml")
    said = cli("replay", recorded(), "--scenario", other, "--html", tmp_path / "run.html")
    assert said.status == 2
    assert "6 units, and 5 in what was run" in said.err


def test_film(cli, recorded, tmp_path):
    """--film films what was recorded, between its frames too."""
    target = tmp_path / "run.webp"
    said = cli("replay", recorded("--trajectory-every", 6), "--film", target,
               "--film-size", "160x120", "--film-speed", 0.5)  # fmt: skip
    assert (said.status, said.err, said.out) == (0, "", f"wrote {target}\n")
    with Image.open(target) as film:
        assert film.size == (160, 120)
        assert film.n_frames > 20


def test_the_same_picture_as_the_run(cli, scenario, tmp_path):
    """A film of the recorded run shows what one of the run shows."""
    first, again, kept = tmp_path / "a.webp", tmp_path / "b.webp", tmp_path / "run.npz"
    assert cli("run", scenario(), "--trajectory", kept, "--film", first).status == 0
    assert cli("replay", kept, "--film", again).status == 0
    pictures = []
    for path in (first, again):
        with Image.open(path) as film:
            film.seek(10)
            pictures.append(np.asarray(film.convert("RGB")).astype(int))
    assert (np.abs(pictures[0] - pictures[1]).max(axis=2) > 30).mean() < 0.001


def test_without_a_display(cli, recorded):
    """There is no window then, and one line says what there is instead."""
    said = cli("replay", recorded())
    assert said.status == 2
    assert said.err == (
        "error: no display can be reached here; --html makes a page, --film a film\n"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--theme", "pink"], "theme = 'pink': must be one of"),
        (["--html", "none/a.html"], "none/a.html: cannot be written"),
        (["--film", "a.gif", "--film-from", "9"], "--film-from 9: must be from 0 to less than"),
        (["--film", "a.gif", "--film-size", "x"], "--film-size x: must be WIDTHxHEIGHT"),
    ],
)
def test_bad_options(cli, recorded, tmp_path, monkeypatch, options, said):
    """They are refused in one line, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    kept = recorded()
    before = sorted(tmp_path.iterdir())
    found = cli("replay", kept, *options)
    assert found.status == 2
    assert said in found.err
    assert sorted(tmp_path.iterdir()) == before
