import numpy as np
import pygame
import pytest

from sim.screen.camera import CLOSEST, WIDEST, Camera, Lens
from sim.screen.hud import STRIP
from sim.screen.scene import Scene
from sim.screen.timeline import LOW

from .worlds import FRAME, SIZE, WEDGE, mouse, plane, press, tap

FRAMED = Camera((50.0, 50.0), 4.0, SIZE)


@pytest.mark.parametrize("pixel", [(200, 200), (13, 377), (399, 0)])
def test_zoom_keeps_what_is_under_the_pointer(pixel):
    """Whatever the notches, the place under the pixel stays under it."""
    lens = Lens()
    place = FRAMED.to_world(pixel)
    for factor in (1.2, 1.2, 3.0, 0.5):
        lens.magnify(FRAMED, factor, pixel, 0.0)
        assert np.allclose(lens.through(FRAMED).to_world(pixel), place)
    assert lens.zoom == pytest.approx(1.2 * 1.2 * 1.5)


def test_zoom_has_ends():
    """No closer than a hull of 240 pixels, no farther than half the size, and back to the whole."""
    lens = Lens()
    lens.magnify(FRAMED, 1e9, (200, 200), WEDGE.length)
    assert lens.through(FRAMED).scale * WEDGE.length == pytest.approx(CLOSEST)
    lens.magnify(FRAMED, 1e-9, (200, 200), WEDGE.length)
    assert lens.zoom == WIDEST
    lens.reset()
    assert lens.through(FRAMED) == FRAMED


def test_a_pan_takes_the_world_along():
    """What was under the pixel is found where the pointer has gone, at any zoom."""
    lens = Lens(zoom=2.0)
    place = lens.through(FRAMED).to_world((100, 100))
    lens.pan(FRAMED, (30, -12))
    assert np.allclose(lens.through(FRAMED).to_world((130, 88)), place)


def test_the_world_is_never_lost():
    """However far one pans, the middle of the picture stays within what is framed."""
    lens = Lens()
    lens.pan(FRAMED, (1e6, -1e6))
    assert np.allclose(lens.through(FRAMED).centre, (0, 100))


def test_hulls_are_drawn_anew_at_every_scale():
    """Zoomed in four times a hull is as sharp as in a picture four times as large: no blown pixels.

    The same window of the larger picture is the same pixels.
    """
    world = plane()
    world.add_group("one", [[50, 50]], model="flock", hull=WEDGE, heading=0.7)
    scene, near, far = Scene(), pygame.Surface(SIZE), pygame.Surface((1600, 1600))
    scene.paint(far, world)
    scene.lens.zoom = 4.0
    scene.paint(near, world)
    a = pygame.surfarray.array3d(near)[100:300, 100:300].astype(int)
    b = pygame.surfarray.array3d(far)[700:900, 700:900].astype(int)
    same = np.abs(a - b).max(axis=2) < 8
    assert same.mean() > 0.97  # the grid keeps its distance in pixels, and so differs


def test_the_wheel_zooms_about_the_pointer(window):
    """A notch over a place keeps that place, and Home shows the whole again."""
    whole = window.scene.camera(window.world, SIZE)
    mouse(window, ("move", (320, 90)))
    place = whole.to_world((320, 90))
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, flipped=False))
    window.frame(FRAME)
    closer = window.scene.camera(window.world, SIZE)
    assert closer.scale == pytest.approx(1.2 * whole.scale)
    assert np.allclose(closer.to_world((320, 90)), place)
    tap(window, pygame.K_HOME)
    assert window.scene.camera(window.world, SIZE) == whole


@pytest.mark.parametrize("button", [2, 3])
def test_a_drag_moves_the_picture_and_is_no_click(window, button):
    """Middle and right button drag; nobody is selected or sent by it."""
    before = window.scene.camera(window.world, SIZE)
    x, y = before.to_screen(window.world.units.position[0]).astype(int)
    mouse(
        window,
        ("move", (x, y)),
        ("down", (x, y), button),
        ("move", (x + 20, y + 5)),
        ("move", (x + 60, y + 10)),
        ("up", (x + 60, y + 10), button),
        ("move", (x, y)),
    )
    after = window.scene.camera(window.world, SIZE)
    assert np.allclose(np.array(before.centre) - after.centre, np.array([60, 10]) / before.scale)
    assert window.scene.selected is None


def test_keys_pan_and_zoom_as_long_as_they_are_held(window):
    """Twice the time, twice the way; the player's craft is left alone."""
    ways = []
    for frames in (3, 6):
        window.scene.lens.reset()
        event = pygame.event.Event(pygame.KEYDOWN, key=pygame.K_DOWN, mod=pygame.KMOD_SHIFT)
        pygame.event.post(event)
        for _ in range(frames):
            window.frame(FRAME)
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_DOWN))
        window.frame(FRAME)
        ways.append(window.scene.lens.offset[1])
    assert ways[1] == pytest.approx(2 * ways[0])
    assert ways[0] > 0
    assert window.world.group("player").controls[0, 2] == 1
    press(pygame.K_PAGEDOWN)
    window.frame(FRAME)
    assert window.scene.lens.zoom < 1


def test_a_click_finds_the_unit_in_a_picture_that_was_moved(window):
    """Zoomed and panned, a click still selects what is under it."""
    tap(window, pygame.K_SPACE)
    window.picture.zoom(3, (100, 80))
    spot = window.scene.camera(window.world, SIZE).to_screen(window.world.units.position[1])
    mouse(window, ("down", spot), ("up", spot))
    assert window.scene.selected == 1


@pytest.mark.parametrize("size", [(640, 400), (333, 777)])
def test_a_window_of_another_size_shows_the_same_world(window, size):
    """Resized, the picture is framed anew and a click lands where it should."""
    tap(window, pygame.K_SPACE)
    pygame.display.set_mode(size, pygame.RESIZABLE)
    window.frame(FRAME)
    assert window.room.size == (size[0], size[1] - STRIP - LOW)
    spot = window.scene.camera(window.world, window.room.size).to_screen(
        window.world.units.position[3]
    )
    assert (spot > 0).all()
    assert (spot < size).all()
    mouse(window, ("down", spot), ("up", spot))
    assert window.scene.selected == 3
