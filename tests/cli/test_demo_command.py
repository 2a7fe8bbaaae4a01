"""`python -m sim demo [NAME]`: the list, and what goes on to a demo."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_list(cli, monkeypatch, tmp_path):
    """Every demo with its first line, from any folder."""
    monkeypatch.chdir(tmp_path)
    said = cli("demo")
    assert (said.status, said.err) == (0, "")
    found = dict(line.split(maxsplit=1) for line in said.out.splitlines())
    assert set(found) == {path.stem for path in (ROOT / "demos").glob("[!_]*.py")}
    assert found["flocking"] == "Flocking: twenty units become one flock."


def test_help_of_a_demo(cli):
    """--help behind a demo's name is that demo's own, with the options of `run`."""
    said = cli("demo", "flocking", "--help")
    assert said.status == 0
    assert "--trajectory-every" in said.out
    assert "--gif-fps" in said.out


def test_options_go_on(cli, monkeypatch, tmp_path):
    """What follows the name is read by the demo."""
    monkeypatch.chdir(tmp_path)
    said = cli("demo", "flocking", "--headless", "--seconds", "0.1", "--seed", "3",
               "--set", "title=Mine", "--metrics", "m.json")  # fmt: skip
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith("Mine: 20 units, 0.1 s simulated")
    assert [each.name for each in tmp_path.iterdir()] == ["m.json"]


def test_gif_without_a_display(cli, monkeypatch, tmp_path):
    """A demo without a display and without options writes its film here and says so."""
    monkeypatch.chdir(tmp_path)
    said = cli("demo", "flocking", "--seconds", "0.2")
    assert said.status == 0
    assert "no display" in said.out
    assert said.out.endswith("wrote flocking.gif\n")
    assert [each.name for each in tmp_path.iterdir()] == ["flocking.gif"]


def test_bad_input_in_a_demo(cli):
    """A demo refuses what `run` refuses, with the same status and no traceback."""
    said = cli("demo", "flocking", "--headless", "--seconds", "-1")
    assert said.status == 2
    assert said.err.endswith("flocking.toml: duration = -1.0: must be greater than 0\n")


def test_interrupted_demo(cli, monkeypatch):
    """Ctrl-C in a demo is exit status 130, as in `run`."""
    from sim.commands import run

    def interrupted(*_) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run.Playlist, "build", interrupted)
    assert cli("demo", "flocking", "--headless").status == 130
