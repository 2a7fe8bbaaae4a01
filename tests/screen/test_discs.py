"""Discs of any size are painted, in bounded memory and time."""

import numpy as np
import pygame
import pytest

from sim.screen import shapes

FILL, RIM = (10, 200, 30), (250, 20, 60)


def picture(paint) -> np.ndarray:
    """What was painted on black, (80, 60, 3)."""
    surface = pygame.Surface((80, 60))
    paint(surface)
    return pygame.surfarray.array3d(surface).astype(int)


@pytest.mark.parametrize("radius", [5e3, 1e5, 1e9, 1e12])
def test_the_edge_of_a_large_disc(radius):
    """Left of its edge at x = 40 all is filled, right of it all is ground, the rim lies between."""
    middle = np.array([40 - radius, 30.0])
    seen = picture(lambda surface: shapes.paint_disc(surface, middle, radius, FILL, RIM))
    assert (seen[:37] == FILL).all()
    assert (seen[44:] == 0).all()
    assert (seen[37:44, 30] == RIM).all(axis=1).any()


def test_a_disc_that_covers_or_misses_the_picture():
    """Inside a large disc all is filled; a disc far off paints nothing."""
    seen = picture(lambda s: shapes.paint_disc(s, np.array([40.0, 30.0]), 1e12, FILL, RIM))
    assert (seen == FILL).all()
    seen = picture(lambda s: shapes.paint_disc(s, np.array([-3e9, 0.0]), 1e9, FILL, RIM))
    assert (seen == 0).all()


def test_pixels_asked_one_by_one_give_what_pygame_draws(monkeypatch):
    """The two ways of painting a plain disc differ at its edge alone."""
    middle = np.array([30.0, 20.0])
    drawn = picture(lambda s: shapes.fill_disc(s, FILL, middle, 25.0))
    monkeypatch.setattr(shapes, "LARGE", 1.0)
    asked = picture(lambda s: shapes.fill_disc(s, FILL, middle, 25.0))
    off = np.hypot(np.arange(80)[:, None] - 30, np.arange(60) - 20)
    differs = (drawn != asked).any(axis=2)
    assert not differs[np.abs(off - 25) > 1.5].any()


def test_the_outline_of_a_large_disc():
    """A ring so large that pygame would draw it for seconds is a thin line."""
    middle = np.array([40 - 1e9, 30.0])
    seen = picture(lambda s: shapes.paint_ring(s, FILL, middle, 1e9))
    assert (seen[40, 25:35] == FILL).all()
    assert (seen[:38] == 0).all()
    assert (seen[43:] == 0).all()
