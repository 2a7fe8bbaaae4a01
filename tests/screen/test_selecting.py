"""Units are selected, ordered, stored and removed by mouse and keys, through real events."""

import numpy as np
import pygame
import pytest

from sim import Goal
from sim.screen import errands
from sim.screen.window import Window

from .worlds import DISC, FRAME, SIZE, WINDOW, click, mouse, plane, tap

RED = [(20.0, 20.0), (30.0, 20.0), (40.0, 20.0)]
BLUE = [(20.0, 60.0), (40.0, 60.0)]


def armies():
    """Three red and two blue walkers on a plane of 100 x 100."""
    world = plane("wall")
    world.add_group("red", RED, hull=DISC, color="red")
    world.add_group("blue", BLUE, hull=DISC, color="blue")
    return world


@pytest.fixture
def field():
    """A window on two small armies that stand; it is paused, so that places stay."""
    opened = Window(armies(), size=WINDOW)
    opened.open()
    tap(opened, pygame.K_SPACE)
    yield opened
    pygame.key.set_mods(pygame.KMOD_NONE)
    opened.close()


def spot(window, place):
    """The pixel of a place of the world."""
    return window.scene.camera(window.world, SIZE).to_screen(np.array(place))


def drag(window, start, end):
    """The left button draws a box between two places of the world."""
    a, b = spot(window, start), spot(window, end)
    mouse(window, ("move", a), ("down", a), ("move", (a + b) / 2), ("move", b), ("up", b))


def chord(window, key, mod=pygame.KMOD_LCTRL):
    """A key goes down together with others that are held."""
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod))
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, mod=mod))
    window.frame(FRAME)


def chosen(window):
    """Ids of the selected units."""
    return window.scene.squad.ids.tolist()


def bound(window, number):
    """Places that a unit is still to visit."""
    row = int(np.flatnonzero(window.world.ids == number)[0])
    return [each.round(0).tolist() for each in errands.errands(window.world, row)]


def test_a_click_selects_one(field):
    """A click on a hull selects that unit alone; one on free ground selects none."""
    click(field, spot(field, RED[1]))
    assert (chosen(field), field.scene.selected) == ([1], 1)
    click(field, spot(field, BLUE[0]))
    assert chosen(field) == [3]
    click(field, spot(field, (80, 80)))
    assert (chosen(field), field.scene.selected) == ([], None)


def test_shift_adds_and_takes_away(field):
    """With Shift a click selects a unit besides, or no longer; a box is added."""
    click(field, spot(field, RED[0]))
    pygame.key.set_mods(pygame.KMOD_LSHIFT)
    click(field, spot(field, BLUE[0]))
    assert chosen(field) == [0, 3]
    click(field, spot(field, RED[0]))
    assert chosen(field) == [3]
    drag(field, (25, 10), (50, 30))
    assert chosen(field) == [1, 2, 3]


def test_a_box_selects_all_inside(field):
    """From any corner; a second box takes the place of the first."""
    drag(field, (45, 70), (15, 10))
    assert chosen(field) == [0, 1, 2, 3, 4]
    drag(field, (25, 10), (50, 30))
    assert chosen(field) == [1, 2]


def test_the_box_is_painted_while_it_is_drawn(field):
    """Its edge is on the picture until the button comes up."""
    a, b = spot(field, (60, 10)), spot(field, (90, 40))
    mouse(field, ("down", a), ("move", b))
    x, y = round(float(b[0])) - 40, round(float(a[1]))
    assert pygame.display.get_surface().get_at((x, y))[:3] == field.scene.theme.selected
    mouse(field, ("up", b))
    assert pygame.display.get_surface().get_at((x, y))[:3] != field.scene.theme.selected


def test_a_right_click_orders_the_selected(field):
    """Only they go there; with Shift the next place comes after that."""
    drag(field, (15, 10), (35, 70))
    click(field, spot(field, (70, 40)), button=3)
    assert [bound(field, k) for k in range(5)] == [[[70, 40]], [[70, 40]], [], [[70, 40]], []]
    pygame.key.set_mods(pygame.KMOD_LSHIFT)
    click(field, spot(field, (70, 80)), button=3)
    assert bound(field, 0) == bound(field, 3) == [[70, 40], [70, 80]]
    assert bound(field, 2) == []
    pygame.key.set_mods(pygame.KMOD_NONE)
    click(field, spot(field, (10, 90)), button=3)
    assert bound(field, 0) == [[10, 90]]


