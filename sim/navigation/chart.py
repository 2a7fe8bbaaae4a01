"""A chart: all that is planned on one state of the ground, each thing made when first asked for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future
from dataclasses import replace
from threading import Lock
from typing import Any, TypeVar

from numpy.typing import ArrayLike

from sim.core.arrays import Floats
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.navigation.areas import Area, slowness
from sim.navigation.flow import AT_ONCE, FlowField, flow_field
from sim.navigation.grid import NOWHERE, Grid, planning_grid, same_lattice
from sim.navigation.passages import Passages, find_passages
from sim.navigation.paths import Path, plan
from sim.navigation.remarching import renewed_field
from sim.navigation.renewal import renewed_grid, reshaped
from sim.navigation.survey import Survey, survey
from sim.navigation.through import along_field, along_route

T = TypeVar("T")
ALL = 1 << 30
KEPT = 32
"""Flow fields, and grids, that are remembered."""


class Cache:
    """Remembers what was made for a key; a thread that asks meanwhile waits for the maker."""

    def __init__(self, made: Iterable[tuple[Hashable, Future[Any]]] = ()) -> None:
        self._made = OrderedDict(made)
        self._lock = Lock()

    def forked(self) -> Cache:
        """What of it is good in a process that was forked: what was ready then."""
        return Cache((key, future) for key, future in self._made.items() if future.done())

    def get(self, key: Hashable, make: Callable[[], T], most: int = KEPT) -> T:
        """What was made for a key, and now if it is not known; the last `most` are remembered."""
        with self._lock:
            future = self._made.get(key)
            mine = future is None
            if future is None:
                future = self._made[key] = Future()
                if len(self._made) > most:
                    self._made.popitem(last=False)
            self._made.move_to_end(key)
        if mine:
            try:
                future.set_result(make())
            except BaseException as error:
                future.set_exception(error)
        found: T = future.result()
        return found

    def ready(self, kind: str) -> dict[Any, Any]:
        """All that is there of the keys (kind, ...), by the rest of the key."""
        with self._lock:
            made = list(self._made.items())
        return {
            key[1:]: future.result()
            for key, future in made
            if isinstance(key, tuple)
            and key[0] == kind
            and future.done()
            and not future.exception()
        }


class Chart:
    """Grids, narrow passages, fields and paths among solids that do not change.

    `before` is the chart of the ground as it was: what has not changed since is taken from there,
    and comes out the same to the last bit as if all were planned anew. Grids also cover where
    `cover` lies, which is nothing solid.
    """

    def __init__(
        self, solids: Solids, plane: Plane, tiles: TileMap | None, before: Chart | None = None,
        cover: Solids = NOWHERE,
    ) -> None:  # fmt: skip
        self.solids, self.plane, self.tiles, self.cover = solids, plane, tiles, cover
        self._cache, self._narrow = Cache(), Cache()
        self.before = before
        surveyed = () if before is None else (before._narrow, *before._surveyed)
        self._surveyed: tuple[Cache, ...] = surveyed[:2]

    def follow(self) -> dict[float, Floats]:
        """Plan all grids that the chart before has, and find where they are `reshaped`."""
        known = self._had("grid").items()
        return {radius: reshaped(was, self.grid(radius)) for (radius,), was in known}

    def _had(self, kind: str) -> dict[Any, Any]:
        """What the chart before has of a kind, by the rest of its key."""
        return {} if self.before is None else self.before._cache.ready(kind)

    def settle(self) -> None:
        """Let go of the chart before."""
        self.before = None

    def forked(self) -> None:
        """Keep what was ready when the process was forked."""
        self._cache, self._narrow = self._cache.forked(), self._narrow.forked()

    def grid(self, radius: float) -> Grid:
        """The planning grid for hulls of a radius."""
        return self._cache.get(("grid", radius), lambda: self._make_grid(radius))

    def has(self, grid: Grid) -> bool:
        """Whether this very grid is one of its own."""
        return any(grid is each for each in self._cache.ready("grid").values())

    def grid_if_made(self, radius: float) -> Grid | None:
        """The same; None if it has not been made."""
        grid: Grid | None = self._cache.ready("grid").get((radius,))
        return grid

    def _make_grid(self, radius: float) -> Grid:
        known = self._had("grid")
        if (radius,) in known:
            return renewed_grid(known[radius,], self.solids, self.plane, self.tiles, self.cover)
        return planning_grid(self.solids, self.plane, radius, self.tiles, self.cover)

    def passages(self, radius: float) -> Passages:
        """The narrow passages for hulls of a radius; the chart before's if alike."""
        key = "passages", radius
        return self._narrow.get(key, lambda: self._make_passages(radius), most=ALL)

    def known_passages(self) -> dict[float, Passages]:
        """All that were asked for, by radius."""
        return {radius: found for (radius,), found in self._narrow.ready("passages").items()}

    def take_passages(self, radius: float, passages: Passages) -> None:
        """These are the narrow passages for hulls of a radius: they need not be looked for."""
        self._narrow.get(("passages", radius), lambda: passages, most=ALL)

    def _make_passages(self, radius: float) -> Passages:
        grid = self.grid(radius)
        found = find_passages(grid, self._survey)
        old = self._last("passages", radius)
        return found if old is None or not old.alike(found) else old

    def _survey(self, grid: Grid) -> Survey:
        """The survey of a grid, made from that of the ground before if there is one."""
        key = "survey", grid.radius
        last = self._last("survey", grid.radius)
        return self._narrow.get(key, lambda: survey(grid, last), most=ALL)

    def _last(self, kind: str, radius: float) -> Any:
        """What was found of a kind on the ground before, or on that before it; else None."""
        known = (each.ready(kind).get((radius,)) for each in self._surveyed)
        return next((each for each in known if each is not None), None)

    def slowness(self, radius: float, areas: tuple[Area, ...]) -> Floats:
        """What ways over areas cost at the nodes for hulls of a radius, as `FlowField.slowness`."""
        if not areas:
            return AT_ONCE
        key = "slow", radius, areas
        return self._cache.get(key, lambda: self._make_slowness(radius, areas))

    def _make_slowness(self, radius: float, areas: tuple[Area, ...]) -> Floats:
        """The chart before's where the nodes lie where they lay: solids have no say in it."""
        grid = self.grid(radius)
        known: Floats | None = self._had("slow").get((radius, areas))
        was: Grid | None = self._had("grid").get((radius,))
        if known is not None and was is not None and same_lattice(grid, was):
            return known
        return slowness(grid, areas, self.plane)

    def flow(self, targets: Floats, radius: float, areas: tuple[Area, ...] = ()) -> FlowField:
        """The field to targets (k, 4) over areas, as `flow_field`, for hulls of a radius."""

        def make() -> FlowField:
            slow = self.slowness(radius, areas)
            return self.with_passages(flow_field(self.grid(radius), targets, slow, over_areas=True))

        return self._cache.get(("flow", radius, targets.tobytes(), areas), make)

    def renewed(self, field: FlowField, areas: tuple[Area, ...] = ()) -> FlowField:
        """A field of a chart before as it is now; its passages may still be those of before."""
        radius = field.grid.radius

        def make() -> FlowField:
            grid, slow = self.grid(radius), self.slowness(radius, areas)
            if not slow.size:
                return renewed_field(field, grid)
            return flow_field(grid, field.targets, slow, over_areas=True)

        return self._cache.get(("flow", radius, field.targets.tobytes(), areas), make)

    def with_passages(self, field: FlowField) -> FlowField:
        """The same field, which knows the passages that its ways lead through.

        A field that was renewed still leads through those as it did before.
        """
        passages = self.passages(field.grid.radius)
        through = None
        if len(passages.mouths):
            through = along_field(field.grid, (field.distance, field.lengths), passages)
        return replace(field, through=through, passages=passages)

    def path(self, start: ArrayLike, goal: ArrayLike, radius: float) -> Path:
        """The way for a hull of a radius, as `plan`."""
        return plan(self.grid(radius), start, goal)

    def with_crossings(self, way: Path, radius: float) -> Path:
        """The same way, which knows the passages that it leads through."""
        passages = self.passages(radius)
        if way.passages is passages or not way.found:
            return way
        if not len(passages.mouths):
            return replace(way, passages=passages)
        return replace(way, crossings=along_route(way.points, passages), passages=passages)
