"""One picture of a world.

Where the camera points, what is painted and in which order, and who is looked inside.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pygame

from sim.core.arrays import Floats, Ints
from sim.screen import crossings, errands, order_lines, overlays, pushes, roles, thoughts, trails
from sim.screen.camera import Camera, Size
from sim.screen.flashes import Flashes
from sim.screen.framing import Framing
from sim.screen.heat import Heat
from sim.screen.history import History
from sim.screen.lens import Lens
from sim.screen.painter import Painter, clip
from sim.screen.sight import pick
from sim.screen.squad import Squad
from sim.screen.theme import DARK, Bytes, Theme
from sim.screen.ways import Ways
from sim.world import World

NEAR = 12.0
"""A click this many pixels beside a unit still means it."""
SHOWS = ("trails", "heat", "contacts", "ways", "forces")
"""What may be shown of all units: where they come from, where they have been, who touches what,
where they are going, what acts on them. Off unless asked for."""


class Scene:
    """Paints pictures of any size; shared by a window and the film that is made of it.

    `ways` shows the ways of all units, and not the selected one's alone; `views` what one unit of
    each group sees; `shows` are further names of `SHOWS`.
    """

    def __init__(
        self,
        theme: Theme = DARK,
        *,
        ways: bool = False,
        views: bool = False,
        shows: Collection[str] = (),
    ) -> None:
        self.shows = {*shows, *(["ways"] if ways else [])}
        """The names of `SHOWS` that are on."""
        self.views = views
        """Whether the view of the first unit of each group is shown."""
        self.lens = Lens()
        """Zoom and pan."""
        self.selected: int | None = None
        """Row of the unit that is looked inside."""
        self.squad = Squad()
        """The units that are selected for orders."""
        self.theme = theme
        self.forget()

    @property
    def theme(self) -> Theme:
        """The colours; they may change at any time."""
        return self._theme

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._theme, self._painter, self._ways = theme, Painter(theme), Ways(theme)

    def forget(self) -> None:
        """Begin anew, for another world: no unit is selected, and all of it is framed."""
        self.selected = None
        self.lens.reset()
        self._framing, self._history, self._heat = Framing(), History(), Heat()
        self._flashes = Flashes()
        self._ids: Ints | None = None

    def framed(self, world: World, size: Size) -> Camera:
        """The camera for a picture of this size before zoom and pan."""
        return self._framing.camera(world, size)

    def camera(self, world: World, size: Size) -> Camera:
        """The camera for a picture of this size."""
        return self.lens.through(self.framed(world, size))

    def paint(self, surface: pygame.Surface, world: World) -> None:
        """Paint the world and, where a unit is selected, what it sees and wants."""
        self.note(world)
        camera = self.camera(world, surface.get_size())
        row = self.looked_inside(world)
        self._painter.paint_land(surface, world, camera)
        surface.set_clip(clip(world, camera))
        if "heat" in self.shows:
            self._heat.paint(surface, camera, self._history, self.theme)
        if "trails" in self.shows:
            trails.paint(surface, world, camera, self._history, self.theme)
        surface.set_clip(None)
        for looking in {*self._lookers(world), *(() if row is None else (row,))}:
            overlays.paint_view(surface, world, camera, looking, self.theme)
        self._ways.paint(surface, world, camera, row, "ways" in self.shows)
        self._painter.paint_units(surface, world, camera)
        if "contacts" in self.shows:
            surface.set_clip(clip(world, camera))
            self._flashes.paint(surface, world, camera, self.theme)
            surface.set_clip(None)
        if "forces" in self.shows:
            pushes.paint(surface, world, camera, row, self.theme)
        order_lines.paint(surface, world, camera, self.squad.rows(world), self.theme)
        if row is not None:
            self._look_inside(surface, world, camera, row)

    def note(self, world: World) -> None:
        """Keep all positions, for trails and heat; the selected unit stays selected."""
        if self.selected is not None and self._ids is not None and world.ids is not self._ids:
            named = self._ids[min(self.selected, len(self._ids) - 1)]
            there = np.flatnonzero(world.ids == named)
            self.selected = int(there[0]) if len(there) else None
        self._ids = world.ids
        if self._history.observe(world):
            self._heat.observe(world, self._history.since)

    def looked_inside(self, world: World) -> int | None:
        """The selected unit, unless it left."""
        row, here = self.selected, world.units.present
        return row if row is not None and row < len(here) and here[row] else None

    def _lookers(self, world: World) -> list[int]:
        """Rows of the units whose view is shown, selected or not."""
        if not self.views:
            return []
        here = [
            np.flatnonzero(world.units.present[g.rows])[:1] + g.rows.start for g in world.groups
        ]
        return [int(rows[0]) for rows in here if len(rows)]

    def select_at(self, world: World, pixel: tuple[int, int], size: Size) -> None:
        """Select the unit under a pixel; where there is none, nobody is selected."""
        self.selected = self.unit_at(world, pixel, size)

    def unit_at(self, world: World, pixel: tuple[int, int], size: Size) -> int | None:
        """The row of the unit under a pixel; None where there is none."""
        place = self.place_at(world, pixel, size)
        return pick(world, place, NEAR / self.camera(world, size).scale)

    def place_at(self, world: World, pixel: tuple[int, int], size: Size) -> Floats:
        """The place (2,) of the world under a pixel."""
        return self.camera(world, size).to_world(np.array(pixel) + 0.5)

    def spots(self, world: World, size: Size) -> Floats:
        """(N, 2) the pixels of all units, NaN for those absent."""
        return self.camera(world, size).to_screen(world.units.position)

    def gif_colors(self, world: World) -> Bytes:
        """(m, 3) colours that a film of this world should have exactly."""
        groups = [c for group in world.groups for c in roles.colors(group, self.theme)]
        known = [self.theme.leader, self.theme.interceptor, self.theme.player]
        return self.theme.gif_colors([*groups, *known])

    def _look_inside(self, surface: pygame.Surface, world: World, camera: Camera, row: int) -> None:
        for paint in (
            overlays.paint_marks,
            crossings.paint_crossings,
            thoughts.paint,
            overlays.paint_terms,
            errands.paint,
        ):
            paint(surface, world, camera, row, self.theme)
