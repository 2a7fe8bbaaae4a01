"""What a selected soldier reckons with is drawn where it is, and looking changes nothing."""

import numpy as np
import pygame

from sim import Goal, World
from sim.screen.scene import Scene
from sim.screen.theme import DARK


def scene() -> World:
    """One soldier before a disc, with a mate beside and somebody coming the other way."""
    world = World(discs=[(6, 3.0, 2.8)])
    goal = Goal.to([(20, 0), (20, 3)])
    world.add_group("a", [(0, 0), (2.5, -2.5)], model="soldiers", heading=0.0, goal=goal)
    world.add_group(
        "b", [(9, -0.3)], model="soldiers", heading=np.pi, goal=Goal.to((-20, 0)), color="red"
    )
    for _ in range(75):
        world.step()
    return world


def picture(world: World, row: int | None) -> np.ndarray:
    """The picture with a unit selected."""
    surface, shown = pygame.Surface((500, 400)), Scene()
    shown.selected = row
    shown.paint(surface, world)
    return pygame.surfarray.array3d(surface)


def test_rays_ranks_and_ghosts_are_drawn():
    """Rays that meet something, the place in the ranks and the ghosts each have their colour."""
    found = picture(scene(), 0).reshape(-1, 3)
    for color in (DARK.terms[2], DARK.terms[3], DARK.terms[4]):
        assert (np.abs(found.astype(int) - color).max(axis=1) < 12).any(), color


def test_looking_changes_nothing():
    """A run that is looked into is the same run, bit for bit."""
    worlds = scene(), scene()
    for _ in range(30):
        picture(worlds[0], 0)
        for world in worlds:
            world.step()
    assert np.array_equal(worlds[0].units.position, worlds[1].units.position)
    assert np.array_equal(worlds[0].units.angle, worlds[1].units.angle)


def test_units_of_other_models_have_no_such_thoughts():
    """A flock's picture needs none of it."""
    world = World()
    world.add_group("a", [(0, 0), (30, 9)], model="flock", heading=0.0)
    world.step()
    assert picture(world, 0).any()
