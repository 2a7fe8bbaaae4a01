from math import inf

import pytest

from sim.scenario.playlist import Playlist
from sim.screen.window import Window

from .worlds import WINDOW, chase

SMALL = """
title = "Small"
seed = 3
duration = 50.0

[map]
bounds = [0, 0, 300, 200]
edges = "wrap"

[[groups]]
name = "east"
model = "flock"
view = "all"
count = 6
spawn = { region = [20, 20, 140, 180] }
goal = { chase = "player" }

[[groups]]
name = "west"
model = "flock"
color = "orange"
count = 4
spawn = { region = [160, 20, 280, 180] }
behaviours.cohesion = { weight = 0.5, range = 7.0 }

[[player]]
spawn = { points = [[150, 100]] }
"""
"""Two groups and a player, for whatever keys and panel do."""


@pytest.fixture
def window(tmp_path, monkeypatch):
    """A window on a small chase, its films in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    opened = Window(chase(), "Chase", size=WINDOW)
    opened.course.budget = inf  # steps must not depend on how busy the machine is
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def listed(tmp_path, monkeypatch):
    """A window with its panel on a scenario file of two groups and a player."""
    yield from listing(tmp_path, monkeypatch, panel=True)


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """The same without the panel: where it is of no matter, half of the time is saved."""
    yield from listing(tmp_path, monkeypatch, panel=False)


def listing(tmp_path, monkeypatch, panel):
    """Open a window on a scenario file of two groups and a player, and close it afterwards."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "small.toml"
    file.write_text(SMALL, encoding="utf-8")
    playlist = Playlist(file)
    opened = Window(
        playlist.build(), playlist.plan.title, size=(900, 700), panel=panel, playlist=playlist
    )
    opened.course.budget = inf
    opened.open()
    opened.frame(1 / 60)
    yield opened
    opened.close()
