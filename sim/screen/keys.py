"""Every key in one table: what it does, and what the help says about it.

The help cannot lie: it is this table.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

VIEW_KEYS = {
    "view_wide": "wide",
    "view_limited": "limited",
    "view_narrow": "narrow",
    "view_all": "all",
}
"""Actions that give all groups a view."""

HELD = ("turn_to_port", "turn_to_starboard")
"""Actions that last for as long as the key is down; all others happen once when it goes down."""


@dataclass(frozen=True)
class Key:
    """Keys that do the same thing, their names for the help, and what it says."""

    codes: tuple[int, ...]
    shown: str
    action: str
    about: str


_FASTER = (pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS)
_PORT, _STARBOARD = (pygame.K_LEFT, pygame.K_a), (pygame.K_RIGHT, pygame.K_d)

KEYS: tuple[Key, ...] = (
    Key((pygame.K_1, pygame.K_KP1), "1", "view_wide", "wide view, 270 degrees"),
    Key((pygame.K_2, pygame.K_KP2), "2", "view_limited", "limited view, 180 degrees"),
    Key((pygame.K_3, pygame.K_KP3), "3", "view_narrow", "narrow view, 90 degrees"),
    Key((pygame.K_4, pygame.K_KP4), "4", "view_all", "all-round view"),
    Key((pygame.K_f,), "F", "flocking", "flocking on or off"),
    Key((pygame.K_c,), "C", "chase", "chase and intercept on or off"),
    Key(_PORT, "Left, A", "turn_to_port", "player: turn left (starboard thruster)"),
    Key(_STARBOARD, "Right, D", "turn_to_starboard", "player: turn right (port thruster)"),
    Key((pygame.K_UP, pygame.K_w), "Up, W", "full_thrust", "player: full thrust, as at the start"),
    Key((pygame.K_DOWN, pygame.K_s), "Down, S", "no_thrust", "player: engine off, until Up"),
    Key((pygame.K_SPACE,), "Space", "pause", "pause or go on"),
    Key((pygame.K_PERIOD, pygame.K_KP_PERIOD), ".", "single_step", "pause, and a single step"),
    Key(_FASTER, "+", "faster", "twice as fast, up to x8"),
    Key((pygame.K_MINUS, pygame.K_KP_MINUS), "-", "slower", "half as fast, down to x0.25"),
    Key((pygame.K_g,), "G", "record", "start or stop recording a GIF"),
    Key((pygame.K_p,), "P", "ways", "planned ways of all on or off"),
    Key((pygame.K_h,), "H", "help", "this help"),
    Key((pygame.K_ESCAPE,), "Esc", "quit", "end"),
)

MOUSE = (("Click", "look inside a unit; beside all: stop looking"),)
"""What the mouse does."""
SENDING = (
    ("Left click", "send the first group there"),
    ("Right click", "send the second group there"),
    ("Middle click", "look inside a unit; beside all: stop looking"),
)
"""What the mouse does where it sends groups."""

KEY_OF: dict[int, Key] = {code: key for key in KEYS for code in key.codes}
