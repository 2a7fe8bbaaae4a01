"""The look inside a walker: where courses cross, whose turn it is, and that it is painted."""

import numpy as np
import pygame
import pytest

from sim import Goal, World
from sim.screen.scene import Scene
from sim.screen.thoughts import crossings, desired

MIRRORING = {"give_way": False, "crossing_paths": True}


def meeting(steps=60, **options) -> World:
    """Two walkers some time before a dead heat; the second comes from the first one's port."""
    world = World()
    world.add_group(
        "a", [(-6, 0), (0, -6)], model="walkers", goal=Goal.to([(6, 0), (0, 6)]), **options
    )  # fmt: skip
    for _ in range(steps):
        world.step()
    return world


@pytest.mark.parametrize(("steps", "behaviours"), [(60, {}), (105, MIRRORING)])
def test_both_see_one_crossing(steps, behaviours):
    """At one point, with one of them first, as the rule that steers decides it."""
    world = meeting(steps, behaviours=behaviours)
    (mine,), (other,) = crossings(world, 0), crossings(world, 1)
    assert mine.other == 1
    assert other.other == 0
    np.testing.assert_allclose(mine.point, (0, 0), atol=0.5)
    assert [mine.first, other.first] == [True, False]


def test_what_is_drawn_steers():
    """The arrows of one that mirrors add up to its term; `give_way` has none (D7)."""
    world = meeting(105, behaviours=MIRRORING)
    world.add_group("b", [(2, -3), (1, 3)], model="walkers", goal=Goal.to([(-2, -3), (1, -9)]))
    for _ in range(30):
        world.step()
    world.steer()
    group = world.groups[0]
    term = group.terms["crossing_paths"][1]
    drawn = sum(crossing.push for crossing in crossings(world, 1))
    c, s = world.units.heading[1]
    assert np.hypot(*term) > 0.1
    np.testing.assert_allclose((c * drawn[0] + s * drawn[1], c * drawn[1] - s * drawn[0]), term)
    (other,) = crossings(meeting(), 1)
    assert not other.push.any()


def test_desired_course():
    """Toward the goal; for a unit without one, where it heads."""
    world = meeting()
    assert desired(world, 0) == pytest.approx((1, 0), abs=0.05)
    world.add_group("b", [(50, 50)], model="walkers", heading=1.0)
    assert desired(world, 2) == pytest.approx((np.cos(1), np.sin(1)))


def test_it_is_painted():
    """A selected walker's picture has more on it than one whose rules know of no crossings."""
    pictures = []
    for knows in (True, False):
        world, scene = meeting(), Scene()
        scene.selected = 1
        if not knows:
            world.groups[0].switch("crossing", on=False)
        surface = pygame.Surface((400, 400))
        scene.paint(surface, world)
        pictures.append(pygame.surfarray.array3d(surface))
    assert (pictures[0] != pictures[1]).any(axis=2).sum() > 100
