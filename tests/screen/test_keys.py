import numpy as np
import pygame
import pytest

from sim import Goal
from sim.screen.hud import help_pages, help_rows
from sim.screen.keys import KEYS, PARTS
from sim.screen.plate import plate
from sim.screen.theme import DARK
from sim.screen.window import Window

from .worlds import FRAME, WINDOW, chase, plane, press, tap


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
    window = Window(world, size=WINDOW)
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


def test_h_shows_every_key(window):
    """The help has a line for each key in the table, and covers the middle of the picture.

    After its last page the picture is as before.
    """
    shown = [row[0][0] for row in help_rows(DARK)]
    headings = [title for title, _ in PARTS]
    assert [each for each in shown if each in headings] == headings
    lines = [each for each in shown if each not in headings]
    assert lines[: len(KEYS)] == [key.shown for key in KEYS]
    press(pygame.K_SPACE)
    tap(window, pygame.K_f)
    before = pygame.surfarray.array3d(pygame.display.get_surface()).astype(int)
    tap(window, pygame.K_h)
    during = pygame.surfarray.array3d(pygame.display.get_surface()).astype(int)
    tap(window, *window.controls.pages * [pygame.K_h])
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


def test_other_keys_do_nothing(window):
    """A key that is not in the table is passed over."""
    assert window.frame(FRAME)
    tap(window, pygame.K_F12)
    assert window.frame(FRAME)


def test_no_switch_for_what_nobody_does():
    """A crowd that walks to a place has rules of pursuit, and nothing to switch off."""
    world = plane()
    world.add_group("one", [[20, 50]], model="crowd", goal=Goal.to((80, 50)))
    window = Window(world, size=WINDOW)
    assert window.controls.switch_is_on("chase") is None
    world.groups[0].goal = None
    assert window.controls.switch_is_on("chase") is None


@pytest.mark.parametrize("size", [(876, 618), (600, 478), (400, 398), (500, 272)])
def test_pages_of_the_help_are_legible_and_have_every_key(size):
    """In pictures of windows of 1176 x 640 down to 700 x 420, where a page is a tenth smaller."""
    rows, room = help_rows(DARK), pygame.Rect((0, 0), size).inflate(-20, -20)
    pages = help_pages(rows, room, DARK)
    told = {words for page in pages for row in page for words, _ in row}
    assert {words for row in rows for words, _ in row} <= told
    for page in pages:
        image = plate([*page, [("page 1 of 9: H shows the next", DARK.text)]], DARK, table=True)
        assert image.get_width() * (0.9 if size[0] == 400 else 1) <= room.width
        assert image.get_height() <= room.height


def test_the_help_goes_page_by_page(listed):
    """H shows one after the other, and no more after the last."""
    tap(listed, pygame.K_h)
    pages = listed.controls.pages
    assert pages > 1
    for page in range(1, pages + 1):
        assert listed.controls.help == page
        tap(listed, pygame.K_h)
    assert listed.controls.help == 0
