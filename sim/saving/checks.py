"""Whether a state that comes from a file is one: all rows and numbers lead to what is there.

Compiled code does not look whether it reads beyond the end of an array. So whatever is used as a
place in one is checked here, and in `order_checks` and `ground_checks`, before a step is taken.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sim.behaviours import Setting
from sim.core.arrays import Ints
from sim.core.draws import Spread
from sim.core.fits import fits
from sim.core.hull import Hull
from sim.core.limits import MOST_SOURCES
from sim.engine.cells import few_enough, width_of
from sim.engine.checked import check_engine, nothing
from sim.engine.owners import FOREIGN
from sim.group import Group
from sim.group.varied import drawn_of
from sim.living.agenda import Due
from sim.living.basis import Basis
from sim.living.events import KINDS
from sim.living.population import KEPT
from sim.living.sources import Source, is_time
from sim.models import Model
from sim.navigation import Ticket
from sim.navigation.chart import Chart
from sim.orders import Orders
from sim.saving.copies import kept_of
from sim.saving.ground_checks import check_events, check_planned, check_terrain
from sim.saving.kinds import HELMS
from sim.saving.likeness import alike, check_kinds, check_like, need, within
from sim.saving.order_checks import check_orders
from sim.saving.state import OF_SEAM, OUTPUTS, State

if TYPE_CHECKING:
    from sim.group.home import Home

PARTS: dict[str, Any] = {
    "steps": int, "units": dict[str, Any], "sources": list[dict[str, Any]],
    "happened": list[list[Any]], "orders": Orders, "seam": dict[str, Any],
    "groups": list[dict[str, Any]], "open": list[Ticket[Any]], "asked": int,
    "terrain": dict[str, Any] | None, "places": Ints, "events": list[Due],
}  # fmt: skip
OF_GUIDE = {"chart": Chart, "latest": Chart}
"""What a state has, and what besides where units are guided: of what kinds it is."""
SLACK = 1e-9
"""By which a radius may lie beyond those of the hull, as a share: it is rounded."""


def check(state: State) -> None:
    """Raise `ValueError` for a state that no world could have had."""
    parts, owner = state.parts, state.owner
    need(set(state.ground) == {each.name for each in fields(Basis)}, "its ground")
    check_kinds(Basis, state.ground)
    kinds = PARTS | (OF_GUIDE if parts["orders"].guide is not None else {})
    need(set(parts) == set(kinds), "its parts")
    for name, kind in kinds.items():
        need(fits(kind, parts[name]), f"its {name}")
    need(parts["steps"] >= 0, "its steps")
    groups, of = parts["groups"], parts["units"]["group_of"]
    n = len(of)
    for group in groups:
        _check_group(group)
    need(of.dtype == np.int64 and of.ndim == 1, "the groups of units")
    ends = np.cumsum([0, *(g["rows"].stop - g["rows"].start for g in groups)])
    for k, group in enumerate(groups):
        need(group["rows"] == slice(int(ends[k]), int(ends[k + 1])), "the rows of a group")
        need(group["index"] == k and bool((of[group["rows"]] == k).all()), "the rows of a group")
    need(n == ends[-1], "the rows of its groups")
    need(alike(nothing(), state.engine), "the state of its engine")
    wrong = check_engine(state.engine)
    need(not wrong, wrong)
    _check_owners(owner, parts["seam"], len(state.engine.number), n, len(groups))
    _check_units(parts["units"], parts["happened"])
    names = {group["name"] for group in groups}
    need(len(names) == len(groups), "the names of its groups")
    _check_sources(parts["sources"], names)
    check_orders(parts["orders"], n, len(groups))
    check_terrain(state)
    _check_cells(state)
    check_events(parts["events"])
    check_planned(parts)


def _check_cells(state: State) -> None:
    """Raise `ValueError` for cells that no world sorts such hulls and such parts by."""
    if not len(state.engine.cells):
        return
    hulls, side = [group["hull"] for group in state.parts["groups"]], state.engine.cells[0]
    reach = [(hull.smallest.reach, hull.largest.reach) for hull in hulls]
    need(side * (1 + SLACK) >= width_of(min(least for least, _ in reach)), "its cells")
    terrain = state.parts["terrain"]
    for part in [] if terrain is None else terrain["parts"]:
        low, high = part["shape"].solids.extent
        need(few_enough(side, high - low), "its cells")
    need(all(few_enough(side, np.full(2, 2 * most)) for _, most in reach), "its cells")


def _check_owners(owner: Any, seam: Any, bodies: int, units: int, groups: int) -> None:
    twins = len(seam["key"])
    need(owner.dtype == np.int64 and len(owner) == bodies, "whose its bodies are")
    owner = owner[owner != FOREIGN]  # those of parts
    within(owner, -twins, units, "whose its bodies are")
    need(len(np.unique(owner)) == len(owner), "whose its bodies are")
    need((owner < 0).sum() == twins, "the twins across a seam")
    for name, (dtype, wide) in OF_SEAM.items():
        need(seam[name].dtype == dtype and seam[name].shape == (twins, *wide), f"seam.{name}")
    for name, low, high in (("group", 0, groups), ("row", -1, units), ("key", -1, 9 * units)):
        within(seam[name], low, high, f"seam.{name}")


def _check_units(units: Any, happened: Any) -> None:
    """Ids, each once and below those still to be given, and events that name them."""
    ids, given = units["ids"], units["given"]
    need(set(units) == set(KEPT) and isinstance(given, int), "its units")
    need(all(isinstance(units[k], int) for k in ("_sorted", "times_sorted")), "its units")
    need(ids.dtype == np.int64 and ids.shape == units["group_of"].shape, "the ids of units")
    within(ids, 0, given, "the ids of units")
    need(len(np.unique(ids)) == len(ids), "the ids of units")
    coming, now = happened
    for name, those in (*coming, *now):
        need(name in KINDS and those.dtype == np.int64 and those.ndim == 1, "its events")
        within(those, 0, given, "its events")


def _check_group(kept: dict[str, Any]) -> None:
    """Raise `ValueError` and the like for what no group keeps."""
    rows, model, hull = kept["rows"], kept["model"], kept["hull"]
    kinds = isinstance(model, Model), isinstance(hull, Hull), isinstance(kept["helm"], HELMS)
    need(all(kinds), "the model of a group")
    need(isinstance(rows, slice) and 0 <= rows.start <= rows.stop, "the rows of a group")
    for name, each in kept["settings"].items():
        need(isinstance(each, Setting) and name == each.rule.name, "its rules")
    known = Group("x", 0, model, rows, hull, kept["settings"], cast("Home", None))
    wanted = kept_of(known, OUTPUTS) | {"helm": kept["helm"]}
    check_like(Group, wanted, kept)
    need(all(len(kept[c]) == rows.stop - rows.start for c in Group.columns), "its units")
    drawn = isinstance(kept["_spread"], Spread) and (kept["_speeds"] > 0).all()
    need(drawn or kept["_spread"] is None, "its units")
    least, most = hull.smallest.radius, hull.largest.radius
    within(kept["_radii"], least * (1 - SLACK), most * (1 + SLACK), "the radii of its units")
    need(kept["_of_rules"] == drawn_of(kept["settings"]), "what units drew")
    for key, column in zip(kept["_of_rules"], kept["_drawn"].T, strict=True):
        rule, _, name = key.partition(".")
        least, most = kept["settings"][rule].drawn[name].bounds
        need(((column >= least) & (column <= most)).all(), "what units drew")


def _check_sources(sources: list[dict[str, Any]], names: Collection[str]) -> None:
    """Raise `ValueError` or `BadInput` for a source that no world with these groups has."""
    need(len(sources) <= MOST_SOURCES, "sources of units")
    for kept in sources:
        source, coming = Source.of(kept), kept["next"]
        good = (
            set(kept) == {"given", "next", "rng"}
            and source.group in names
            and (coming is None or is_time(coming))
            and (coming is None) == (kept["rng"] is None)
        )
        need(good, "a source of units")
