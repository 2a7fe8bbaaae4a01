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
from sim.engine import memory as m
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
    yield "size of an arbiter", ffi.sizeof("struct cpArbiter"), 8 * m.ARBITER
    yield "size of a contact", ffi.sizeof("struct cpContact"), 8 * m.POINT
    yield "stamp of an arbiter", ffi.offsetof("struct cpArbiter", "stamp"), 8 * m.STAMPED + 4
    fields = {
        "a": m.SIDES, "b": m.SIDES + 1, "body_a": m.OWNERS, "body_b": m.OWNERS + 1,
        "thread_a": m.THREADS, "thread_b": m.THREADS + 2, "count": m.CONTACTS, "contacts": m.POINTS,
        "n": m.NORMAL, "handlerAB": m.HANDLERS, "handlerB": m.HANDLERS + 3, "state": m.STATE,
    }  # fmt: skip
    for name, k in fields.items():
        yield f"{name} of an arbiter", ffi.offsetof("struct cpArbiter", name), 8 * k


def _motion() -> Said:
    """Bodies, their shapes, and the clock."""
    space, bodies, shapes = touching()
    here, one = m.space_of(space), m.address(bodies[0]._body)
    listed = follow(here, m.BODIES, "bodies of a space")
    yield "number of bodies", word(listed, m.NUM) & 0xFFFFFFFF, 2
    yield "list of bodies", word(follow(listed, m.ITEMS, "list of bodies"), 0), one
    outlines = [m.address(each._shape) for each in shapes]
    yield "shapes of a body", word(one, m.SHAPE), outlines[1]
    yield "next shape of a body", word(outlines[1], m.NUMBER - 2), outlines[0]
    yield "body of a shape", word(outlines[0], m.OF_BODY), one
    numbers = [word(each, m.NUMBER) for each in outlines]
    yield "numbers of shapes", numbers, [numbers[0] + k for k in range(3)]
    yield "next number", word(here, m.COUNTER), lib.cpSpaceGetShapeIDCounter(space._space)
    yield "next number", word(here, m.COUNTER), numbers[2] + 1
    yield "id of a body", word(one, m.HANDLE), bodies[0].id
    yield "length of a step", number(here, m.LAST_DT), STEP
    yield "steps taken", word(here, m.STAMP) & 0xFFFFFFFF, 1
    body = bodies[0]
    moves = [number(one, m.SPEED + k) for k in (0, 1)]
    pushes = [number(one, m.PUSH + k) for k in range(3)]
    yield "velocity", moves, list(body.velocity)
    yield "spin", number(one, m.SPIN), body.angular_velocity
    yield "centre of gravity", [number(one, m.PLACE - 2 + k) for k in (0, 1)], [0.25, 0.5]
    yield "push on a body", any(pushes[:2]), True
    place = np.array([number(one, m.PLACE + k) for k in (0, 1)])
    after = place + STEP * (np.array(moves) + pushes[:2])
    angle = number(one, m.ANGLE) + STEP * (body.angular_velocity + pushes[2])
    yield "angle", number(one, m.ANGLE), body.angle
    space.step(STEP)
    found = np.array([number(one, m.PLACE + k) for k in (0, 1)])
    yield "push on a body", bool(np.allclose(found, after, atol=1e-12)), True
    yield "push on a body", bool(np.isclose(body.angle, angle, atol=1e-12)), True
    c, s = np.cos(body.angle), np.sin(body.angle)
    turn = [c, s, -s, c, *body.position]
    kept = [number(one, m.TURN + k) for k in range(6)]
    yield "transform of a body", bool(np.allclose(kept, turn, atol=1e-9)), True
