"""A run that is not shown: all that a window can show is computed, so that it is compiled."""

from __future__ import annotations

import pygame

from sim.screen.plain_scene import SHOWS
from sim.screen.scene import Scene
from sim.world import World

SECONDS = 2.0
"""How long a world runs: by then units have met, and touched each other."""
SIZE = (320, 240)


def rehearse(world: World) -> None:
    """Run a world for a moment, with a look inside its first unit, and close it."""
    scene, surface = Scene(shows=SHOWS, views=True), pygame.Surface(SIZE)
    with world:
        for step in range(round(SECONDS / world.time_step)):
            world.step()
            if step % 30 == 0:
                scene.selected = 0
                scene.paint(surface, world)
