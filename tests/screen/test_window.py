import numpy as np
import pygame
import pytest
from PIL import Image

from sim import BadInput
from sim.screen.controls import Controls
from sim.screen.hud import help_rows
from sim.screen.keys import KEYS
from sim.screen.theme import DARK
from sim.screen.window import Window

from .worlds import GROUND, SIZE, chase, plane

FRAME = 1 / 60


@pytest.fixture
def window(tmp_path, monkeypatch):
    """A window on a small chase, its films in a folder of their own."""
    monkeypatch.chdir(tmp_path)
    opened = Window(chase(), "Chase", size=SIZE)
    opened.open()
    yield opened
    opened.close()


def press(*keys, hold=False):
    """Post key events as a keyboard would."""
    for key in keys:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))
        if not hold:
            pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key))


def tap(window, *keys):
    """Press keys and let a frame pass."""
    press(*keys)
    window.frame(FRAME)


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


@pytest.mark.parametrize(
    ("key", "view"),
    [
        (pygame.K_1, "wide"),
        (pygame.K_2, "limited"),
        (pygame.K_3, "narrow"),
        (pygame.K_4, "all"),
        (pygame.K_KP3, "narrow"),
    ],
)
def test_digits_switch_the_view(window, key, view):
    """A digit gives all groups that view."""
    for group in window.world.groups:
        group.view = "limited" if view != "limited" else "wide"
    tap(window, key)
    assert {group.view for group in window.world.groups} == {view}


@pytest.mark.parametrize(
    ("key", "action", "family"),
    [(pygame.K_f, "flocking", "flocking"), (pygame.K_c, "chase", "pursuit")],
)
def test_f_and_c_switch_rules(window, key, action, family):
    """F and C mute flocking and pursuit of all groups that have them, and bring them back."""
    flock = window.world.group("flock")
    for on in (False, True):
        tap(window, key)
        assert (family in flock.muted) is not on
        assert window.controls.switch_is_on(action) is on
    assert family not in window.world.group("player").muted


@pytest.mark.parametrize(
    ("key", "controls"),
    [
        (pygame.K_LEFT, [0, 1, 1]),
        (pygame.K_a, [0, 1, 1]),
        (pygame.K_RIGHT, [1, 0, 1]),
        (pygame.K_d, [1, 0, 1]),
    ],
)
def test_arrows_work_the_thrusters_while_held(window, key, controls):
    """Left is the starboard thruster and right the port one, for as long as the key is down."""
    player = window.world.group("player")
    assert player.controls.tolist() == [[0, 0, 1]]
    press(key, hold=True)
    window.frame(FRAME)
    assert player.controls.tolist() == [controls]
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key))
    window.frame(FRAME)
    assert player.controls.tolist() == [[0, 0, 1]]


def test_left_turns_left(window):
    """Holding Left turns the player counterclockwise on screen."""
    press(pygame.K_LEFT, hold=True)
    for _ in range(20):
        window.frame(FRAME)
    assert window.world.units.angle[0] < -0.1


@pytest.mark.parametrize(("off", "on"), [(pygame.K_DOWN, pygame.K_UP), (pygame.K_s, pygame.K_w)])
def test_down_and_up_switch_the_engine(window, off, on):
    """The player cruises at full thrust; Down switches the engine off, Up on again."""
    player = window.world.group("player")
    tap(window, off)
    assert player.controls[0, 2] == 0
    tap(window, on)
    assert player.controls[0, 2] == 1


def test_thrusters_let_go_when_the_window_loses_the_keyboard(window):
    """A key that comes up elsewhere does not leave its thruster on."""
    press(pygame.K_LEFT, hold=True)
    window.frame(FRAME)
    pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    window.frame(FRAME)
    assert window.world.group("player").controls.tolist() == [[0, 0, 1]]


def test_a_key_takes_the_player_from_its_script():
    """A scripted player follows its script until somebody takes the thrusters."""
    world = chase()
    player = world.group("player")
    player.script = np.array([[0.0, 1.0, 0.0, 0.5]])
    window = Window(world, size=SIZE)
    window.open()
    window.frame(FRAME)
    assert player.controls.tolist() == [[1, 0, 0.5]]
    press(pygame.K_LEFT, hold=True)
    window.frame(FRAME)
    window.close()
    assert player.controls.tolist() == [[0, 1, 1]]


def test_space_pauses_and_goes_on(window):
    """While paused no time passes, and what was missed is not made up for."""
    tap(window, pygame.K_SPACE)
    steps = window.world.steps
    for _ in range(5):
        window.frame(FRAME)
    assert window.world.steps == steps
    tap(window, pygame.K_SPACE)
    assert window.world.steps == steps + 1


def test_period_is_a_single_step(window):
    """Each period is one step, and the run stands still after it."""
    steps = window.world.steps
    tap(window, pygame.K_PERIOD)
    assert window.controls.paused
    window.frame(FRAME)
    tap(window, pygame.K_PERIOD, pygame.K_KP_PERIOD)
    assert window.world.steps == steps + 3


