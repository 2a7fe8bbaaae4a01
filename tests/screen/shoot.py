"""Runs demo scripts on a display as anybody would, and writes down what their windows show.

`python shoot.py FOLDER SECONDS SCRIPT...`: a picture of the screen and a JSON file a demo.
"""

from __future__ import annotations

import contextlib
import json
import runpy
import sys
import time
from math import inf
from pathlib import Path

import numpy as np
import pygame
from xvfb import pixels

from sim.screen import roles
from sim.screen.painter import magnified
from sim.screen.window import Window
from sim.world import World

OUT, SECONDS = Path(sys.argv[1]), float(sys.argv[2])
CLOCK = 1 / 30


def run(self: Window) -> None:
    """As `Window.run`, but the clock goes as fast as the machine."""
    self.course.budget = inf
    self.open()
    first = places(self.world)
    while self.world.time < SECONDS:
        self.frame(CLOCK)
        first = places(self.world) | first  # units that entered since start where they entered
    self.controls.paused, self.controls.about = True, False  # no plate hides a hull
    for _ in range(3):  # what was painted last is on the screen for certain
        self.frame(CLOCK)
        time.sleep(0.02)
    tell(self, first)
    self.close()


def places(world: World) -> dict[int, np.ndarray]:
    """Where each unit that is there is, by its id."""
    here = world.units.present
    return dict(zip(world.ids[here].tolist(), world.units.position[here].copy(), strict=True))


def tell(window: Window, first: dict[int, np.ndarray]) -> None:
    """Save the screen, and what ought to be on it."""
    world, theme = window.world, window.scene.theme
    shown = pygame.display.get_surface()
    screen = pixels(OUT)[: shown.get_width(), : shown.get_height()]
    camera = window.scene.camera(world, window.room.size)
    moved = [world.plane.nearest(place - first[unit]) for unit, place in places(world).items()]
    units = []
    for group in world.groups:
        for row in range(group.rows.start, group.rows.stop):
            x, y = camera.to_screen(world.units.position[row]).tolist()
            size = group.hull.length * camera.scale * magnified(group, world, camera)
            units.append([x, y, size, roles.colors(group, theme), bool(world.units.present[row])])
    solids = [camera.to_screen(each[:2]).tolist() for each in world.solids.discs]
    solids += [camera.to_screen((each[:2] + each[2:]) / 2).tolist() for each in world.solids.boxes]
    facts = {
        "title": window.title,
        "driver": pygame.display.get_driver(),
        "size": shown.get_size(),
        "room": tuple(window.room),
        "panel": tuple(window.panel.area),
        "colors": {"panel": theme.panel, "solid": theme.solid, "ground": theme.ground},
        "units": units,
        "solids": solids,
        "moved": float(np.hypot(*np.transpose(moved)).max()),
        "hull": max(group.hull.length for group in world.groups),
        "same": float((pygame.surfarray.array3d(shown) == screen).all(axis=2).mean()),
    }
    name = Path(sys.argv[0]).stem
    image = pygame.surfarray.make_surface(screen)
    pygame.image.save(image, OUT / f"{name}.png")
    (OUT / f"{name}.json").write_text(json.dumps(facts))


if __name__ == "__main__":
    Window.run = run
    for script in sys.argv[3:]:
        sys.argv[:] = [script]
        with contextlib.suppress(SystemExit):
            runpy.run_path(script, run_name="__main__")
