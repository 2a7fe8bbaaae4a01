"""Bars of progress on a terminal."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text


class Rate(ProgressColumn):
    """How many a second, or a minute where a second is too short."""

    def render(self, task: Task) -> Text:
        """The rate of the last while."""
        rate = task.finished_speed or task.speed
        if not rate:
            return Text("")
        return Text(f"{rate:.1f} a second" if rate >= 1 else f"{60 * rate:.1f} a minute")


class Runs(Progress):
    """A bar on a terminal over many runs, or others, with their rate and the time that is left."""

    def __init__(self, title: str, total: int, before: int = 0, of: str = "runs") -> None:
        columns = (
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
            TextColumn(of), Rate(), TimeRemainingColumn(),
        )  # fmt: skip
        super().__init__(
            *columns, console=Console(stderr=True), transient=True,
            disable=not sys.stderr.isatty(), speed_estimate_period=120.0,
        )  # fmt: skip
        self._task = self.add_task(title, total=total, completed=before)

    def one_more(self, title: str | None = None) -> None:
        """One more is finished."""
        self.update(self._task, advance=1, description=title)

    def reach(self, count: int) -> None:
        """`count` jobs are finished."""
        self.update(self._task, completed=count)
