"""One picture of a recorded run, or of a world with what its units see, want and do."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Generic, TypeVar

import numpy as np
import pygame

from sim.core.arrays import Ints
from sim.core.plane import Bounds
from sim.record.reel import Bytes
from sim.screen import errands, overlays, pushes, roles, thoughts, trails
from sim.screen.camera import Camera, Canvas, Framing, Lens, Size
from sim.screen.heat import Heat
from sim.screen.painter import Painter, clip
from sim.screen.pushes import Flashes
from sim.screen.replay import Shown
from sim.screen.squad import Squad
from sim.screen.theme import DARK, Theme
from sim.screen.trails import History
from sim.screen.ways import Ways
from sim.world import World

S = TypeVar("S", bound=Shown)
SHOWS = ("trails", "heat", "contacts", "ways", "forces")
"""What may be shown of all units: where they come from, where they have been, what touches what,
where they are going, what acts on them. Off unless asked for."""


class PlainScene(Generic[S]):
    """Paints pictures of any size; shared by a window and the film that is made of it.

    `ways` shows the ways of all units, and not the selected one's alone; `views` what one unit of
    each group sees; `shows` are further names of `SHOWS`; what a recording does not tell is left
    out. A `region`, left, top, right, bottom in world units, is shown whole in place of all.
    """

    def __init__(
        self,
        theme: Theme = DARK,
        *,
        ways: bool = False,
        views: bool = False,
        shows: Collection[str] = (),
        region: Bounds | None = None,
    ) -> None:
        self.shows = {*shows, *(["ways"] if ways else [])}
        """The names of `SHOWS` that are on."""
        self.views = views
        """Whether the view of the first unit of each group is shown."""
        self.lens = Lens()
        """Zoom and pan."""
        self.selected: int | None = None
        """Row of the unit that is looked inside."""
        self._region = region
        self.theme = theme
        self.forget()

    @property
    def theme(self) -> Theme:
        """The colours; they may change at any time."""
        return self._theme

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._theme, self._painter = theme, Painter(theme)

    def forget(self) -> None:
        """Begin anew, for another world: no unit is selected, and all of it is framed."""
        self.selected = None
        self.lens.reset()
        self._framing, self._history, self._heat = Framing(), History(), Heat()
        self._ids: Ints | None = None

    def framed(self, world: S, size: Size) -> Camera:
        """The camera for a picture of this size before zoom and pan."""
        if self._region is None:
            return self._framing.camera(world, size)
        box = np.array(self._region).reshape(2, 2)
        return Camera.framing(box.mean(axis=0), (box[1] - box[0]) / 2, size)

    def camera(self, world: S, size: Size) -> Camera:
        """The camera for a picture of this size."""
        return self.lens.through(self.framed(world, size))

    def paint(self, surface: pygame.Surface, world: S) -> None:
        """Paint it as it is now."""
        self.note(world)
        camera = self.camera(world, surface.get_size())
        canvas, row = Canvas(surface, camera, self.theme), self.looked_inside(world)
        self._painter.land.paint(surface, world, camera)
        surface.set_clip(clip(world, camera))
        if "heat" in self.shows:
            self._heat.paint(canvas, self._history)
        if "trails" in self.shows:
            trails.paint(canvas, world, self._history)
        surface.set_clip(None)
        self._paint_below(canvas, world, row)
        self._painter.paint_units(canvas, world)
        self._paint_above(canvas, world, row)

    def _paint_below(self, canvas: Canvas, world: S, row: int | None) -> None:
        """Paint what units stand on; `row` is that of the selected unit."""

    def _paint_above(self, canvas: Canvas, world: S, row: int | None) -> None:
        """Paint what covers units: a ring round the selected one."""
        if row is not None:
            marked = np.arange(len(world.units)) == row
            overlays.ring_round(canvas, world, marked, self.theme.selected, 4.0)

    def note(self, world: S) -> None:
        """Take down where all units are, for trails and heat; the selected unit stays selected."""
        if self.selected is not None and self._ids is not None and world.ids is not self._ids:
            named = self._ids[min(self.selected, len(self._ids) - 1)]
            there = np.flatnonzero(world.ids == named)
            self.selected = int(there[0]) if len(there) else None
        self._ids = world.ids
        if self._history.observe(world):
            self._heat.observe(world, self._history.since)

    def looked_inside(self, world: S) -> int | None:
        """The selected unit, unless it left."""
        row, here = self.selected, world.units.present
        return row if row is not None and row < len(here) and here[row] else None

    def gif_colors(self, world: S) -> Bytes:
        """(m, 3) colours that a film of this world should have exactly."""
        groups = [c for group in world.groups for c in roles.colors(group, self.theme)]
        known = [self.theme.leader, self.theme.interceptor, self.theme.player]
        return self.theme.gif_colors([*groups, *known])


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
        errands.paint_orders(canvas, world, self.squad.rows(world))
        if row is not None:
            overlays.paint_marks(canvas, world, row)
            thoughts.paint_crossings(canvas, world, row)
            thoughts.paint(canvas, world, row)
            overlays.paint_terms(canvas, world, row)
            errands.paint_bound(canvas, world, row)

    def _lookers(self, world: World) -> list[int]:
        """Rows of the units whose view is shown, selected or not."""
        if not self.views:
            return []
        here = [
            np.flatnonzero(world.units.present[g.rows])[:1] + g.rows.start for g in world.groups
        ]
        return [int(rows[0]) for rows in here if len(rows)]
