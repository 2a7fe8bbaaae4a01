"""Whether the engine keeps its state where `memory` and the files beside it read and write it.

No version number is asked: small spaces are built and stepped, and every offset is compared with
what the engine's own calls say, or with what the state must be (a pair that touches is in the set
of pairs, its points are in the ring of rooms, and so on). The system reads every word, so that a
pointer to nowhere is a word that is odd, and no end of the process.
"""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
import pymunk
from pymunk._chipmunk_cffi import ffi, lib

from sim.core.errors import BadInput
from sim.engine import memory as mem
from sim.engine.probes import (
    STEP,
    OddError,
    Said,
    cells,
    contacts,
    corners,
    follow,
    number,
    rooms,
    touching,
    tree,
    word,
)


@cache
def check_layout() -> None:
    """Raise `BadInput` for an engine that keeps its state in another way than this package knows.

    The answer is kept: only the first call of a process takes time, some milliseconds.
    """
    if sys.maxsize < 1 << 32 or sys.byteorder != "little":
        raise BadInput("saving a world needs a 64-bit machine that is little-endian")
    odd = first_odd()
    if odd:
        raise BadInput(
            f"saving a world: pymunk {pymunk.version} keeps its state in another way ({odd}); "
            "install the version that docs/installation.md lists"
        )


def first_odd() -> str:
    """What the engine keeps elsewhere than `memory` says: the first thing found; "" for nothing."""
    try:
        for check in (_types, _motion, contacts, rooms, tree, corners, cells):
            for name, found, wanted in check():
                if found != wanted:
                    return name
    except OddError as odd:
        return str(odd)
    return ""


def _types() -> Said:
    """The structs that pymunk describes itself."""
    yield "size of an arbiter", ffi.sizeof("struct cpArbiter"), 8 * mem.ARBITER
    yield "size of a contact", ffi.sizeof("struct cpContact"), 8 * mem.POINT
    yield "stamp of an arbiter", ffi.offsetof("struct cpArbiter", "stamp"), 8 * mem.STAMPED + 4
    fields = {
        "a": mem.SIDES, "b": mem.SIDES + 1, "body_a": mem.OWNERS, "body_b": mem.OWNERS + 1,
        "thread_a": mem.THREADS, "thread_b": mem.THREADS + 2, "count": mem.CONTACTS,
        "contacts": mem.POINTS, "n": mem.NORMAL, "handlerAB": mem.HANDLERS,
        "handlerB": mem.HANDLERS + 3, "state": mem.STATE,
    }  # fmt: skip
    for name, k in fields.items():
        yield f"{name} of an arbiter", ffi.offsetof("struct cpArbiter", name), 8 * k


def _motion() -> Said:
    """Bodies, their shapes, and the clock."""
    space, bodies, shapes = touching()
    here, one = mem.space_of(space), mem.address(bodies[0]._body)
    listed = follow(here, mem.BODIES, "bodies of a space")
    yield "number of bodies", word(listed, mem.NUM) & 0xFFFFFFFF, 2
    yield "list of bodies", word(follow(listed, mem.ITEMS, "list of bodies"), 0), one
    outlines = [mem.address(each._shape) for each in shapes]
    yield "shapes of a body", word(one, mem.SHAPE), outlines[1]
    yield "next shape of a body", word(outlines[1], mem.NUMBER - 2), outlines[0]
    yield "body of a shape", word(outlines[0], mem.OF_BODY), one
    numbers = [word(each, mem.NUMBER) for each in outlines]
    yield "numbers of shapes", numbers, [numbers[0] + k for k in range(3)]
    yield "next number", word(here, mem.COUNTER), lib.cpSpaceGetShapeIDCounter(space._space)
    yield "next number", word(here, mem.COUNTER), numbers[2] + 1
    yield "id of a body", word(one, mem.HANDLE), bodies[0].id
    yield "length of a step", number(here, mem.LAST_DT), STEP
    yield "steps taken", word(here, mem.STAMP) & 0xFFFFFFFF, 1
    body = bodies[0]
    moves = [number(one, mem.SPEED + k) for k in (0, 1)]
    pushes = [number(one, mem.PUSH + k) for k in range(3)]
    yield "velocity", moves, list(body.velocity)
    yield "spin", number(one, mem.SPIN), body.angular_velocity
    yield "centre of gravity", [number(one, mem.PLACE - 2 + k) for k in (0, 1)], [0.25, 0.5]
    yield "push on a body", any(pushes[:2]), True
    place = np.array([number(one, mem.PLACE + k) for k in (0, 1)])
    after = place + STEP * (np.array(moves) + pushes[:2])
    angle = number(one, mem.ANGLE) + STEP * (body.angular_velocity + pushes[2])
    yield "angle", number(one, mem.ANGLE), body.angle
    space.step(STEP)
    found = np.array([number(one, mem.PLACE + k) for k in (0, 1)])
    yield "push on a body", bool(np.allclose(found, after, atol=1e-12)), True
    yield "push on a body", bool(np.isclose(body.angle, angle, atol=1e-12)), True
    c, s = np.cos(body.angle), np.sin(body.angle)
    turn = [c, s, -s, c, *body.position]
    kept = [number(one, mem.TURN + k) for k in range(6)]
    yield "transform of a body", bool(np.allclose(kept, turn, atol=1e-9)), True
