"""Units that are selected and sent by mouse and keys, and the way back in a run."""

from math import inf

import numpy as np
import pygame
import pytest

from sim import Box, Goal, World
from sim.screen.keys import KEYS
from sim.screen.window import Window

from .worlds import FRAME, WINDOW

LEFT, RIGHT = pygame.BUTTON_LEFT, pygame.BUTTON_RIGHT


@pytest.fixture
def field(tmp_path, monkeypatch):
    """A window on three walkers that stand still; it is paused."""
    monkeypatch.chdir(tmp_path)
    world = World(bounds=(0, 0, 100, 100), seed=1)
    world.add_group("a", [[20, 20], [30, 20], [80, 80]], model="crowd", heading=0.0)
    window = Window(world, "Field", size=WINDOW)
    window.budget = inf
    window.open()
    press(window, pygame.K_SPACE)
    yield window
    pygame.key.set_mods(0)
    window.close()


def press(window, key, mod=0):
    """A key, and a frame."""
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod))
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, mod=0))
    window.frame(FRAME)


def pixel(window, place):
    """Where a place of the world is in the window."""
    camera = window.scene.camera(window.world, window.room.size)
    return tuple(round(float(each)) for each in camera.to_screen(np.array(place, dtype=float)))


def drag(window, button, begin, end=None, shift=False):
    """A button down at one place of the world and up at another; a click without that."""
    pygame.key.set_mods(pygame.KMOD_LSHIFT if shift else 0)
    one, other = pixel(window, begin), pixel(window, begin if end is None else end)
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=one, button=button))
    pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=other, rel=(0, 0), buttons=(1,)))
    window.frame(FRAME)
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=other, button=button))
    window.frame(FRAME)
    pygame.key.set_mods(0)


def picked(window):
    """The ids of the units that are selected."""
    return sorted(window.scene.picked.tolist())


def test_a_click_selects_one_and_shift_adds_or_drops(field):
    """Without Shift the one that is clicked takes the place of those before."""
    drag(field, LEFT, (20, 20))
    assert picked(field) == [0]
    drag(field, LEFT, (80, 80), shift=True)
    assert picked(field) == [0, 2]
    drag(field, LEFT, (20, 20), shift=True)
    assert picked(field) == [2]
    drag(field, LEFT, (50, 50))
    assert picked(field) == []


def test_a_box_selects_all_in_it(field):
    """From any corner to the opposite one; what lies outside is not selected."""
    drag(field, LEFT, (35, 25), (15, 15))
    assert picked(field) == [0, 1]
    drag(field, LEFT, (70, 70), (90, 90), shift=True)
    assert picked(field) == [0, 1, 2]


def test_a_right_click_sends_those_selected_and_shift_queues(field):
    """They go to the first place, then to the second; the others stay where they are."""
    drag(field, LEFT, (35, 25), (15, 15))
    drag(field, RIGHT, (25, 30))
    drag(field, RIGHT, (25, 60), shift=True)
    assert field.world.orders.queue
    press(field, pygame.K_SPACE)
    reached, still = np.inf, field.world.units.position[2].copy()
    for _ in range(60 * 60):
        field.world.step()
        reached = min(reached, np.hypot(*(field.world.units.position[0] - (25, 30))))
        if not field.world.orders.queue and not field.world.orders.minds.moving.any():
            break
    assert reached < 2
    assert (np.hypot(*(field.world.units.position[:2] - (25, 60)).T) < 2).all()
    assert np.allclose(field.world.units.position[2], still)


def test_a_right_click_with_nobody_selected_orders_nothing(field):
    """And says nothing."""
    drag(field, RIGHT, (25, 30))
    assert not field.world.orders.minds.moving.any()


def test_orders_are_drawn(field):
    """A cross where they are sent, and a ring round each."""
    before = pygame.surfarray.array3d(pygame.display.get_surface()).astype(int)
    drag(field, LEFT, (20, 20))
    drag(field, LEFT, (50, 50))
    drag(field, LEFT, (35, 25), (15, 15))
    drag(field, RIGHT, (60, 60))
    after = pygame.surfarray.array3d(pygame.display.get_surface()).astype(int)
    x, y = pixel(field, (60, 60))
    changed = np.abs(after - before).sum(axis=2) > 60
    assert changed[x - 3 : x + 4, y - 3 : y + 4].any()


