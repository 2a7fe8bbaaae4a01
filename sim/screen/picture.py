"""What the window shows of a world: which overlays, how close, and which unit is looked inside."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from math import log
from typing import Any, Generic, TypeVar

import numpy as np

from sim.core.arrays import Floats
from sim.screen.camera import NOTCH, Camera, Size
from sim.screen.keys import PANS, ZOOMS
from sim.screen.pointer import Pixel
from sim.screen.replay import Shown
from sim.screen.scene import SHOWS, PlainScene, Scene
from sim.screen.sight import pick
from sim.screen.theme import DARK, LIGHT
from sim.world import World

NEAR = 12.0
"""A click this many pixels beside a unit still means it."""
PACE = 0.9
"""How much of the picture's height goes by in a second that a key is held."""
SWELL = 1.4
"""The zoom grows by a factor e in 1 / SWELL seconds that a key is held."""


C = TypeVar("C", bound=PlainScene[Any])
S = TypeVar("S", bound=Shown)


class Picture(Generic[C, S]):
    """Changes a scene by pixels and by names; `size` says how large the picture is just now."""

    def __init__(self, scene: C, world: S, size: Callable[[], Size]) -> None:
        self.scene, self.world = scene, world
        self._size = size

    @property
    def actions(self) -> dict[str, Callable[[], None]]:
        """What can be asked for by name."""
        found: dict[str, Callable[[], None]] = {
            "whole": self.scene.lens.reset,
            "next_unit": lambda: self.look_inside(1),
            "last_unit": lambda: self.look_inside(-1),
            "nobody": lambda: self.look_inside(None),
            "theme": self._change_theme,
        }
        return found | {name: partial(self._toggle, name) for name in SHOWS}

    def select(self, pixel: Pixel) -> None:
        """Look inside the unit under a pixel; on empty ground, inside none."""
        self.scene.selected = self.unit_at(pixel)

    def unit_at(self, pixel: Pixel) -> int | None:
        """The row of the unit under a pixel; None where there is none."""
        return pick(self.world, self.place(pixel), NEAR / self.camera.scale)

    def spots(self) -> Floats:
        """(N, 2) the pixels of all units, NaN for those absent."""
        return self.camera.to_screen(self.world.units.position)

    def place(self, pixel: Pixel) -> Floats:
        """The place (2,) of the world under a pixel."""
        return self.camera.to_world(np.array(pixel) + 0.5)

    @property
    def camera(self) -> Camera:
        """The camera of the picture as it is now."""
        return self.scene.camera(self.world, self._size())

    def look_inside(self, step: int | None) -> None:
        """Look inside the unit `step` further on among those present; with None inside none."""
        here = np.flatnonzero(self.world.units.present)
        if step is None or not len(here):
            self.scene.selected = None
        elif self.scene.selected is None:
            self.scene.selected = int(here[0 if step > 0 else -1])
        else:
            past = int(np.searchsorted(here, self.scene.selected, "right" if step > 0 else "left"))
            self.scene.selected = int(here[(past - (step < 0)) % len(here)])

    def pan(self, pixels: tuple[float, float]) -> None:
        """Move the picture by pixels: what was under the pointer goes with it."""
        self.scene.lens.pan(self._framed, pixels)

    def zoom(self, notches: float, pixel: tuple[float, float] | None = None) -> None:
        """Come closer by notches of the wheel, about a pixel, or the middle of the picture."""
        size = self._size()
        middle = (size[0] / 2, size[1] / 2)
        longest = max((group.hull.length for group in self.world.groups), default=0.0)
        self.scene.lens.magnify(self._framed, NOTCH**notches, pixel or middle, longest)

    def glide(self, held: Collection[str], elapsed: float) -> None:
        """Go on with the pans and zooms that are held, for some seconds of the clock."""
        way = np.sum([PANS[name] for name in held if name in PANS] or [(0.0, 0.0)], axis=0)
        if way.any():
            self.pan(tuple((-way * PACE * self._size()[1] * elapsed).tolist()))
        closer = sum(ZOOMS.get(name, 0.0) for name in held)
        if closer:
            self.zoom(SWELL * closer * elapsed / log(NOTCH))

    @property
    def _framed(self) -> Camera:
        return self.scene.framed(self.world, self._size())

    def _toggle(self, name: str) -> None:
        self.scene.shows ^= {name}

    def _change_theme(self) -> None:
        self.scene.theme = LIGHT if self.scene.theme is DARK else DARK


WorldPicture = Picture[Scene, World]
"""That of the window in which a world runs."""
