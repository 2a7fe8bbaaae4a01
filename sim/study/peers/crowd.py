"""What a peer has to be to run a scene: agents that step toward a place each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.errors import BadInput
from sim.record.made_by import version_of
from sim.study.extras import STUDY
from sim.study.setting import Setting

Make = Callable[[Setting, float, int], "Crowd"]
"""Makes a peer's agents of a setting, its own time step in seconds, and a seed."""


class Crowd(Protocol):
    """The agents of a peer. World units and seconds, axes as in a scenario."""

    time_step: float
    """s, its own."""

    def aim(self, targets: Floats, onward: Bools) -> None:
        """From now on each agent heads for its target (N, 2) at its desired speed.

        `onward` (N,) tells whose targets are only passed on the way: no agent is to stop there.
        """

    def step(self) -> None:
        """One step of its own."""

    def places(self) -> Floats:
        """Where all are now (N, 2); rows of agents taken out are NaN."""

    def remove(self, rows: Ints) -> None:
        """Take agents out."""


@dataclass(frozen=True)
class Peer:
    """A library's model by the name it is asked for, with the defaults that it publishes."""

    name: str
    distribution: str
    about: str
    time_step: float
    """s; where it is part of what is compared, the name says so."""
    make: Make
    draws: bool = False
    """Whether its runs depend on the seed where starts do not."""

    @property
    def version(self) -> str | None:
        """The version that is installed, None without one."""
        return version_of(self.distribution)

    def check(self) -> None:
        """Raise `BadInput`, which says what to install, where the library is missing."""
        if self.version is None:
            raise BadInput(f"peer {self.name}: {self.distribution} is not installed: {STUDY}")

    def crowd(self, setting: Setting, seed: int = 0) -> Crowd:
        """Its agents at the start of a run; `seed` is for crowds that draw by lot.

        Raises `BadInput` where the library is not installed, or does not take the scene.
        """
        self.check()
        if np.any(setting.size > 0):
            raise BadInput(f"peer {self.name}: its plane does not wrap")
        return self.make(setting, self.time_step, seed)


def outline(disc: Floats, corners: int = 16) -> Floats:
    """A polygon (k, 2) round a disc (x, y, radius), in the order of growing angle."""
    turn = 2 * np.pi * (np.arange(corners) + 0.5) / corners
    reach = disc[2] / np.cos(np.pi / corners)
    polygon: Floats = disc[:2] + reach * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return polygon


def corners_of(box: Floats) -> Floats:
    """The corners (4, 2) of a box (left, top, right, bottom), in the order of growing angle."""
    left, top, right, bottom = box
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
