"""`run --save` and `run --load`: the state of a run as a file, and going on from one."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Annotated

import typer

from sim import saving
from sim.core.errors import BadInput
from sim.core.files import check_target
from sim.core.limits import is_number
from sim.scenario.schema import Scenario
from sim.world import World

SAME = 1e-9
"""Times that differ by no more are one, s."""


@dataclass(frozen=True)
class StateOptions:
    """What is to be saved and loaded, as the command line says it."""

    save: Annotated[
        Path | None, typer.Option(metavar="STATE", help="Write the world's state, to go on from.")
    ] = None
    at: Annotated[
        float | None, typer.Option(help="When to --save, in seconds; at the end unless given.")
    ] = None
    load: Annotated[
        Path | None,
        typer.Option(metavar="STATE", help="Go on from a state that --save has written."),
    ] = None

    def check(self, plan: Scenario | Continued) -> None:
        """Raise `BadInput` for an --at that is no time of the run, or has nothing to save."""
        if self.at is None:
            return
        if self.save is None:
            raise BadInput(f"--at {self.at:g}: says when to --save; name a file for it")
        begin = plan.world.time if isinstance(plan, Continued) else 0.0
        if not begin - SAME <= self.at <= plan.duration:
            span = f"from {begin:g} to {plan.duration:g}, the end of the run"
            raise BadInput(f"--at {self.at:g}: must be {span}")


class Saver:
    """A watcher that writes the state of a run at --at, or at its end.

    Raises `BadInput` for a file that cannot be written.
    """

    def __init__(self, options: StateOptions, plan: Scenario | Continued) -> None:
        assert options.save is not None
        check_target(options.save)
        self.path, self._at, self.saved = options.save, options.at, False
        self._about = {
            "title": plan.title, "duration": plan.duration, "text": plan.text,
            "stop_when_arrived": plan.stop_when_arrived,
        }  # fmt: skip
        """What of its scenario is kept with a state of the run."""
        self._world: World | None = None

    def observe(self, world: World) -> None:
        """Save it if it is time."""
        self._world = world
        if self._at is not None and not self.saved and world.time >= self._at - SAME:
            self._save()

    def close(self) -> None:
        """Save the end, if that is what is wanted."""
        if self._at is None and not self.saved and self._world is not None:
            self._save()

    def abort(self) -> None:
        """Nothing has been begun."""

    def _save(self) -> None:
        assert self._world is not None
        self._world.save(self.path, about=self._about)
        self.saved = True


@dataclass(frozen=True)
class Continued:
    """What a state says of the run that it comes from, and its world."""

    world: World
    title: str
    duration: float
    """Of the whole run, s, what went before included."""
    text: str
    """Of its scenario."""
    stop_when_arrived: bool

    @property
    def steps(self) -> int:
        """That are still to be taken."""
        exact = self.duration / self.world.time_step
        return max(0, ceil(exact - 1e-9 * exact) - self.world.steps)

    @classmethod
    def of(cls, path: Path, seconds: float | None) -> Continued:
        """From a file; `seconds` is another duration. Raises `BadInput` for what is no state."""
        state = saving.read(path)
        said = {"title": path.stem, "text": "", "stop_when_arrived": False, **state.about}
        duration = said.get("duration") if seconds is None else seconds
        if duration is None:
            raise BadInput(f"{path}: does not say how long its run is to last: give --seconds")
        if not is_number(duration) or not 0 < duration < 1e9:
            raise BadInput(f"{path}: duration = {duration}: must be a number greater than 0")
        if not (isinstance(said["title"], str) and isinstance(said["text"], str)):
            raise BadInput(f"{path}: title and text: must be texts")
        world = World(**saving.made_with(state))
        world.load(state)
        if duration < world.time - SAME:
            raise BadInput(
                f"{path}: lasts {duration:g} s: its state is of {world.time:g} s already"
            )
        return cls(
            world, said["title"], float(duration), said["text"], bool(said["stop_when_arrived"])
        )
