"""How units come to rest: in packs round shared places, which others go round."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.shared_cache import njit
from sim.core.units import Units
from sim.orders.filling import for_region, in_region
from sim.orders.moving_up import move_up, shut_out
from sim.orders.near import near_units
from sim.orders.packs import GROWS, aim_round, room_of_pack, side_to_go_round
from sim.orders.settle import LEAST, Stand, adrift, at_rest, bars_way, least_wait, looks_up

if TYPE_CHECKING:
    from sim.orders.orders import Orders

STALLED = 10.0
"""How many times as long as at a point a unit that is bound for a region waits for a way in it."""

PASSING = 4.0
"""Hull lengths: a unit off its place does not go back while another on its way is nearer than this.
It looks twice as far along its way back."""


def settle(orders: Orders, units: Units, step: int, dt: float) -> None:
    """A unit that others at rest keep from coming nearer to its place rests too.

    So does one that is there and comes no nearer, unless its pack has room farther in: where many
    are sent to one point with a wide tolerance, the first would bar the way of the others.
    """
    minds, patience = orders.minds, orders.patience
    look = looks_up(step, dt)
    late = patience.watch(orders.remaining, minds.moving, orders.radius, minds.speed, dt)
    others = orders.loop, orders.alone, orders.leave
    may = _on_last_leg(minds.moving, units.present, orders.first, orders.leg, others)
    stop = may & _takes_place(orders, units)
    if late and (tired := may & _tired(orders)).any():
        there = minds.arrived & units.present & ~(for_region(orders) & minds.moving)
        rests = tired & minds.arrived
        if there.any():
            waits = tired & ~rests
            # Now and then: to search the regions for places takes longer than all else here.
            shut = shut_out(orders, units, _before(orders, units, waits & look))
            rests |= at_rest(_stand(orders, units, shut), waits, there)
        if rests.any():
            stop |= rests & ~_has_to_go_round(orders, rests, units, there)
    minds.arrived[stop], minds.moving[stop] = True, False
    if look:
        minds.arrived[_joined(orders, units)] = True
        _set_out_again(orders, units)


def _before(orders: Orders, units: Units, some: Bools) -> Bools:
    """(N,) which of some are bound for a region and not in it."""
    inside = in_region(orders.plane, orders.region, units.position)
    return some & for_region(orders) & ~inside


def _set_out_again(orders: Orders, units: Units) -> None:
    """Units at rest off their places go on, unless their region is full, or shut.

    A unit that makes way (timer above 0) does not.
    """
    minds = orders.minds
    rests = minds.arrived & ~minds.moving & units.present & (minds.timer <= 0)
    if not rests.any():
        return
    before = _before(orders, units, rests)
    held = shut_out(orders, units, before)
    stranded = _stranded(orders, units, rests & ~held)
    back = _goes_back(orders, units, rests)
    before &= ~(held | stranded | orders.cut)
    again = move_up(orders, units, rests & ~stranded, before)
    if stranded.any():
        stay, takes = _to_a_free_place(orders, stranded)
        stranded, again = stranded & ~stay, again | takes
    minds.moving[stranded | again | back], minds.arrived[stranded] = True, False
    orders.patience.renew(stranded | again | back)


def _goes_back(orders: Orders, units: Units, rests: Bools) -> Bools:
    """(N,) which units at rest (N,), pushed off a place of their own, have a free way back to it.

    None sets out that would push off another. All wait while one on its way is near: it needs the
    room.
    """
    goes: Bools = rests & orders.own & (orders.remaining > orders.tolerance)
    goes &= ~(orders.cut | orders.leave)
    if not goes.any():
        return goes
    minds, reach, plane = orders.minds, orders.outlines.reach, orders.plane
    comes = minds.moving & ~minds.arrived & ~minds.halts & ~orders.cut & units.present
    within = PASSING * float(reach[goes].max() + reach[comes].max(initial=0.0))
    some = replace(units, present=comes | goes)
    near = near_units(some, plane, within, np.flatnonzero(goes))
    one, other = near.of, near.other
    apart = np.hypot(*plane.nearest(units.position[other] - units.position[one]).T)
    passes = comes[other] & (apart < PASSING * (reach[one] + reach[other]))
    goes[one[passes]] = False
    ahead = plane.nearest(orders.ends - units.position)
    room = np.clip(np.hypot(*ahead.T) - orders.tolerance, 0.0, 4 * PASSING * reach)
    return goes & ~bars_way(orders, units, goes, ahead, room)


@njit(cache=True)
def _on_last_leg(some, present, first, leg, others):  # type: ignore[no-untyped-def]
    """(N,) which of some units, present, are bound for the last place of their way.

    Units that any of three `others` (N,) tells, as of those whose way is a loop, are not.
    """
    found = np.empty(len(some), np.bool_)
    for i in range(len(some)):
        last = first[i] + leg[i] + 1 == first[i + 1]
        other = others[0][i] or others[1][i] or others[2][i]
        found[i] = some[i] and present[i] and last and not other
    return found


def _tired(orders: Orders) -> Bools:
    """(N,) which units have come no nearer for long enough to rest."""
    minds, patience = orders.minds, orders.patience
    tired = patience.spent(orders.remaining, orders.radius, minds.speed, minds.arrived)
    stalled = patience.since > STALLED * least_wait(orders.radius, minds.speed)
    return tired & (stalled | ~for_region(orders))


def _joined(orders: Orders, units: Units) -> Bools:
    """(N,) which units stopped by themselves at one at rest that has been at their place.

    Those of models with timers do.
    """
    minds = orders.minds
    others = orders.loop, orders.cut, orders.leave
    stopped: Bools = ~minds.moving & ~minds.arrived
    stopped = _on_last_leg(stopped, units.present, orders.first, orders.leg, others)
    if not stopped.any():
        return stopped
    there = minds.arrived & ~minds.moving & units.present
    return at_rest(_stand(orders, units), stopped, there)


def go_round(orders: Orders, units: Units) -> None:
    """Units that go round a pack head on round it, until they may rest or come nearer."""
    if not np.count_nonzero(orders.round):
        return
    minds = orders.minds
    here = orders.plane.images_near(units.position, orders.ends)
    room = room_of_pack(orders.outlines.area, minds.end, minds.arrived & units.present)
    out = _before_a_mouth(orders, here)
    on = (
        minds.moving
        & (orders.patience.since >= least_wait(orders.radius, minds.speed))
        & ((orders.remaining > room) | out)
    )
    orders.round[~on] = 0
    rows = np.flatnonzero(orders.round)
    ends, side = orders.ends[rows], orders.round[rows]
    orders.aim[rows] = aim_round(here[rows], ends, room[rows], side, out[rows])


def _takes_place(orders: Orders, units: Units) -> Bools:
    """(N,) which units come to a place that no unit holds yet, and would soon be off it again.

    They stop instead: if the next one drove it off, no unit would hold the place.
    """
    minds = orders.minds
    here = minds.arrived & (orders.remaining <= orders.tolerance) & units.present
    comes = here & minds.moving & orders.packs
    if np.count_nonzero(comes):
        held = np.bincount(minds.end[here & ~minds.moving], minlength=int(minds.end.max()) + 1)
        comes &= held[minds.end] == 0
        soon = units.position + LEAST * units.velocity
        comes &= np.hypot(*orders.plane.nearest(orders.ends - soon).T) > orders.tolerance
    return comes


def _has_to_go_round(orders: Orders, joins: Bools, units: Units, there: Bools) -> Bools:
    """(N,) which units at a pack are too far off to rest, or in the way of others at a mouth.

    They go round it to where it has room.
    """
    minds = orders.minds
    here = orders.plane.images_near(units.position, orders.ends)
    room = room_of_pack(orders.outlines.area, minds.end, there)
    room += GROWS * orders.patience.since * minds.speed
    far = joins & orders.packs & (orders.remaining > room)
    far |= joins & _before_a_mouth(orders, here)
    rows = np.flatnonzero(far & (orders.round == 0))
    if len(rows):
        orders.round[rows] = side_to_go_round(rows, here, orders.ends, minds.end, there)
    return far


def _before_a_mouth(orders: Orders, here: Floats) -> Bools:
    """(N,) which units would rest in the way of others at a narrow place."""
    return orders.narrows.in_the_way(here, orders.plane, 2 * orders.radius, orders.remaining)


def _stranded(orders: Orders, units: Units, rests: Bools) -> Bools:
    """(N,) which units at rest (N,) are in a pack that does not reach their place."""
    resting = rests & (orders.packs | orders.returns | for_region(orders))
    there = in_region(orders.plane, orders.region, units.position)
    return adrift(_stand(orders, units), resting, there | (orders.remaining <= orders.tolerance))


def _to_a_free_place(orders: Orders, stranded: Bools) -> tuple[Bools, Bools]:
    """(N,) which of the stranded units stay, and which of these goes to the place alone.

    They stay where their place has become free amid their pack, as the one that held it was sent
    elsewhere, or pushed off: it is no farther off the nearest of them, which goes there, than the
    pack is wide, and no other is still to come from beyond it.
    """
    minds = orders.minds
    end, packs = minds.end, orders.packs
    ends = int(end.max()) + 1
    nearest = np.full(ends, np.inf)
    np.minimum.at(nearest, end[stranded], orders.remaining[stranded])
    room = room_of_pack(orders.outlines.area, end, stranded)
    far = minds.moving & ~minds.arrived & packs & (orders.remaining > room)
    to_come = np.bincount(end[far], minlength=ends) > 0
    goes = np.bincount(end[minds.moving & minds.arrived & packs], minlength=ends) > 0
    amid = nearest[end] <= room
    stay: Bools = stranded & packs & amid & ~to_come[end]
    return stay, stay & ~goes[end] & (orders.remaining <= nearest[end])


def _stand(orders: Orders, units: Units, apart: Bools | None = None) -> Stand:
    """Where all hulls are now; units that are sent into one region have that as their end.

    Some keep `apart` (N,) of others as circles; none where None.
    """
    apart = np.zeros(len(units), np.bool_) if apart is None else apart
    orders.outlines.turn(units.angle, units.present)
    end, rows = orders.minds.end.copy(), np.flatnonzero(for_region(orders))
    if len(rows):
        _, which = np.unique(orders.region[rows], axis=0, return_inverse=True)
        end[rows] = len(end) + which.ravel()
    return Stand(units, orders.radius, end, apart, orders.plane, orders.outlines)
