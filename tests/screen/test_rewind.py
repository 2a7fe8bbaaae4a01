"""The time bar: a run goes back up to a minute and on from there, the same run bit for bit."""

from math import inf

import numpy as np
import pygame
import pymunk
import pytest

import sim
from sim import Goal
from sim.screen import course
from sim.screen.course import Past
from sim.screen.window import Window

from .worlds import DISC, FRAME, WINDOW, click, mouse, plane, press, tap


def crossing():
    """Two groups that meet."""
    world = plane("wall", boxes=[(45, 0, 55, 40), (45, 60, 55, 100)])
    for name, x, goal in (("red", 20, (80, 50)), ("blue", 80, (20, 50))):
        places = [(x, 30.0), (x, 50.0), (x, 70.0)]
        world.add_group(name, places, hull=DISC, goal=Goal.to(goal))
    return world


@pytest.fixture
def window():
    """A window on them; steps do not depend on how busy the machine is."""
    opened = Window(crossing(), size=WINDOW)
    opened.course.budget = inf
    opened.open()
    yield opened
    opened.close()


def run(window, seconds):
    """Let frames pass."""
    for _ in range(round(seconds / FRAME)):
        window.frame(FRAME)


def state(world):
    """All that moves, bit for bit."""
    units = world.units
    return world.steps, *(a.tobytes() for a in (units.position, units.velocity, units.angle))


def pixel(window, time):
    """The place on the bar of a time."""
    line = window.bar
    return round(line.x_of(time)), line.area.centery


def test_keeping_states_does_not_change_the_run(window):
    """A run in a window is the one without: to save a world changes nothing."""
    run(window, 2.5)
    alone = crossing()
    for _ in range(window.world.steps):
        alone.step()
    assert state(alone) == state(window.world)


def test_rewound_and_run_on_is_the_same_run(window):
    """From the bar back to a second, and on: bit for bit where it was before."""
    run(window, 4.2)
    then = state(window.world)
    click(window, pixel(window, 2.3))
    assert 120 <= window.world.steps <= 122
    while window.world.steps < then[0]:
        window.frame(FRAME)
    assert state(window.world) == then


def test_the_bar_is_let_go_when_the_window_loses_the_keyboard(window):
    """A button that comes up elsewhere does not leave the run standing still."""
    run(window, 1.2)
    mouse(window, ("down", pixel(window, 1.0)))
    held = window.world.steps
    run(window, 0.1)
    assert window.world.steps == held
    pygame.event.post(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    run(window, 0.1)
    assert window.world.steps > held


def test_another_future_from_the_same_state(window):
    """An order given after going back makes another run; the states after it are dropped."""
    run(window, 3.0)
    then = state(window.world)
    tap(window, pygame.K_SPACE)
    click(window, pixel(window, 1.0))
    assert window.course.past.times == [0.0, 1.0, 2.0, 3.0]
    window.world.select([0, 1, 2]).go_to((20.0, 90.0))
    tap(window, pygame.K_SPACE)
    window.frame(FRAME)
    assert window.course.past.times == [0.0, 1.0]
    while window.world.steps < then[0]:
        window.frame(FRAME)
    assert state(window.world) != then


def test_the_run_waits_while_the_knob_is_held(window):
    """Dragging shows second by second; the run goes on when the button comes up."""
    run(window, 3.0)
    mouse(window, ("down", pixel(window, 2.0)), ("move", pixel(window, 1.2)))
    assert window.world.steps == 60
    run(window, 0.5)
    assert window.world.steps == 60
    mouse(window, ("move", pixel(window, 2.9)))
    assert window.world.steps == 120
    mouse(window, ("up", (5, 5)))
    run(window, 0.5)
    assert window.world.steps > 140


def test_left_and_right_go_by_seconds(window):
    """Without a player the arrows go back and forth, as Ctrl and the arrows do in any run."""
    run(window, 3.3)
    tap(window, pygame.K_SPACE)
    tap(window, pygame.K_LEFT)
    assert window.world.steps == 120
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_LEFT, mod=pygame.KMOD_LCTRL))
    window.frame(FRAME)
    assert window.world.steps == 60
    assert "1.0 s" in window.notice
    tap(window, pygame.K_RIGHT, pygame.K_RIGHT)
    assert window.world.steps == 180
    tap(window, pygame.K_RIGHT)
    assert window.world.steps == 180
    assert "nothing later" in window.notice


def _past_of(steps: int) -> Past:
    """What is kept of a unit at rest, for steps of 0.1 s."""
    world = plane(time_step=0.1)
    world.add_group("red", [(20.0, 20.0)], hull=DISC)
    past = Past()
    past.note(world)
    for _ in range(steps):
        world.step()
        past.note(world)
    return past


def test_a_minute_is_kept_and_no_more():
    """States older than a minute go; of large worlds every fifth second is kept."""
    past = _past_of(700)
    assert past.times == pytest.approx(np.arange(10.0, 71.0))
    assert past.nearest(0.0).time == pytest.approx(10.0)


def test_large_worlds_are_kept_every_five_seconds(monkeypatch):
    """So that the memory for a minute stays bounded."""
    monkeypatch.setattr(course, "MANY", 0)
    past = _past_of(110)
    assert past.times == pytest.approx([0.0, 5.0, 10.0])


def test_a_world_that_cannot_be_saved_says_so():
    """The bar says why, and a key says it too; the run goes on."""
    world = sim.World(bounds=(0, 0, 100, 100))
    world.add_group("red", [(20.0, 20.0)], hull=DISC)
    body = pymunk.Body(body_type=pymunk.Body.STATIC)
    world.space.add(body, pymunk.Circle(body, 2.0))
    world.see(body)
    opened = Window(world, size=WINDOW)
    opened.open()
    run(opened, 0.2)
    assert opened.course.past.why.startswith("save: ")
    press(pygame.K_LEFT)
    opened.frame(FRAME)
    assert opened.notice == opened.course.past.why
    assert opened.frame(FRAME)
    opened.close()


def test_what_comes_and_goes_is_rewound_too(window):
    """Units taken out are back, with their ids; selected ones stay selected."""
    run(window, 1.5)
    window.scene.squad.take([1, 4])
    tap(window, pygame.K_DELETE)
    assert len(window.world.ids) == 4
    tap(window, pygame.K_LEFT)
    assert window.world.ids.tolist() == [0, 1, 2, 3, 4, 5]
    run(window, 0.5)
