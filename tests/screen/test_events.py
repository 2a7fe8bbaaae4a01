"""Events of the file in the window: what they set is no change by hand, and some cannot be done."""

from math import inf

import numpy as np
import pygame
import pytest

from sim.scenario.playlist import Playlist
from sim.screen.window import Window

from .test_selecting import chord
from .worlds import FRAME, tap

BARRED = """
title = "barred"
seed = 1
duration = 20
[map]
bounds = [0, 0, 40, 30]
boxes = [[20, 10, 25, 15]]
[[groups]]
name = "a"
count = 2
spawn = { region = [2, 2, 8, 8] }
[[events]]
at = 0.1
order = "a"
goal = { point = [22, 12] }
[[events]]
at = 0.1
set = { "groups.a.speed" = 2.0 }
"""
TEXT = """
title = "told"
seed = 1
duration = 20
[map]
bounds = [0, 0, 40, 30]
edges = "wall"
[[groups]]
name = "a"
count = 4
model = "flock"
view = "wide"
spawn = { region = [2, 2, 30, 20] }
behaviours.cohesion = { weight = 2 }
[[groups]]
name = "b"
count = 2
spawn = { region = [32, 2, 38, 20] }
goal = { point = [35, 25] }
[[events]]
at = 0.1
set = { "groups.b.behaviours.cohesion.weight" = 1.0, "groups.a.behaviours.cohesion.weight" = 3.0 }
[[events]]
at = 0.1
set = { "groups.a.view" = "narrow" }
"""


def opened(file, text):
    """A window without a panel on a file with this text, a frame old."""
    file.write_text(text)
    playlist = Playlist(file.name)
    window = Window(playlist.build(), size=(500, 400), playlist=playlist)
    window.course.budget = inf
    window.open()
    window.frame(FRAME)
    return window


@pytest.fixture
def window(tmp_path, monkeypatch):
    """A window without a panel on that file, a frame old."""
    monkeypatch.chdir(tmp_path)
    window = opened(tmp_path / "told.toml", TEXT)
    yield window
    pygame.key.set_mods(pygame.KMOD_NONE)
    window.close()


def run(window, seconds):
    """Let it run; where the units are then."""
    while window.world.time < seconds:
        window.frame(FRAME)
    return window.world.units.position


def test_a_run_from_the_start_is_the_same_again(window):
    """With the weights and the view of the start: those that an event sets come when it does."""
    first = run(window, 0.5).copy()
    tap(window, pygame.K_r)
    group = window.world.group("a")
    assert (group.view, group.settings["cohesion"].given["weight"]) == ("wide", 2.0)
    while window.world.steps < 30:
        window.frame(FRAME)
    np.testing.assert_array_equal(window.world.units.position, first)


def test_what_a_hand_has_changed_stays(window):
    """A weight and a view that the window gave, though events had set both before."""
    run(window, 0.5)
    window.controls.tuning.weigh("cohesion", 5.0)
    tap(window, pygame.K_2)
    tap(window, pygame.K_r)
    group = window.world.group("a")
    assert (group.view, group.settings["cohesion"].given["weight"]) == ("limited", 5.0)


def test_a_saved_scenario_begins_as_its_file_did(window):
    """Only what the hand has changed is new in it."""
    run(window, 0.5)
    window.controls.tuning.weigh("separation", 5.0)
    chord(window, pygame.K_s, pygame.KMOD_CTRL)
    saved, _ = Playlist("told-1.toml").plan.groups
    begun, other = Playlist("told.toml").plan.groups
    assert saved.view == begun.view
    assert set(saved.behaviours) == {"cohesion", "separation"}
    assert Playlist("told-1.toml").plan.groups[1].behaviours == other.behaviours == {}
    assert saved.behaviours["cohesion"] == begun.behaviours["cohesion"]


def test_an_event_that_cannot_be_done_is_said_and_the_run_goes_on(tmp_path, monkeypatch):
    """Others of its time are done all the same: the window and what was built in it stay."""
    monkeypatch.chdir(tmp_path)
    window = opened(tmp_path / "barred.toml", BARRED)
    run(window, 0.5)
    assert "events[0].order, at 0.1 s: goal: no way leads" in window.notice
    assert window.world.group("a").speed == 2.0
    window.close()
