"""What is asked of the planner: it takes effect at a step decided beforehand."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.core.arrays import Floats
from sim.navigation.areas import Area
from sim.navigation.chart import Chart
from sim.navigation.flow import FlowField
from sim.navigation.passages import Passages
from sim.navigation.paths import Path

T = TypeVar("T")


@dataclass(eq=False)
class Ticket(Generic[T]):
    """Something asked for: it takes effect at step `due`. `order` counts requests."""

    due: int
    order: int
    work: Callable[[Chart], T] = field(repr=False)
    """Does it, on a chart."""
    chart: Chart = field(repr=False)
    future: Future[T] = field(repr=False)
    fixed: bool = False
    """Whether it stays as it is when the ground changes again."""

    def result(self) -> T:
        """What was asked for, waited for if need be. Raises what the planning raised."""
        return self.future.result()


class Renewed(NamedTuple):
    """A ground that has changed: its chart, and fields as they are there."""

    chart: Chart
    fields: list[FlowField]
    bends: list[NDArray[np.uint8]]
    """By field: where ways may lead elsewhere than before, see `bends.bends`."""
    reshaped: dict[float, Floats]
    """By radius: where places may be joined to another part now, see `renewal.reshaped`."""


Way = tuple[Path, float]
"""A way, and the radius of the hulls that go it."""
Led = tuple[FlowField, tuple[Area, ...]]
"""A field, and the areas that it leads over."""


class Marked(NamedTuple):
    """Narrow passages by radius of the hulls; fields and ways that know them."""

    passages: dict[float, Passages]
    fields: list[FlowField]
    ways: list[Path]
