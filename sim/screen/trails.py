"""Where units have been of late, sampled as pictures are painted; and their trails, fading."""

from __future__ import annotations

import numpy as np
import pygame

from sim.core.arrays import Floats, Ints
from sim.core.shared_cache import njit
from sim.screen import roles
from sim.screen.camera import Canvas
from sim.screen.replay import Shown

EVERY = 0.1
"""Seconds of the run between two samples."""
SAMPLES = 60
"""How many are kept."""
MOST = 80_000
"""Places kept in all: of large crowds the last few samples."""
GAP = 1.0
"""Seconds of the run without a picture after which a trail begins anew."""


class History:
    """The last places of all units, at most `EVERY` s apart, the newest last.

    Reads the world and nothing else; a run that begins anew, or goes back in time, has none.
    """

    def __init__(self) -> None:
        self._world: Shown | None = None
        self._ids = np.zeros(0, np.int64)
        self._places = np.zeros((0, 0, 2))
        self.time, self.since = 0.0, EVERY
        """When the last sample was, and how long after the one before it, seconds."""
        self.samples = 0
        """How many there have been."""
        self._forget(0)

    def observe(self, world: Shown) -> bool:
        """Take a sample if one is due; whether it was."""
        units = world.units
        count = len(units)
        if world is not self._world or world.time < self.time:
            self._forget(count)
            self._world, self._ids = world, world.ids
        elif world.ids is not self._ids:
            self._follow(world.ids)
        elapsed = world.time - self.time
        if self.samples and elapsed < EVERY - 1e-9:
            return False
        if elapsed > GAP:
            self._forget(count)
        depth = len(self._places)
        self._places[self.samples % depth] = units.position
        self.since, self.time = (elapsed if self.samples else EVERY), world.time
        self.samples += 1
        return True

    @property
    def places(self) -> Floats:
        """(k, N, 2) the samples, the oldest first; NaN for those absent."""
        depth = len(self._places)
        if self.samples <= depth:
            return self._places[: self.samples]
        return np.roll(self._places, -(self.samples % depth), axis=0)

    def _follow(self, ids: Ints) -> None:
        """Units came, went or changed their rows: units that were there keep their trails."""
        _, now, before = np.intersect1d(ids, self._ids, return_indices=True)
        places = np.full((len(self._places), len(ids), 2), np.nan)
        places[:, now] = self._places[:, before]
        self._places, self._ids = places, ids

    def _forget(self, count: int) -> None:
        depth = int(np.clip(MOST // max(count, 1), 2, SAMPLES))
        self._places = np.zeros((depth, count, 2))
        self.samples, self.time, self.since = 0, 0.0, EVERY


STRONGEST = 0.75
"""How opaque a trail is at the unit's own end; it fades to nothing."""
MOST_PIXELS = 100_000
"""Lines longer than this are not drawn."""


def paint(canvas: Canvas, world: Shown, history: History) -> None:
    """Paint the trails of all units, all at once: compiled, straight into the surface's pixels.

    Clipped to the surface's clip, which on a torus is the torus.
    """
    surface, camera, theme = canvas
    places = history.places
    here = world.units.position[None]
    if not history.samples or places.shape[1] != here.shape[1]:
        return
    colors = np.array([roles.colors(group, theme)[0] for group in world.groups], dtype=np.float64)
    period = world.plane.size * camera.scale if world.plane.wraps else np.full(2, np.inf)
    pixels = camera.to_screen(np.concatenate([places, here]))
    clip = surface.get_clip()
    box = np.array([clip.left, clip.top, clip.right - 1, clip.bottom - 1], dtype=np.int64)
    _draw(pygame.surfarray.pixels3d(surface), pixels, colors[world.units.group], period, box)


@njit(cache=True)
def _draw(canvas, pixels, colors, period, box):  # type: ignore[no-untyped-def]
    """Each unit's samples as a smooth line, weaker the older."""
    samples, count = pixels.shape[:2]
    for k in range(samples - 1):
        fade = k / (samples - 1), (k + 1) / (samples - 1)
        for i in range(count):
            x, y = pixels[k, i]
            dx, dy = pixels[k + 1, i] - pixels[k, i]
            if not (np.isfinite(dx) and np.isfinite(dy)):
                continue
            across = abs(dx) > period[0] / 2 or abs(dy) > period[1] / 2
            if across:  # over the seam of a torus: the rest of the way is at the other side
                if abs(dx) > period[0] / 2:
                    dx -= period[0] * np.sign(dx)
                if abs(dy) > period[1] / 2:
                    dy -= period[1] * np.sign(dy)
                u, v = pixels[k + 1, i]
                _line(canvas, u - dx, v - dy, dx, dy, fade, colors[i], box)
            _line(canvas, x, y, dx, dy, fade, colors[i], box)


@njit(cache=True)
def _line(canvas, x, y, dx, dy, fade, color, box):  # type: ignore[no-untyped-def]
    """A smooth line after X. Wu (1991): two pixels a step along its longer axis."""
    if (
        not max(abs(dx), abs(dy)) <= MOST_PIXELS
        or max(x, x + dx) < box[0] - 1
        or min(x, x + dx) > box[2] + 1
    ):
        return
    if max(y, y + dy) < box[1] - 1 or min(y, y + dy) > box[3] + 1:
        return
    flat, steps = abs(dx) >= abs(dy), int(np.ceil(max(abs(dx), abs(dy))))
    for step in range(steps):  # the last pixel is the next line's first
        share = step / steps
        alpha = STRONGEST * (fade[0] + (fade[1] - fade[0]) * share)
        u, v = (x + dx * share, y + dy * share) if flat else (y + dy * share, x + dx * share)
        low = int(np.floor(v))
        for near in range(2):
            cover = (v - low) if near else 1 - (v - low)
            p, q = int(np.rint(u)), low + near
            p, q = (p, q) if flat else (q, p)
            if box[0] <= p <= box[2] and box[1] <= q <= box[3]:
                for c in range(3):
                    old = canvas[p, q, c]
                    canvas[p, q, c] = np.uint8(old + (color[c] - old) * alpha * cover + 0.5)
