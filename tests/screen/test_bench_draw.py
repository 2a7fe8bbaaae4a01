"""The bench of the pictures, small enough to be quick."""

import os
from itertools import pairwise

import numpy as np
import pygame
import pytest

from sim import BadInput, World
from sim.core import compiled, sharing
from sim.record.gif import GifWriter
from sim.screen import bench_draw
from sim.screen.bench_draw import Times, format_draw, measure_draw
from sim.screen.capture import FilmRecorder
from sim.screen.window import Window
from tests.screen.worlds import calls_of

SMALL = {"window": (160, 90), "gif": (80, 44), "warm": 1}


def test_every_frame_is_one_step_and_one_picture(monkeypatch):
    """What is timed is the window's own frame, drawn and shown after exactly one step."""
    seen = []
    draw = Window._draw

    def noted(self, notice):
        draw(self, notice)
        seen.append((self.world.steps, pygame.display.get_surface().get_size()))

    monkeypatch.setattr(Window, "_draw", noted)
    measure_draw(30, 4, **SMALL)
    steps = [step for step, _ in seen[1:]]  # the first picture is that of the start
    assert steps == [1, 2, 3, 4, 5]
    assert {size for _, size in seen} == {(160, 90)}


def test_every_frame_of_the_film_is_written(monkeypatch):
    """A frame a step, all of them different from the one before."""
    pictures = []
    write = GifWriter.write

    def noted(self, frame):
        pictures.append(frame.copy())
        write(self, frame)

    monkeypatch.setattr(GifWriter, "write", noted)
    measure_draw(30, 4, **SMALL)
    assert len(pictures) == 5
    assert pictures[0].shape == (44, 80, 3)
    assert all((a != b).any() for a, b in pairwise(pictures))


@pytest.mark.parametrize("before", [None, "offscreen"])
def test_the_display_is_left_as_it_was(monkeypatch, before):
    """No window stays open, and SDL's driver is chosen as before, also after a failure."""
    if before is None:
        monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    else:
        monkeypatch.setenv("SDL_VIDEODRIVER", before)
    measure_draw(20, 1, **SMALL)
    assert not pygame.display.get_init()
    assert os.environ.get("SDL_VIDEODRIVER") == before
    monkeypatch.setattr(Window, "frame", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        measure_draw(20, 1, **SMALL)
    assert not pygame.display.get_init()
    assert os.environ.get("SDL_VIDEODRIVER") == before


def straight(units):
    """A flock whose members all fly ahead, so that no sprite is drawn for the first time."""
    side = int(np.ceil(np.sqrt(units)))
    places = (np.stack(np.divmod(np.arange(units), side), axis=1) + 0.5) * (1000 / side)
    world = World(bounds=(0, 0, 1000, 1000), edges="wrap")
    world.add_group("flock", places, model="flock", heading=0.0).switch("flocking", False)
    return world


def test_a_frame_of_a_film_takes_no_more_calls_for_more_units(tmp_path, monkeypatch):
    """Painting and writing 2,000 units takes as many calls as 600: nothing is done unit by unit."""
    monkeypatch.setattr(compiled, "WORTH", np.inf)  # threads take other calls
    counts = []
    for units in (600, 2000):
        world = straight(units)
        film = FilmRecorder(tmp_path / "film.gif", world, size=(320, 180), speed=25 / 6)
        for _ in range(30):
            film.observe(world)
            world.step()
        counts.append(calls_of(lambda: film.observe(world)))  # noqa: B023
        assert film.frames == 4
        film.abort()
    assert counts[0] == counts[1]


def test_a_frame_of_the_window_takes_no_more_calls_for_more_units(monkeypatch):
    """The whole frame, step and picture and words, does nothing unit by unit either."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(compiled, "WORTH", np.inf)  # threads take other calls
    monkeypatch.setattr(sharing, "FINEST", 0)  # how long fewer rows take is not looked at
    counts = []
    for units in (20, 500):
        window = Window(straight(units), "flock", size=(320, 180))
        try:
            window.open()
            for _ in range(3):
                window.frame(1 / 60)
            counts.append(calls_of(lambda: window.frame(1 / 60)))  # noqa: B023
        finally:
            window.close()
    assert counts[0] == counts[1]


def test_figures_fit_together():
    """A frame takes as long as its step and its picture; percentiles come in order."""
    report = measure_draw(30, 5, **SMALL)
    assert report.frame.mean == pytest.approx(report.step.mean + report.draw.mean)
    for times in (report.frame, report.step, report.draw, report.capture):
        assert 0 < times.median <= times.p95 <= times.p99 <= times.greatest
    assert (report.units, report.frames) == (30, 5)


def test_times():
    """Mean and percentiles in milliseconds."""
    times = Times.of(np.arange(101) / 1000)
    assert (times.mean, times.median, times.p95, times.p99, times.greatest) == pytest.approx(
        (50, 50, 95, 99, 100)
    )


def test_in_words():
    """Sizes, mean and percentiles, and frames a second of window and film."""
    frame, film = Times(10.0, 9.0, 12.0, 14.0, 20.0), Times(5.0, 5.0, 6.0, 7.0, 8.0)
    report = bench_draw.DrawReport(
        10_000, 240, 2, (1280, 720), frame, frame, frame, (640, 360), film
    )
    words = format_draw(report)
    assert words.startswith("10,000 units drawn at 1280 x 720 (SDL's dummy driver), 240 frames, 2")
    assert "10.00 ms on average; median 9.00, 95 % 12.00, 99 % 14.00, longest 20.00" in words
    assert "100 frames a second in the window and 200 in the film" in words
    assert "GIF 640 x 360" in words


def test_nothing_to_draw_is_refused():
    """A bench needs a unit and a frame."""
    with pytest.raises(BadInput, match="frames = 0: must be 1 or greater"):
        measure_draw(10, 0)
