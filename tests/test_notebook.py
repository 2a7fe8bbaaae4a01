"""Runs in notebooks: players, rows of figures, and the notebook of the documentation."""

import json
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.core.errors import BadInput
from sim.notebook import Player

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "docs" / "study.ipynb"
DOOR = """
title = "Two"
duration = 4
[[groups]]
name = "east"
spawn = { points = [[0, 0], [0, 3]] }
goal = { point = [3, 1.5] }
"""


@pytest.fixture
def recording(tmp_path, cli):
    """A recorded run of a small scenario."""
    (tmp_path / "two.toml").write_text(DOOR)
    out = tmp_path / "two.npz"
    assert cli("run", tmp_path / "two.toml", "--headless", "--trajectory", out).status == 0
    return out


def flock() -> sim.World:
    """Ten units on a torus."""
    world = sim.World(seed=1, bounds=(0, 0, 60, 60), edges="wrap")
    world.add_group("a", sim.Region(0, 0, 60, 60), count=10, model="flock")
    return world


def test_a_world_is_shown_as_it_is():
    """Without seconds it does not run on; the cell has a frame with a page in it."""
    world = flock()
    shown = world.show(height=300)._repr_html_()
    assert world.steps == 0
    assert shown.startswith("<iframe srcdoc=")
    assert "height: 300px" in shown
    assert "<script" not in shown, "the page is quoted"


def test_a_world_that_is_shown_runs_on_as_any():
    """By the seconds asked for, as it would have done unwatched: bit for bit."""
    shown, plain = flock(), flock()
    shown.show(seconds=1)
    for _ in range(60):
        plain.step()
    assert shown.steps == 60
    assert np.array_equal(shown.units.position, plain.units.position)


def test_a_world_is_shown_that_units_have_left():
    """Before it is shown too: it was refused, as one of other units than were run."""
    world = sim.World(seed=1)
    group = world.add_group("a", sim.Region(0, 0, 9, 9), count=4)
    world.remove([1])
    assert world.show(0.1).page
    group.add([(20, 20)])
    assert world.show().page


def test_a_recording_is_shown_as_the_page(recording, cli, tmp_path):
    """It is the page that `replay --html` writes."""
    player = sim.replay(recording)
    assert isinstance(player, Player)
    assert cli("replay", recording, "--html", tmp_path / "page.html").status == 0
    assert player.page == (tmp_path / "page.html").read_text(encoding="utf-8")
    player.save(tmp_path / "saved.html")
    assert (tmp_path / "saved.html").read_text(encoding="utf-8") == player.page


def test_figures_are_a_flat_row(recording, cli):
    """The figures of `metrics`, those of groups by dotted names: no value is a table."""
    row = sim.metrics(recording)
    told = json.loads(cli("metrics", recording).out)
    assert row["mean_time_s"] == told["mean_time_s"]
    assert row["east.arrived"] == told["groups"]["east"]["arrived"]
    assert not any(isinstance(value, dict | list) for value in row.values())


def test_what_cannot_be_shown_is_refused(tmp_path):
    """Files that are not there, and worlds without a unit."""
    with pytest.raises(BadInput, match=r"none\.npz"):
        sim.replay(tmp_path / "none.npz")
    with pytest.raises(BadInput, match="height"):
        flock().show(height=0)
    with pytest.raises(BadInput, match="0 units"):
        sim.World().show()


def test_the_notebook_runs_as_a_script(tmp_path, monkeypatch):
    """Each of its cells of code runs, in order, without Jupyter."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(each["source"]) for each in cells if each["cell_type"] == "code")
    exec(compile(code, NOTEBOOK.name, "exec"), {"__name__": "notebook"})


@pytest.mark.slow
def test_the_notebook_runs_in_jupyter(tmp_path, monkeypatch):
    """In a kernel of its own; players come out as HTML."""
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client.NotebookClient(
        notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    shown = [
        output["data"]["text/html"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "text/html" in output.get("data", {})
    ]
    assert sum(each.startswith("<iframe") for each in shown) == 2
