"""The engine's state, given to another space: both go on alike, to the last bit."""

import numpy as np
import pymunk
import pytest

from sim.core.errors import BadInput
from sim.engine.checked import check_engine
from sim.engine.saved import Engine, fill, read_engine


def made(kind: str) -> tuple[pymunk.Body, pymunk.Shape]:
    """A body with one shape, not yet in a space."""
    body = pymunk.Body(1, 0.2)
    corners = [(-0.3, -0.2), (0.4, 0), (-0.3, 0.2)]
    shape = pymunk.Circle(body, 0.3) if kind == "disc" else pymunk.Poly(body, corners, radius=0.02)
    shape.friction = 0.2
    return body, shape


def lay(space: pymunk.Space) -> None:
    """Walls all round."""
    ends = [(-9, -9), (9, -9), (9, 9), (-9, 9), (-9, -9)]
    space.add(*(pymunk.Segment(space.static_body, *ends[k : k + 2], 0.1) for k in range(4)))


def push(space: pymunk.Space, bodies: list[pymunk.Body], step: int) -> None:
    """A step in which all press towards the middle, each in a way of its own."""
    for k, body in enumerate(bodies):
        x, y = body.position
        body.force = -2 * x + np.sin(step * 0.05 + k), -2 * y + np.cos(step * 0.03 + k)
        body.torque = 0.1 * np.sin(k + step)
    space.step(1 / 60)


def bits(bodies: list[pymunk.Body]) -> bytes:
    """Where all are and how they move."""
    rows = [(*b.position, *b.velocity, b.angle, b.angular_velocity) for b in bodies]
    return np.array(rows).tobytes()


def heap(kind: str, units: int, cells: bool) -> tuple[pymunk.Space, list[pymunk.Body]]:
    """A heap that has been pressed together for 90 steps; a few of it have left since."""
    space, rng, bodies = pymunk.Space(), np.random.default_rng(1), []
    space.collision_slop = 0.01
    lay(space)
    for _ in range(units):
        body, shape = made(kind)
        body.position = tuple(rng.uniform(-8, 8, 2).tolist())
        space.add(body, shape)
        bodies.append(body)
    if cells:
        space.use_spatial_hash(1.5, 4 * units)
    for step in range(90):
        if step == 60:
            for body in bodies[5:9]:
                space.remove(body, *body.shapes)
            del bodies[5:9]
        push(space, bodies, step)
    return space, bodies


def again(kind: str, state: Engine) -> tuple[pymunk.Space, list[pymunk.Body]]:
    """A new space in a state, and its bodies in the engine's order."""
    space = pymunk.Space()

    def make(_: int) -> tuple[pymunk.Body, tuple[pymunk.Shape]]:
        body, shape = made(kind)
        return body, (shape,)

    return space, fill(space, state, [lambda: lay(space)], make)


@pytest.mark.parametrize("cells", [False, True])
@pytest.mark.parametrize(("kind", "units"), [("disc", 60), ("wedge", 300)])
def test_goes_on_alike(kind: str, units: int, cells: bool):
    """Contacts, pushes and the order in which the engine takes them come with it."""
    space, bodies = heap(kind, units, cells)
    state, ids = read_engine(space, 1)
    assert len(state.contacts.ends) > units
    assert np.abs(state.motion[:, 6:]).max() > 0
    assert check_engine(state) == ""
    other, found = again(kind, state)
    place = {each: k for k, each in enumerate(ids.tolist())}
    twins = [found[place[body.id]] for body in bodies]
    for step in range(60):
        push(space, bodies, step)
        push(other, twins, step)
        assert bits(twins) == bits(bodies), step


def test_read_back():
    """What has just been put into a space is what is read off it."""
    state, _ = read_engine(heap("wedge", 60, cells=False)[0], 0)
    copy, _ = read_engine(again("wedge", state)[0], 0)
    for one, other in zip(flat(state), flat(copy), strict=True):
        assert np.array_equal(one, other)


def flat(value):
    """All arrays in a tuple of tuples."""
    for each in value:
        yield from flat(each) if isinstance(each, tuple) else [each]


def test_without_it_they_differ():
    """The same places and speeds alone are not enough: the heap goes another way."""
    space, bodies = heap("wedge", 60, cells=False)
    state, ids = read_engine(space, 0)
    state.motion[:, 6:] = 0
    other, found = again("wedge", state)
    place = {each: k for k, each in enumerate(ids.tolist())}
    twins = [found[place[body.id]] for body in bodies]
    for step in range(5):
        push(space, bodies, step)
        push(other, twins, step)
    assert bits(twins) != bits(bodies)


def test_what_is_not_saved():
    """Joints, sleepers and bodies of several shapes are refused, and so is another ground."""
    space, bodies = heap("disc", 20, cells=False)
    state, _ = read_engine(space, 0)
    with pytest.raises(BadInput, match="other solids"):
        fill(pymunk.Space(), state, [], lambda _: made("disc"))
    space.sleep_time_threshold = 1.0
    with pytest.raises(BadInput, match="sleep"):
        read_engine(space, 0)
    space.sleep_time_threshold = np.inf
    joint = pymunk.PinJoint(*bodies[:2])
    space.add(joint)
    with pytest.raises(BadInput, match="constraints"):
        read_engine(space, 0)
    space.remove(joint)
    space.add(pymunk.Circle(bodies[0], 0.1))
    with pytest.raises(BadInput, match="no shapes, or has got more"):
        read_engine(space, 0)
