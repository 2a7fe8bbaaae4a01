"""What does not move: ground, grid, bounds and solids.

Painted once for as long as the camera rests.
"""

from __future__ import annotations

from math import floor, log10

import numpy as np
import pygame

from sim.core.arrays import Floats
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.navigation.areas import Area
from sim.screen import shapes
from sim.screen.camera import Camera
from sim.screen.replay import Shown
from sim.screen.shapes import fill_disc, paint_disc, paint_ring
from sim.screen.theme import RGB, Theme, mix

GRID = 56.0
"""Least distance of grid lines, pixels."""
WALL = 3.0
"""Thickness of walls, pixels: in the world they have none."""
AREA = 0.3
"""How far the colour of an area is from that of the ground to that of the edges."""


_Done = tuple[Camera, Solids, tuple[Area, ...], pygame.Surface]
"""What a picture is of, and the picture."""


class Land:
    """Paints the ground and what stands on it."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._done: dict[tuple[int, int], _Done] = {}

    def paint(self, surface: pygame.Surface, world: Shown, camera: Camera) -> None:
        """Paint over the whole surface."""
        size = surface.get_size()
        known, areas = self._done.get(size), tuple(world.areas)
        if known is None or known[0] != camera or known[1] is not world.solids or known[2] != areas:
            picture = known[3] if known else pygame.Surface(size, 0, surface)
            self._draw(picture, world, camera)
            if len(self._done) > 3:
                self._done.clear()
            self._done[size] = known = camera, world.solids, areas, picture
        surface.blit(known[3], (0, 0))

    def _draw(self, surface: pygame.Surface, world: Shown, camera: Camera) -> None:
        theme, plane = self._theme, world.plane
        surface.set_clip(None)
        surface.fill(theme.ground)
        if plane.bounds is not None and plane.edges != "open":
            surface.fill(theme.outside)
            inside = on_screen(plane.bounds, camera)
            if plane.edges == "wall":
                pygame.draw.rect(surface, theme.edge, inside.inflate(2 * WALL, 2 * WALL))
            surface.fill(theme.ground, inside)
            surface.set_clip(inside)
        for area in world.areas:
            _draw_area(surface, area.shape.solids, camera, area_color(theme))
        self._draw_grid(surface, camera)
        for shift in world.plane.shifts:
            self._draw_solids(surface, world.solids, shift, camera)
        if world.map is not None:
            self._draw_tiles(surface, world.map, camera)
        surface.set_clip(None)

    def _draw_grid(self, surface: pygame.Surface, camera: Camera) -> None:
        step = round_step(GRID / camera.scale)
        left, top, right, bottom = camera.seen
        width, height = camera.size
        for axis, low, high in ((0, left, right), (1, top, bottom)):
            lines = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step
            places = (lines - camera.centre[axis]) * camera.scale + camera.size[axis] / 2
            for place in np.rint(places).astype(int).tolist():
                line = (place, 0, 1, height) if axis == 0 else (0, place, width, 1)
                surface.fill(self._theme.grid, line)

    def _draw_solids(
        self, surface: pygame.Surface, solids: Solids, shift: Floats, camera: Camera
    ) -> None:
        fill, rim, scale = self._theme.solid, self._theme.solid_rim, camera.scale
        for left, top, right, bottom in (solids.boxes + np.tile(shift, 2)).tolist():
            if sees(camera, left, top, right, bottom):
                box = on_screen((left, top, right, bottom), camera)
                surface.fill(rim, box)
                if min(box.size) > 4:
                    surface.fill(fill, box.inflate(-2, -2))
        for x, y, radius in solids.discs.tolist():
            x, y = x + shift[0], y + shift[1]
            if sees(camera, x - radius, y - radius, x + radius, y + radius):
                paint_disc(surface, camera.to_screen((x, y)), radius * scale, fill, rim)
        for ends in (solids.walls + np.tile(shift, 2)).reshape(-1, 2, 2):
            if sees(camera, *ends.min(axis=0).tolist(), *ends.max(axis=0).tolist()):
                start, end = camera.to_screen(ends)
                shapes.line(surface, rim, start, end, WALL)

        for corners in solids.polygons:
            shapes.polygon(surface, fill, camera.to_screen(corners + shift), rim)

    def _draw_tiles(self, surface: pygame.Surface, tiles: TileMap, camera: Camera) -> None:
        """Walls of one piece, over the boxes that they are put together from."""
        west, north, east, south = camera.seen
        left, top, right, bottom = tiles.cores.T
        seen = tiles.cores[(left < east) & (right > west) & (top < south) & (bottom > north)]
        corners = np.rint(camera.to_screen(seen.reshape(-1, 2, 2))).astype(int).reshape(-1, 4)
        for x1, y1, x2, y2 in corners.tolist():
            surface.fill(self._theme.solid, (x1, y1, max(x2 - x1, 1), max(y2 - y1, 1)))
        ends = tiles.edges[:, 2:6].reshape(-1, 2, 2)
        for places in np.rint(camera.to_screen(ends)):
            near = shapes.within(surface, places, closed=False)
            if near:
                pygame.draw.line(surface, self._theme.solid_rim, near[0], near[-1])


def on_screen(box: tuple[float, float, float, float], camera: Camera) -> pygame.Rect:
    """The pixels of a world rectangle (left, top, right, bottom), at least one each way.

    It ends not far from the picture where the world's reaches further.
    """
    places = np.rint(camera.to_screen(np.array(box).reshape(2, 2)))
    corners = places.clip(-shapes.FAR, np.array(camera.size) + shapes.FAR).astype(int)
    (left, top), (right, bottom) = corners.tolist()
    return pygame.Rect(left, top, max(right - left, 1), max(bottom - top, 1))


def sees(camera: Camera, left: float, top: float, right: float, bottom: float) -> bool:
    """Whether any of a world rectangle may be on the screen."""
    west, north, east, south = camera.seen
    return left < east and right > west and top < south and bottom > north


def round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, ... (and their tenths and so on) that is not below `least`."""
    power = 10.0 ** floor(log10(least))
    return next(power * m for m in (1, 2, 5, 10) if power * m >= least * (1 - 1e-9))


def area_color(theme: Theme) -> RGB:
    """Plainly apart from bare ground, and fainter than what is solid."""
    return mix(theme.ground, theme.edge, AREA)


def _draw_area(surface: pygame.Surface, area: Solids, camera: Camera, color: RGB) -> None:
    """Fill ground of its own, which nothing solid stands on."""
    for box in area.boxes.tolist():
        surface.fill(color, on_screen((box[0], box[1], box[2], box[3]), camera))
    for x, y, radius in area.discs.tolist():
        fill_disc(surface, color, camera.to_screen((x, y)), radius * camera.scale)
    for corners in area.polygons:
        shapes.polygon(surface, color, camera.to_screen(corners))


def paint_outline(surface: pygame.Surface, solids: Solids, camera: Camera, color: RGB) -> None:
    """Paint thin outlines of solids that are not there just now."""
    for box in solids.boxes.tolist():
        pygame.draw.rect(surface, color, on_screen((box[0], box[1], box[2], box[3]), camera), 1)
    for x, y, radius in solids.discs.tolist():
        paint_ring(surface, color, camera.to_screen((x, y)), radius * camera.scale)
    for ends in solids.walls.reshape(-1, 2, 2):
        pygame.draw.aalines(surface, color, False, camera.to_screen(ends).tolist())
    for corners in solids.polygons:
        pygame.draw.aalines(surface, color, True, camera.to_screen(corners).tolist())
