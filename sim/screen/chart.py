"""A picture of a tile map with its objects. No display is needed."""

from __future__ import annotations

from io import BytesIO

import pygame

from sim.maps import MapObject, TileMap
from sim.screen import shapes
from sim.screen.camera import Camera, Size
from sim.screen.framing import picture_size
from sim.screen.land import on_screen
from sim.screen.scene import Scene
from sim.screen.theme import Theme
from sim.world import World

BOX = (1280, 960)
"""Pictures fit into this, pixels."""
WORDS, CROSS = 16, 5
"""Height of names, and half the size of a point's cross, pixels."""


def png(tiles: TileMap, box: Size = BOX) -> bytes:
    """The picture as the bytes of a PNG file."""
    world, scene = World(map=tiles), Scene()
    surface = pygame.Surface(picture_size(world, box))
    scene.paint(surface, world)
    camera = scene.camera(world, surface.get_size())
    for each in tiles.objects:
        _draw(surface, each, camera, scene.theme)
    file = BytesIO()
    pygame.image.save(surface, file, "map.png")
    return file.getvalue()


def _draw(surface: pygame.Surface, each: MapObject, camera: Camera, theme: Theme) -> None:
    x, y = camera.to_screen(each.centre).round().astype(int).tolist()
    if each.kind == "point":
        pygame.draw.line(surface, theme.selected, (x - CROSS, y), (x + CROSS, y))
        pygame.draw.line(surface, theme.selected, (x, y - CROSS), (x, y + CROSS))
    else:
        pygame.draw.rect(surface, theme.faint, on_screen(each.box, camera), 1)
    words = shapes.text(each.name[:40], theme.text, WORDS)
    surface.blit(words, (x - words.get_width() // 2, y + CROSS))
