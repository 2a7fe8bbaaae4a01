"""Polygons and lines of any size are painted, in bounded time."""

import numpy as np
import pygame
import pytest

from sim.screen import shapes
from sim.screen.camera import Camera
from sim.screen.land import on_screen

FILL, RIM = (10, 200, 30), (250, 20, 60)
SIZE = (80, 60)


def picture(*arguments) -> np.ndarray:
    """What `fill` painted on black, (80, 60, 3)."""
    surface = pygame.Surface(SIZE)
    shapes.polygon(surface, *arguments)
    return pygame.surfarray.array3d(surface).astype(int)


@pytest.mark.parametrize("far", [1e4, 1e9, 1e12, 1e15])
def test_what_is_drawn_of_a_large_polygon_is_near(far):
    """Pygame fills row by row: it took seconds, or drew nothing, where rows lay far outside."""
    corners = [[40.0, -far], [40.0, far], [-far, far], [-far, -far]]
    near = np.array(shapes.within(pygame.Surface(SIZE), corners))
    assert (np.abs(near) <= shapes.FAR + 80).all()
    seen = picture(FILL, corners, RIM)
    assert (seen[:40] == FILL).all()
    assert (seen[40] == RIM).all()
    assert (seen[41:] == 0).all()


def test_a_polygon_near_the_picture_is_as_it_was():
    """Nothing is cut that pygame draws at once; what lies far off all round is not drawn."""
    corners = [[10.0, -4000.0], [70.0, 30.0], [10.0, 4000.0]]
    assert shapes.within(pygame.Surface(SIZE), corners) == corners
    assert shapes.within(pygame.Surface(SIZE), [[1e6, 0.0], [1e7, 0.0], [1e7, 9.0]]) == []
    assert (picture(FILL, [[1e6, 0.0], [1e7, 0.0], [1e7, 9.0]]) == 0).all()


def test_a_line_from_afar_keeps_its_place():
    """Two places are cut like corners: what lies between them is the same line."""
    way = [[-1e9, 30.0], [1e9, 30.0]]
    ends = np.array(shapes.within(pygame.Surface(SIZE), way, closed=False))
    assert (ends[:, 1] == 30).all()
    assert ends[:, 0].tolist() == [-shapes.FAR, shapes.FAR + 80]


def test_a_rectangle_ends_near_the_picture():
    """One whose pixels no whole number of pygame's can tell was drawn elsewhere, and slowly."""
    camera = Camera((0.0, 0.0), 1e13, SIZE)
    seen = on_screen((-1e3, -1e3, 0.0, 1e3), camera)
    assert (seen.right, seen.top) == (40, -shapes.FAR)
    assert max(seen.size) <= 2 * shapes.FAR + 80
