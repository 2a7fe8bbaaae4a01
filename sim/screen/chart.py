"""A picture of a tile map with its objects, and a way through it. No display is needed."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise

import numpy as np
import pygame

from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.maps import MapObject, TileMap
from sim.navigation import Path
from sim.record.run import Run
from sim.record.stage import Stage
from sim.screen import shapes
from sim.screen.camera import Canvas, Size, picture_size
from sim.screen.land import on_screen
from sim.screen.replay import Replay
from sim.screen.scene import PlainScene

BOX = (1280, 960)
"""Pictures fit into this, pixels."""
WORDS, CROSS = 16, 5
"""Height of names, and half the size of a point's cross, pixels."""
LINE, DOT = 2.0, 4.0
"""Width of a way, and radius of its points, pixels."""


def png(tiles: TileMap, way: Path | None = None, box: Size = BOX) -> bytes:
    """The picture as the bytes of a PNG file."""
    world = _standing(tiles)
    scene: PlainScene[Replay] = PlainScene()
    surface = pygame.Surface(picture_size(world.plane.bounds, box))
    scene.paint(surface, world)
    canvas = Canvas(surface, scene.camera(world, surface.get_size()), scene.theme)
    for each in tiles.objects:
        _draw(canvas, each)
    if way is not None and way.found:
        _draw_way(canvas, way)
    file = BytesIO()
    pygame.image.save(surface, file, "map.png")
    return file.getvalue()


def _standing(tiles: TileMap) -> Replay:
    """What a picture needs of a world, without an engine, for which each wall is a shape."""
    plane, solids = Plane(tiles.bounds, "wall"), Solids(boxes=tiles.boxes)
    nobody = Run(np.zeros(1), np.zeros((1, 0, 2)), np.zeros((1, 0)), np.zeros(0, np.str_))
    return Replay(Stage("", plane, solids, tiles, ()), nobody)


def _draw_way(canvas: Canvas, way: Path) -> None:
    """The way as it was planned, thin, and what is left of it when waypoints are skipped."""
    surface, camera, theme = canvas
    planned, points = (camera.to_screen(each).tolist() for each in (way.planned, way.points))
    pygame.draw.aalines(surface, theme.faint, False, planned)
    for a, b in pairwise(points):
        shapes.line(surface, theme.selected, a, b, LINE)
    for point in points:
        pygame.draw.circle(surface, theme.selected, point, DOT)


def _draw(canvas: Canvas, each: MapObject) -> None:
    surface, camera, theme = canvas
    x, y = camera.to_screen(each.centre).round().astype(int).tolist()
    if each.kind == "point":
        pygame.draw.line(surface, theme.selected, (x - CROSS, y), (x + CROSS, y))
        pygame.draw.line(surface, theme.selected, (x, y - CROSS), (x, y + CROSS))
    else:
        pygame.draw.rect(surface, theme.faint, on_screen(each.box, camera), 1)
    words = shapes.text(each.name[:40], theme.text, WORDS)
    surface.blit(words, (x - words.get_width() // 2, y + CROSS))
