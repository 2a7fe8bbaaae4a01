"""The units of a party that a flow field leads: where each heads for now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Floats, Ints
from sim.navigation.ahead import look_along
from sim.navigation.flow import FlowField
from sim.navigation.wrapping import nearest_offset

if TYPE_CHECKING:
    from sim.orders.party import Party

HELD, QUARTER = 10, 0.25
"""A place that a field names holds for this many steps at most, and for this share of the way."""
PAYS, STILL_PAYS = 0.6, 0.95
"""The quickest way is taken if it takes so much of the time of the shortest, and kept to if so."""


def follow_field(
    party: Party, place: int, led: Ints, position: Floats, aim: Floats, remaining: Floats
) -> None:
    """Say where to head for and what remains, for the units `led` to a place by its field."""
    field = party.fields[place]
    ask = led[party.holds[led] <= 0]
    party.heads_for[ask], party.beyond[ask] = look_along(field, position[ask], party.looks_along_to)
    _go_round(party, place, ask, position)
    off = np.hypot(*nearest_offset(field.grid, party.heads_for[ask] - position[ask]).T)
    party.holds[ask] = np.clip(QUARTER * off / party.stride, 1, HELD)
    off = np.hypot(*nearest_offset(field.grid, party.heads_for[led] - position[led]).T)
    left = party.beyond[led] + off
    found = np.isfinite(left) & (left > 0)
    # The field ends at the edge of a region, the way at a place in it.
    left += np.maximum(remaining[led] - _off(field, position[led]), 0.0)
    aim[led[found]], remaining[led[found]] = party.heads_for[led[found]], left[found]


def _go_round(party: Party, place: int, ask: Ints, position: Floats) -> None:
    """Units that gain enough from the detour take the quickest way."""
    quickest = party.quickest.get(place)
    if quickest is None:
        party.detour[ask] = False
        return
    share = quickest.share(position[ask])
    pays = share < np.where(party.detour[ask], STILL_PAYS, PAYS)
    party.detour[ask] = np.where(np.isnan(share), party.detour[ask], pays)
    ask = ask[party.detour[ask]]
    party.heads_for[ask] = look_along(quickest.field, position[ask], party.looks_along_to)[0]


def _off(field: FlowField, position: Floats) -> Floats:
    """(k,) how far each position (k, 2) is off the rectangle that a field leads to."""
    place = field.targets[0]
    half = (place[2:] - place[:2]) / 2
    away = np.abs(nearest_offset(field.grid, position - place[:2] - half)) - half
    off: Floats = np.hypot(*np.maximum(away, 0).T)
    return off
