"""A space put back into an earlier state of its own, without making its bodies anew.

This serves spaces that find contacts by cells: many bodies, which take long to make. What the
engine remembers of contacts is cleared and filled in again in its own memory, in bulk.
"""

from __future__ import annotations

import numpy as np
import pymunk
from numpy.typing import NDArray
from pymunk._chipmunk_cffi import lib

from sim.core.arrays import Ints
from sim.core.shared_cache import njit
from sim.engine import memory as mem
from sim.engine.layout import check_layout
from sim.engine.memory import at, field, is_tree, put, real, space_of, words
from sim.engine.order import read_order, write_order
from sim.engine.recontacts import forget_contacts, put_contacts
from sim.engine.saved import MOTION, Engine, push_bodies, read_bodies, settings_of, still_numbers


def bodies_now(space: pymunk.Space) -> tuple[Ints, Ints, NDArray[np.uint64]] | None:
    """The bodies of a space, in its order. None if there are any that cannot be saved.

    Of each the least number of its shapes, how many it has, and its id.
    """
    check_layout()
    bodies = field(space_of(space), mem.BODIES)
    b = field(bodies, mem.NUM) & 0xFFFFFFFF
    motion, ids = np.empty((b, len(MOTION))), np.empty(b, np.uint64)
    number, shapes = np.empty((2, b), np.int64)
    whole = read_bodies(words(), np.uint64(field(bodies, mem.ITEMS)), motion, number, shapes, ids)
    return (number, shapes, ids) if whole else None


def bodies_by_number(
    space: pymunk.Space, state: Engine
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]] | None:
    """Where the bodies of a state lie and their ids, in its order; None if others are there."""
    now = bodies_now(space)
    if now is None or len(now[0]) != len(state.number):
        return None
    number, shapes, ids = now
    mine, theirs = np.argsort(number), np.argsort(state.number)
    if not np.array_equal(number[mine], state.number[theirs]):
        return None
    place = np.empty(len(number), np.int64)
    place[theirs] = mine
    if not np.array_equal(shapes[place], state.shapes):
        return None
    items = np.uint64(field(field(space_of(space), mem.BODIES), mem.ITEMS))
    return _listed(words(), items, place), ids[place]


def can_rewind(space: pymunk.Space, state: Engine, times: int) -> bool:
    """Whether a space that was sorted by cells `times` times is set up as the state has it."""
    if is_tree(space) or not len(state.cells) or space.constraints or space._handlers:
        return False
    side = real(field(space_of(space), mem.INDEX), mem.SIDE)
    if side != state.cells[0] or times != state.cells[2]:
        return False
    held, m = field(space_of(space), mem.ARBITER_SET), len(state.contacts.ends)
    listed = field(space_of(space), mem.ARBITERS)
    return (
        np.array_equal(settings_of(space), state.settings)
        and np.array_equal(still_numbers(space), state.still)
        and read_order(space)[1] == int(state.room[0])
        and m < field(held, 0) >> 32
        and m <= field(listed, mem.NUM) >> 32
    )


def rewind(space: pymunk.Space, state: Engine, bodies: NDArray[np.uint64]) -> bool:
    """Put a space back into a state; whether it was possible. See `can_rewind`.

    `bodies` (b,) are where its bodies lie, in the state's order.
    """
    here = space_of(space)
    forget_contacts(space)
    push_bodies(words(), np.uint64(field(field(here, mem.BODIES), mem.ITEMS)), bodies, state.motion)
    _turn(words(), bodies)
    if not write_order(space, state.order, int(state.room[0])):
        return False
    _sort_anew(space)
    inner = space._space
    lib.cpSpaceSetTimestamp(inner, int(state.clock[0]))
    if not put_contacts(space, state, bodies):
        return False
    lib.cpSpaceSetCurrentTimeStep(inner, float(state.clock[1]))
    lib.cpSpaceSetShapeIDCounter(inner, int(state.clock[2]))
    return True


def _sort_anew(space: pymunk.Space) -> None:
    """Sort all shapes of bodies into cells by where they stand now.

    The engine has a call for this, but for what stands still alone: it is given the others instead.
    One call for each body took 2.5 ms for 10,000, half of a load.
    """
    here = space_of(space)
    still = field(here, mem.STATIC_INDEX)
    put(here, mem.STATIC_INDEX, field(here, mem.INDEX))
    try:
        lib.cpSpaceReindexStatic(space._space)
    finally:
        put(here, mem.STATIC_INDEX, still)


@njit(cache=True)
def _listed(words, items, place):  # type: ignore[no-untyped-def]
    found = np.empty(len(place), np.uint64)
    for k in range(len(place)):
        found[k] = words[at(items, place[k])]
    return found


@njit(cache=True)
def _turn(words, bodies):  # type: ignore[no-untyped-def]
    """Have the transforms of bodies be those of their places and angles."""
    reals = words.view(np.float64)
    for k in range(len(bodies)):
        one = bodies[k]
        angle = reals[at(one, mem.ANGLE)]
        c, s = np.cos(angle), np.sin(angle)
        # of the centre of gravity
        x, y = reals[at(one, mem.PLACE - 2)], reals[at(one, mem.PLACE - 1)]
        values = (c, s, -s, c)
        for j in range(4):
            reals[at(one, mem.TURN + j)] = values[j]
        reals[at(one, mem.TURN + 4)] = reals[at(one, mem.PLACE)] - (x * c - y * s)
        reals[at(one, mem.TURN + 5)] = reals[at(one, mem.PLACE + 1)] - (x * s + y * c)
