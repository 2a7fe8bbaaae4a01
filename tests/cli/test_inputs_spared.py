"""No command writes over what it reads, and numbers of options are refused before any work."""

import pytest


@pytest.fixture
def recording(cli, scenario, tmp_path):
    """A recording of a moment."""
    target = tmp_path / "run.npz"
    assert cli("run", scenario(), "--seconds", 0.1, "--trajectory", target).status == 0
    return target


def test_a_recording_is_not_written_over(cli, recording, tmp_path):
    """`replay` and `metrics` refuse the recording as their output, by whatever name, links too."""
    link, before = tmp_path / "link.npz", recording.read_bytes()
    link.symlink_to(recording)
    for command in (
        ["replay", recording, "--html", recording],
        ["replay", link, "--html", link],
        ["replay", recording, "--html", link],
        ["metrics", recording, "--out", link],
    ):
        said = cli(*command)
        assert said.status == 2
        assert "is read by this command; choose another name" in said.err
        assert recording.read_bytes() == before
    said = cli("replay", recording, "--html", tmp_path / "a.gif", "--film", tmp_path / "a.gif")
    assert (said.status, said.out) == (2, "")
    assert "a.gif: is another output too; give each its own name" in said.err


def test_a_map_is_not_written_over(cli, tmp_path):
    """`maps` and `run` refuse the tile map as their output."""
    level = tmp_path / "level.map"
    rows = ["type octile", "height 9", "width 9", "map", *["." * 9] * 9]
    level.write_text("\n".join(rows) + "\n")
    before = level.read_bytes()
    file = tmp_path / "on.toml"
    file.write_text(
        'title = "On tiles"\nduration = 0.1\n[map]\nfile = "level.map"\ntile = 30.0\n[[groups]]\n'
        'name = "east"\nspawn = { points = [[90, 90]] }\n'
    )
    for command in (["maps", level, "--png", level], ["run", file, "--metrics", level]):
        said = cli(*command)
        assert said.status == 2, said
        assert "level.map: is read by this command; choose another name" in said.err
        assert level.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--fps", "nan"], "a.gif: fps = nan: must be from 0.001 to 50"),
        (["--fps", "1e300"], "a.gif: fps = 1e+300: must be from 0.001 to 50"),
        (["--speed", "nan"], "a.gif: speed = nan: must be from 0.001 to 1e+06"),
        (["--speed", "1e-300"], "a.gif: speed = 1e-300: must be from 0.001 to 1e+06"),
    ],
)
def test_compare_refuses_before_it_runs(cli, tmp_path, monkeypatch, options, said):
    """Frames and speed that no film has are refused while nothing has been run."""
    monkeypatch.setattr("sim.commands.compare.try_out", lambda *_: pytest.fail("has run"))
    found = cli("compare", "two_lines", "--models", "crowd", "--gif", tmp_path / "a.gif", *options)
    assert (found.status, found.out) == (2, "")
    assert said in found.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["new", ""], "error: NAME .: must be the name of a file, such as game"),
        (["new", "/"], "error: NAME /: must be the name of a file, such as game"),
        (["bench", "--units", "99999999999"], "Invalid value for '--units'"),
        (["tune", "a.toml", "--objective", "x", "--held-out", "9" * 20], "for '--held-out'"),
        (["tune", "a.toml", "--objective", "x", "--seeds", "9" * 20], "for '--seeds'"),
        (["tune", "a.toml", "--objective", "x", "--trials", "9" * 20], "for '--trials'"),
        (["score", "squeeze", "--seeds", "9" * 20], "Invalid value for '--seeds'"),
        (["score", "squeeze", "--workers", "9" * 20], "Invalid value for '--workers'"),
        (["sweep", "a.toml", "--jobs", "9" * 20], "Invalid value for '--jobs'"),
    ],
)
def test_more_than_a_machine_can_do(cli, arguments, said):
    """A name that is none, and counts of runs, units and processes without end, are refused."""
    found = cli(*arguments)
    assert (found.status, found.out) == (2, "")
    assert said in found.err


def test_what_a_recording_tells_is_named_by_the_recording(cli, recording):
    """A message about the scenario kept with a recording names no copy that is gone."""
    said = cli("metrics", recording, "--set", "map.circles=[[100, 75, 70], [100, 75, 120]]")
    assert said.status == 2
    assert said.err.startswith(f"error: {recording}: {recording}'s scenario: groups.east.spawn")
