"""Discs of any size: those far larger than the picture too, of which an edge or nothing is seen."""

from __future__ import annotations

from math import ceil

import numpy as np
import pygame

from sim.core.arrays import Bools, Floats
from sim.screen.theme import RGB

SMOOTH = 800.0
"""Radius in pixels up to which discs are drawn larger and scaled down: up to four times."""
LARGE = 1e4
"""Radius in pixels from which on pygame takes long, or all memory: then each pixel is asked."""
RIM = 1.3
"""Width of the rim of a disc, pixels."""


def paint_disc(surface: pygame.Surface, centre: Floats, radius: float, fill: RGB, rim: RGB) -> None:
    """Paint a disc with a rim and a smooth edge; `centre` and `radius` are in pixels."""
    if radius > sum(surface.get_size()):
        fill_disc(surface, rim, centre, radius)
        fill_disc(surface, fill, centre, radius - RIM)
        return
    # Drawn larger and scaled down for smooth edges; the largest are smooth enough as they are.
    fine = max(1, min(4, int(SMOOTH / radius)))
    side = 2 * ceil(radius + 1)
    corner = np.floor(centre - side / 2).astype(int)
    large = pygame.Surface((side * fine, side * fine), pygame.SRCALPHA)
    middle = ((centre - corner) * fine).tolist()
    pygame.draw.circle(large, rim, middle, radius * fine)
    if radius > 3:
        pygame.draw.circle(large, fill, middle, (radius - RIM) * fine)
    disc = pygame.transform.smoothscale(large, (side, side)) if fine > 1 else large
    surface.blit(disc, corner.tolist(), special_flags=pygame.BLEND_PREMULTIPLIED)


def fill_disc(surface: pygame.Surface, color: RGB, centre: Floats, radius: float) -> None:
    """Paint a plain disc."""
    if radius > LARGE:
        _set(surface, color, _off(surface, centre) <= radius)
    else:
        pygame.draw.circle(surface, color, centre.tolist(), radius)


def paint_ring(surface: pygame.Surface, color: RGB, centre: Floats, radius: float) -> None:
    """Paint the thin outline of a disc."""
    if radius > LARGE:
        _set(surface, color, np.abs(_off(surface, centre) - radius) < 0.5)
    else:
        pygame.draw.aacircle(surface, color, centre.tolist(), radius, 1)


def _off(surface: pygame.Surface, centre: Floats) -> Floats:
    """(width, height) how far each pixel is from a place, pixels."""
    width, height = surface.get_size()
    across, down = np.arange(width) - centre[0], np.arange(height) - centre[1]
    off: Floats = np.hypot(across[:, None], down)
    return off


def _set(surface: pygame.Surface, color: RGB, some: Bools) -> None:
    pixels = pygame.surfarray.pixels3d(surface)
    pixels[some] = color
