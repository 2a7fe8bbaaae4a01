"""What a picture costs: frames of the window, simulation included, and frames of a film.

The window is opened on SDL's dummy video driver: everything is drawn, no person has to look.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from unittest.mock import patch

import numpy as np

from sim.core.errors import BadInput
from sim.core.sharing import threads
from sim.run import Watcher
from sim.screen.camera import Size
from sim.screen.capture import FPS, FilmRecorder
from sim.screen.window import Window
from sim.study.bench_world import bench_world
from sim.world import World

UNITS = 10_000
WINDOW, GIF = (1280, 720), (640, 360)
"""Pixels."""
FRAMES = 240
WARM_UP = 30
"""Frames before the ones that count: kernels compile, and sprites are drawn for the first time."""


@dataclass(frozen=True)
class Times:
    """Milliseconds a frame, over many frames."""

    mean: float
    median: float
    p95: float
    p99: float
    greatest: float

    @classmethod
    def of(cls, seconds: list[float]) -> Times:
        """The times of one or more frames."""
        ms = np.array(seconds) * 1e3
        middle, p95, p99 = np.percentile(ms, [50, 95, 99])
        return cls(float(ms.mean()), float(middle), float(p95), float(p99), float(ms.max()))

    def show(self) -> str:
        """Mean and percentiles on one line."""
        return (
            f"{self.mean:6.2f} ms on average; median {self.median:.2f}, 95 % {self.p95:.2f}, "
            f"99 % {self.p99:.2f}, longest {self.greatest:.2f}"
        )


@dataclass(frozen=True)
class DrawReport:
    """A window and a film of the same flock."""

    units: int
    frames: int
    threads: int
    window: Size
    frame: Times
    """A frame of the window: one step, and the picture."""
    step: Times
    draw: Times
    gif: Size
    capture: Times
    """A frame of the film: the picture, and its place in the file; the step is not counted."""


class Lap(Watcher):
    """A watcher that notes when the last step was done."""

    def __init__(self) -> None:
        self.at, self.steps = 0.0, 0

    def observe(self, world: World) -> None:
        """Note the time, and how far the world is."""
        self.at, self.steps = perf_counter(), world.steps


def measure_draw(
    units: int = UNITS,
    frames: int = FRAMES,
    *,
    window: Size = WINDOW,
    gif: Size = GIF,
    warm: int = WARM_UP,
) -> DrawReport:
    """Time `frames` frames of a window with one step each, and as many of a film.

    Sizes are (width, height) in pixels. Raises `BadInput` for less than one unit or frame.
    """
    if units < 1 or frames < 1:
        raise BadInput(f"units = {units}, frames = {frames}: must be 1 or greater")
    step, draw = _time_window(bench_world(units), window, frames, warm)
    capture = _time_film(bench_world(units), gif, frames, warm)
    both = [a + b for a, b in zip(step, draw, strict=True)]
    return DrawReport(
        units, frames, threads(), window, Times.of(both), Times.of(step), Times.of(draw),
        gif, Times.of(capture),
    )  # fmt: skip


def format_draw(report: DrawReport) -> str:
    """The report in a few lines."""
    wide, high = report.window
    gif_wide, gif_high = report.gif
    return "\n".join(
        [
            f"{report.units:,} units drawn at {wide} x {high} (SDL's dummy driver), "
            f"{report.frames} frames, {report.threads} threads",
            f"  frame          {report.frame.show()}",
            f"    its step     {report.step.show()}",
            f"    its picture  {report.draw.show()}",
            f"  GIF {gif_wide} x {gif_high}  {report.capture.show()}",
            f"  that is {1e3 / report.frame.mean:.0f} frames a second in the window and "
            f"{1e3 / report.capture.mean:.0f} in the film (its steps not counted)",
        ]
    )


def _time_window(
    world: World, size: Size, frames: int, warm: int
) -> tuple[list[float], list[float]]:
    """Seconds of the step and of the picture for each frame."""
    lap = Lap()
    step, draw = [], []
    with patch.dict(os.environ, {"SDL_VIDEODRIVER": "dummy"}):  # opened where no one sees it
        window = Window(world, "bench", watchers=[lap], size=size)
        try:
            window.open()
            for _ in range(warm + frames):
                begun = perf_counter()
                window.frame(world.time_step)
                step.append(lap.at - begun)
                draw.append(perf_counter() - lap.at)
        finally:
            window.close()
    assert lap.steps == warm + frames, "each frame is one step"
    return step[warm:], draw[warm:]


def _time_film(world: World, size: Size, frames: int, warm: int) -> list[float]:
    """Seconds of each frame of a film with a frame a step."""
    taken = []
    with TemporaryDirectory() as folder:
        film = FilmRecorder(
            Path(folder) / "film.gif", world, size=size, fps=FPS, speed=FPS * world.time_step
        )
        for _ in range(warm + frames):
            world.step()
            begun = perf_counter()
            film.observe(world)
            taken.append(perf_counter() - begun)
        film.close()
    return taken[warm:]
