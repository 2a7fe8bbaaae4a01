"""The engine's batch interface, looked for by feature: pymunk calls it experimental.

Only `bridge` and `contacts` use it, through this file.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pymunk

from sim.core.errors import BadInput

try:
    from pymunk.batch import ArbiterFields as ArbiterFields
    from pymunk.batch import BodyFields as BodyFields
    from pymunk.batch import Buffer as Buffer
    from pymunk.batch import get_space_arbiters as get_space_arbiters
    from pymunk.batch import get_space_bodies as get_space_bodies
    from pymunk.batch import set_space_bodies as set_space_bodies
except ImportError as missing:
    raise ImportError(
        f"groupmove needs the batch interface of pymunk (pymunk.batch, {missing.name}), which "
        f"pymunk {pymunk.version} does not have: python -m pip install 'pymunk>=7.3.1,<8'"
    ) from missing

STATE = BodyFields.POSITION | BodyFields.ANGLE | BodyFields.VELOCITY | BodyFields.ANGULAR_VELOCITY


@cache
def check_batch() -> None:
    """Raise `BadInput` for an engine whose batch calls do not give what its own attributes say.

    Asked once a process, of two bodies that touch.
    """
    if not _works():
        raise BadInput(
            f"pymunk {pymunk.version}: its batch interface works in another way than this package "
            "knows; install the version that docs/installation.md lists"
        )


def _works() -> bool:
    space, bodies = pymunk.Space(), [pymunk.Body(2.0, 3.0), pymunk.Body(2.0, 3.0)]
    for k, body in enumerate(bodies):
        body.position, body.velocity = (3 + k, 4), (5 + k, 6)
        body.angle, body.angular_velocity = 7 + k, 8 + k
        space.add(body, pymunk.Circle(body, 1.0))
    inbox = Buffer()
    get_space_bodies(space, BodyFields.BODY_ID | STATE, inbox)
    ids = np.frombuffer(inbox.int_buf(), dtype=np.uint64)
    read = np.frombuffer(inbox.float_buf())
    if sorted(ids.tolist()) != sorted(body.id for body in bodies) or len(read) != 12:
        return False
    known = {body.id: body for body in bodies}
    for number, row in zip(ids.tolist(), read.reshape(-1, 6).tolist(), strict=True):
        one = known[number]
        if row != [*one.position, one.angle, *one.velocity, one.angular_velocity]:
            return False
    outbox = Buffer()
    outbox.set_float_buf(np.arange(6.0))
    set_space_bodies(space, BodyFields.FORCE | BodyFields.TORQUE, outbox)
    for k, number in enumerate(ids.tolist()):
        if [*known[number].force, known[number].torque] != [3 * k, 3 * k + 1, 3 * k + 2]:
            return False
    space.step(0.01)
    return _contact(space, set(known))


def _contact(space: pymunk.Space, bodies: set[int]) -> bool:
    """Whether the one contact of a space is read: both bodies, one point and a unit normal."""
    inbox = Buffer()
    fields = ArbiterFields.BODY_A_ID | ArbiterFields.BODY_B_ID | ArbiterFields.CONTACT_COUNT
    get_space_arbiters(space, fields | ArbiterFields.NORMAL, inbox)
    *found, count = np.frombuffer(inbox.int_buf(), dtype=np.uint64).tolist()
    normal = np.frombuffer(inbox.float_buf())
    return set(found) == bodies and count == 1 and bool(np.isclose(np.hypot(*normal), 1.0))
