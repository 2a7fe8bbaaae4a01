"""Recorded runs in a window: where everybody is, and what keys and mouse do."""

from __future__ import annotations

import numpy as np
import pygame
import pytest
from PIL import Image

from sim.core.errors import BadInput
from sim.core.hull import Hull
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.record.run import Run
from sim.record.stage import Cast, Stage
from sim.screen.replay import Replay
from sim.screen.replay_window import KEYS, ReplayWindow
from sim.screen.theme import DARK, LIGHT

from .worlds import FRAME, press

SIZE = (420, 454)
"""A picture of 420 x 420 above the bar."""


def stage(plane=None, parts=("leads", "own")):
    """Two of one group and one of another, on 100 x 100."""
    casts = (
        Cast("blue", 2, Hull("wedge", 12.0, 6.0), "blue", parts[0]),
        Cast("red", 1, Hull.disc(4.0), "red", parts[1]),
    )
    return Stage("Recorded", plane or Plane((0, 0, 100, 100), "wall"), Solids(), None, casts)


def run(frames=41, gap=0.5, **changes):
    """Twenty seconds in which the first crosses, the second turns, the third leaves half-way."""
    time = np.arange(frames) * gap
    position = np.zeros((frames, 3, 2))
    position[:, 0] = np.stack([10 + 4 * time, np.full(frames, 20.0)], axis=1)
    position[:, 1], position[:, 2] = (50, 50), (80, 80)
    angle = np.zeros((frames, 3))
    angle[:, 1] = 3.0 + 0.2 * time
    position[time > 10, 2], angle[time > 10, 2] = np.nan, np.nan
    leads = np.zeros((frames, 3), bool)
    leads[time >= 5, 1] = True
    given = {"time": time, "position": position, "angle": angle, "leads": leads, **changes}
    return Run(group=np.array(["blue", "blue", "red"]), **given)


@pytest.fixture
def window(tmp_path, monkeypatch):
    """A window on that run, its films in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    opened = ReplayWindow(Replay(stage(), run()), "Recorded", size=SIZE)
    opened.open()
    yield opened
    opened.close()


def tap(window, *keys, mod=0):
    """Press keys and let a frame pass."""
    for key in keys:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=key, mod=mod))
    window.frame(FRAME)


def mouse(window, kind, place, button=1):
    """A mouse event, and a frame."""
    pygame.event.post(pygame.event.Event(kind, pos=place, button=button))
    window.frame(FRAME)


def seen():
    """The window's pixels as (height, width, 3)."""
    return pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1).astype(int)


def test_between_frames():
    """Everybody is on the straight line between two frames, turned as far; leaders are the last."""
    replay = Replay(stage(), run())
    assert (replay.start, replay.end, replay.time_step) == (0.0, 20.0, 0.5)
    replay.time = 3.3
    assert replay.units.position[0] == pytest.approx([10 + 4 * 3.3, 20])
    assert replay.units.velocity[0] == pytest.approx([4, 0])
    assert replay.units.angle[1] == pytest.approx(3.0 + 0.2 * 3.3)
    assert replay.units.heading[1] == pytest.approx([np.cos(3.66), np.sin(3.66)])
    assert not replay.groups[0].leads.any()
    replay.time = 5.2
    assert replay.groups[0].leads.tolist() == [False, True]


def test_units_that_leave():
    """It waits at its last place until it is gone, and is no longer there from then on."""
    replay = Replay(stage(), run())
    replay.time = 10.4
    assert replay.units.present.all()
    assert replay.units.position[2] == pytest.approx([80, 80])
    replay.time = 10.6
    assert replay.units.present.tolist() == [True, True, False]
    assert np.isnan(replay.units.position[2]).all()


def test_times_beyond_the_ends():
    """Before the first frame there is the first, after the last the last."""
    replay = Replay(stage(), run())
    for time, shown in ((-3.0, 0.0), (99.0, 20.0)):
        replay.time = time
        assert replay.time == shown
    assert (replay.beside(1), replay.beside(-1)) == (20.0, 19.5)


