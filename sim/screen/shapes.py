"""Shapes and discs of any size with smooth edges, which pygame has only in part; and text."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from math import ceil

import numpy as np
import pygame
from numpy.typing import ArrayLike

from sim.core.arrays import Bools, Floats
from sim.screen.theme import RGB

FAR = 4096.0
"""Pixels beyond a picture where what reaches further is cut off: pygame draws it row by row."""


def within(
    surface: pygame.Surface, corners: ArrayLike, *, closed: bool = True
) -> list[list[float]]:
    """What of a polygon (k, 2), or of a way that is not `closed`, is not far from a picture.

    Corners (m, 2); none where all of it is far. What lies wholly near is as it was.
    """
    points = np.asarray(corners, dtype=float)
    for axis, length in enumerate(surface.get_size()):
        for sign, most in ((1.0, length + FAR), (-1.0, FAR)):
            over = sign * points[:, axis] - most
            if (over > 0).any():
                points = _cut(points, over, closed)
    found: list[list[float]] = points.tolist()
    return found


def _cut(points: Floats, over: Floats, closed: bool) -> Floats:
    """The part of a polygon, or of a way, (k, 2) that is not `over` (k,) a line."""
    kept: list[Floats] = []
    for k, point in enumerate(points):
        before = points[k - 1]
        if (closed or k) and (over[k] > 0) != (over[k - 1] > 0):
            kept.append(before + (point - before) * (over[k - 1] / (over[k - 1] - over[k])))
        if over[k] <= 0:
            kept.append(point)
    return np.array(kept).reshape(-1, 2)


def polygon(
    surface: pygame.Surface, color: RGB, corners: ArrayLike, rim: RGB | None = None,
    smooth: bool = False,
) -> None:  # fmt: skip
    """A filled polygon (k, 2) of any size, with a `rim` a pixel wide, or with smooth edges."""
    points = within(surface, corners)
    if len(points) < 3:
        return
    pygame.draw.polygon(surface, color, points)
    if rim is not None:
        pygame.draw.polygon(surface, rim, points, 1)
    if smooth:
        pygame.draw.aalines(surface, color, True, points)


def line(
    surface: pygame.Surface, color: RGB, start: ArrayLike, end: ArrayLike, width: float
) -> None:
    """A straight line of any width in pixels, flat-ended."""
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    along = b - a
    length = float(np.hypot(*along))
    if width <= 1.5 or length == 0:
        pygame.draw.aaline(surface, color, a.tolist(), b.tolist())
        return
    side = np.array([-along[1], along[0]]) * (width / 2 / length)
    polygon(surface, color, [a + side, b + side, b - side, a - side], smooth=True)


def arrow(
    surface: pygame.Surface, color: RGB, start: ArrayLike, end: ArrayLike, width: float
) -> None:
    """An arrow from start to end; its head is three widths long, and shorter on short arrows."""
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    length = float(np.hypot(*(b - a)))
    if length < 1:
        return
    ahead = (b - a) / length
    side = np.array([-ahead[1], ahead[0]])
    head = min(3.2 * width, length)
    neck = b - ahead * head
    line(surface, color, a, neck, width)
    wide = side * head * 0.55
    polygon(surface, color, [b, neck + wide, neck - wide], smooth=True)


@lru_cache(maxsize=256)
def ring(radius: float, color: RGB, width: float = 1.25) -> pygame.Surface:
    """A smooth circle, as wide as that inwards, on a square of its own; premultiplied colours."""
    side, fine = 2 * ceil(radius + 1) + 1, 4
    large = pygame.Surface((side * fine, side * fine), pygame.SRCALPHA)
    middle = (side * fine / 2, side * fine / 2)
    pygame.draw.circle(large, color, middle, radius * fine, round(width * fine))
    return pygame.transform.smoothscale(large, (side, side))


def put_ring(surface: pygame.Surface, color: RGB, middle: Floats, radius: float) -> None:
    """Such a circle round a place, pixels."""
    image = ring(radius, color)
    corner = np.rint(middle - image.get_width() / 2).astype(int).tolist()
    surface.blit(image, corner, special_flags=pygame.BLEND_PREMULTIPLIED)


def cross(surface: pygame.Surface, color: RGB, x: float, y: float, half: float) -> None:
    """A cross that lies, `half` pixels from its middle to its ends."""
    for down in (-half, half):
        line(surface, color, (x - half, y - down), (x + half, y + down), 2.0)


FONT = "data/NotoSans-Regular.ttf"
"""Noto Sans, which comes with pygame_gui: the same words on every machine, and as on the panel."""
POINTS = 0.76
"""Size of the font for a line one pixel high."""
MOST_LETTERS = 4096
"""Of a line: more than the widest film (8192 pixels) has room for."""
_fonts: dict[int, pygame.font.Font] = {}


@lru_cache(maxsize=512)
def text(words: str, color: RGB, size: int) -> pygame.Surface:
    """A line of text, about `size` pixels high, on nothing.

    What is no letter or sign (controls, halves of a pair) is drawn as "?", and what follows the
    first `MOST_LETTERS` not at all.
    """
    if not pygame.font.get_init():
        _fonts.clear()  # the end of pygame took the fonts with it
        pygame.font.init()
    if size not in _fonts:
        file = resources.files("pygame_gui").joinpath(FONT)
        with resources.as_file(file) as path:
            _fonts[size] = pygame.font.Font(path, round(size * POINTS))
    # Of words without width, or of tens of millions of letters, the font makes an error or a crash.
    shown = "".join(c if c.isprintable() else "?" for c in words[:MOST_LETTERS])
    font = _fonts[size]
    return font.render(shown if font.size(shown)[0] else "", True, color)


SMOOTH = 800.0
"""Radius in pixels up to which discs are drawn larger and scaled down: up to four times."""
LARGE = 1e4
"""Radius in pixels from which on pygame takes long, or all memory: then each pixel is asked."""
RIM = 1.3
"""Width of the rim of a disc, pixels."""


def paint_disc(surface: pygame.Surface, centre: Floats, radius: float, fill: RGB, rim: RGB) -> None:
    """Paint a disc with a rim and a smooth edge; `centre` and `radius` are in pixels."""
    if radius > sum(surface.get_size()):
        fill_disc(surface, rim, centre, radius)
        fill_disc(surface, fill, centre, radius - RIM)
        return
    # Drawn larger and scaled down for smooth edges; the largest are smooth enough as they are.
    fine = max(1, min(4, int(SMOOTH / radius)))
    side = 2 * ceil(radius + 1)
    corner = np.floor(centre - side / 2).astype(int)
    large = pygame.Surface((side * fine, side * fine), pygame.SRCALPHA)
    middle = ((centre - corner) * fine).tolist()
    pygame.draw.circle(large, rim, middle, radius * fine)
    if radius > 3:
        pygame.draw.circle(large, fill, middle, (radius - RIM) * fine)
    disc = pygame.transform.smoothscale(large, (side, side)) if fine > 1 else large
    surface.blit(disc, corner.tolist(), special_flags=pygame.BLEND_PREMULTIPLIED)


def fill_disc(surface: pygame.Surface, color: RGB, centre: Floats, radius: float) -> None:
    """Paint a plain disc."""
    if radius > LARGE:
        _set(surface, color, _off(surface, centre) <= radius)
    else:
        pygame.draw.circle(surface, color, centre.tolist(), radius)


def paint_ring(surface: pygame.Surface, color: RGB, centre: Floats, radius: float) -> None:
    """Paint the thin outline of a disc."""
    if radius > LARGE:
        _set(surface, color, np.abs(_off(surface, centre) - radius) < 0.5)
    else:
        pygame.draw.aacircle(surface, color, centre.tolist(), radius, 1)


def _off(surface: pygame.Surface, centre: Floats) -> Floats:
    """(width, height) how far each pixel is from a place, pixels."""
    width, height = surface.get_size()
    across, down = np.arange(width) - centre[0], np.arange(height) - centre[1]
    off: Floats = np.hypot(across[:, None], down)
    return off


def _set(surface: pygame.Surface, color: RGB, some: Bools) -> None:
    pixels = pygame.surfarray.pixels3d(surface)
    pixels[some] = color
