"""Films of a run: a watcher that paints and writes a film while the world goes on.

No display is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import inf
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from sim.core.errors import BadInput, shortened
from sim.core.files import AnyPath, first_free
from sim.core.limits import check_range, is_number
from sim.record.film import open_film
from sim.record.reel import check_size
from sim.screen import shapes
from sim.screen.camera import Size, picture_size
from sim.screen.land import round_step
from sim.screen.plate import fitted
from sim.screen.replay import Shown
from sim.screen.scene import PlainScene
from sim.screen.theme import RGB, Theme

FPS = 25.0
"""Frames a second: exactly 4/100 s each, the unit that GIFs count in."""
BOX = (640, 480)
"""Films fit into this unless a size is given."""
MOST_PIXELS = 8192
"""Of a side: a picture of 8192 x 8192 takes 200 MB."""
SLOWEST, FASTEST = 1e-3, 1e6
"""Seconds of the run in a second of the film: slower, one step would be thousands of pictures."""
LETTERS, LEAST, AWAY = 20, 12, 10
"""Pixels of the letters, the least that long captions are in, and from the edges."""
SHARE = 0.12
"""The least length of a scale bar, as a share of the picture's width."""
THICK, TICK = 2, 4
"""Pixels of the bar, and of the ticks at its ends above it."""


class FilmRecorder:
    """Paints the world at each frame's time and streams it to a film, which is there after `close`.

    The file's ending says what kind of film (`sim.record.film`). `size` is (width, height) in
    pixels, by default the world's shape within 640 x 480; `fps` frames a second of the film;
    `speed` how many seconds of the run one second of the film shows; `loop` how often it plays, 0
    without end; `start` and `stop` (s) its part of the run. `caption` is a text in its lower left
    corner, in as many lines as it needs, or a function of the world that gives one, and `scale_bar`
    puts a length to compare with into the lower right one. A `scene` may be given to film what
    another window shows. Raises `BadInput` for values out of range or a place where nothing can be
    written.
    """

    def __init__(
        self,
        path: AnyPath,
        world: Shown,
        *,
        size: Size | None = None,
        fps: float = FPS,
        speed: float = 1.0,
        loop: int = 0,
        start: float = 0.0,
        stop: float = inf,
        caption: str | Callable[[Shown], str] = "",
        scale_bar: bool = False,
        scene: PlainScene[Any] | None = None,
    ) -> None:
        check_speed(path, speed)
        if not (is_number(start) and is_number(stop) and 0 <= start < stop):
            said = f"from {shortened(start)} s to {shortened(stop)} s"
            raise BadInput(f"{path}: {said}: must be 0 or more, and forward")
        self.path, self.caption, self.scale_bar = path, caption, scale_bar
        self._scene = scene if scene is not None else PlainScene()
        size = size if size is not None else picture_size(world.plane.bounds, BOX)
        check_size(path, size, MOST_PIXELS)
        self._writer = open_film(path, size, fps, self._scene.gif_colors(world), loop)
        self._surface = pygame.Surface(size)
        self._from, self._to = start, stop
        self._start: float | None = None
        self._every = speed / fps

    @property
    def frames(self) -> int:
        """Frames so far."""
        return self._writer.frames

    def observe(self, world: Shown) -> None:
        """Add the frames that are due.

        The first at once, then one for each `speed / fps` seconds of the run.
        """
        late = world.time_step / 2  # times are sums of steps: not quite round
        if not self._from - late <= world.time <= self._to + late:
            return
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

    def _paint(self, world: Shown) -> NDArray[np.uint8]:
        surface, theme = self._surface, self._scene.theme
        self._scene.paint(surface, world)
        room = surface.get_rect().inflate(-2 * AWAY, -2 * AWAY)
        if self.scale_bar:
            camera = self._scene.camera(world, surface.get_size())
            room.width -= paint_scale_bar(surface, camera.scale, theme) + AWAY
        words = self.caption if isinstance(self.caption, str) else self.caption(world)
        if words.strip() and min(room.size) > 0:
            image = caption_image(words[: shapes.MOST_LETTERS], theme.text, room.size)
            surface.blit(image, (room.left, room.bottom - image.get_height()))
        return pixels(surface)


