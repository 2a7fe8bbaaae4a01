"""What films say at their lower edge: a line of text, and a length to compare with."""

from __future__ import annotations

import pygame

from sim.screen import shapes
from sim.screen.land import round_step
from sim.screen.theme import Theme

LETTERS, AWAY = 20, 10
"""Pixels of the letters, and from the edges."""
SHARE = 0.12
"""The least length of a scale bar, as a share of the picture's width."""
THICK, TICK = 2, 4
"""Pixels of the bar, and of the ticks at its ends above it."""


def paint_caption(surface: pygame.Surface, words: str, theme: Theme) -> None:
    """A line of text in the lower left corner."""
    image = shapes.text(words, theme.text, LETTERS)
    surface.blit(image, (AWAY, surface.get_height() - image.get_height() - AWAY))


def paint_scale_bar(surface: pygame.Surface, scale: float, theme: Theme) -> None:
    """A bar of a round length in the lower right corner; `scale` is pixels a world unit."""
    width, height = surface.get_size()
    units = round_step(SHARE * width / scale)
    length = round(units * scale)
    label = shapes.text(f"{units:g}", theme.text, LETTERS)
    right, bottom = width - AWAY, height - AWAY
    surface.fill(theme.text, (right - length, bottom - THICK, length, THICK))
    for x in (right - length, right - THICK):
        surface.fill(theme.text, (x, bottom - THICK - TICK, THICK, TICK))
    middle = right - (length + label.get_width()) // 2
    surface.blit(label, (middle, bottom - THICK - TICK - label.get_height()))
