"""What orders need to know of a group: its units, how fast and large they are, and its goal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sim.core.arrays import Floats
from sim.core.hull import Hull
from sim.orders.goal import Goal

if TYPE_CHECKING:
    from sim.orders.timers import Timers


class Manner(Protocol):
    """How the units of a model go to places: what `sim.models.Model` has by these names."""

    @property
    def circles(self) -> bool:
        """Whether units circle round the place where they have arrived."""

    @property
    def timers(self) -> Timers | None:
        """How units give up and make way by time."""

    @property
    def quickest(self) -> bool:
        """Whether units go round queues."""


class Ordered(Protocol):
    """A group as orders see it: what `sim.group.Group` has by these names."""

    name: str
    index: int
    rows: slice
    hull: Hull
    cut_off: bool
    """Whether what is said of its goal is that no way leads to a group that it pursues."""
    part_kinds: frozenset[str]
    """Kinds of what its units are after, since some had orders of their own; else empty."""

    @property
    def model(self) -> Manner:
        """Its model."""

    @property
    def goal(self) -> Goal | None:
        """What it is after."""

    def led(self, kind: str) -> bool:
        """Whether a rule that serves this kind of goal follows a way that is planned."""

    @property
    def fastest(self) -> float:
        """The highest desired speed of any unit, world units / s."""

    def each_speed(self) -> Floats:
        """(n,) the desired speed of each unit, world units / s."""

    def stops(self, kind: str) -> Floats:
        """(n,) how far off the middle of one that it pursues so each stops, world units."""

    def say(self, note: str, cut_off: bool = False) -> None:
        """Have this be what there is to say of its goal; "" for nothing."""

    @property
    def radii(self) -> Floats:
        """(n,) the radius of each hull, world units."""