def test_what_a_model_cannot_do_is_said(field):
    """A place that is not in the world is refused with a message, and the window goes on."""
    field.world.add_group("p", [[50, 20]], model="player")
    drag(field, LEFT, (50, 20))
    drag(field, RIGHT, (60, 60))
    assert field.notice


def test_delete_takes_them_out(field):
    """Those selected leave the world; selections forget them."""
    drag(field, LEFT, (35, 25), (15, 15))
    press(field, pygame.K_1, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    press(field, pygame.K_DELETE)
    assert field.world.ids.tolist() == [2]
    press(field, pygame.K_1, pygame.KMOD_LCTRL)
    press(field, pygame.K_DELETE)
    assert field.world.ids.tolist() == [2]
    assert "nobody is selected" in field.notice


def test_digits_keep_selections(field):
    """Ctrl Shift and a digit keeps them, Ctrl and the digit selects them again."""
    drag(field, LEFT, (20, 20))
    press(field, pygame.K_2, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT)
    drag(field, LEFT, (80, 80))
    press(field, pygame.K_2, pygame.KMOD_LCTRL)
    assert picked(field) == [0]


def test_ctrl_x_stops_them(field):
    """Those selected stand still, wherever they were sent."""
    press(field, pygame.K_a, pygame.KMOD_LCTRL)
    drag(field, RIGHT, (60, 60))
    for _ in range(30):
        field.world.step()
    press(field, pygame.K_x, pygame.KMOD_LCTRL)
    for _ in range(120):
        field.world.step()
    assert np.hypot(*field.world.units.velocity.T).max() < 0.01


def test_e_opens_and_closes_a_door(field):
    """The one under the mouse; beside all it says that there is none."""
    gate = field.world.add_solid(Box(60, 10, 62, 30), name="gate")
    drag(field, LEFT, (61, 20))
    press(field, pygame.K_e)
    assert not gate.closed
    press(field, pygame.K_e)
    assert gate.closed
    drag(field, LEFT, (40, 80))
    press(field, pygame.K_e)
    assert "no door" in field.notice


def test_a_run_that_went_back_is_the_same_run(field):
    """Two seconds back and on again, without another order: the same places, bit for bit."""
    field.world.groups[0].go_to((60, 60))
    press(field, pygame.K_SPACE)
    for _ in range(180):
        field.frame(FRAME)
    steps, there = field.world.steps, field.world.units.position.copy()
    press(field, pygame.K_SPACE)
    press(field, pygame.K_LEFT, pygame.KMOD_LCTRL)
    press(field, pygame.K_LEFT, pygame.KMOD_LCTRL)
    assert field.world.steps <= steps - 60
    while field.world.steps < steps:
        field.world.step()
    assert np.array_equal(field.world.units.position, there)


def test_on_again_until_the_run_has_gone_on(field):
    """What came after is kept while one looks back, and forgotten when the run goes on."""
    press(field, pygame.K_SPACE)
    for _ in range(200):
        field.frame(FRAME)
    press(field, pygame.K_SPACE)
    press(field, pygame.K_LEFT, pygame.KMOD_LCTRL)
    press(field, pygame.K_LEFT, pygame.KMOD_LCTRL)
    back = field.world.time
    press(field, pygame.K_RIGHT, pygame.KMOD_LCTRL)
    assert field.world.time == pytest.approx(back + 1)
    press(field, pygame.K_LEFT, pygame.KMOD_LCTRL)
    press(field, pygame.K_PERIOD)
    press(field, pygame.K_RIGHT, pygame.KMOD_LCTRL)
    assert field.world.time == pytest.approx(back + FRAME)


def test_a_recorded_run_does_not_go_back(field):
    """Its film knows one course of time."""
    press(field, pygame.K_g)
    press(field, pygame.K_LEFT, pygame.KMOD_LCTRL)
    assert "cannot go back" in field.notice
    press(field, pygame.K_g)


def test_where_the_mouse_sends_groups_a_drag_selects_nobody(field):
    """Its left button has another use there."""
    field.controls.sends = [field.world.groups[0]]
    drag(field, LEFT, (35, 25), (15, 15))
    assert picked(field) == []
    assert field.world.groups[0].goal == Goal.to(
        field.world.groups[0].goal.routes[0][0], nearest=True
    )


def test_no_plain_key_hides_behind_ctrl():
    """With Ctrl only keys that want it do something."""
    from sim.screen.keys import KEYBOARD

    for key in KEYS:
        found = KEYBOARD.key_of(key.codes[0], shift=key.shift, ctrl=True)
        assert found is None or found.ctrl
