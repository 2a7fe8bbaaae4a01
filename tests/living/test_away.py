"""Units whose bodies a user takes out of a space, and puts back."""

import numpy as np
import pymunk

from sim import Formation, Goal, World
from sim.study.goal_notes import GoalNotes, read_sent
from sim.study.report import Report


def test_a_body_that_is_taken_out_of_the_space_is_away():
    """Its unit keeps its id and orders, is seen by no other, and goes on when it is back."""
    space = pymunk.Space()
    world = World(seed=1, space=space)
    group = world.add_group("a", [(0, 0), (0, 9), (0, 18)], model="crowd", goal=Goal.to((30, 9)))
    world.step()
    body = min(space.bodies, key=lambda each: each.position.y)
    shapes, stood = list(body.shapes), tuple(body.position)
    space.remove(body, *shapes)
    for _ in range(5):
        world.step()
    assert world.units.present.tolist() == [False, True, True]
    assert np.isnan(group.position[0]).all()
    assert group.ids.tolist() == [0, 1, 2]
    space.add(body, *shapes)
    world.step()
    assert world.units.present.all()
    assert np.allclose(group.position[0], stood, atol=0.1)  # a step at 1.3 m/s is 0.02
    for _ in range(100):
        world.step()
    assert group.position[0, 0] > stood[0] + 1  # of 2.2 at full speed
    space.remove(body, *shapes)
    world.remove([0])
    assert group.ids.tolist() == [1, 2]


def test_the_figures_know_where_a_unit_was_sent_while_it_was_away():
    """It was measured by the goal that it had before; so was a recording of it."""
    space = pymunk.Space()
    world = World(seed=1, space=space)
    group = world.add_group("a", [(0, 0)], goal=Goal.to((90, 0)))
    report, notes = Report(world, "t"), GoalNotes()
    (body,) = (each for each in space.bodies if each is not space.static_body)
    shapes = list(body.shapes)
    for step in range(1, 240):
        if step == 3:
            space.remove(body, *shapes)
        if step == 5:
            group.go_to((2, 0))
        if step == 8:
            space.add(body, *shapes)
        world.step()
        report.observe(world)
        notes.observe(step, world)
    assert report.result(1.0)["arrived"] == 1
    *_, (frame, sent) = read_sent(notes.described, 240, 1).items()
    assert (frame, sent.ids.tolist(), sent.goals.points.tolist()) == (8, [0], [[2, 0]])


def body_of_the_first(world):
    """The body of the unit that stands furthest up on screen, and its shapes."""
    bodies = [each for each in world.space.bodies if each.body_type == pymunk.Body.DYNAMIC]
    body = min(bodies, key=lambda each: each.position.y)
    return body, list(body.shapes)


def test_those_that_are_there_hold_their_places():
    """It was refused, as one that is away has none; and where all had left."""
    world = World(seed=1)
    squad = world.select(world.add_group("a", [(0, 0), (0, 9)], goal=Goal.to((30, 9))))
    body, shapes = body_of_the_first(world)
    world.space.remove(body, *shapes)
    for _ in range(60):
        world.step()
    squad.hold()
    stood = squad.position[1]
    world.space.add(body, *shapes)
    for _ in range(120):
        world.step()
    assert np.allclose(squad.position[1], stood, atol=0.5)
    assert squad.position[0, 0] > 1  # of 2.6 at full speed: it keeps its orders
    world.remove(squad.ids)
    squad.hold()


def test_one_that_was_away_comes_into_the_formation():
    """It had no place and no orders, and all others waited for it at the first stop."""
    world = World(seed=1)
    squad = world.select(world.add_group("a", [(0, 0), (0, 3), (0, 6)]))
    body, shapes = body_of_the_first(world)
    world.space.remove(body, *shapes)
    world.step()
    squad.patrol([(3, 0), (12, 0)], formation=Formation("line"))
    for _ in range(120):
        world.step()
    world.space.add(body, *shapes)
    reached = np.zeros(3)
    for _ in range(1800):
        world.step()
        reached = np.maximum(reached, squad.position[:, 0])
    assert (reached > 11).all()
