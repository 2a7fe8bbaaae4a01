"""Every key in one table: what it does, and what the help says about it.

The help cannot lie: it is this table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

VIEW_KEYS = {f"view_{view}": view for view in ("wide", "limited", "narrow", "all")}
"""Actions that give all groups a view."""

THRUSTERS = ("turn_to_port", "turn_to_starboard")
PANS = {
    "pan_left": (-1.0, 0.0),
    "pan_right": (1.0, 0.0),
    "pan_up": (0.0, -1.0),
    "pan_down": (0.0, 1.0),
}
"""Actions that move the picture, and which way the camera goes."""
ZOOMS = {"zoom_in": 1.0, "zoom_out": -1.0}
HELD = frozenset((*THRUSTERS, *PANS, *ZOOMS))
"""Actions that last for as long as the key is down; all others happen once when it goes down."""


@dataclass(frozen=True)
class Key:
    """Keys that do the same thing, their names for the help, and what it says."""

    codes: tuple[int, ...]
    shown: str
    action: str
    about: str
    shift: bool = False
    """Whether it counts only together with Shift."""
    ctrl: bool = False
    """Whether it counts only together with Ctrl."""
    claims: bool = False
    """Whether it comes first, and leaves the code to another key where it has nothing to do."""


_FASTER = (pygame.K_PLUS, pygame.K_EQUALS, pygame.K_KP_PLUS)
_PORT, _STARBOARD = (pygame.K_LEFT, pygame.K_a), (pygame.K_RIGHT, pygame.K_d)
_ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)
_DIGITS = tuple(range(pygame.K_1, pygame.K_9 + 1))

RUN = (
    Key((pygame.K_SPACE,), "Space", "pause", "pause or go on"),
    Key((pygame.K_PERIOD, pygame.K_KP_PERIOD), ".", "single_step", "pause, and a single step"),
    Key(_FASTER, "+", "faster", "twice as fast, up to x8"),
    Key((pygame.K_MINUS, pygame.K_KP_MINUS), "-", "slower", "half as fast, down to x0.25"),
    Key((pygame.K_r,), "R", "restart", "from the start, with the same seed"),
    Key((pygame.K_n,), "N", "new_seed", "from the start, with a new seed"),
    Key((pygame.K_LEFT,), "Ctrl Left", "back", "back by a second, up to a minute", ctrl=True),
    Key((pygame.K_RIGHT,), "Ctrl Right", "forth", "forth again, until it goes on", ctrl=True),
    Key((pygame.K_LEFT,), "Left", "left", "the same, where there is no player", claims=True),
    Key((pygame.K_RIGHT,), "Right", "right", "the same, where there is no player", claims=True),
    Key((pygame.K_v,), "V", "next_scenario", "the next scenario"),
    Key((pygame.K_v,), "Shift V", "last_scenario", "the one before", shift=True),
)
"""The course of the run."""
UNITS = (
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
)
"""What the units do."""
SELECTED = (
    Key(_DIGITS, "Ctrl 1 to 9", "store", "store the selection under a digit", ctrl=True),
    Key(_DIGITS, "1 to 9", "digit", "select what is stored there", claims=True),
    Key((pygame.K_DELETE,), "Delete", "remove", "take the selected units out"),
)
"""The selected units."""
BUILDING = (
    Key((pygame.K_b,), "B", "build", "build, or stop; 1 to 7 say what, drags make it"),
    Key((pygame.K_e,), "E", "operate", "open or close the part under the mouse", claims=True),
    Key((pygame.K_z,), "Ctrl Z", "undo", "undo what was done last", ctrl=True),
    Key((pygame.K_y,), "Ctrl Y", "redo", "do that once more", ctrl=True),
    Key((pygame.K_s,), "Ctrl S", "save", "save the scenario as a file", ctrl=True),
)
"""What stands there."""
WEIGHTS = (
    Key((pygame.K_u,), "U", "last_group", "weights: the group before"),
    Key((pygame.K_o,), "O", "next_group", "weights: the next group"),
    Key((pygame.K_i,), "I", "last_rule", "weights: the rule above"),
    Key((pygame.K_k,), "K", "next_rule", "weights: the rule below"),
    Key((pygame.K_j,), "J", "lower", "lower its weight"),
    Key((pygame.K_l,), "L", "raise", "raise its weight"),
    Key((pygame.K_q,), "Q", "rule_off", "its weight 0, or back"),
    Key((pygame.K_e,), "E", "rule_alone", "this rule alone, or all again"),
    Key((pygame.K_BACKSPACE,), "Backspace", "reset_weights", "all its weights as at the start"),
    Key((pygame.K_y,), "Y", "copy", "copy the present values as TOML"),
)
"""How much each rule counts."""
PICTURE = (
    Key((pygame.K_PAGEUP,), "Page Up", "zoom_in", "closer (or the wheel)"),
    Key((pygame.K_PAGEDOWN,), "Page Down", "zoom_out", "farther (or the wheel)"),
    Key((pygame.K_LEFT,), "Shift Left", "pan_left", "look to the left", shift=True),
    Key((pygame.K_RIGHT,), "Shift Right", "pan_right", "look to the right", shift=True),
    Key((pygame.K_UP,), "Shift Up", "pan_up", "look up", shift=True),
    Key((pygame.K_DOWN,), "Shift Down", "pan_down", "look down", shift=True),
    Key((pygame.K_HOME,), "Home", "whole", "the whole picture"),
    Key(_ENTER, "Enter", "next_unit", "look inside a unit, or the next"),
    Key(_ENTER, "Shift Enter", "last_unit", "look inside the unit before", shift=True),
    Key((pygame.K_z,), "Z", "nobody", "stop looking inside"),
    Key((pygame.K_t,), "T", "trails", "trails on or off"),
    Key((pygame.K_m,), "M", "heat", "map of where units have been"),
    Key((pygame.K_x,), "X", "contacts", "contacts flash, or not"),
    Key((pygame.K_p,), "P", "ways", "planned ways of all on or off"),
    Key((pygame.K_5, pygame.K_KP5), "5", "forces", "forces at bow and centre on or off"),
    Key((pygame.K_b,), "Shift B", "theme", "dark or light", shift=True),
    Key((pygame.K_g,), "G", "record", "start or stop recording a GIF"),
    Key((pygame.K_TAB,), "Tab", "panel", "the panel, or the whole window"),
    Key((pygame.K_h,), "H", "help", "this help, page by page"),
    Key((pygame.K_F1,), "F1", "about", "what to look for, and what colours mean"),
    Key((pygame.K_ESCAPE,), "Esc", "quit", "end"),
)
"""What is shown of it."""

PARTS = (
    ("The run", RUN),
    ("The units", UNITS),
    ("The selected units", SELECTED),
    ("What stands there", BUILDING),
    ("How much each rule counts", WEIGHTS),
    ("The picture", PICTURE),
)
"""The keys under their headings."""
KEYS: tuple[Key, ...] = (*RUN, *UNITS, *SELECTED, *BUILDING, *WEIGHTS, *PICTURE)

MOVES = (
    ("Wheel", "closer or farther, about the pointer"),
    ("Right drag", "move the picture (or with the middle button)"),
)
_MOVES = (("Time bar", "back to the second under the pointer"), *MOVES)
MOUSE = (
    ("Click", "select a unit and look inside; beside all: none"),
    ("Drag", "select all units in a box"),
    ("Shift", "with click or drag: select these besides"),
    ("Right click", "send the selected; on another group: chase it"),
    ("Ctrl right click", "on another group: follow it"),
    ("Shift right click", "the same, after what they are doing"),
    *_MOVES,
)
"""What the mouse does."""
SENDING = (
    ("Left click", "send the first group there"),
    ("Right click", "send the second group there"),
    ("Middle click", "look inside a unit; beside all: stop looking"),
    *_MOVES,
)
"""What the mouse does where it sends groups."""


class Keyboard:
    """Looks up what keys of a table do."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self.keys = keys
        self._by = {(code, k.shift, k.ctrl, k.claims): k for k in keys for code in k.codes}

    def key_of(self, code: int, shift: bool, ctrl: bool = False) -> Key | None:
        """The key of a code; with Shift the one that wants it, where there is one.

        With Ctrl only keys that want it count.
        """
        wanted = self._by.get((code, shift, ctrl, False))
        return wanted or (None if ctrl else self._by.get((code, False, False, False)))

    def claim_of(self, code: int) -> Key | None:
        """The key that comes first without Shift and Ctrl, if there is one."""
        return self._by.get((code, False, False, True))

    def actions_of(self, code: int) -> list[str]:
        """All that a code may have begun, with Shift or without: it ends when the key comes up."""
        return [key.action for key in self.keys if code in key.codes]


KEYBOARD = Keyboard(KEYS)
"""That of a run that goes on."""