def test_shift_counts_as_it_was_at_the_click(field, monkeypatch):
    """Shift that comes up after a click, before the next picture, has been down all the same."""
    drag(field, (15, 10), (35, 70))
    click(field, spot(field, (70, 40)), button=3)
    now = [pygame.KMOD_NONE]  # as pygame tells of keys: after all that has happened
    monkeypatch.setattr(pygame.key, "get_mods", lambda: now[0])
    monkeypatch.setattr(pygame.key, "set_mods", lambda mods: now.__setitem__(0, mods))
    at = {"button": 3, "pos": tuple(spot(field, (70, 80)).astype(int).tolist())}
    keys = ({"key": pygame.K_LSHIFT, "mod": mod} for mod in (pygame.KMOD_LSHIFT, 0))
    happened = [
        (pygame.KEYDOWN, next(keys)), (pygame.MOUSEBUTTONDOWN, at), (pygame.MOUSEBUTTONUP, at),
        (pygame.KEYUP, next(keys)),
    ]  # fmt: skip
    for kind, told in happened:
        pygame.event.post(pygame.event.Event(kind, **told))
    field.frame(FRAME)
    assert bound(field, 0) == [[70, 40], [70, 80]]
    assert now == [pygame.KMOD_NONE]
    click(field, spot(field, (10, 90)), button=3)
    assert bound(field, 0) == [[10, 90]]


def test_orders_are_drawn_as_lines(field):
    """A line from a selected unit to where it goes, gone when it is not selected any more."""
    click(field, spot(field, RED[0]))
    click(field, spot(field, (20, 50)), button=3)
    x, y = spot(field, (20, 35)).round().astype(int).tolist()
    there = [pygame.display.get_surface().get_at((x + k, y))[:3] for k in (-1, 0, 1)]
    assert max(map(sum, there)) > 2 * sum(field.scene.theme.ground)
    click(field, spot(field, (80, 80)))
    assert sum(pygame.display.get_surface().get_at((x, y))[:3]) < 2 * sum(field.scene.theme.ground)


def test_a_refused_order_is_said(field):
    """A player's craft cannot be sent anywhere: the window says so and goes on."""
    field.world.add_group("mine", [(70.0, 20.0)], model="player", hull=DISC)
    click(field, spot(field, (70, 20)))
    click(field, spot(field, (70, 40)), button=3)
    assert "model 'player' cannot do that" in field.notice
    assert field.frame(FRAME)


def test_one_of_those_that_flee_is_sent_elsewhere(field):
    """It alone has a line to there; the others flee on."""
    red = field.world.group("red")
    red.goal = Goal("flee", "blue")
    click(field, spot(field, RED[0]))
    click(field, spot(field, (70, 40)), button=3)
    assert np.allclose(bound(field, 0), [(70, 40)], atol=0.5)
    assert np.allclose(bound(field, 1), [BLUE[0]])
    assert red.kinds == {"flee", "go"}


def test_digits_store_and_recall(field):
    """Ctrl and a digit store a selection; the digit alone selects it again, and gives no view."""
    views = {group.view for group in field.world.groups}
    drag(field, (15, 10), (50, 30))
    chord(field, pygame.K_1)
    click(field, spot(field, BLUE[0]))
    chord(field, pygame.K_7)
    tap(field, pygame.K_1)
    assert chosen(field) == [0, 1, 2]
    tap(field, pygame.K_7)
    assert chosen(field) == [3]
    assert {group.view for group in field.world.groups} == views
    assert not field.notice.startswith("no group goes by its view")
    tap(field, pygame.K_3)  # nothing is stored there, and it is the key of a view
    assert field.notice.startswith("no group goes by its view")


def test_delete_takes_the_selected_out(field):
    """They leave the world; units that stay keep their ids, and stored selections know them."""
    drag(field, (15, 10), (50, 70))
    chord(field, pygame.K_2)
    click(field, spot(field, RED[1]))
    tap(field, pygame.K_DELETE)
    assert field.world.ids.tolist() == [0, 2, 3, 4]
    assert chosen(field) == []
    tap(field, pygame.K_DELETE)
    assert len(field.world.ids) == 4
    tap(field, pygame.K_2)
    assert field.scene.squad.there(field.world).tolist() == [0, 2, 3, 4]


def test_a_selection_follows_its_units(field):
    """Rows move when others leave; what is selected does not."""
    click(field, spot(field, BLUE[1]))
    field.world.remove([0])
    field.frame(FRAME)
    assert chosen(field) == [4]
    assert field.scene.squad.rows(field.world).tolist() == [3]


def test_all_selected_units_have_rings(field):
    """What is selected is told by rings alone where there is no order."""
    field.frame(FRAME)
    before = pygame.image.tobytes(pygame.display.get_surface(), "RGB")
    field.scene.squad.take(field.world.ids)
    field.frame(FRAME)
    assert pygame.image.tobytes(pygame.display.get_surface(), "RGB") != before
    field.scene.squad.take([])
    field.frame(FRAME)
    assert pygame.image.tobytes(pygame.display.get_surface(), "RGB") == before
