"""Bodies of a user's own that a world sees: what is done to them in the user's own space."""

from math import inf, nan

import pymunk
import pytest

from sim import BadInput, World


def seen(kind: int) -> tuple[World, pymunk.Body]:
    """A world with a unit, and a disc of the user's own that it sees."""
    space = pymunk.Space()
    world = World(space=space, bounds=(0, 0, 40, 20), edges="wall")
    world.add_group("a", [(3.0, 16.0)])
    body = pymunk.Body(5, 5, body_type=kind)
    body.position = (20, 10)
    space.add(body, pymunk.Circle(body, 2))
    world.see(body)
    world.step()
    return world, body


KINDS = [pymunk.Body.STATIC, pymunk.Body.KINEMATIC, pymunk.Body.DYNAMIC]
ODD = {
    "position": (nan, 0), "angle": inf, "velocity": (1e200, 0), "angular_velocity": nan,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ODD)
def test_a_body_whose_place_is_none_is_refused_by_number(kind: int, name: str):
    """It was an OverflowError, or a refusal of "discs[0]", which the user had never given."""
    world, body = seen(kind)
    setattr(body, name, ODD[name])
    with pytest.raises(BadInput, match="body 1 that is seen: its position, angle, velocity"):
        world.step()


@pytest.mark.parametrize("kind", KINDS)
def test_a_body_that_was_taken_out_is_seen_no_more(kind: int):
    """It was seen, and planned round, where it had last been; put back, it is there again."""
    world, body = seen(kind)
    (ray,) = world.feelers.cast([(10, 10)], [(30, 10)]).share
    assert ray < 1
    world.space.remove(body, *body.shapes)
    for _ in range(20):  # more than planning anew takes
        world.step()
    assert world.feelers.cast([(10, 10)], [(30, 10)]).share[0] == inf
    assert world.path((10, 10), (30, 10), 0.5).length == pytest.approx(20)
    assert not world.pieces[0].closed
    world.space.add(body, *body.shapes)
    world.step()
    assert world.feelers.cast([(10, 10)], [(30, 10)]).share[0] < 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", ["taken out", "sensor", "mask", "categories"])
def test_a_shape_that_no_unit_can_meet_is_not_seen(kind: int, how: str):
    """It was gone round as long as its body was in the space; the body's other shape still is."""
    world, body = seen(kind)
    (shape,) = body.shapes
    world.space.add(pymunk.Circle(body, 1, (0, 6)))
    if how == "taken out":
        world.space.remove(shape)
    elif how == "sensor":
        shape.sensor = True
    else:
        shape.filter = pymunk.ShapeFilter(**{how: 0})
    for _ in range(20):  # more than planning anew takes
        world.step()
    share = world.feelers.cast([(10, 10), (10, 16)], [(30, 10), (30, 16)]).share
    assert share[0] == inf
    assert share[1] < 1
    assert world.path((10, 10), (30, 10), 0.5).length == pytest.approx(20)
    (piece,) = world.pieces
    assert piece.closed
    assert len(piece.solids.discs) == 1