def test_over_the_seam():
    """On a torus the shorter way from frame to frame is over the seam."""
    position = np.array([[[99.0, 50], [1, 1], [5, 5]], [[3.0, 50], [1, 1], [5, 5]]])
    torus = stage(Plane((0, 0, 100, 100), "wrap"))
    replay = Replay(torus, run(2, position=position, angle=np.zeros((2, 3)), leads=None))
    replay.time = 0.375
    assert replay.units.position[0] == pytest.approx([2.0, 50])
    assert replay.units.velocity[0] == pytest.approx([8.0, 0])


def test_angles_that_nobody_wrote_down():
    """Other programs' trajectories have none: units head the way they go."""
    replay = Replay(stage(), run(angle=np.full((41, 3), np.nan)))
    replay.time = 2.2
    assert replay.units.angle.tolist() == pytest.approx([0, 0, 0])


def test_refused():
    """A run of other units, and one without a frame."""
    with pytest.raises(BadInput, match="3 units on a stage of 2"):
        Replay(Stage("", Plane(), Solids(), None, stage().casts[:1]), run())
    with pytest.raises(BadInput, match="without a frame"):
        Replay(stage(), run(0))


def test_it_plays_and_ends(window):
    """At the pace of the clock; at the end it stands still, and Space begins anew."""
    for _ in range(60):
        window.frame(FRAME)
    assert window.replay.time == pytest.approx(1.0)
    tap(window, pygame.K_PLUS, pygame.K_PLUS)
    for _ in range(30):
        window.frame(FRAME)
    assert window.replay.time == pytest.approx(1 + 31 * 4 / 60)
    tap(window, pygame.K_e)
    window.frame(FRAME)
    assert window.controls.paused
    assert window.replay.time == 20.0
    assert window.frame(FRAME)
    tap(window, pygame.K_SPACE)
    assert window.replay.time < 1
    assert not window.controls.paused


def test_keys_go_back_and_on(window):
    """Seconds, leaps, frames, start and end."""
    tap(window, pygame.K_SPACE)
    start = window.replay.time
    for key, time in (
        (pygame.K_RIGHT, start + 1), (pygame.K_RIGHTBRACKET, start + 11),
        (pygame.K_LEFT, start + 10), (pygame.K_LEFTBRACKET, start), (pygame.K_LEFTBRACKET, 0),
        (pygame.K_PERIOD, 0.5), (pygame.K_PERIOD, 1.0), (pygame.K_COMMA, 0.5),
        (pygame.K_e, 20), (pygame.K_r, 0),
    ):  # fmt: skip
        tap(window, key)
        assert window.replay.time == pytest.approx(time), pygame.key.name(key)


def test_the_bar(window):
    """A click goes there, a drag through all between, also beyond the bar's end; others do not."""
    bar = window.timeline.area
    assert (bar.top, bar.bottom) == (420, 454)
    half = (round(window.timeline.x_of(10.0)), bar.centery)
    mouse(window, pygame.MOUSEBUTTONDOWN, half)
    assert window.replay.time == pytest.approx(10, abs=0.1)
    mouse(window, pygame.MOUSEMOTION, (half[0] + 40, bar.top - 90))
    assert window.replay.time > 11
    mouse(window, pygame.MOUSEMOTION, (9999, bar.centery))
    assert window.replay.time == 20
    mouse(window, pygame.MOUSEMOTION, (-5, bar.centery))
    assert window.replay.time == 0
    mouse(window, pygame.MOUSEBUTTONUP, (-5, bar.centery))
    window.frame(FRAME)
    assert window.replay.time == pytest.approx(2 * FRAME)
    mouse(window, pygame.MOUSEMOTION, half)
    assert window.replay.time < 1
    assert window.scene.selected is None


