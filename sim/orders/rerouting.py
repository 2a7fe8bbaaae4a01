"""Ways of single units that a change of the ground touches are asked for anew."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sim.navigation.paths import Path

if TYPE_CHECKING:
    from sim.orders.party import Party

Floats = NDArray[np.float64]


def renew_ways(party: Party, step: int, position: Floats, touched: Callable[[Path], bool]) -> None:
    """Ask anew for those ways of a party, now at `position` (n, 2), that are touched.

    What was asked for about queues is dropped: it is out of date.
    """
    party.renewed = True
    for order in party._reviews:
        party._took.pop(order, None)
    party._reviews.clear()
    own = ~party._shared[party._place[party._stop]] & ~party._asked
    ways = [
        way
        for way in np.flatnonzero(own).tolist()
        if (known := party.ways[way]) is None or touched(known)
    ]
    if ways:
        goals = party.places[party._place[party._stop[ways]], :2]
        party._asked[ways] = True
        starts = _starts(party, position)[ways]
        ticket = party._planner.ask_detours(step, starts, goals, party.radius)
        party._took[ticket.order] = partial(party._take_ways, np.array(ways))


def _starts(party: Party, position: Floats) -> Floats:
    """Where each way begins, (w, 2), now that the units are at `position` (n, 2)."""
    stops = party.places[party._place, :2]
    ends = stops[party._first[1:] - 1][: len(party.ways) - len(stops)]
    starts = np.concatenate([np.roll(stops, 1, axis=0), ends])
    back = party._again & (party.at == party._first[:-1])
    starts[np.where(back, len(stops) + np.arange(len(back)), party.at)] = position
    return starts
