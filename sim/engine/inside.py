"""Bodies put into a space, moved and taken out of it, in less Python than pymunk's own calls take.

What `space.add` and `space.remove` look at besides is known here. The rest goes into pymunk's own
tables. Their names are not promised, so they are looked for by feature: where they are others, its
own calls serve.
"""

from __future__ import annotations

import weakref
from collections.abc import Collection, Mapping, Sequence, Set
from functools import cache
from typing import Any

import pymunk
from pymunk._chipmunk_cffi import lib

try:
    from pymunk._util import _dead_ref
except ImportError:
    _dead_ref = None  # type: ignore[assignment]

Pair = tuple[pymunk.Body, pymunk.Shape]
UNCHECKED = "_bodies_to_check"
"""Where pymunk keeps bodies whose mass it is to look at: those of hulls have one."""
_set = object.__setattr__
"""Sets what pymunk goes a longer way to."""


def add(space: pymunk.Space, made: Sequence[Pair]) -> None:
    """Add bodies, each with its one shape, that have mass and are in no space.

    Amid a step that a user takes, pymunk adds them at its end.
    """
    if not quick() or space._locked:
        space.add(*(each for pair in made for each in pair))
    else:
        _put(space, made)


def remove(space: pymunk.Space, bodies: Collection[pymunk.Body]) -> None:
    """Take bodies and their shapes out of the space, if a user has not done so already."""
    here = [body for body in bodies if body.space is space]
    shapes = [shape for body in bodies for shape in body.shapes if shape.space is space]
    if not quick() or space._locked:
        space.remove(*shapes, *here)
    else:
        _take(space, here, shapes)


def move(body: Any, at: tuple[float, float], going: Sequence[float] = ()) -> None:
    """Put a body there; where `going` is given, with that angle, velocity (2) and spin."""
    if quick():
        _move(body, at, going)
        return
    body.position = at
    if going:
        body.angle, *velocity, body.angular_velocity = going
        body.velocity = tuple(velocity)


@cache
def quick() -> bool:
    """Whether pymunk's tables are known: asked once a process.

    Of two bodies one comes and goes by pymunk's own calls, and one by those here. Both have to
    leave the same behind, in whatever the space holds.
    """
    try:
        return _alike()
    except (AttributeError, KeyError, TypeError):
        return False


def _alike() -> bool:
    space, amid = pymunk.Space(), list[bool]()
    theirs, ours = _small(), _small()
    theirs[0].velocity_func = lambda body, *_: amid.append(getattr(body.space, "_locked", False))
    space.add(*theirs)
    _put(space, [ours])
    came = _traces(space, *theirs) == _traces(space, *ours)
    space.step(0.01)
    space.remove(*theirs)
    _take(space, [ours[0]], [ours[1]])
    went = _traces(space, *theirs) == _traces(space, *ours)
    body, going = ours[0], (3.0, 4.0, 5.0, 6.0)
    _move(body, (1.0, 2.0), going)
    found = *body.position, body.angle, *body.velocity, body.angular_velocity
    return came and went and found == (1.0, 2.0, *going) and amid == [True] and not space._locked


def _small() -> Pair:
    body = pymunk.Body(1.0, 1.0)
    return body, pymunk.Circle(body, 1.0)


def _traces(space: pymunk.Space, *held: pymunk.Body | pymunk.Shape) -> list[Any]:
    """What tells that a body and its shape are in a space: the tables, and what they say."""
    tables = {name: each for name, each in vars(space).items() if isinstance(each, Mapping | Set)}
    tables.pop(UNCHECKED)
    inside = [(each.space, each in space.bodies, each in space.shapes) for each in held]
    return inside + [name for name, each in tables.items() if any(one in each for one in held)]


def _put(space: pymunk.Space, made: Sequence[Pair]) -> None:
    """As `space.add`."""
    here, there, bodies, shapes = space._space, weakref.ref(space), space._bodies, space._shapes
    for body, _ in made:
        _set(body, "_space", there)
        bodies[body] = None
        lib.cpSpaceAddBody(here, body._body)
    for _, shape in made:
        _set(shape, "_space", there)
        shapes[shape] = None
        lib.cpSpaceAddShape(here, shape._shape)


def _move(body: Any, at: tuple[float, float], going: Sequence[float]) -> None:
    """As the body's own attributes do."""
    held = body._body
    lib.cpBodySetPosition(held, at)
    if going:
        angle, vx, vy, spin = going
        lib.cpBodySetAngle(held, angle)
        lib.cpBodySetVelocity(held, (vx, vy))
        lib.cpBodySetAngularVelocity(held, spin)


def _take(space: pymunk.Space, here: list[pymunk.Body], shapes: list[pymunk.Shape]) -> None:
    """As `space.remove`."""
    there, all_shapes, all_bodies = space._space, space._shapes, space._bodies
    space._removed_shapes.update(dict.fromkeys(shapes))
    getattr(space, UNCHECKED).difference_update(here)
    for shape in shapes:
        _set(shape, "_space", _dead_ref)
        lib.cpSpaceRemoveShape(there, shape._shape)
        del all_shapes[shape]
    for body in here:
        _set(body, "_space", _dead_ref)
        lib.cpSpaceRemoveBody(there, body._body)
        del all_bodies[body]
