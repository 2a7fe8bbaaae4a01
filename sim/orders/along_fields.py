"""The units of a party that a flow field leads: where each heads for now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Bools, Floats, Ints
from sim.navigation.ahead import look_along
from sim.navigation.bends import bent
from sim.navigation.flow import FlowField
from sim.navigation.marking import Bytes
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
    fresh, left = party.holds[ask] < 0, party.beyond[ask] + off
    party.holds[ask] = held(off / party.stride, left / party.stride, fresh)
    off = np.hypot(*nearest_offset(field.grid, party.heads_for[led] - position[led]).T)
    left = party.beyond[led] + off
    found = np.isfinite(left) & (left > 0)
    # The field ends at the edge of a region, the way at a place in it.
    left += np.maximum(remaining[led] - _off(field, position[led]), 0.0)
    aim[led[found]], remaining[led[found]] = party.heads_for[led[found]], left[found]


def renew_field(party: Party, place: int, field: FlowField, bends: Bytes, position: Floats) -> None:
    """From now on another field leads members at `position` (n, 2) to a place.

    Members whose ways bend look along it at once; others go on to the place that they saw before.
    """
    party.fields[place] = field
    party.quickest.pop(place, None)
    led = np.flatnonzero(party.place[party.at] == place)
    party.holds[led[bent(bends, field, position[led]) | party.detour[led]]] = 0


def held(off: Floats, left: Floats, fresh: Bools) -> Ints:
    """(k,) for how many steps units go by the places that they see now, `off` (k,) strides away.

    When a field begins to lead units they all look in the same step. These are `fresh` (k,): they
    look again in different steps, by the strides that are `left` (k,) of their way. Else all of
    them would look together again, every `HELD` steps.
    """
    steps = np.clip(QUARTER * off, 1, HELD).astype(np.int64)
    some = fresh & np.isfinite(left)
    steps[some] = 1 + left[some] % steps[some]
    return steps


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
