"""Narrow places and whose turn it is there, for the ways overlay."""

from __future__ import annotations

import numpy as np
import pygame

from sim.orders.orders import Orders
from sim.orders.places import NOWHERE
from sim.orders.turns import KEEP_OFF
from sim.screen.camera import Camera
from sim.screen.theme import Theme

GO, STOP = "green", "red"


def paint_narrows(surface: pygame.Surface, orders: Orders, camera: Camera, theme: Theme) -> None:
    """A line through each passage; round its mouths how far off units wait.

    A mouth is green where units may enter, red where units wait, and faint else.
    """
    turns, bound = orders.narrows.turns, orders.narrows.bound
    if orders.guide is not None:
        for mouths in orders.guide.registry.mouths:
            there = camera.to_screen(mouths[np.isfinite(mouths[:, 0])])
            middle = there.mean(axis=0)
            for place in there.tolist():
                pygame.draw.aaline(surface, theme.faint, middle.tolist(), place)
                pygame.draw.aacircle(surface, theme.faint, place, 4)
    enters = (turns.turn != NOWHERE) & (turns.turn == bound.place) & (bound.ahead > 0)
    for color, some in ((theme.color(GO), enters), (theme.color(STOP), turns.waiting)):
        rows = np.flatnonzero(some)
        mouths, first = np.unique(bound.mouth[rows], axis=0, return_index=True)
        off = KEEP_OFF * 2 * orders.radius[rows[first]] * camera.scale
        for place, reach in zip(camera.to_screen(mouths).tolist(), off.tolist(), strict=True):
            pygame.draw.aacircle(surface, color, place, 5)
            pygame.draw.aacircle(surface, color, place, reach, 1)
