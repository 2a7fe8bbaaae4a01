"""The engine's whole state: what a space has to be given to go on bit for bit, in another process.

What is saved is every body's motion with the pushes still to come, the contacts with the impulses
of the last step, the numbers of all shapes and the order in which the engine goes through them, and
the form of the tree that finds which bodies are near each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pymunk
from numpy.typing import NDArray
from pymunk._chipmunk_cffi import lib

from sim.core import collecting
from sim.core.arrays import Floats, Ints
from sim.core.errors import BadInput
from sim.core.shared_cache import njit
from sim.engine import memory as mem
from sim.engine.layout import check_layout
from sim.engine.memory import address, at, field, is_tree, real, space_of, words
from sim.engine.order import enlarge, lay_cells, read_order, write_order
from sim.engine.touching import Touching, read_contacts, write_contacts
from sim.engine.trees import Tree, read_tree, write_tree

SETTINGS = (
    "iterations", "gravity", "damping", "idle_speed_threshold", "sleep_time_threshold",
    "collision_slop", "collision_bias", "collision_persistence",
)  # fmt: skip
"""Of a space, as pymunk names them."""
MOTION = (
    mem.PLACE, mem.PLACE + 1, mem.SPEED, mem.SPEED + 1, mem.ANGLE, mem.SPIN,
    mem.PUSH, mem.PUSH + 1, mem.PUSH + 2,
)  # fmt: skip
"""Where a body has its place (2), velocity (2), angle, spin, and the push (2) and turn that the
next step adds."""
Made = tuple[pymunk.Body, Sequence[pymunk.Shape]]


class Engine(NamedTuple):
    """The state of a space with b moving bodies, whose shapes have consecutive numbers."""

    clock: Floats
    """(3,) steps taken, the length of the last (s), and the number of the next shape."""
    settings: Floats
    """(9,) as `SETTINGS`, of which gravity takes two."""
    motion: Floats
    """(b, 9) of each body, in the engine's order."""
    number: Ints
    """(b,) the least of its shapes."""
    shapes: Ints
    """(b,) how many it has, 1 or more."""
    still: Ints
    """(s,) numbers of the shapes that stand still, ascending."""
    order: Ints
    """(m,) numbers in the order in which the engine goes through the shapes of bodies."""
    room: Ints
    """(1,) how large its table of them is."""
    cells: Floats
    """(3,) width and number of the cells that they are sorted by, if they are, and how often they
    have been put into new ones."""
    tree: Tree
    contacts: Touching


def read_engine(space: pymunk.Space, sorted_: int) -> tuple[Engine, NDArray[np.uint64]]:
    """The state of a space, and the ids (b,) of its bodies. Raises `BadInput` if it cannot be had.

    It has been told this many times to sort by cells. Shapes that stand still are taken for shapes
    that the ground has laid.
    """
    check_layout()
    if space.constraints:
        raise BadInput("saving a world: its space has constraints, which are not saved")
    if space.sleep_time_threshold < np.inf:
        raise BadInput("saving a world: its space lets bodies sleep, which is not saved")
    here = space_of(space)
    bodies = field(here, mem.BODIES)
    b = field(bodies, 0) & 0xFFFFFFFF
    motion, ids = np.empty((b, len(MOTION))), np.empty(b, np.uint64)
    number, shapes = np.empty((2, b), np.int64)
    if not read_bodies(words(), np.uint64(field(bodies, mem.ITEMS)), motion, number, shapes, ids):
        raise BadInput("saving a world: a body of its space has no shapes, or has got more since")
    clock = [field(here, mem.STAMP) & 0xFFFFFFFF, real(here, mem.LAST_DT), field(here, mem.COUNTER)]
    order, size = read_order(space)
    index = field(here, mem.INDEX)
    cells: list[float] = []
    if not is_tree(space):
        cells = [real(index, mem.SIDE), field(index, mem.CELLS) & 0xFFFFFFFF, sorted_]
    state = Engine(
        np.array(clock, float), settings_of(space), motion, number, shapes, still_numbers(space),
        order, np.array([size]), np.array(cells, float), read_tree(space), read_contacts(space),
    )  # fmt: skip
    return state, ids


def settings_of(space: pymunk.Space) -> Floats:
    """(9,) the settings of a space, as `Engine` has them."""
    return np.hstack([np.array(getattr(space, name), float) for name in SETTINGS])


