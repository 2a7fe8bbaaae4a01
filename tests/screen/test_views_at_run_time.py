"""A view that is switched while a flock sails changes the flock, in figures."""

from math import inf

import numpy as np
import pygame
import pytest

from sim.core.resources import folder
from sim.scenario.playlist import Playlist
from sim.screen import sight
from sim.screen.window import Window

from .worlds import press

BEFORE, AFTER, LAST = 25.0, 10.0, 5.0
"""Seconds until the key is pressed, when all are one flock, and until its effect is measured, over
the last of them: later the front is wider than half the plane, and nearest images fold it up."""


def sail(window, until):
    """Frames of a tenth of a second, up to a time of the run; the mean shape in its last."""
    shapes = []
    while window.world.time < until - 1e-6:
        window.frame(0.1)
        if window.world.time > until - LAST:
            shapes.append(shape(window.world))
    return np.mean(shapes, axis=0)


def shape(world):
    """How many each sees on average, and length over breadth of the flock along its course."""
    units = world.units
    count = np.mean([sight.seen(world, row).sum() for row in range(len(units))])
    course = units.heading.mean(axis=0)
    course /= np.hypot(*course)
    away = world.plane.nearest(units.position - units.position[0])
    away -= away.mean(axis=0)
    return count, (away @ course).std() / (away @ (-course[1], course[0])).std()


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_narrow_view_makes_a_flock_broad(seed):
    """Pressing 3 leaves each a tenth of its neighbours, and the flock a broad front.

    Measured over seeds 1 to 3: from 14 to 16 seen to 0.5 to 0.8, and from 0.5 to 0.8 times as long
    as broad to 0.2 to 0.3: a unit that sees none beside it does not close up sideways.
    """
    playlist = Playlist(folder("maps") / "flocking.toml", seed=seed)
    world, state, found = playlist.build(), None, []
    for key in ((), (pygame.K_3,)):
        window = Window(world, size=(512, 400), playlist=playlist)
        window.course.budget = inf
        window.open()
        if state is None:
            before, state = sail(window, BEFORE), world.save()
        press(*key)
        found.append(sail(window, BEFORE + AFTER))
        window.close()
        world.load(state)
    kept, narrow = found
    assert before[0] > 10
    assert kept[0] > 12
    assert narrow[0] < 5
    assert narrow[1] < 0.7 * kept[1]
