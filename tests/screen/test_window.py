from math import inf

import numpy as np
import pygame
import pytest
from PIL import Image

from sim import BadInput
from sim.screen.window import Window

from .worlds import FRAME, GROUND, SIZE, WINDOW, chase, plane, tap


class Log:
    """A watcher that writes down what it is told, and may raise at a step."""

    def __init__(self, error=None, at=10):
        self.steps, self.closed, self._error, self._at = [], 0, error, at

    def observe(self, world):  # noqa: D102
        self.steps.append(world.steps)
        if self._error is not None and world.steps == self._at:
            raise self._error

    def close(self):  # noqa: D102
        self.closed += 1


def test_g_records_what_is_seen(window, tmp_path):
    """G starts a film and ends it; each gets a name of its own, said on the picture."""
    for number in (1, 2):
        tap(window, pygame.K_g)
        name = f"recording-{number}.gif"
        assert str(window.filming.recorder.path) == name
        for _ in range(30):
            window.frame(FRAME)
        tap(window, pygame.K_g)
        assert window.filming.recorder is None
        assert window.notice == f"wrote {name}"
        with Image.open(tmp_path / name) as film:
            assert film.n_frames >= 12
    assert sorted(p.name for p in tmp_path.iterdir()) == ["recording-1.gif", "recording-2.gif"]


def test_a_film_is_finished_when_the_window_closes(window, tmp_path):
    """Ending while recording leaves a playable film."""
    tap(window, pygame.K_g)
    tap(window, pygame.K_ESCAPE)
    window.close()
    with Image.open(tmp_path / "recording-1.gif") as film:
        film.load()


def test_a_film_that_cannot_be_written_does_not_end_the_run(window):
    """A folder that is not there is said on the picture; the run goes on."""
    window.filming.name = window.filming.name / "missing" / "film"
    tap(window, pygame.K_g)
    assert window.filming.recorder is None
    assert "missing" in window.notice
    assert window.frame(FRAME)


def _click(window, place):
    x, y = window.scene.camera(window.world, SIZE).to_screen(place).astype(int).tolist()
    event = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(x, y))
    pygame.event.post(event)
    window.frame(FRAME)


def test_a_click_looks_inside_a_unit(window):
    """A click on a hull selects it and shows its view; one on free ground ends that."""
    tap(window, pygame.K_SPACE)
    tap(window, pygame.K_3)
    place = window.world.units.position[2]
    spot = place + window.world.units.heading[2] * 20 + 3
    assert _pixel(window, spot) == GROUND
    _click(window, place)
    assert window.scene.selected == 2
    assert _pixel(window, spot) != GROUND
    _click(window, (60, 92))
    assert window.scene.selected is None


def _pixel(window, place):
    x, y = window.scene.camera(window.world, SIZE).to_screen(place).astype(int).tolist()
    return tuple(pygame.display.get_surface().get_at((x, y)))[:3]


def test_watchers_see_the_start_and_every_step():
    """Watchers observe step 0 and each one after, and are closed once, at the end."""
    log = Log()
    Window(chase(), size=WINDOW, watchers=[log], duration=0.2).run()
    assert log.steps == list(range(13))
    assert log.closed == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_watchers_are_closed_when_a_run_breaks_off(error):
    """Ctrl-C and errors pass on, after every watcher has been closed and the window too."""
    first, second = Log(error("stop")), Log()
    with pytest.raises(error):
        Window(chase(), size=WINDOW, watchers=[first, second], duration=5.0).run()
    assert (first.closed, second.closed) == (1, 1)
    assert not pygame.display.get_init()


def test_the_speed_of_the_machine_does_not_change_the_run():
    """The same steps give the same state, whatever the frames they came in."""
    worlds = [chase(), chase()]
    for world, pieces in zip(worlds, ([1 / 60] * 12, [0.1, 0.1]), strict=True):
        window = Window(world, size=WINDOW)
        window.course.budget = inf
        window.open()
        for elapsed in pieces:
            window.frame(elapsed)
        window.close()
    assert [world.steps for world in worlds] == [12, 12]
    assert np.array_equal(worlds[0].units.position, worlds[1].units.position)


def test_keys_are_answered_even_if_steps_take_long(window):
    """A frame stops stepping when its time is up, and what it did not manage is not owed."""
    window.course.budget = 0.0
    window.frame(0.1)
    assert window.world.steps == 1
    window.course.budget = inf
    window.frame(FRAME)
    assert window.world.steps == 2


def test_a_window_without_a_display_is_refused(monkeypatch):
    """Where nothing can be shown, BadInput says so and what to do instead."""
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    log = Log()
    with pytest.raises(BadInput, match="--headless"):
        Window(plane(), watchers=[log]).run()
    assert log.closed == 1


def test_a_driver_that_does_not_exist_is_refused(monkeypatch):
    """SDL's own complaint becomes one line for the user."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    with pytest.raises(BadInput, match="window"):
        Window(plane()).run()
