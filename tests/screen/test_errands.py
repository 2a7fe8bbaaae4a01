"""Where a selected unit is bound for, and groups that the mouse sends."""

import numpy as np
import pytest

from sim.screen import errands
from sim.screen.hud import help_rows, unit_rows
from sim.screen.scene import Scene
from sim.screen.theme import DARK
from sim.screen.window import Window

from .worlds import DISC, SIZE, WINDOW, chase, click, color_at, painted, plane


def two(apart=50.0):
    """Two squares on a plane of 100 x 100, the first sent to (80, 20)."""
    world = plane()
    one = world.add_group("one", [(30.0, 60.0)], model="squares")
    world.add_group("other", [(30.0 + apart, 60.0)], model="squares")
    one.go_to((80.0, 20.0))
    world.step()
    return world


def test_a_cross_on_the_target():
    """The selected unit's target is marked, and nobody's otherwise."""
    scene = Scene()
    world = two()
    scene.selected = 0
    assert color_at(painted(world, scene=scene), world, (80.0, 20.0)) == DARK.selected
    scene.selected = 1
    assert color_at(painted(world, scene=scene), world, (80.0, 20.0)) != DARK.selected


def test_the_side_it_has_struck():
    """The left side of the one that it touches is drawn."""
    scene = Scene()
    world = two(apart=13.99)
    world.step()
    assert len(world.contacts.other) == 2
    middle = world.units.position[1] - (7.0, 0.0)
    plain = color_at(painted(world, scene=scene), world, middle)
    scene.selected = 0
    assert color_at(painted(world, scene=scene), world, middle) != plain


def test_its_timer_in_words():
    """Whether it is on its way, and what its timer stands at."""
    world = two()
    world.roster.orders_now().minds.timer[:] = 2.3, 4.6
    assert errands.words(world, 0)[0].startswith("on its way, 6")
    assert errands.words(world, 0)[1] == "has tried in vain for 2.3 s"
    assert errands.words(world, 1) == ["makes way for 4.6 s"]
    assert errands.words(chase(), 1) == []
    assert any("has tried in vain for 2.3 s" in row[0][0] for row in unit_rows(world, 0, DARK))


@pytest.fixture
def sending():
    """A window whose mouse sends two squares."""
    opened = Window(two(), size=WINDOW)
    opened.controls.hand.sends = opened.world.groups
    opened.open()
    yield opened
    opened.close()


def click_at(window, button, place):
    """A mouse button goes down and up over a place of the world."""
    click(window, window.scene.camera(window.world, SIZE).to_screen(np.array(place)), button)


@pytest.mark.parametrize(("button", "group"), [(1, 0), (3, 1)])
def test_buttons_send_groups(sending, button, group):
    """Left the first and right the second, to the cursor, as often as one likes (C2)."""
    world = sending.world
    world.groups[group].schedule = [(50.0, (1.0, 1.0))]
    for place in ((20.0, 30.0), (60.0, 80.0)):
        click_at(sending, button, place)
        row = world.groups[group].rows.start
        assert np.allclose(world.orders.points[world.orders.first[row]], place, atol=0.3)
        assert world.orders.minds.moving[row]
    assert not world.groups[group].schedule
    assert sending.scene.selected is None


def test_the_middle_button_looks_inside(sending):
    """Where the left one sends; the help says so."""
    click_at(sending, 2, (30.0, 60.0))
    assert sending.scene.selected == 0
    said = [row[0][0] for row in help_rows(DARK, sends=True)]
    assert "Middle click" in said
    assert "Click" not in said


def test_a_click_that_cannot_send_says_why():
    """A group that goes nowhere: the error went through the window, and ended it."""
    world = plane()
    world.add_group("player", [(20.0, 20.0)], model="player", hull=DISC)
    window = Window(world, size=WINDOW)
    window.controls.hand.sends = world.groups
    window.open()
    try:
        click_at(window, 1, (80.0, 20.0))
        assert "model 'player' cannot do that" in window.notice
    finally:
        window.close()
