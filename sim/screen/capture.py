"""Films of a run: a watcher that paints and writes a GIF while the world goes on.

No display is needed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pygame

from sim.errors import BadInput
from sim.record.files import AnyPath
from sim.record.gif import GifWriter
from sim.record.palette import default_palette
from sim.screen import shapes
from sim.screen.camera import Size
from sim.screen.framing import picture_size
from sim.screen.scene import Scene
from sim.world import World

FPS = 25.0
"""Frames a second: exactly 4/100 s each, the unit that GIFs count in."""
BOX = (640, 480)
"""Films fit into this unless a size is given."""
CAPTION = 20


class GifRecorder:
    """Paints the world at each frame's time and streams it to a GIF, which is there after `close`.

    `size` is (width, height) in pixels, by default the world's shape within 640 x 480; `fps` frames
    a second of the film; `speed` how many seconds of the run one second of the film shows;
    `caption` a line of text in its lower left corner, or a function of the world that gives one. A
    `scene` may be given to film what somebody else shows. Raises `BadInput` for values out of range
    or a place where nothing can be written.
    """

    def __init__(
        self,
        path: AnyPath,
        world: World,
        *,
        size: Size | None = None,
        fps: float = FPS,
        speed: float = 1.0,
        caption: str | Callable[[World], str] = "",
        scene: Scene | None = None,
    ) -> None:
        if not 0 < speed < np.inf:
            raise BadInput(f"{path}: speed = {speed}: must be a finite number greater than 0")
        self.path, self.caption = path, caption
        self._scene = scene if scene is not None else Scene()
        size = size if size is not None else picture_size(world, BOX)
        palette = default_palette(self._scene.gif_colors(world))
        self._writer = GifWriter(path, size, fps, palette)
        self._surface = pygame.Surface(size)
        self._start: float | None = None
        self._every = speed / fps

    @property
    def frames(self) -> int:
        """Frames so far."""
        return self._writer.frames

    def observe(self, world: World) -> None:
        """Add the frames that are due.

        The first at once, then one for each `speed / fps` seconds of the run.
        """
        if self._start is None:
            self._start = world.time
        due = int((world.time - self._start) / self._every + 1e-6) + 1
        if self.frames < due:
            picture = self._paint(world)
            while self.frames < due:
                self._writer.write(picture)

    def close(self) -> None:
        """Finish the file. A film without a frame leaves none."""
        if self.frames:
            self._writer.close()
        else:
            self._writer.abort()

    def abort(self) -> None:
        """Remove what was written so far."""
        self._writer.abort()

    def _paint(self, world: World) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        self._scene.paint(self._surface, world)
        caption = self.caption if isinstance(self.caption, str) else self.caption(world)
        if caption:
            words = shapes.text(caption, self._scene.theme.text, CAPTION)
            self._surface.blit(words, (10, self._surface.get_height() - words.get_height() - 8))
        width, height = self._surface.get_size()
        pixels = pygame.image.tobytes(self._surface, "RGB")
        return np.frombuffer(pixels, np.uint8).reshape(height, width, 3)
