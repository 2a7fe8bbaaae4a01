"""Runs in a Jupyter notebook: a player in the cell, and figures as rows of a table.

Nothing of Jupyter is needed: a notebook shows whatever has `_repr_html_`.
"""

from __future__ import annotations

import html
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.commands.recorded import plan_of, stage_of
from sim.core.files import AnyPath, atomic, path_of
from sim.core.limits import is_number, positive
from sim.record.html import page_of
from sim.record.stage import Stage
from sim.record.trajectory import Trajectory, load
from sim.run import run
from sim.screen.roles import page_colors
from sim.screen.theme import theme_named
from sim.study.goal_notes import GoalNotes
from sim.study.trial import judge_run

if TYPE_CHECKING:
    from sim.world import World

HEIGHT = 480
"""Pixels of a player in a cell."""


@dataclass(frozen=True)
class Player:
    """A page of HTML that plays a run; a notebook shows it in the cell."""

    page: str
    height: int = HEIGHT

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self.height}px; border: 0"
        return f'<iframe srcdoc="{html.escape(self.page)}" style="{style}"></iframe>'

    def save(self, path: AnyPath) -> None:
        """Write the page to a file. Raises `BadInput` where nothing can be written."""
        with atomic(path, "w") as file:
            file.write(self.page)


def replay(
    path: AnyPath, *, scenario: AnyPath | None = None, theme: str = "dark", height: int = HEIGHT
) -> Player:
    """The player of a recorded run, a file that `--trajectory` or `Trajectory` wrote.

    `scenario` names the file that was run where the recording does not tell; `theme` is "dark" or
    "light", `height` in pixels. Raises `BadInput` for a file that cannot be shown.
    """
    path = path_of(path)
    motion = load(path)
    stage, laid = stage_of(path, motion, None if scenario is None else path_of(scenario))
    page = page_of(path, laid, stage, page_colors(stage, theme_named(theme)))
    return Player(page, int(positive(height, "height", 1, 1e5)))


def show(
    world: World, seconds: float = 0.0, *, theme: str = "dark", height: int = HEIGHT
) -> Player:
    """The player of the next `seconds` of a world, which runs on by them; 0: of it as it is.

    Raises `BadInput` for a world without a unit.
    """
    none = is_number(seconds) and seconds == 0
    steps = 0 if none else round(positive(seconds, "seconds", 0) / world.time_step)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.npz"
        stage = Stage.of(world).text()
        run(world, steps, [Trajectory(path, stage=stage, goals=GoalNotes())])
        return replay(path, theme=theme, height=height)


def metrics(path: AnyPath, *, scenario: AnyPath | None = None) -> dict[str, Any]:
    """The figures of a recorded run, as a row of a table: of a group as "east.mean_time_s".

    They are those of `python -m sim metrics`, with the file's name. `pandas.DataFrame([...])` takes
    a list of such rows. Raises `BadInput` for a recording that does not tell what was run.
    """
    path = path_of(path)
    motion = load(path)
    plan = plan_of(path, motion, None if scenario is None else path_of(scenario), (), None)
    figures = judge_run(plan, motion)
    groups = figures.pop("groups", {})
    row = {"file": path.name, **figures}
    for name, own in groups.items():
        row |= {f"{name}.{figure}": value for figure, value in own.items()}
    return row
