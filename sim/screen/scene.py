"""One picture of a world.

Where the camera points, what is painted and in which order, and who is looked inside.
"""

from __future__ import annotations

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.screen import crossings, errands, overlays, roles, thoughts
from sim.screen.camera import Camera, Size
from sim.screen.framing import Framing
from sim.screen.painter import Painter
from sim.screen.sight import pick
from sim.screen.theme import DARK, Bytes, Theme
from sim.screen.ways import Ways
from sim.world import World

NEAR = 12.0
"""A click this many pixels beside a unit still means it."""


class Scene:
    """Paints pictures of any size; shared by a window and the film that is made of it."""

    def __init__(self, theme: Theme = DARK, *, ways: bool = False) -> None:
        self.theme = theme
        self.ways = ways
        """Whether the ways of all units are shown, and not the selected one's alone."""
        self._ways = Ways(theme)
        self.selected: int | None = None
        """Row of the unit that is looked inside."""
        self._painter = Painter(theme)
        self._framing = Framing()

    def camera(self, world: World, size: Size) -> Camera:
        """The camera for a picture of this size."""
        return self._framing.camera(world, size)

    def paint(self, surface: pygame.Surface, world: World) -> None:
        """Paint the world and, where a unit is selected, what it sees and wants."""
        camera = self.camera(world, surface.get_size())
        row = self.looked_inside(world)
        self._painter.paint_land(surface, world, camera)
        if row is not None:
            overlays.paint_view(surface, world, camera, row, self.theme)
        self._ways.paint(surface, world, camera, row, self.ways)
        self._painter.paint_units(surface, world, camera)
        if row is not None:
            overlays.paint_marks(surface, world, camera, row, self.theme)
            crossings.paint_crossings(surface, world, camera, row, self.theme)
            thoughts.paint(surface, world, camera, row, self.theme)
            overlays.paint_terms(surface, world, camera, row, self.theme)
            errands.paint(surface, world, camera, row, self.theme)

    def looked_inside(self, world: World) -> int | None:
        """The selected unit, unless it left."""
        row = self.selected
        return row if row is not None and world.units.present[row] else None

    def select_at(self, world: World, pixel: tuple[int, int], size: Size) -> None:
        """Select the unit under a pixel; where there is none, nobody is selected."""
        place = self.place_at(world, pixel, size)
        self.selected = pick(world, place, NEAR / self.camera(world, size).scale)

    def place_at(self, world: World, pixel: tuple[int, int], size: Size) -> NDArray[np.float64]:
        """The place (2,) of the world under a pixel."""
        return self.camera(world, size).to_world(np.array(pixel) + 0.5)

    def gif_colors(self, world: World) -> Bytes:
        """(m, 3) colours that a film of this world should have exactly."""
        groups = [c for group in world.groups for c in roles.colors(group, self.theme)]
        known = [self.theme.leader, self.theme.interceptor, self.theme.player]
        return self.theme.gif_colors([*groups, *known])
