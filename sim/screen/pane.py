"""What the windows have in common: frames at the pace of the clock, and a message for a while."""

from __future__ import annotations

from abc import ABC, abstractmethod

import pygame

FRAMES = 60
"""Frames a second."""
NOTICE = 4.0
"""Seconds of the clock for which a message stays."""


class Pane(ABC):
    """A window that is drawn again and again until it is closed."""

    def __init__(self) -> None:
        self.notice = ""
        self._notice_left = 0.0
        self._surface: pygame.Surface | None = None

    def run(self) -> None:
        """Open the window and run until the end.

        A KeyboardInterrupt passes, after everything has been closed.
        """
        try:
            self.open()
            clock = pygame.time.Clock()
            clock.tick()
            while self.frame(clock.tick(FRAMES) / 1000):
                pass
        finally:
            self.close()

    @abstractmethod
    def open(self) -> None:
        """Open the window and show the start."""

    @abstractmethod
    def frame(self, elapsed: float) -> bool:
        """Handle what happened, go on for the seconds elapsed on the clock, and draw.

        False at the end.
        """

    @abstractmethod
    def close(self) -> None:
        """Close films, watchers and the window."""

    @property
    def _whole(self) -> pygame.Surface:
        assert self._surface is not None, "open() comes first"
        return pygame.display.get_surface() or self._surface

    def say(self, words: str) -> None:
        """Show some words for a while, if there are any."""
        if words:
            self.notice, self._notice_left = words, NOTICE
