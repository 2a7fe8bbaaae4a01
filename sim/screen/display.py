"""Whether there is a display, and opening a window on it."""

from __future__ import annotations

import os
import sys

import pygame

from sim.core.errors import BadInput
from sim.screen.camera import Size
from sim.screen.framing import picture_size
from sim.screen.replay import Shown

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
    wide, high = picture_size(world, (most[0] - beside, most[1] - below), least=480)
    return wide + beside, max(high + below, min(LOWEST, most[1]) if beside else 0)


def _room() -> Size:
    """How large a window may be: most of the screen, and no more than 1280 x 800."""
    desktop = pygame.display.get_desktop_sizes() if pygame.display.get_init() else []
    width, height = desktop[0] if desktop else (1280, 800)
    return min(1280, int(width * 0.92)), min(800, int(height * 0.85))
