"""Whether a state that comes from elsewhere is one that the engine can be given."""

from __future__ import annotations

import numpy as np
import pymunk

from sim.core.arrays import Ints
from sim.core.limits import within_reach
from sim.core.relay import spread
from sim.engine.cells import PER_UNIT
from sim.engine.saved import Engine, read_engine
from sim.engine.touching import check_contacts
from sim.engine.trees import check_tree

OF_SETTINGS = 9
"""Numbers that the settings of a space take, of which gravity takes two."""
MOST_SHAPES = 9
"""Of a body: a part of the ground on a torus has its images."""
MOST_TIMES = 1 << 8
"""Of what the engine goes through over and over in a step."""
MOST_CELLS, MOST_LAID, GROWN = 1 << 24, 1 << 20, 3
"""Of cells, and how often they were laid; the engine takes fewer times as many as it is told."""
GROUND = -1
"""The body of all that stands still."""
SIZES = (
    5, 13, 23, 47, 97, 193, 389, 769, 1543, 3079, 6151, 12289, 24593, 49157, 98317, 196613, 393241,
    786433, 1572869,
)  # fmt: skip
"""Of the engine's table of shapes: it takes the next one as soon as it has as many shapes."""


def nothing() -> Engine:
    """The state of a space with nothing in it: of what kinds all parts are."""
    return read_engine(pymunk.Space(), 0)[0]


def check_engine(state: Engine) -> str:
    """What is wrong with a state, "" if nothing: all that is handed to the engine is as it has it.

    Its arrays have the types and shapes that they should have.
    """
    if len(state.clock) != 3:
        return "its clock"
    b, counter = len(state.number), state.clock[2]
    if len(state.shapes) != b or ((state.shapes < 1) | (state.shapes > MOST_SHAPES)).any():
        return "the shapes of its bodies"
    mine: Ints = spread(state.number, state.shapes)  # the numbers of all shapes, body by body
    numbers = np.concatenate([mine, state.still])
    if not (0 <= state.clock[0] < 1 << 32 and state.clock[1] >= 0 and 0 <= counter < 1 << 48):
        return "its clock"
    if len(np.unique(numbers)) != len(numbers) or (numbers < 0).any() or (numbers >= counter).any():
        return "the numbers of its shapes"
    if len(state.motion) != b or not within_reach(state.motion):
        return "the motion of its bodies"
    iterations, *others, slop, bias, persistence = state.settings.tolist() or [0.0] * 4
    if len(state.settings) != OF_SETTINGS or not (
        1 <= iterations <= MOST_TIMES and 0 <= persistence <= MOST_TIMES
        and state.settings[5] == np.inf and within_reach([*others[:4], slop, bias])
        and min(others[2], slop, bias) >= 0  # the engine ends the process for less
    ):  # fmt: skip
        return "the settings of its space"
    if len(state.cells) and not (
        len(state.cells) == 3 and 0 < state.cells[0] < np.inf and (state.cells[1:] >= 1).all()
        and state.cells[1] <= min(GROWN * PER_UNIT * counter, MOST_CELLS)
        and state.cells[2] <= MOST_LAID
    ):  # fmt: skip
        return "its cells"
    if len(state.room) != 1 or not _can_be(int(state.room[0]), len(mine), counter):
        return "the room of its shapes"
    if not np.array_equal(np.sort(state.order), np.sort(mine)):
        return "the order of its shapes"
    if len(state.tree.form) and not check_tree(state.tree, mine, state.still):
        return "its tree of boxes"
    bodies = np.append(np.repeat(np.arange(b), state.shapes), np.full(len(state.still), GROUND))
    return "" if check_contacts(state.contacts, numbers, bodies) else "its contacts"


def _can_be(room: int, shapes: int, counter: float) -> bool:
    """Whether a table of shapes may have that room: the one before was full once."""
    if room not in SIZES or shapes >= room:
        return False
    return room == SIZES[0] or SIZES[SIZES.index(room) - 1] <= counter
