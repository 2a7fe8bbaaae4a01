"""Planning beside the simulation: on a thread of its own, taken up at a step decided beforehand.

What is asked for at one step takes effect a fixed number of steps later. If it is not ready by then
it is waited for; if it is, it lies there until then. So a run with the same seed is the same run,
however the threads were scheduled.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.errors import BadInput
from sim.maps.tile_map import TileMap
from sim.navigation.flow import FlowField, as_targets, flow_field
from sim.navigation.grid import Grid, planning_grid
from sim.navigation.jams import Quickest, Traffic, quickest
from sim.navigation.passages import Passages, find_passages
from sim.navigation.paths import Path, plan
from sim.navigation.through import along_field, along_route
from sim.navigation.trails import Trails, trails
from sim.plane import Plane
from sim.solids import Solids

Floats = NDArray[np.float64]
T = TypeVar("T")

DELAY = 6
"""Steps from a request to its effect: a tenth of a second of sixty."""
NODES = 2000
"""Nodes of a grid from which ways that are planned again and again are found in a step."""
KEPT = 32
"""Flow fields, and grids, that are remembered."""


@dataclass(frozen=True, eq=False)
class Ticket(Generic[T]):
    """Something asked for: it takes effect at step `due`. `order` counts requests."""

    due: int
    order: int
    _work: Callable[[], T] = field(repr=False)
    _future: Future[T] = field(repr=False)

    def result(self) -> T:
        """What was asked for, waited for if need be. Raises what the planning raised."""
        return self._future.result()


class _Cache:
    """Remembers what was made for a key; whoever asks meanwhile waits for the one that makes it."""

    def __init__(self, made: Iterable[tuple[Hashable, Future[Any]]] = ()) -> None:
        self._made = OrderedDict(made)
        self._lock = Lock()

    def forked(self) -> _Cache:
        """What of it is good in a process that was forked: what was ready then."""
        return _Cache((key, future) for key, future in self._made.items() if future.done())

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            future = self._made.get(key)
            mine = future is None
            if future is None:
                future = self._made[key] = Future()
                if len(self._made) > KEPT:
                    self._made.popitem(last=False)
            self._made.move_to_end(key)
        if mine:
            try:
                future.set_result(make())
            except BaseException as error:
                future.set_exception(error)
        found: T = future.result()
        return found


class Planner:
    """Plans paths and flow fields among the solids of a world, which do not change.

    `tiles` is the map that the solids come from, if they do. Raises `BadInput` for a delay of less
    than one step.
    """

    def __init__(
        self, solids: Solids, plane: Plane, tiles: TileMap | None = None, delay: int = DELAY
    ) -> None:
        if delay < 1:
            raise BadInput(f"delay = {delay}: must be 1 step or more")
        self.delay = delay
        self._solids, self._plane, self._tiles = solids, plane, tiles
        self._cache = _Cache()
        self._pool: ThreadPoolExecutor | None = None
        self._open: list[Ticket[Any]] = []
        self._asked = 0
        self._process = os.getpid()

    def close(self) -> None:
        """End the thread; what is still asked for is not planned. The next request starts anew."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = None

    def _renew(self) -> None:
        """In a process that was forked: the thread stayed behind, so all is asked for again."""
        if self._process == os.getpid():
            return
        self._process, self._pool, self._cache = os.getpid(), None, self._cache.forked()
        for ticket in self._open:
            if not ticket._future.done():
                object.__setattr__(ticket, "_future", self._submit(ticket._work))

    # -- at once

    def grid(self, radius: float) -> Grid:
        """The planning grid for hulls of a radius."""
        self._renew()
        return self._cache.get(
            ("grid", radius),
            lambda: planning_grid(self._solids, self._plane, radius, self._tiles),
        )

    def passages(self, radius: float) -> Passages:
        """The narrow passages for hulls of a radius."""
        return self._cache.get(("passages", radius), lambda: find_passages(self.grid(radius)))

    def flow(self, destination: ArrayLike, radius: float) -> FlowField:
        """The field to a destination, as `flow_field`, for hulls of a radius."""
        targets = as_targets(destination)
        self._renew()
        key = ("flow", radius, targets.tobytes())
        return self._cache.get(
            key, lambda: self._with_passages(flow_field(self.grid(radius), targets))
        )

    def path(self, start: ArrayLike, goal: ArrayLike, radius: float, nearest: bool = False) -> Path:
        """The way for a hull of a radius, as `plan`."""
        return plan(self.grid(radius), start, goal, nearest)

    # -- beside the simulation

    def ask_flow(self, step: int, destination: ArrayLike, radius: float) -> Ticket[FlowField]:
        """Ask for a field at a step. Raises `BadInput` for what is no destination."""
        targets = as_targets(destination)
        return self._ask(step, lambda: self.flow(targets, radius))

    def ask_quickest(self, step: int, shortest: FlowField, traffic: Traffic) -> Ticket[Quickest]:
        """Ask for the quickest ways where a field leads, among those that stand in queues now.

        On a larger grid they take effect later.
        """
        later = shortest.distance.size // NODES

        def work() -> Quickest:
            found = quickest(shortest, traffic)
            return replace(found, field=self._with_passages(found.field))

        return self._ask(step + later, work)

    def ask_trails(self, step: int, places: Floats, units: Floats, radius: float) -> Ticket[Trails]:
        """Ask for the trails to places (m, 2) for units at (n, 2). On a larger grid it is later."""
        later = self.grid(radius).free.size // NODES
        return self._ask(step + later, lambda: trails(self.grid(radius), places, units))

    def ask_paths(
        self, step: int, starts: ArrayLike, goals: ArrayLike, radius: float, nearest: bool = False
    ) -> Ticket[list[Path]]:
        """Ask for the ways from each of (k, 2) starts to its goal, (k, 2) or one (2,) for all."""
        begins = np.array(starts, dtype=float).reshape(-1, 2)
        wanted = np.broadcast_to(np.array(goals, dtype=float), begins.shape)

        def work() -> list[Path]:
            grid, passages = self.grid(radius), self.passages(radius)
            ways = [plan(grid, a, b, nearest) for a, b in zip(begins, wanted, strict=True)]
            if not len(passages.mouths):
                return ways
            return [
                replace(way, crossings=along_route(way.points, passages)) if way.found else way
                for way in ways
            ]

        return self._ask(step, work)

    def _with_passages(self, field: FlowField) -> FlowField:
        """The same field, which knows the passages that its ways lead through."""
        passages = self.passages(field.grid.radius)
        if not len(passages.mouths):
            return field
        return replace(field, through=along_field(field.grid, field.distance, passages))

    def due(self, step: int) -> list[Ticket[Any]]:
        """The tickets that take effect by this step, in the order asked for; each is given once.

        Waits until all of them are ready.
        """
        self._renew()
        ready = [ticket for ticket in self._open if ticket.due <= step]
        self._open = [ticket for ticket in self._open if ticket.due > step]
        for ticket in ready:
            if ticket._future.cancelled():  # it was closed meanwhile
                object.__setattr__(ticket, "_future", self._submit(ticket._work))
            ticket._future.exception()
        return ready

    def _ask(self, step: int, work: Callable[[], T]) -> Ticket[T]:
        self._renew()
        self._asked += 1
        ticket = Ticket(step + self.delay, self._asked, work, self._submit(work))
        self._open.append(ticket)
        return ticket

    def _submit(self, work: Callable[[], T]) -> Future[T]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="planner")
        return self._pool.submit(work)
