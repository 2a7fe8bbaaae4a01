"""Hulls drawn once for every heading, so that a frame only has to place them."""

from __future__ import annotations

from collections import OrderedDict
from math import ceil, cos, pi, sin, tau

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.core.arrays import Floats
from sim.core.hull import Hull
from sim.screen.theme import RGB, Theme, mix

HEADINGS = 72
"""Sprites to a turn; large hulls get whole multiples of it, up to five."""
STEP = 1.5
"""How many pixels the outermost part of a large hull may jump from one sprite to the next."""
FINE, FINEST = 4, 1600
"""Sprites are drawn this many times larger (up to this many pixels), then scaled down: smooth."""
ROOM = 64e6
"""Bytes of sprites kept; sheets not used for longest go first."""
RIM = 0.55
"""How much of the theme's rim is in a hull's own."""
RIM_FROM = 9.0
"""Hulls shorter than this, in pixels, have no rim: it would be all that is left of them."""


class Sheet:
    """The sprites of one hull at one scale in one colour.

    Drawn when first wanted; colours are premultiplied.
    """

    def __init__(self, hull: Hull, scale: float, color: RGB, theme: Theme) -> None:
        reach = hull.reach * scale
        self.headings = HEADINGS * min(5, max(1, ceil(reach * tau / HEADINGS / STEP)))
        self.side = 2 * ceil(reach + 1) + 1
        self._fine = max(1, min(FINE, FINEST // self.side))
        self._layers = _layers(hull, scale, color, theme)
        self._sprites = np.full(self.headings, None, dtype=object)
        self._made = np.zeros(self.headings, np.bool_)

    @property
    def weight(self) -> int:
        """Bytes of the sprites made so far."""
        return int(self._made.sum()) * 4 * self.side**2

    def take(self, angles: Floats) -> NDArray[np.object_]:
        """(n,) surfaces for n angles."""
        wanted = np.rint(angles * (self.headings / tau)).astype(np.int64) % self.headings
        if self.weight > ROOM:
            self._sprites[:], self._made[:] = None, False
        counts = np.bincount(wanted, minlength=self.headings)
        for heading in np.flatnonzero((counts > 0) & ~self._made).tolist():
            self._sprites[heading] = self._draw(heading * tau / self.headings)
            self._made[heading] = True
        return self._sprites[wanted]

    def _draw(self, angle: float) -> pygame.Surface:
        side, fine = self.side, self._fine
        large = pygame.Surface((side * fine, side * fine), pygame.SRCALPHA)
        turn = np.array([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])
        for color, corners in self._layers:
            points = (corners @ turn + side / 2) * fine
            pygame.draw.polygon(large, color, points.tolist())
        # Averaging opaque with empty pixels leaves colours multiplied by their share.
        return pygame.transform.smoothscale(large, (side, side))


class Atlas:
    """All sheets in use."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._sheets: OrderedDict[tuple[Hull, float, RGB], Sheet] = OrderedDict()

    def sheet(self, hull: Hull, scale: float, color: RGB) -> Sheet:
        """The sheet of a hull at a scale (pixels per world unit) in a colour."""
        key = hull, scale, color
        if key not in self._sheets:
            while sum(sheet.weight for sheet in self._sheets.values()) > ROOM:
                self._sheets.popitem(last=False)
            self._sheets[key] = Sheet(hull, scale, color, self._theme)
        self._sheets.move_to_end(key)
        return self._sheets[key]


def _layers(hull: Hull, scale: float, color: RGB, theme: Theme) -> list[tuple[RGB, Floats]]:
    """Coloured polygons, the lowest first, in pixels (ahead, starboard).

    Rim, hull, and a mark that tells the heading.
    """
    body = (_circle(hull.radius) if hull.shape == "disc" else hull.outline) * scale
    mark, rim = theme.mark(color), mix(color, theme.rim, RIM)
    layers = [(color, body)]
    if hull.length * scale >= RIM_FROM:
        width = min(1.6, 0.05 * hull.length * scale)
        layers = [(rim, body), (color, _inset(body, width))]
    layers += [(mark, part * scale) for part in _mark(hull)]
    return layers


def _mark(hull: Hull) -> list[Floats]:
    """What makes the heading readable: a dart on discs and boxes, a dark stern on wedges.

    Nothing on hulls held upright: they head for nowhere.
    """
    if hull.upright:
        return []
    if hull.shape == "wedge":
        aft, side = -hull.length / 2, hull.width / 2
        notch = aft + 0.42 * hull.length
        return [np.array([(aft, -0.72 * side), (notch, 0.0), (aft, 0.72 * side)])]
    r = hull.radius
    return [
        np.array([(0.74 * r, 0), (-0.44 * r, 0.56 * r), (-0.16 * r, 0), (-0.44 * r, -0.56 * r)])
    ]


def _circle(radius: float) -> Floats:
    around = np.linspace(0, 2 * pi, 48, endpoint=False)
    return radius * np.stack([np.cos(around), np.sin(around)], axis=1)


def _inset(corners: Floats, width: float) -> Floats:
    """A convex polygon's corners (k, 2), clockwise on screen, moved in by a width.

    Each edge keeps its direction.
    """
    along = np.roll(corners, -1, axis=0) - corners
    along /= np.hypot(along[:, :1], along[:, 1:])
    inward = np.stack([-along[:, 1], along[:, 0]], axis=1)
    before = np.roll(inward, 1, axis=0)
    share = width / (1 + (inward * before).sum(axis=1, keepdims=True))
    inset: Floats = corners + (inward + before) * share
    return inset
