"""One picture of a world, and of what its units see, want and do."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.screen import crossings, errands, order_lines, overlays, pushes, thoughts
from sim.screen.camera import Canvas
from sim.screen.flashes import Flashes
from sim.screen.painter import clip
from sim.screen.plain_scene import PlainScene
from sim.screen.squad import Squad
from sim.screen.ways import Ways
from sim.world import World


class Scene(PlainScene[World]):
    """Paints a world and, where a unit is selected, what it sees and wants."""

    def __init__(self, *given: Any, **options: Any) -> None:
        self.squad = Squad()
        """The units that are selected for orders."""
        super().__init__(*given, **options)

    def forget(self) -> None:
        """Begin anew, for another world: no unit is selected, and all of it is framed."""
        super().forget()
        self._flashes, self._ways = Flashes(), Ways()

    def _paint_below(self, canvas: Canvas, world: World, row: int | None) -> None:
        for looking in self._lookers(world):
            if looking != row:
                overlays.paint_view(canvas, world, looking, walled=True)
        if row is not None:
            overlays.paint_view(canvas, world, row)
        self._ways.paint(canvas, world, row, "ways" in self.shows)

    def _paint_above(self, canvas: Canvas, world: World, row: int | None) -> None:
        if "contacts" in self.shows:
            canvas.surface.set_clip(clip(world, canvas.camera))
            self._flashes.paint(canvas, world)
            canvas.surface.set_clip(None)
        if "forces" in self.shows:
            pushes.paint(canvas, world, row)
        order_lines.paint(canvas, world, self.squad.rows(world))
        if row is not None:
            overlays.paint_marks(canvas, world, row)
            crossings.paint_crossings(canvas, world, row)
            thoughts.paint(canvas, world, row)
            overlays.paint_terms(canvas, world, row)
            errands.paint(canvas, world, row)

    def _lookers(self, world: World) -> list[int]:
        """Rows of the units whose view is shown, selected or not."""
        if not self.views:
            return []
        here = [
            np.flatnonzero(world.units.present[g.rows])[:1] + g.rows.start for g in world.groups
        ]
        return [int(rows[0]) for rows in here if len(rows)]
