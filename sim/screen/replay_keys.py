"""The keys of a window that shows a recorded run."""

from __future__ import annotations

import pygame

from sim.screen.keys import MOVES, PICTURE, RUN, Key, Keyboard

_SHARED = {"pause", "faster", "slower"}
_LIVE = {"contacts", "ways", "forces", "panel", "about"}
"""What a recorded run has no data for, and the panel, whose switches are of rules."""

SEEK = (
    Key((pygame.K_LEFT,), "Left", "second_back", "a second back"),
    Key((pygame.K_RIGHT,), "Right", "second_on", "a second on"),
    Key((pygame.K_LEFTBRACKET,), "[", "leap_back", "ten seconds back"),
    Key((pygame.K_RIGHTBRACKET,), "]", "leap_on", "ten seconds on"),
    Key((pygame.K_COMMA,), ",", "frame_back", "pause, and a frame back"),
    Key((pygame.K_PERIOD, pygame.K_KP_PERIOD), ".", "frame_on", "pause, and a frame on"),
    Key((pygame.K_r,), "R", "start", "from the start"),
    Key((pygame.K_e,), "E", "end", "to the end"),
)
"""Where in the run one is."""

KEYS: tuple[Key, ...] = (
    *(key for key in RUN if key.action in _SHARED),
    *SEEK,
    *(key for key in PICTURE if key.action not in {*_LIVE, "theme"}),
    Key((pygame.K_b,), "B", "theme", "dark or light"),
)
MOUSE = (
    ("Click", "select a unit; on empty ground: none"),
    ("Bar", "click or drag: go there"),
    *MOVES,
)
"""What the mouse does."""

KEYBOARD = Keyboard(KEYS)
"""That of a recorded run."""