def test_what_is_shown_is_the_run(window):
    """The picture shows each unit in its colour where it is; a unit that left is gone."""
    tap(window, pygame.K_SPACE, pygame.K_RIGHTBRACKET)
    world = window.replay
    camera = window.scene.camera(world, window.room.size)
    red = DARK.color("red")
    x, y = camera.to_screen(world.units.position[2]).astype(int).tolist()
    assert (np.abs(seen()[y - 8 : y + 9, x - 8 : x + 9] - red).sum(axis=2) < 40).sum() > 20
    tap(window, pygame.K_RIGHTBRACKET)
    assert not (np.abs(seen()[y - 8 : y + 9, x - 8 : x + 9] - red).sum(axis=2) < 40).any()


def test_which_unit_is_that(window):
    """A click tells which it is, a key the next; beside all it is none."""
    tap(window, pygame.K_SPACE)
    place = window.scene.camera(window.replay, window.room.size).to_screen((50, 50))
    bare = seen()
    mouse(window, pygame.MOUSEBUTTONDOWN, tuple(place.astype(int).tolist()))
    assert window.scene.selected == 1
    assert (seen() != bare).any()
    tap(window, pygame.K_RETURN)
    assert window.scene.selected == 2
    tap(window, pygame.K_e)
    window.frame(FRAME)
    assert window.scene.selected is None, "it has left"
    mouse(window, pygame.MOUSEBUTTONDOWN, (30, 300))
    assert window.scene.selected is None


def test_trails_and_heat_are_of_the_run(window):
    """After a leap they are what they would be had all been shown; going back takes them back."""
    tap(window, pygame.K_SPACE, pygame.K_t, pygame.K_m)
    tap(window, pygame.K_RIGHTBRACKET)
    assert window.scene._history.samples == pytest.approx(100, abs=3)
    total = window.scene._heat.seconds.sum()
    assert total == pytest.approx(3 * 10, rel=0.05)
    shown = seen()
    tap(window, pygame.K_RIGHTBRACKET, pygame.K_LEFTBRACKET)
    assert window.scene._heat.seconds.sum() == pytest.approx(total, rel=0.03)
    assert (np.abs(seen() - shown).max(axis=2) > 60).mean() < 0.01


def test_zoom_theme_and_film(window, tmp_path):
    """The wheel comes closer, B changes the colours, G films what is shown."""
    scale = window.scene.camera(window.replay, window.room.size).scale
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, y=3, precise_y=3.0))
    tap(window, pygame.K_b, pygame.K_g)
    assert window.scene.camera(window.replay, window.room.size).scale > 1.5 * scale
    assert window.scene.theme is LIGHT
    for _ in range(30):
        window.frame(FRAME)
    tap(window, pygame.K_g)
    with Image.open(tmp_path / "recording-1.gif") as film:
        assert film.n_frames > 5
    tap(window, pygame.K_HOME)
    assert window.scene.camera(window.replay, window.room.size).scale == pytest.approx(scale)


def test_every_key(window):
    """Each key of the table does something that is known, and Esc ends it."""
    for key in KEYS:
        if key.action != "quit":
            tap(window, key.codes[0], mod=pygame.KMOD_SHIFT if key.shift else 0)
    assert window.frame(FRAME)
    press(pygame.K_ESCAPE)
    assert not window.frame(FRAME)


def test_a_small_window(window):
    """However small, nothing breaks."""
    pygame.display.set_mode((60, 40))
    tap(window, pygame.K_h)
    assert window.frame(FRAME)


def test_an_open_plane(tmp_path, monkeypatch):
    """Without bounds the picture follows the units."""
    monkeypatch.chdir(tmp_path)
    opened = ReplayWindow(Replay(stage(Plane()), run()), size=SIZE)
    opened.open()
    tap(opened, pygame.K_RIGHTBRACKET)
    camera = opened.scene.camera(opened.replay, opened.room.size)
    pixels = camera.to_screen(opened.replay.units.position[:2])
    assert ((pixels > 0) & (pixels < 420)).all()
    opened.close()
