"""A scene that shows one part of the world, however large the picture is."""

from __future__ import annotations

from sim.core.plane import Bounds
from sim.screen.camera import Camera, Size
from sim.screen.scene import Scene
from sim.screen.theme import DARK, Theme
from sim.world import World


class Excerpt(Scene):
    """A scene whose camera stands still: `region` is left, top, right, bottom in world units."""

    def __init__(
        self, region: Bounds, theme: Theme = DARK, *, ways: bool = False, views: bool = False
    ) -> None:
        super().__init__(theme, ways=ways, views=views)
        left, top, right, bottom = region
        self._centre = (left + right) / 2, (top + bottom) / 2
        self._half = (right - left) / 2, (bottom - top) / 2

    def framed(self, world: World, size: Size) -> Camera:  # noqa: ARG002  (it is the same for all)
        """The camera that shows the region whole in a picture of this size."""
        return Camera.framing(self._centre, self._half, size)
