"""Ways of single units that a change of the ground touches are asked for anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Floats
from sim.navigation.paths import Path
from sim.orders.party import WAYS

if TYPE_CHECKING:
    from sim.orders.party import Party


def renew_ways(party: Party, step: int, position: Floats, touched: Callable[[Path], bool]) -> None:
    """Ask anew for those ways of a party, now at `position` (n, 2), that are touched."""
    party.renewed = True
    stop = party.stop
    own = ~party.shared[party.place[stop]] & ~party.asked
    ways = [
        way
        for way in np.flatnonzero(own).tolist()
        if (known := party.ways[way]) is None or touched(known)
    ]
    if ways:
        goals = party.places[party.place[stop[ways]], :2]
        party.asked[ways] = True
        starts = _starts(party, position)[ways]
        ticket = party.planner.ask_detours(step, starts, goals, party.radius)
        party.pending[ticket.order] = WAYS, np.array(ways)


def _starts(party: Party, position: Floats) -> Floats:
    """Where each way begins, (w, 2), now that the units are at `position` (n, 2)."""
    stops = party.places[party.place, :2]
    ends = stops[party.first[1:] - 1][: len(party.ways) - len(stops)]
    starts = np.concatenate([np.roll(stops, 1, axis=0), ends])
    back = party.lapped & (party.at == party.first[:-1])
    starts[np.where(back, len(stops) + np.arange(len(back)), party.at)] = position
    return starts
