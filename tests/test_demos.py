"""Every demo runs, says what to look for, and takes the same options."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
DEMOS = {path.stem: path for path in sorted((ROOT / "demos").glob("[!_]*.py"))}
PLAYED = list(DEMOS)


def docstring(name: str) -> str:
    """What a demo says of itself."""
    return ast.get_docstring(ast.parse(DEMOS[name].read_text(encoding="utf-8"))) or ""


def test_the_demos_are_there():
    """The demos that the list of features promises."""
    promised = {"flocking", "cohesion", "alignment", "separation", "obstacles", "player", "chase",
                "intercept", "leader", "path", "hallway", "hallway_swap", "castle", "flow_field",
                "flee", "pursue"}  # fmt: skip
    assert promised <= set(DEMOS)


@pytest.mark.parametrize("name", DEMOS)
def test_docstring(name: str):
    """The first line is a sentence; further down it says what to look for."""
    first, _, rest = docstring(name).partition("\n\n")
    assert "\n" not in first
    assert first.endswith(".")
    assert len(first) <= 75
    assert "What to look for: " in rest


@pytest.mark.parametrize("name", PLAYED)
def test_has_a_scenario(name: str):
    """Each has a scenario file of its name that can be run by itself."""
    from sim.scenario.load import load

    plan = load(ROOT / "maps" / f"{name}.toml")
    assert plan.about
    assert 10 <= plan.duration <= 120


@pytest.mark.parametrize("name", PLAYED)
def test_runs(cli, name: str, tmp_path, monkeypatch):
    """A second of it without a window, from another folder, where it leaves nothing."""
    monkeypatch.chdir(tmp_path)
    said = cli("demo", name, "--headless", "--seconds", 1)
    assert (said.status, said.err) == (0, "")
    assert "1.0 s simulated" in said.out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", PLAYED)
def test_same_options(cli, name: str):
    """Every demo's --help is that of `run`, but for the file."""
    options = [
        {word for line in text.splitlines() for word in line.split()[:1] if word.startswith("--")}
        for text in (cli("demo", name, "--help").out, cli("run", "--help").out)
    ]
    assert options[0] == options[1]
    assert {"--film-size,", "--caption"} <= options[0]


def test_without_a_display(tmp_path):
    """As a script, from another folder, without a display: a film that it tells of."""
    environment = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith("SDL_") and key not in ("DISPLAY", "WAYLAND_DISPLAY")
    }
    environment["PYTHONPATH"] = str(ROOT)
    if sys.platform in ("darwin", "win32"):
        environment["SDL_VIDEODRIVER"] = "dummy"  # there is always a display there
    done = subprocess.run(
        [sys.executable, str(DEMOS["flocking"]), "--seconds", "2", "--gif-size", "320x240"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "flocking.gif" in done.stdout
    assert [each.name for each in tmp_path.iterdir()] == ["flocking.gif"]
    with Image.open(tmp_path / "flocking.gif") as film:
        assert film.n_frames > 30
