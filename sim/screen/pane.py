"""What the windows have in common: a display, events in their order, frames, and messages."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator

import pygame

from sim.core.errors import BadInput
from sim.screen.camera import Size, picture_size
from sim.screen.replay import Shown

HELD = {
    pygame.K_LSHIFT: pygame.KMOD_LSHIFT, pygame.K_RSHIFT: pygame.KMOD_RSHIFT,
    pygame.K_LCTRL: pygame.KMOD_LCTRL, pygame.K_RCTRL: pygame.KMOD_RCTRL,
}  # fmt: skip
"""Keys that change what a click means."""


def events() -> Iterator[pygame.event.Event]:
    """All events since the last call; meanwhile `pygame.key.get_mods` tells how `HELD` keys were.

    pygame itself tells of the keys that are down after the last of them: where a picture takes long
    Shift may have come up again since a click.
    """
    before = pygame.key.get_mods()
    found = pygame.event.get()
    after = pygame.key.get_mods()
    pygame.key.set_mods(before)
    try:
        for event in found:
            if event.type in (pygame.KEYDOWN, pygame.KEYUP) and event.key in HELD:
                mods, down = pygame.key.get_mods(), event.type == pygame.KEYDOWN
                own = HELD[event.key]
                pygame.key.set_mods(mods | own if down else mods & ~own)
            yield event
    finally:
        pygame.key.set_mods(after)


UNSEEN = ("dummy", "offscreen")
"""SDL's video drivers without a picture."""

LOWEST = 640
"""Pixels of height that what is beside a picture wants."""


def has_display() -> bool:
    """Whether a window that a person can see could be opened here.

    SDL is asked to reach the display; no window appears. SDL_VIDEODRIVER=dummy means no. Where the
    answer is yes, SDL stays connected: an X server whose last client leaves may reset itself, and
    turn away the window that was to come next.
    """
    if pygame.display.get_init():
        return pygame.display.get_driver() not in UNSEEN
    chosen = os.environ.get("SDL_VIDEODRIVER", "")
    unix = sys.platform.startswith(("linux", "freebsd", "openbsd", "netbsd"))
    if unix and not chosen and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))):
        return False
    try:
        pygame.display.init()
    except pygame.error:
        return False
    if pygame.display.get_driver() in UNSEEN:
        pygame.display.quit()
        return False
    return True


def open_window(title: str, size: Size) -> pygame.Surface:
    """A window that can be resized. Raises `BadInput` where none can be opened.

    Drivers without a picture are used only if SDL_VIDEODRIVER asks for them.
    """
    chosen = os.environ.get("SDL_VIDEODRIVER", "")
    if chosen not in UNSEEN and not has_display():
        raise BadInput(
            "window: no display can be reached here; run with --headless, or --gif FILE for a film"
        )
    try:
        pygame.display.init()
        surface = pygame.display.set_mode(size, pygame.RESIZABLE)
    except pygame.error as error:
        pygame.display.quit()
        raise BadInput(f"window: cannot be opened: {error}") from error
    pygame.display.set_caption(title)
    return surface


def window_size(world: Shown, beside: int = 0, below: int = 0) -> Size:
    """The size of a window for a world's picture, with `beside` and `below` pixels more."""
    most = _room()
    wide, high = picture_size(world.plane.bounds, (most[0] - beside, most[1] - below), least=480)
    return wide + beside, max(high + below, min(LOWEST, most[1]) if beside else 0)


def _room() -> Size:
    """How large a window may be: most of the screen, and no more than 1280 x 800."""
    desktop = pygame.display.get_desktop_sizes() if pygame.display.get_init() else []
    width, height = desktop[0] if desktop else (1280, 800)
    return min(1280, int(width * 0.92)), min(800, int(height * 0.85))


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