@pytest.mark.parametrize(
    ("key", "times", "speed", "steps"),
    [
        (pygame.K_PLUS, 1, 2.0, 24),
        (pygame.K_EQUALS, 1, 2.0, 24),
        (pygame.K_KP_PLUS, 9, 8.0, 96),
        (pygame.K_MINUS, 1, 0.5, 6),
        (pygame.K_KP_MINUS, 9, 0.25, 3),
    ],
)
def test_plus_and_minus_change_the_speed(window, key, times, speed, steps):
    """Each press doubles or halves, between a quarter and eight; steps follow."""
    tap(window, pygame.K_SPACE)
    tap(window, *[key] * times)
    assert window.controls.speed == speed
    press(pygame.K_SPACE)
    before = window.world.steps
    for _ in range(12):
        window.frame(FRAME)
    assert window.world.steps - before == steps


def test_g_records_what_is_seen(window, tmp_path):
    """G starts a film and ends it; each gets a name of its own, said on the picture."""
    for number in (1, 2):
        tap(window, pygame.K_g)
        name = f"recording-{number}.gif"
        assert str(window.recorder.path) == name
        for _ in range(30):
            window.frame(FRAME)
        tap(window, pygame.K_g)
        assert window.recorder is None
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
    window._record_as = window._record_as / "missing" / "film"
    tap(window, pygame.K_g)
    assert window.recorder is None
    assert "missing" in window.notice
    assert window.frame(FRAME)


def test_h_shows_every_key(window):
    """The help has a line for each key in the table, and covers the middle of the picture."""
    shown = [row[0][0] for row in help_rows(DARK)]
    assert shown[: len(KEYS)] == [key.shown for key in KEYS]
    press(pygame.K_SPACE)
    tap(window, pygame.K_f)
    before = pygame.surfarray.array3d(pygame.display.get_surface()).astype(int)
    tap(window, pygame.K_h)
    during = pygame.surfarray.array3d(pygame.display.get_surface()).astype(int)
    tap(window, pygame.K_h)
    after = pygame.surfarray.array3d(pygame.display.get_surface()).astype(int)
    assert (np.abs(during - before)[150:250, 50:350].max(axis=2) > 50).sum() > 1000
    assert np.array_equal(before, after)


@pytest.mark.parametrize("event", [pygame.QUIT, pygame.KEYDOWN])
def test_escape_and_closing_end_the_run(window, event):
    """Esc and the window's own button end the run at that frame."""
    assert window.frame(FRAME)
    steps = window.world.steps
    pygame.event.post(pygame.event.Event(event, key=pygame.K_ESCAPE))
    assert not window.frame(FRAME)
    assert window.world.steps == steps


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.action)
def test_every_key_does_something(key):
    """No line of the table is without effect or without an action behind it."""
    calls = []
    world = chase()
    controls = Controls(world, lambda: calls.append("record"), calls.append)
    world.group("flock").view = "limited" if key.action != "view_limited" else "wide"
    if key.action == "full_thrust":
        world.group("player").controls[:] = 0
    before = _state(world, controls, calls)
    for code in key.codes[:1]:
        controls.handle(pygame.event.Event(pygame.KEYDOWN, key=code))
    assert _state(world, controls, calls) != before


def _state(world, controls, calls):
    switches = controls.paused, controls.help, controls.ended, controls.speed, controls.single_steps
    groups = [(g.view, sorted(g.muted), g.controls.tolist()) for g in world.groups]
    return switches, groups, list(calls)


def test_other_keys_do_nothing(window):
    """A key that is not in the table is passed over."""
    assert window.frame(FRAME)
    tap(window, pygame.K_F12)
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
    Window(chase(), size=SIZE, watchers=[log], duration=0.2).run()
    assert log.steps == list(range(13))
    assert log.closed == 1


def test_a_run_ends_when_it_is_told_to():
    """`until` is asked after every step."""
    world = chase()
    Window(world, size=SIZE, until=lambda world: world.steps >= 7).run()
    assert world.steps == 7


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_watchers_are_closed_when_a_run_breaks_off(error):
    """Ctrl-C and errors pass on, after every watcher has been closed and the window too."""
    first, second = Log(error("stop")), Log()
    with pytest.raises(error):
        Window(chase(), size=SIZE, watchers=[first, second], duration=5.0).run()
    assert (first.closed, second.closed) == (1, 1)
    assert not pygame.display.get_init()


def test_the_speed_of_the_machine_does_not_change_the_run():
    """The same steps give the same state, whatever the frames they came in."""
    worlds = [chase(), chase()]
    for world, pieces in zip(worlds, ([1 / 60] * 12, [0.1, 0.1]), strict=True):
        window = Window(world, size=SIZE)
        window.open()
        for elapsed in pieces:
            window.frame(elapsed)
        window.close()
    assert [world.steps for world in worlds] == [12, 12]
    assert np.array_equal(worlds[0].units.position, worlds[1].units.position)


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
