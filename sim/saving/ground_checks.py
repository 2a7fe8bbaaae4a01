"""Whether what a file says of the ground, and of what is planned on it, is what a world could have.

What compiled code takes is judged by its types and shapes, and by all that is used as a place in an
array.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sim.core.fits import fits
from sim.core.limits import LARGEST, is_number
from sim.core.plane import Plane
from sim.core.shapes import Shape
from sim.core.solids import Solids
from sim.engine.movers import make_part
from sim.engine.owners import FOREIGN
from sim.living.agenda import Due
from sim.living.deeds import ACTIONS, KEYS, Deed
from sim.living.parts import KEPT, STILL, checked_path
from sim.navigation import FlowField, Path
from sim.navigation.areas import Area
from sim.navigation.bends import ANYWHERE, squares_of
from sim.navigation.chart import Chart
from sim.navigation.jams import Quickest
from sim.navigation.jobs import (
    FieldJob,
    MarkedJob,
    PathsJob,
    QuickestJob,
    RenewedJob,
    TrailsJob,
)
from sim.navigation.tickets import Marked, Renewed
from sim.navigation.trails import Trails
from sim.orders import Goal
from sim.orders.party import FIELD, QUICKEST, WAYS, Party
from sim.saving.likeness import need
from sim.saving.plan_checks import rows


def check_terrain(state: Any) -> None:
    """Raise `ValueError` and the like for parts and areas that no world has had."""
    kept, places = state.parts["terrain"], state.parts["places"]
    parts = [] if kept is None else kept["parts"]
    need(isinstance(places, np.ndarray) and places.dtype == np.int64, "the bodies of parts")
    need(places.shape == (len(parts),) and (places >= -1).all(), "the bodies of parts")
    own = places[places >= 0]
    need(len(np.unique(own)) == len(own), "the bodies of parts")
    foreign = np.flatnonzero(state.owner == FOREIGN)
    need(np.array_equal(np.sort(own), foreign), "the bodies of parts")
    if kept is None:
        return
    need(set(kept) == {"parts", "areas", "stand", "targets"}, "its ground")
    for part, place in zip(parts, places.tolist(), strict=True):
        _check_part(part, place >= 0, state.ground["plane"])
        if place >= 0:
            count = len(make_part(part["shape"].solids, state.ground["plane"])[1])
            need(state.engine.shapes[place] == count, "the shapes of a part")
    names = [part["name"] for part in parts]
    need(len(set(names)) == len(names), "the names of parts")
    stand, targets = kept["stand"], kept["targets"]
    need(set(stand) <= set(names) and set(targets) <= set(names), "its parts")
    need(all(isinstance(each, Solids) for each in stand.values()), "where its parts stand")
    for each in targets.values():
        _check_offset(each)
    check_areas(kept["areas"])


def _check_part(part: Mapping[str, Any], placed: bool, plane: Plane) -> None:
    need(set(part) == set(KEPT) and isinstance(part["shape"], Shape), "a part")
    part["shape"].solids.check(plane)
    need(isinstance(part["name"], str) and isinstance(part["note"], str), "the name of a part")
    need(type(part["closed"]) is type(part["wanted"]) is bool, "a part")
    need(part["closed"] == placed, "the body of a part")
    if part["path"] is not None:
        checked_path(part["path"], part["loop"], "path of a part")
    need(part["path"] is not None or part["loop"] is False, "the path of a part")
    _check_offset(part["offset"])
    need(is_number(part["clock"]) and part["clock"] >= 0, "the clock of a part")
    speed = part["_velocity"]
    need(isinstance(speed, tuple) and len(speed) == len(STILL), "the velocity of a part")
    need(all(is_number(v) and abs(v) <= LARGEST for v in speed), "the velocity of a part")


def _check_offset(value: Any) -> None:
    need(isinstance(value, np.ndarray) and value.shape == (2,), "where a part is")
    need(value.dtype == float and (np.abs(value) <= LARGEST).all(), "where a part is")


def check_areas(areas: Any) -> None:
    """Raise `ValueError` for what are no areas."""
    for area in areas:
        need(isinstance(area, Area) and isinstance(area.shape, Shape), "an area")
        for factor in (area.speed, area.cost):
            need(is_number(factor) and 1e-3 <= factor <= 1e3, "an area")
        need(area.groups is None or all(isinstance(g, str) for g in area.groups), "an area")


def check_events(events: Any) -> None:
    """Raise `ValueError` for what are no events to come."""
    for event in events:
        good = isinstance(event, Due) and isinstance(event.act, Deed) and is_number(event.at)
        need(good and event.act.action in ACTIONS, "an event")
        deed = event.act
        need(deed.goal is None or isinstance(deed.goal, Goal), "the goal of an event")
        need(deed.units is None or type(deed.units) is int, "the goal of an event")
        texts = [deed.name, deed.to, deed.where]
        for steps, _ in deed.settings:
            need(2 <= len(steps) <= 4 and steps[1] in KEYS, "what an event sets")
            texts += steps
        need(all(isinstance(text, str) for text in texts), "an event")
    times = [event.at for event in events]
    need(times == sorted(times), "events in the order of time")


def check_planned(parts: Mapping[str, Any]) -> None:
    """Raise `ValueError` for charts and tickets that no planner has."""
    guide, tickets = parts["orders"].guide, parts["open"]
    if guide is not None:
        charts = [parts["chart"], parts["latest"], *([] if guide.bare is None else [guide.bare])]
        need(all(isinstance(each, Chart) for each in charts), "what it plans on")
        check_areas(guide.areas)
    numbers = [ticket.order for ticket in tickets]
    need(len(set(numbers)) == len(numbers), "what is being planned")
    need(all(number <= parts["asked"] for number in numbers), "what is being planned")
    need(guide is not None or not tickets, "what is being planned")
    for ticket in tickets:
        need(ticket.due > 0, "what is being planned")
        kind, check = CHECKS[type(ticket.work)]
        need(fits(kind, ticket.result()), "what is being planned")
        check(ticket.work, ticket.result())
    if guide is not None:
        known = {ticket.order: ticket for ticket in tickets}
        _check_renewals(guide, known)
        for party in guide.parties.values():
            _check_pending(party, known)


def _check_pending(party: Party, tickets: Mapping[int, Any]) -> None:
    for order, (kind, numbers) in party.pending.items():
        job = tickets[order].work
        need(isinstance(job, WANTED[kind]), "party.pending")
        need(kind != WAYS or len(job.starts) == len(numbers), "party.pending")


def _radius(value: Any) -> None:
    need(is_number(value) and 0 < value <= LARGEST, "the radius of what is being planned")


def _field_job(job: FieldJob, _: Any) -> None:
    rows(job.targets, 4, "targets", 1)
    _radius(job.radius)
    check_areas(job.areas)


def _quickest_job(job: QuickestJob, _: Any) -> None:
    k = len(job.traffic.pace)
    rows(job.traffic.position, 2, "traffic")
    need(all(len(each) == k for each in job.traffic), "traffic")
    need(job.traffic.pace.ndim == job.traffic.radius.ndim == 1, "traffic")


def _trails_job(job: TrailsJob, result: Trails) -> None:
    rows(job.places, 2, "places", 1)
    rows(job.units, 2, "units")
    need(result.nearest.max() < len(job.places), "trails")
    _radius(job.radius)


def _paths_job(job: PathsJob, result: list[Path]) -> None:
    rows(job.starts, 2, "starts")
    rows(job.goals, 2, "goals")
    need(len(job.goals) == len(job.starts) == len(result), "goals")
    _radius(job.radius)


def _renewed_job(job: RenewedJob, result: Renewed) -> None:
    need(len(result.fields) == len(result.bends) == len(job.fields), "renewed ground")
    for field, squares in zip(result.fields, result.bends, strict=True):
        need(squares.shape in (squares_of(field.grid), ANYWHERE.shape), "renewed ground")
    need(all(box.shape == (4,) for box in result.reshaped.values()), "renewed ground")


def _marked_job(job: MarkedJob, result: Marked) -> None:
    need(set(result.passages) == set(job.radii), "narrow passages")
    for radius in job.radii:
        _radius(radius)
    need(len(result.fields) == len(job.fields), "narrow passages")
    need(len(result.ways) == len(job.ways), "narrow passages")


CHECKS: dict[type, tuple[Any, Callable[[Any, Any], None]]] = {
    FieldJob: (FlowField, _field_job), QuickestJob: (Quickest, _quickest_job),
    TrailsJob: (Trails, _trails_job), PathsJob: (list[Path], _paths_job),
    RenewedJob: (Renewed, _renewed_job), MarkedJob: (Marked, _marked_job),
}  # fmt: skip
"""By job: of what kind its result is, and what both are to be."""


WANTED = {FIELD: FieldJob, QUICKEST: QuickestJob, WAYS: PathsJob}
"""By what a party has asked for: the job that does it."""


def _check_renewals(guide: Any, tickets: Mapping[int, Any]) -> None:
    renewals = guide.renewals
    for order, slots in renewals.fields_asked.items():
        job = tickets[order].work
        need(isinstance(job, RenewedJob) and len(slots) == len(job.fields), "renewals")
    for order, (slots, ways) in renewals.marks_asked.items():
        job = tickets[order].work
        need(isinstance(job, MarkedJob) and len(slots) == len(job.fields), "renewals")
        need(len(ways) == len(job.ways), "renewals")
    for _, at in renewals.looked.values():
        need(isinstance(at, np.ndarray) and at.dtype == np.int64, "renewals")
    for near in renewals.near.values():
        need(
            isinstance(near, np.ndarray) and near.dtype == float and near.shape == (4,), "renewals"
        )
