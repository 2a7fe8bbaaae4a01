"""Small worlds to look at, and what a test needs to look at them."""

from __future__ import annotations

import gc
import sys
from dataclasses import replace

import numpy as np
import pygame

from sim import Goal, Hull, World
from sim.screen.hud import STRIP
from sim.screen.scene import Scene
from sim.screen.theme import DARK
from sim.screen.timeline import LOW

FRAME = 1 / 60
"""Seconds of the clock between two frames."""
DISC = Hull.disc(4.0)
WEDGE = Hull("wedge", 12.0, 6.0, 10.0)
SIZE = (400, 400)
"""Four pixels to a unit of `plane`."""
WINDOW = (400, 400 + STRIP + LOW)
"""A window whose picture is of that size."""


def plane(edges="open", **options):
    """A world of 100 x 100."""
    return World(bounds=(0, 0, 100, 100), edges=edges, **options)


def chase():
    """A flock of two that chase a player, and one that intercepts it."""
    world = plane("wrap")
    world.add_group("player", [[50, 50]], model="player", hull=WEDGE, heading=0.0)
    for name, kind, places in (
        ("flock", "chase", [[20, 20], [20, 60]]),
        ("hunters", "intercept", [[80, 20]]),
    ):
        world.add_group(
            name, places, model="flock", hull=WEDGE, heading=0.0, goal=Goal(kind, "player")
        )
    return world


def painted(world, size=SIZE, scene=None):
    """A picture of a world."""
    surface = pygame.Surface(size)
    (scene or Scene()).paint(surface, world)
    return surface


def color_at(surface, world, place):
    """The colour of the pixel where a place of the world lies."""
    x, y = Scene().camera(world, surface.get_size()).to_screen(place)
    return tuple(surface.get_at((int(x), int(y))))[:3]


def leave(world, row):
    """Take a unit out of the current snapshot."""
    units = world.units
    gone = {
        name: _with_nan(getattr(units, name), row)
        for name in ("position", "velocity", "angle", "spin", "heading")
    }
    present = units.present.copy()
    present[row] = False
    world.roster._snapshot = replace(units, present=present, **gone)


def _with_nan(values, row):
    values = values.copy()
    values[row] = np.nan
    return values


GROUND = DARK.ground


def press(*keys, hold=False):
    """Post key events as a keyboard would."""
    for key in keys:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))
        if not hold:
            pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key))


def mouse(window, *events):
    """Post mouse events and let a frame pass after each: (kind, pixel) or (kind, pixel, button)."""
    kinds = {
        "down": pygame.MOUSEBUTTONDOWN, "up": pygame.MOUSEBUTTONUP, "move": pygame.MOUSEMOTION
    }  # fmt: skip
    for kind, pixel, *button in events:
        at = tuple(round(float(each)) for each in pixel)
        rest = {"button": button[0] if button else 1}
        if kind == "move":
            rest = {"rel": (0, 0), "buttons": (0, 0, 0)}
        pygame.event.post(pygame.event.Event(kinds[kind], pos=at, **rest))
        window.frame(FRAME)


def click(window, pixel, button=1):
    """Press and release a mouse button at a pixel."""
    mouse(window, ("move", pixel), ("down", pixel, button), ("up", pixel, button))


def tap(window, *keys):
    """Press keys and let a frame pass."""
    press(*keys)
    window.frame(FRAME)


def calls_of(work):
    """How many functions of Python and C are called while it works."""
    count = 0

    def tick(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    gc.disable()
    sys.setprofile(tick)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count
