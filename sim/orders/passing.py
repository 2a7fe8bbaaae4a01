"""The narrow passages that the units of a party come to next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Floats
from sim.navigation.through import Through, next_on_field, next_on_route

if TYPE_CHECKING:
    from sim.orders.party import Party


def bound_through(party: Party, position: Floats, aim: Floats) -> Through:
    """The next passage on the way of each of n units at `position` (n, 2), bound for `aim`."""
    found = Through.nothing(len(position))
    next_on_route(party.crossings, party.route, party.progress, found)
    for place in party.fields:
        led = party.field == place
        for detour in (False, True) if party.hurried else (False,):
            field = party.fields[place]
            if detour and place in party.quickest:
                field = party.quickest[place].field
            some = np.flatnonzero(led & (party.detour == detour))
            if field.passages is not party.passages or field.through is None or not len(some):
                continue
            part = Through.nothing(len(some))
            next_on_field(
                field.grid, field.distance, field.through, position[some], aim[some], part
            )
            for whole, those in zip(found, part, strict=True):
                whole[some] = those
    return found
