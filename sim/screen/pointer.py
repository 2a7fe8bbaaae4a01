"""The mouse over the picture: clicks, drags and the wheel."""

from __future__ import annotations

from collections.abc import Callable

import pygame

Pixel = tuple[int, int]

SLACK = 4
"""Pixels that a button may move before its click becomes a drag."""


class Pointer:
    """Tells clicks from drags.

    The left button clicks as it goes down. The others drag the picture, and click as they come up
    where they went down.
    """

    def __init__(
        self,
        click: Callable[[Pixel, int], None],
        pan: Callable[[Pixel], None],
        zoom: Callable[[float, Pixel], None],
    ) -> None:
        self._click, self._pan, self._zoom = click, pan, zoom
        self._down: dict[int, Pixel] = {}
        self._dragging = False
        self._at: Pixel = (0, 0)

    def handle(self, event: pygame.event.Event) -> None:
        """Do what a mouse event asks for; others are passed over."""
        if event.type == pygame.MOUSEWHEEL:
            self._zoom(float(getattr(event, "precise_y", event.y)), self._at)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self._press(event.pos, event.button)
        elif event.type == pygame.MOUSEMOTION:
            self._move(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP:
            self._release(event.pos, event.button)

    def let_go(self) -> None:
        """Buttons that come up while another window has the mouse are never reported."""
        self._down.clear()
        self._dragging = False

    def _press(self, pixel: Pixel, button: int) -> None:
        self._at = pixel
        if button == pygame.BUTTON_LEFT:
            self._click(pixel, button)
        elif button in (pygame.BUTTON_MIDDLE, pygame.BUTTON_RIGHT):
            self._down[button] = pixel

    def _move(self, pixel: Pixel) -> None:
        if self._down and not self._dragging:
            x, y = next(iter(self._down.values()))
            self._dragging = max(abs(pixel[0] - x), abs(pixel[1] - y)) > SLACK
        if self._dragging:
            self._pan((pixel[0] - self._at[0], pixel[1] - self._at[1]))
        self._at = pixel

    def _release(self, pixel: Pixel, button: int) -> None:
        down = self._down.pop(button, None)
        if down is not None and not self._dragging:
            self._click(down, button)
        self._dragging = self._dragging and bool(self._down)
        self._at = pixel
