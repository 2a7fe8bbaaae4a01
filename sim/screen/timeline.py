"""A bar that shows where in a run one is, and takes one elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from sim.screen import shapes
from sim.screen.course import Past
from sim.screen.theme import Theme, mix
from sim.world import World

HIGH, LOW = 34, 22
"""Pixels of the bar below the picture, of a recorded run, and of one that goes on."""
AWAY, KNOB, THICK = 14, 7, 4
"""Pixels beside the line; of the knob's radius, and of the line."""
LETTERS, CLOCK = 16, 118
"""Pixels of the letters' height, and for the time, right of the line."""


class Timeline:
    """The bar of a run from `start` to `end` (s); `high` is its height, pixels."""

    def __init__(self, start: float, end: float, high: int = HIGH) -> None:
        self.start, self.end, self._high = start, end, high
        self.area = pygame.Rect(0, 0, 0, 0)
        """Where it is in the window."""
        self.held = False
        """Whether the mouse holds the knob: the run stands still then."""

    def split(self, room: pygame.Rect) -> pygame.Rect:
        """Take the lower edge of a part of the window; the rest is for the picture."""
        high = min(self._high, room.height // 3)
        self.area = pygame.Rect(room.left, room.bottom - high, room.width, high)
        return pygame.Rect(room.left, room.top, room.width, room.height - high)

    def takes(self, event: pygame.event.Event, go: Callable[[float], None]) -> bool:
        """Go to a time (s) where the bar is clicked or dragged; whether an event was for it.

        It is let go where the window loses the keyboard: the button may come up elsewhere.
        """
        self.held &= event.type != pygame.WINDOWFOCUSLOST
        left = getattr(event, "button", None) == pygame.BUTTON_LEFT
        if event.type == pygame.MOUSEBUTTONDOWN and self.area.collidepoint(event.pos):
            self.held = left
        elif event.type == pygame.MOUSEBUTTONUP and self.held and left:
            self.held = False
            return True
        elif event.type != pygame.MOUSEMOTION or not self.held:
            return False
        if self.held:
            go(self.time_at(event.pos[0]))
        return True

    def time_at(self, x: float) -> float:
        """The time under a pixel's column; beyond the ends of the line that of the end."""
        left, right = self._line
        share = min(max((x - left) / (right - left), 0.0), 1.0)
        return self.start + share * (self.end - self.start)

    def x_of(self, time: float) -> float:
        """The column of a time."""
        left, right = self._line
        span = self.end - self.start
        return left + (right - left) * ((time - self.start) / span if span > 0 else 1.0)

    def paint(self, surface: pygame.Surface, time: float, theme: Theme) -> None:
        """Paint the bar, the time in figures at its end."""
        surface.fill(theme.panel, self.area)
        left, right = self._line
        middle, x = self.area.centery, self.x_of(time)
        whole = pygame.Rect(left, middle - THICK // 2, right - left, THICK)
        past = pygame.Rect(left, middle - THICK // 2, round(x - left), THICK)
        pygame.draw.rect(surface, mix(theme.faint, theme.panel, 0.6), whole, border_radius=2)
        pygame.draw.rect(surface, theme.faint, past, border_radius=2)
        pygame.draw.aacircle(surface, theme.text, (round(x), middle), KNOB)
        words = shapes.text(f"{time:.1f} of {self.end:.1f} s", theme.text, LETTERS)
        surface.blit(words, (self.area.right - AWAY - words.get_width(),
                             middle - words.get_height() // 2))  # fmt: skip

    @property
    def _line(self) -> tuple[int, int]:
        left = self.area.left + AWAY
        return left, max(left + 1, self.area.right - 2 * AWAY - CLOCK)


def paint_past(
    surface: pygame.Surface, bar: Timeline, world: World, past: Past, theme: Theme
) -> None:
    """Paint a bar of the minute that is kept, a mark for each state; or why none can be kept."""
    times = past.times
    if past.why:
        surface.fill(theme.panel, bar.area)
        words = shapes.text(f"no way back: {past.why}", theme.faint, LETTERS)
        surface.set_clip(bar.area)
        surface.blit(words, (bar.area.left + 10, bar.area.centery - words.get_height() // 2))
        surface.set_clip(None)
        return
    bar.start = times[0] if times else world.time
    bar.end = max(world.time, *times) if times else world.time
    bar.paint(surface, world.time, theme)
    for time in times:
        x = round(bar.x_of(time))
        pygame.draw.line(surface, theme.faint, (x, bar.area.bottom - 5), (x, bar.area.bottom))
