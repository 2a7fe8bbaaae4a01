"""The options of a film, which every command that runs a world has."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from math import inf, isfinite
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from sim.core.errors import BadInput
from sim.core.plane import Bounds
from sim.screen.camera import Size, picture_size
from sim.screen.capture import BOX, FPS, FilmRecorder
from sim.screen.replay import Shown
from sim.screen.scene import PlainScene, Scene
from sim.screen.theme import Theme
from sim.world import World

LEAST, MOST = 16, 8192
"""Pixels a side of a film."""


class Look(NamedTuple):
    """How a run is to look, in a window or a film."""

    theme: Theme
    ways: bool = False
    """Whether the planned ways are shown."""
    views: bool = False
    """Whether it is shown what one unit of each group sees."""
    row: int | None = None
    """The row of the unit that is looked into."""


@dataclass(frozen=True)
class FilmOptions:
    """What film is asked for, as the command line says it."""

    film: Annotated[
        Path | None,
        typer.Option(
            "--film",
            "--gif",
            metavar="OUT.gif|webp|apng|mp4",
            help="Write a film; no display needed.",
        ),
    ] = None
    film_size: Annotated[
        str | None, typer.Option("--film-size", "--gif-size", metavar="WxH", help="E.g. 640x360.")
    ] = None
    film_fps: Annotated[float, typer.Option("--film-fps", "--gif-fps", help="Frames a second.")] = (
        FPS
    )
    film_speed: Annotated[
        float, typer.Option(help="Seconds of the run in a second of the film.")
    ] = 1.0
    film_region: Annotated[
        str | None,
        typer.Option(metavar="X1,Y1,X2,Y2", help="Film this part of the world, in its units."),
    ] = None
    film_scale: Annotated[
        float | None, typer.Option(help="Pixels to a world unit, instead of --film-size.")
    ] = None
    film_from: Annotated[float, typer.Option(help="Where in the run the film begins, s.")] = 0.0
    film_to: Annotated[float | None, typer.Option(help="Where in the run it ends, s.")] = None
    film_loop: Annotated[int, typer.Option(min=0, help="How often it plays; 0: without end.")] = 0
    caption: Annotated[
        str, typer.Option(help="Text in the lower left corner, in lines if it is long.")
    ] = ""
    scale_bar: Annotated[
        bool, typer.Option("--scale-bar", help="A length in the lower right corner.")
    ] = False

    def check(self, duration: float) -> None:
        """Raise `BadInput` for options that no run of this length can be filmed with.

        And for any where no film is asked for.
        """
        if self.film is None:
            for each in fields(self):
                if getattr(self, each.name) != each.default:
                    option = f"--{each.name.replace('_', '-')}"
                    raise BadInput(f"{option}: is of a film; name a file for it: --film OUT.gif")
        self._region()
        if self.film_size is not None:
            pixels(self.film_size)
        if self.film_scale is not None and not 0 < self.film_scale < inf:
            raise BadInput(f"--film-scale {self.film_scale:g}: must be a number above 0")
        if self.film_size is not None and self.film_scale is not None:
            raise BadInput("--film-size, --film-scale: each says how large the film is; give one")
        if not 0 <= self.film_from < duration:
            raise BadInput(
                f"--film-from {self.film_from:g}: must be from 0 to less than {duration:g}"
            )
        if self.film_to is not None and not self.film_to > self.film_from:
            raise BadInput(f"--film-to {self.film_to:g}: must be above {self.film_from:g}")

    def recorder(self, world: Shown, look: Look) -> FilmRecorder | None:
        """The watcher that films a world so; None where no film is asked for."""
        if self.film is None:
            return None
        region = self._region()
        kind = Scene if isinstance(world, World) else PlainScene[Shown]
        scene: PlainScene[Any] = kind(look.theme, ways=look.ways, views=look.views, region=region)
        scene.selected = look.row
        return FilmRecorder(
            self.film, world, size=self._size(region or world.plane.bounds), fps=self.film_fps,
            speed=self.film_speed, loop=self.film_loop, start=self.film_from,
            stop=inf if self.film_to is None else self.film_to,
            caption=self.caption, scale_bar=self.scale_bar, scene=scene,
        )  # fmt: skip

    def _region(self) -> Bounds | None:
        if self.film_region is None:
            return None
        said = f"--film-region {self.film_region}: must be X1,Y1,X2,Y2 with X1 < X2 and Y1 < Y2"
        try:
            left, top, right, bottom = (float(part) for part in self.film_region.split(","))
        except ValueError:
            raise BadInput(said) from None
        if not (all(map(isfinite, (left, top, right, bottom))) and left < right and top < bottom):
            raise BadInput(said)
        return left, top, right, bottom

    def _size(self, shown: Bounds | None) -> Size | None:
        """Pixels each way for a part of the world; None: the recorder is to choose."""
        if self.film_size is not None:
            return pixels(self.film_size)
        if self.film_scale is None:
            return None if self.film_region is None else picture_size(shown, BOX)
        if shown is None:
            raise BadInput("--film-scale: the world has no bounds: give --film-region too")
        left, top, right, bottom = shown
        width, height = (round(side * self.film_scale) for side in (right - left, bottom - top))
        if not (LEAST <= width <= MOST and LEAST <= height <= MOST):
            raise BadInput(
                f"--film-scale {self.film_scale:g}: a film of {width} x {height} pixels; must be "
                f"{LEAST} to {MOST} each way"
            )
        return width, height


def pixels(text: str) -> Size:
    """Width and height from "640x360"; raises `BadInput` for anything else."""
    found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    width, height = (int(n) for n in found.groups()) if found else (0, 0)
    if not (LEAST <= width <= MOST and LEAST <= height <= MOST):
        raise BadInput(
            f"--film-size {text}: must be WIDTHxHEIGHT, each from {LEAST} to {MOST} pixels"
        )
    return width, height
