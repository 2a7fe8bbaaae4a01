"""Recorded runs of one world, painted beside each other and filmed."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import pygame

from sim.core.errors import BadInput
from sim.core.files import AnyPath
from sim.record.film import open_film
from sim.record.legible import box_round
from sim.record.run import Run
from sim.record.stage import Stage
from sim.screen import shapes
from sim.screen.camera import Size
from sim.screen.capture import check_speed, pixels
from sim.screen.replay import Replay, Shown
from sim.screen.scene import PlainScene
from sim.world import World

BOX: Size = (960, 640)
"""Films fit into this."""
LABEL, GAP = 20, 4
"""Pixels of a label's text, and between panels."""


def film_side_by_side(
    path: AnyPath, world: World, runs: Sequence[tuple[str, Run]], fps: float, speed: float = 1.0,
    box: Size = BOX,
) -> None:  # fmt: skip
    """Write a film of runs with their names, a panel each, from the first to the end of the last.

    `speed` is how many seconds of the runs a second of the film shows, `box` what it fits into. A
    run that has a stage is shown on that, others on that of the world. Raises `BadInput` for no
    run, runs of other units than the world's, and a place where nothing can be written.
    """
    if not runs:
        raise BadInput(f"{path}: there is no run to show")
    check_speed(path, speed)
    places, hulls = [run.position for _, run in runs], [group.hull for group in world.groups]
    bounds = box_round(places, [world.site.solids], hulls)
    stage = Stage.of(world)
    replays = [
        Replay(Stage.read(run.stage) if run.stage else stage, run, bounds) for _, run in runs
    ]
    left, top, right, bottom = replays[0].plane.bounds or bounds
    panels, size = layout(len(runs), (right - left) / (bottom - top), box)
    scene: PlainScene[Shown] = PlainScene()
    writer = open_film(path, size, fps, scene.gif_colors(world))
    surface = pygame.Surface(size)
    begin = min(float(run.time[0]) for _, run in runs)
    frames = ceil((max(float(run.time[-1]) for _, run in runs) - begin) / speed * fps) + 1
    try:
        for frame in range(frames):
            surface.fill(scene.theme.outside)
            for panel, replay, (name, run) in zip(panels, replays, runs, strict=True):
                replay.time = min(begin + frame / fps * speed, float(run.time[-1]))
                scene.paint(surface.subsurface(panel), replay)
                words = shapes.text(f"{name}  {replay.time:.1f} s", scene.theme.text, LABEL)
                surface.blit(words, (panel.left + 8, panel.top + 6))
            writer.write(pixels(surface))
        writer.close()
    except BaseException:
        writer.abort()
        raise


def layout(count: int, aspect: float, box: Size = BOX) -> tuple[list[pygame.Rect], Size]:
    """Equal panels of a shape (width / height) in the rows that let them be largest, and the size.

    No panel is lower than a label needs.
    """
    best: tuple[float, int] = (0.0, 1)
    for columns in range(1, count + 1):
        rows = ceil(count / columns)
        wide = (box[0] - GAP * (columns - 1)) / columns
        high = (box[1] - GAP * (rows - 1)) / rows
        best = max(best, (min(wide, high * aspect), columns))
    columns = best[1]
    width = max(2 * LABEL, int(best[0]))
    height = max(2 * LABEL, int(best[0] / aspect))
    corners = [divmod(number, columns) for number in range(count)]
    panels = [
        pygame.Rect(column * (width + GAP), row * (height + GAP), width, height)
        for row, column in corners
    ]
    return panels, (max(p.right for p in panels), max(p.bottom for p in panels))