def check_speed(path: AnyPath, speed: float) -> None:
    """Raise `BadInput` for seconds of a run that a second of a film cannot show."""
    check_range(speed, f"{path}: speed", SLOWEST, FASTEST)


def pixels(surface: pygame.Surface) -> NDArray[np.uint8]:
    """A picture (height, width, 3) of a surface as it is now."""
    width, height = surface.get_size()
    flat = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
    return flat.reshape(height, width, 3)


@lru_cache(maxsize=16)
def caption_image(words: str, color: RGB, room: Size) -> pygame.Surface:
    """A text within a room of pixels: in one line or more, in smaller letters where it is long."""
    for size in range(LETTERS, LEAST - 1, -2):
        lines = _lines(words, color, size, room[0])
        wide, high = max(1, *(line.get_width() for line in lines)), lines[0].get_height()
        if high * len(lines) <= room[1]:
            break
    image = pygame.Surface((wide, high * len(lines)), pygame.SRCALPHA)
    image.blits([(line, (0, high * row)) for row, line in enumerate(lines)])
    return fitted(image, pygame.Rect((0, 0), room))


def _lines(words: str, color: RGB, size: int, wide: int) -> list[pygame.Surface]:
    """The lines of a text, none wider than `wide` pixels unless it is a single letter."""
    most = len(words)
    while True:
        lines = [shapes.text(line, color, size) for line in wrap(words, most)]
        widest = max(line.get_width() for line in lines)
        if widest <= wide or most == 1:
            return lines
        most = max(1, min(most - 1, int(most * wide / widest)))


def paint_scale_bar(surface: pygame.Surface, scale: float, theme: Theme) -> int:
    """A bar of a round length in the lower right corner; its width with its label, pixels.

    `scale` is pixels a world unit.
    """
    width, height = surface.get_size()
    units = round_step(SHARE * width / scale)
    length = round(units * scale)
    label = shapes.text(f"{units:g}", theme.text, LETTERS)
    right, bottom = width - AWAY, height - AWAY
    surface.fill(theme.text, (right - length, bottom - THICK, length, THICK))
    for x in (right - length, right - THICK):
        surface.fill(theme.text, (x, bottom - THICK - TICK, THICK, TICK))
    middle = right - (length + label.get_width()) // 2
    surface.blit(label, (middle, bottom - THICK - TICK - label.get_height()))
    return max(length, right - middle)


class Filming:
    """Films NAME-1.gif, NAME-2.gif and so on of what a scene shows."""

    def __init__(self, name: str | Path, scene: PlainScene[Any]) -> None:
        self.name, self._scene = Path(name), scene
        self.recorder: FilmRecorder | None = None

    def toggle(self, world: Shown) -> str:
        """Begin a film, or end the one that runs; what there is to say of it."""
        if self.recorder is not None:
            return self.stop()
        try:
            self.recorder = FilmRecorder(first_free(self.name, ".gif"), world, scene=self._scene)
        except BadInput as error:
            return str(error)
        return self.observe(world)

    def observe(self, world: Shown) -> str:
        """Go on with the film, if there is one; why it ended, if it did."""
        if self.recorder is not None:
            try:
                self.recorder.observe(world)
            except BadInput as error:  # a full disk ends the film, not the run
                self.recorder = None
                return str(error)
        return ""

    def stop(self) -> str:
        """End the film, if there is one, and say where it is."""
        if self.recorder is None:
            return ""
        recorder, self.recorder = self.recorder, None
        try:
            recorder.close()
        except BadInput as error:
            return str(error)
        return f"wrote {recorder.path}"
