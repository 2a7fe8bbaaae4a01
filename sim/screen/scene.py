"""One picture of a world, and of what its units see, want and do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame

from sim.screen import crossings, errands, order_lines, overlays, pushes, thoughts
from sim.screen.camera import Camera
from sim.screen.flashes import Flashes
from sim.screen.painter import clip
from sim.screen.plain_scene import PlainScene
from sim.screen.squad import Squad
from sim.screen.theme import Theme
from sim.screen.ways import Ways
from sim.world import World


class Scene(PlainScene[World]):
    """Paints a world and, where a unit is selected, what it sees and wants."""

    def __init__(self, *given: Any, **options: Any) -> None:
        self.squad = Squad()
        """The units that are selected for orders."""
        super().__init__(*given, **options)

    def _wear(self, theme: Theme) -> None:
        super()._wear(theme)
        self._ways = Ways(theme)

    def forget(self) -> None:
        """Begin anew, for another world: no unit is selected, and all of it is framed."""
        super().forget()
        self._flashes = Flashes()

    def _paint_below(
        self, surface: pygame.Surface, world: World, camera: Camera, row: int | None
    ) -> None:
        for looking in self._lookers(world):
            if looking != row:
                overlays.paint_view(surface, world, camera, looking, self.theme, walled=True)
        if row is not None:
            overlays.paint_view(surface, world, camera, row, self.theme)
        self._ways.paint(surface, world, camera, row, "ways" in self.shows)

    def _paint_above(
        self, surface: pygame.Surface, world: World, camera: Camera, row: int | None
    ) -> None:
        if "contacts" in self.shows:
            surface.set_clip(clip(world, camera))
            self._flashes.paint(surface, world, camera, self.theme)
            surface.set_clip(None)
        if "forces" in self.shows:
            pushes.paint(surface, world, camera, row, self.theme)
        order_lines.paint(surface, world, camera, self.squad.rows(world), self.theme)
        if row is not None:
            self._look_inside(surface, world, camera, row)

    def _lookers(self, world: World) -> list[int]:
        """Rows of the units whose view is shown, selected or not."""
        if not self.views:
            return []
        here = [
            np.flatnonzero(world.units.present[g.rows])[:1] + g.rows.start for g in world.groups
        ]
        return [int(rows[0]) for rows in here if len(rows)]

    def _look_inside(self, surface: pygame.Surface, world: World, camera: Camera, row: int) -> None:
        for paint in (
            overlays.paint_marks,
            crossings.paint_crossings,
            thoughts.paint,
            overlays.paint_terms,
            errands.paint,
        ):
            paint(surface, world, camera, row, self.theme)
