"""Members of a party come and go: what is planned for the others, or asked for, goes on."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.core.columns import as_rows, numbers_of
from sim.core.relay import NEW, Relay, spread
from sim.orders.party import WAYS, Party

T = TypeVar("T")


def keep(party: Party, rows: Ints, stays: Bools) -> None:
    """The members that stay, (n,), have the `rows` (k,) now; the others leave the party."""
    party.rows = as_rows(rows)
    if not stays.all():
        _rearrange(party, np.flatnonzero(stays), np.zeros((0, 4)), np.zeros(0, np.int64))


def disband(party: Party) -> None:
    """All have left: nothing that was planned for them is kept, on whatever ground it was."""
    party.forget_queues()
    party.fields.clear()
    party.quickest.clear()


def join(
    party: Party, rows: Ints, targets: Floats, counts: Ints, position: Floats, step: int
) -> None:
    """Units at `position` (k, 2) join, which have the `rows` and `counts` (k,) stops each.

    `targets` (m, 4) are their stops. What they need is asked for at this step.
    """
    n = len(party.field)
    old = np.append(np.arange(n), np.full(len(rows), NEW))
    party.rows = as_rows(np.append(numbers_of(party.rows), rows))
    _rearrange(party, old, targets, counts)
    party.set_off(step, position, np.arange(n, n + len(rows)))


def _rearrange(party: Party, old: Ints, targets: Floats, counts: Ints) -> None:
    """Members have the numbers `old` (n,) before, -1 for new ones, with those stops."""
    known = party.route[old[old != NEW]]
    stops, ways = _moved_ways(party, old, counts)
    every = np.concatenate([party.places[party.place[stops[stops != NEW]]], targets])
    _settle_places(party, every)
    party.rearrange(Relay(old))
    now = Relay(ways).new_rows(len(party.ways))
    party.route[: len(known)] = now[known]
    party.ways = [None if way == NEW else party.ways[way] for way in ways.tolist()]
    party.known, party.asked = (
        np.append(flags, False)[ways] for flags in (party.known, party.asked)
    )
    party.pending = {
        order: (kind, now[numbers] if kind == WAYS else numbers)
        for order, (kind, numbers) in party.pending.items()
    }
    party.lay()
    party.at = party.first[:-1] + party.at


def _moved_ways(party: Party, old: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """The old number of each stop and of each way as they are now; -1 for new ones.

    The members' first stops are set; `at` is left as the number of a stop of its own unit.
    """
    kept, had = old[old != NEW], np.diff(party.first)
    party.at -= party.first[:-1]
    stops = np.append(spread(party.first[:-1][kept], had[kept]), np.full(counts.sum(), NEW))
    back = np.where(old == NEW, NEW, len(party.place) + old)
    party.first = np.append(0, np.cumsum(np.append(had[kept], counts)))
    return stops, np.append(stops, back[: len(old) * party.loop])


def _settle_places(party: Party, targets: Floats) -> None:
    """Number the targets (m, 4) of all stops anew; fields and what is asked for follow."""
    both = np.concatenate([party.places, targets])
    places, number = np.unique(both, axis=0, return_inverse=True)
    number = number.reshape(-1)
    before, place = number[: len(party.places)], number[len(party.places) :]
    used, party.place = np.unique(place, return_inverse=True)
    party.place = party.place.reshape(-1)
    now = np.full(len(places), NEW)
    now[used] = np.arange(len(used))
    moved = np.append(now[before], NEW)
    shared = np.zeros(len(used), np.bool_)
    shared[moved[:-1][party.shared & (moved[:-1] >= 0)]] = True
    party.places = places[used]
    party.shared = shared | party.shared_places()
    party.fields = _renumbered(party.fields, moved)
    party.quickest = _renumbered(party.quickest, moved)
    party.field = moved[party.field]
    party.pending = {
        order: (kind, numbers if kind == WAYS else moved[numbers])
        for order, (kind, numbers) in party.pending.items()
    }


def _renumbered(found: dict[int, T], moved: Ints) -> dict[int, T]:
    """The same by new numbers, without the ones that no order needs any more."""
    return {int(moved[k]): each for k, each in found.items() if moved[k] >= 0}
