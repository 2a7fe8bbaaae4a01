"""Planning beside the simulation: on a thread of its own, taken up at a step decided beforehand.

What is asked for at one step takes effect a fixed number of steps later. If it is not ready by then
it is waited for; if it is, it lies there until then. So a run with the same seed is the same run,
however the threads were scheduled.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from sim.core.arrays import Floats
from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.navigation.areas import Area
from sim.navigation.chart import Chart
from sim.navigation.flow import FlowField, as_targets
from sim.navigation.grid import Grid
from sim.navigation.jams import Quickest, Traffic
from sim.navigation.jobs import FieldJob, MarkedJob, PathsJob, QuickestJob, RenewedJob, TrailsJob
from sim.navigation.passages import Passages
from sim.navigation.paths import Path
from sim.navigation.tickets import Led, Marked, Renewed, Ticket, Way, Worker
from sim.navigation.trails import Trails

T = TypeVar("T")

DELAY = 6
"""Steps from a request to its effect: a tenth of a second of sixty."""
MARKED = 20_000
"""Nodes of a grid whose narrow passages are found in a step."""
NODES = 2000
"""Nodes of a grid from which ways that are planned again and again are found in a step."""


class Planner:
    """Plans paths and flow fields among the solids of a world.

    When these change, `chart` stays what it is until the next is ready. `tiles` is the map that the
    solids come from, if they do. Raises `BadInput` for a delay of less than one step.
    """

    def __init__(
        self, solids: Solids, plane: Plane, tiles: TileMap | None = None, delay: int = DELAY
    ) -> None:
        if delay < 1:
            raise BadInput(f"delay = {delay}: must be 1 step or more")
        self.delay = delay
        self.chart = Chart(solids, plane, tiles)
        """The ground that units are led by now."""
        self.latest = self.chart
        """The ground as it is: what is asked for from now on is planned on this."""
        self.worker = Worker()
        self._open: list[Ticket[Any]] = []
        self._asked = 0
        self._process = os.getpid()

    def close(self) -> None:
        """End the thread; what is still asked for is not planned. The next request starts anew."""
        for ticket in self._open:
            ticket.future.cancel()
        if self._process == os.getpid():
            self.worker.end()
        self.worker = Worker()

    def _renew(self) -> None:
        """In a process that was forked: the thread stayed behind, so all is asked for again."""
        if self._process == os.getpid():
            return
        self._process, self.worker = os.getpid(), Worker()
        for chart in {self.chart, self.latest}:
            chart.forked()
        for ticket in self._open:
            if not ticket.future.done():
                self._resubmit(ticket)

    # -- at once

    def grid(self, radius: float) -> Grid:
        """The planning grid for hulls of a radius."""
        self._renew()
        return self.chart.grid(radius)

    def passages(self, radius: float) -> Passages:
        """The narrow passages for hulls of a radius."""
        self._renew()
        return self.chart.passages(radius)

    # -- beside the simulation

    def change(
        self, step: int, solids: Solids, cover: Solids, fields: Sequence[Led]
    ) -> Ticket[Renewed]:
        """The ground is another from this step on: plan anew what the change touches.

        What was asked for before and has not come yet is planned on the new ground. The ticket's
        effect is that units are led by the new ground, and by these fields as they are there;
        `adopt` it then.
        """
        self._renew()
        chart = Chart(solids, self.latest.plane, self.latest.tiles, self.latest, cover)
        self.latest = chart
        for ticket in self._open:
            if not ticket.fixed:
                ticket.due = max(ticket.due, step + self.delay)
                ticket.chart = chart
                self._resubmit(ticket)

        piled = any(isinstance(ticket.work, RenewedJob) for ticket in self._open)
        ticket = self._ask(step, RenewedJob(list(fields), piled))
        ticket.fixed = True
        return ticket

    def adopt(self, renewed: Renewed) -> None:
        """From now on units are led by a new ground."""
        renewed.chart.settle()
        self.chart = renewed.chart

    def ask_passages(
        self, step: int, radii: Sequence[float], fields: Sequence[FlowField], ways: Sequence[Way]
    ) -> Ticket[Marked]:
        """Ask for the narrow passages of the ground, and for those along some fields and ways.

        On a larger grid they take effect later.
        """
        later = max((self.grid(radius).free.size for radius in radii), default=0) // MARKED
        job = MarkedJob(list(radii), list(fields), list(ways))
        ticket = self._ask(step + later, job, self.chart)
        ticket.fixed = True
        return ticket

    def ask_flow(
        self, step: int, destination: ArrayLike, radius: float, areas: tuple[Area, ...] = ()
    ) -> Ticket[FlowField]:
        """Ask for a field at a step, over some areas. Raises `BadInput` for what is none."""
        return self._ask(step, FieldJob(as_targets(destination), radius, areas))

    def ask_quickest(self, step: int, shortest: FlowField, traffic: Traffic) -> Ticket[Quickest]:
        """Ask for the quickest ways where a field leads, among units that stand in queues now.

        On a larger grid they take effect later.
        """
        later = shortest.distance.size // NODES
        return self._ask(step + later, QuickestJob(shortest, traffic))

    def ask_trails(self, step: int, places: Floats, units: Floats, radius: float) -> Ticket[Trails]:
        """Ask for the trails to places (m, 2) for units at (n, 2). On a larger grid it is later."""
        later = self.grid(radius).free.size // NODES
        return self._ask(step + later, TrailsJob(places, units, radius))

    def ask_paths(
        self, step: int, starts: ArrayLike, goals: ArrayLike, radius: float, crossings: bool = True
    ) -> Ticket[list[Path]]:
        """Ask for the ways from each of (k, 2) starts to its goal, (k, 2) or one (2,) for all.

        With `crossings` they know the passages on them.
        """
        begins = np.array(starts, dtype=float).reshape(-1, 2)
        wanted = np.broadcast_to(np.array(goals, dtype=float), begins.shape)
        return self._ask(step, PathsJob(begins, wanted, radius, crossings))

    def revive(self) -> None:
        """Ask again for what was given up when the thread was ended, or another world changed."""
        for ticket in self._open:
            if ticket.future.cancelled():
                self._resubmit(ticket)

    def withdraw(self, order: int) -> None:
        """No group wants any more what was asked for by this number."""
        for ticket in self._open:
            if ticket.order == order:
                ticket.future.cancel()
        self._open = [ticket for ticket in self._open if ticket.order != order]

    def due(self, step: int) -> list[Ticket[Any]]:
        """The tickets that take effect by this step, in the order asked for; each is given once.

        Waits until all of them are ready.
        """
        self._renew()
        self.revive()
        ready = [ticket for ticket in self._open if ticket.due <= step]
        if ready:
            self.worker.begin()
        self._open = [ticket for ticket in self._open if ticket.due > step]
        for ticket in ready:
            ticket.future.exception()
        return ready

    def _ask(self, step: int, work: Callable[[Chart], T], chart: Chart | None = None) -> Ticket[T]:
        self._renew()
        self._asked += 1
        chart = self.latest if chart is None else chart
        future = self._submit(work, chart)
        ticket = Ticket(step + self.delay, self._asked, work, chart, future)
        self._open.append(ticket)
        return ticket

    def _resubmit(self, ticket: Ticket[Any]) -> None:
        ticket.future.cancel()
        ticket.future = self._submit(ticket.work, ticket.chart)

    def _submit(self, work: Callable[[Chart], T], chart: Chart) -> Future[T]:
        return self.worker.submit(partial(work, chart))
