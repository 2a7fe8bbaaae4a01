"""The unit that a person or a script steers, as a scenario file has it."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from sim.scenario.checks import refuse
from sim.scenario.parts import Script, Spawn, Table


class Player(Table):
    """The unit that a person steers, or a script: rows of (seconds, port, starboard, thrust)."""

    spawn: Spawn
    """Where the unit starts: one place."""
    script: Script = ()
    """Rows [seconds, port, starboard, thrust], each from 0 to 1; in the order of time."""

    @model_validator(mode="after")
    def _one_unit(self) -> Self:
        if self.spawn.points is not None and len(self.spawn.points) != 1:
            raise refuse("must be one point: the player is one unit", "spawn", "points")
        return self