def still_numbers(space: pymunk.Space) -> Ints:
    """(s,) the numbers of the shapes that stand still, ascending."""
    numbers = [field(address(s._shape), mem.NUMBER) for s in space.static_body.shapes]
    return np.sort(np.array(numbers, np.int64))


def fill(
    space: pymunk.Space,
    state: Engine,
    lay: Sequence[Callable[[], object]],
    make: Callable[[int], Made],
) -> list[pymunk.Body]:
    """Put everything into a new space, and into the state that it was in; its bodies, in order.

    `lay` adds shapes that stand still, part by part, `make` the k-th body and its shapes, not yet
    in the space. Raises `BadInput` where what is laid is not what the state has.
    """
    check_layout()
    settings = iter(state.settings.tolist())
    for name in SETTINGS:
        value = next(settings)
        if name == "gravity":
            space.gravity = value, next(settings)
        else:
            whole = name in ("iterations", "collision_persistence")
            setattr(space, name, int(value) if whole else value)
    space.step(1e-9)  # the engine's buffers are there from its first step on
    _lay(space, state.still, lay)
    with collecting.paused():
        made = [make(k) for k in range(len(state.number))]
    for k in np.argsort(state.number).tolist():
        body, shapes = made[k]
        x, y, vx, vy, angle, spin = state.motion[k, :6].tolist()
        body.position, body.angle = (x, y), angle
        body.velocity, body.angular_velocity = (vx, vy), spin
        lib.cpSpaceSetShapeIDCounter(space._space, int(state.number[k]))
        space.add(body, *shapes)
    if len(state.cells):
        side, count, times = state.cells.tolist()
        lay_cells(space, side, int(count), int(times))
    enlarge(space, int(state.room[0]))
    if not write_order(space, state.order, int(state.room[0])) or (
        is_tree(space) != bool(len(state.tree.form)) and len(made)
    ):
        raise BadInput("the state's bodies are sorted in another way than those of this version")
    write_tree(space, state.tree)
    bodies = np.array([address(body._body) for body, _ in made], np.uint64)
    listed = np.uint64(field(field(space_of(space), mem.BODIES), mem.ITEMS))
    push_bodies(words(), listed, bodies, state.motion)
    every = [*space.static_body.shapes, *(shape for _, shapes in made for shape in shapes)]
    known = {field(address(s._shape), mem.NUMBER): s for s in every}
    lib.cpSpaceSetTimestamp(space._space, int(state.clock[0]))
    write_contacts(space, state.contacts, known)
    lib.cpSpaceSetCurrentTimeStep(space._space, float(state.clock[1]))
    lib.cpSpaceSetShapeIDCounter(space._space, int(state.clock[2]))
    return [body for body, _ in made]


def _lay(space: pymunk.Space, still: Ints, parts: Sequence[Callable[[], object]]) -> None:
    """Have the ground laid with the numbers that it had."""
    laid = 0
    for part in parts:
        if laid < len(still):
            lib.cpSpaceSetShapeIDCounter(space._space, int(still[laid]))
        part()
        laid = len(space.static_body.shapes)
    if not np.array_equal(still_numbers(space), still):
        raise BadInput("the state has other solids than this world")


@njit(cache=True)
def read_bodies(words, bodies, motion, number, shapes, ids):  # type: ignore[no-untyped-def]
    """Read off all bodies; whether the numbers of each one's shapes are consecutive."""
    reals, none = words.view(np.float64), np.uint64(0)
    for k in range(len(number)):
        body = words[at(bodies, k)]
        for j in range(len(MOTION)):
            motion[k, j] = reals[at(body, MOTION[j])]
        ids[k] = words[at(body, mem.HANDLE)]
        shape = words[at(body, mem.SHAPE)]
        if shape == none:
            return False
        least = most = np.int64(words[at(shape, mem.NUMBER)])
        shapes[k] = 0
        while shape != none:
            least = min(least, np.int64(words[at(shape, mem.NUMBER)]))
            most = max(most, np.int64(words[at(shape, mem.NUMBER)]))
            shapes[k] += 1
            shape = words[at(shape, mem.NUMBER - 2)]
        number[k] = least
        if most - least + 1 != shapes[k]:
            return False
    return True


@njit(cache=True)
def push_bodies(words, listed, bodies, motion):  # type: ignore[no-untyped-def]
    """List the bodies in this order, with their motion and what pushes them, to the last bit."""
    reals = words.view(np.float64)
    for k in range(len(bodies)):
        words[at(listed, k)] = bodies[k]
        for j in range(len(MOTION)):
            reals[at(bodies[k], MOTION[j])] = motion[k, j]
