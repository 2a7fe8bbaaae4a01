"""The mouse over the picture: clicks, drags and the wheel."""

from __future__ import annotations

from collections.abc import Callable

import pygame

Pixel = tuple[int, int]

SLACK = 4
"""Pixels that a button may move before its click becomes a drag."""


class Pointer:
    """Tells clicks from drags.

    The left button clicks as it goes down, and its drags are told to `drag`: where it went down,
    where it is, and whether it came up. The others drag the picture, and click as they come up
    where they went down.
    """

    def __init__(
        self,
        click: Callable[[Pixel, int], None],
        pan: Callable[[Pixel], None],
        zoom: Callable[[float, Pixel], None],
        drag: Callable[[Pixel, Pixel, bool], None] | None = None,
    ) -> None:
        self._click, self._pan, self._zoom, self._drag = click, pan, zoom, drag
        self._down: dict[int, Pixel] = {}
        self._dragging = False
        self._left: Pixel | None = None
        self._drawn = False
        self.at: Pixel = (0, 0)
        """Where the mouse was last."""

    def handle(self, event: pygame.event.Event) -> None:
        """Do what a mouse event asks for; others are passed over."""
        if event.type == pygame.MOUSEWHEEL:
            self._zoom(float(getattr(event, "precise_y", event.y)), self.at)
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
        self._end_left(self.at)

    def _press(self, pixel: Pixel, button: int) -> None:
        self.at = pixel
        if button == pygame.BUTTON_LEFT:
            self._left = pixel
            self._click(pixel, button)
        elif button in (pygame.BUTTON_MIDDLE, pygame.BUTTON_RIGHT):
            self._down[button] = pixel

    def _move(self, pixel: Pixel) -> None:
        if self._down and not self._dragging:
            self._dragging = _far(next(iter(self._down.values())), pixel)
        if self._left is not None and self._drag is not None:
            self._drawn = self._drawn or _far(self._left, pixel)
            if self._drawn:
                self._drag(self._left, pixel, False)
        if self._dragging:
            self._pan((pixel[0] - self.at[0], pixel[1] - self.at[1]))
        self.at = pixel

    def _release(self, pixel: Pixel, button: int) -> None:
        if button == pygame.BUTTON_LEFT:
            self._end_left(pixel)
        down = self._down.pop(button, None)
        if down is not None and not self._dragging:
            self._click(down, button)
        self._dragging = self._dragging and bool(self._down)
        self.at = pixel

    def _end_left(self, pixel: Pixel) -> None:
        if self._left is not None and self._drawn and self._drag is not None:
            self._drag(self._left, pixel, True)
        self._left, self._drawn = None, False


def _far(one: Pixel, other: Pixel) -> bool:
    """Whether two pixels are so far apart that it is a drag from one to the other."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) > SLACK
