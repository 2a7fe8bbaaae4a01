import numpy as np
import pygame
import pytest

from sim import Goal, Hull, World
from sim.screen.painter import magnified
from sim.screen.scene import Scene
from sim.screen.sprites import Sheet
from sim.screen.theme import DARK

from .worlds import DISC, GROUND, SIZE, WEDGE, calls_of, chase, color_at, leave, painted, plane

AHEAD = 0.2 * WEDGE.length
"""A place on a wedge that its mark leaves free."""


def _wedge_color(world, row):
    spot = world.units.position[row] + world.units.heading[row] * AHEAD
    return color_at(painted(world), world, spot)


def lead(group, which):
    """Say which units of a group lead."""
    group.ask_who_leads(lambda: np.array(which))


def test_roles_have_their_colors():
    """Player green, chasers red if they lead and blue if not, interceptors magenta."""
    world = chase()
    lead(world.group("flock"), [True, False])
    lead(world.group("hunters"), [True] * len(world.group("hunters")))
    wanted = [DARK.player, DARK.leader, DARK.color("blue"), DARK.interceptor]
    assert [_wedge_color(world, row) for row in range(4)] == wanted


def test_leaders_of_a_flock_are_red_without_a_quarry():
    """A flock that only flocks shows its leaders; without flocking nobody leads."""
    world = plane()
    flock = world.add_group("flock", [[30, 30]], model="flock", hull=WEDGE, heading=0.0)
    lead(flock, [True] * len(flock))
    assert _wedge_color(world, 0) == DARK.leader
    flock.switch("flocking", False)
    assert _wedge_color(world, 0) == DARK.color("blue")


def test_a_unit_that_chases_without_flocking_leads():
    """With flocking off every chaser is a leader; with the chase off as well none is."""
    world = chase()
    world.step()
    flock = world.group("flock")
    flock.switch("flocking", False)
    lead(flock, [True] * len(flock))
    assert _wedge_color(world, 2) == DARK.leader
    flock.switch("pursuit", False)
    assert _wedge_color(world, 2) == DARK.color("blue")


def test_other_groups_have_their_own_color():
    """A group is drawn in the colour it was given."""
    world = plane()
    world.add_group(
        "one", [[30, 30]], model="flock", hull=WEDGE, heading=0.0, color="#40c0a0"
    ).switch("flocking", False)
    assert _wedge_color(world, 0) == (0x40, 0xC0, 0xA0)


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, -1.8])
def test_hulls_are_drawn_along_their_heading(angle):
    """A long box covers the places ahead and astern of its centre, and none abeam."""
    world = plane()
    world.add_group("long", [[50, 50]], model="flock", hull=Hull("box", 40.0, 6.0), heading=angle)
    picture = painted(world)
    ahead, abeam = (
        np.array([np.cos(angle), np.sin(angle)]),
        np.array([-np.sin(angle), np.cos(angle)]),
    )
    for sign in (1, -1):
        assert color_at(picture, world, 50 + sign * 18 * ahead) != GROUND
        assert color_at(picture, world, 50 + sign * 6 * abeam) == GROUND


@pytest.mark.parametrize("hull", [WEDGE, DISC, Hull("box", 8.0, 8.0)])
def test_bow_and_stern_look_different(hull):
    """Turned about, a hull gives another picture: its heading can be read."""
    pictures = []
    for heading in (0.0, np.pi):
        world = plane()
        world.add_group("one", [[50, 50]], model="flock", hull=hull, heading=heading)
        pictures.append(pygame.surfarray.array3d(painted(world)).astype(int))
    assert (np.abs(pictures[0] - pictures[1]).max(axis=2) > 60).sum() > 20


def test_small_crafts_are_drawn_large_enough_to_read():
    """A craft of length 4 on a plane of 1024 covers more than its 8 square pixels.

    Twice its size at most (32), so that craft do not seem to overlap discs that they do not touch.
    """
    world = World(bounds=(0, 0, 1024, 768), edges="wrap")
    world.add_group("one", [[500, 400]], model="flock", heading=0.0)
    pixels = pygame.surfarray.array3d(painted(world, (1024, 768)))
    assert (pixels[460:540, 360:440].max(axis=2) > 120).sum() > 20


def test_hulls_are_larger_where_there_is_nothing_to_pass():
    """Up to four times life size in the open and between walls, twice beside a disc."""
    times = []
    for solids in ({}, {"walls": [[0, 0, 9, 0]]}, {"discs": [[500, 500, 40]]}):
        world = World(bounds=(0, 0, 1000, 1000), **solids)
        group = world.add_group("a", [[100, 100]], model="flock", heading=0.0)
        times.append(magnified(group, world, Scene().camera(world, SIZE)))
    assert times == [4.0, 4.0, 2.0]


def test_a_unit_on_the_seam_is_seen_at_both_sides():
    """On a torus a unit across an edge is drawn at both, and across a corner at all four."""
    world = plane("wrap")
    world.add_group("disc", [[0.5, 50], [99.5, 99.5]], model="flock", hull=DISC, heading=0.0)
    picture = painted(world)
    for place in [(3, 50), (98, 50), (98, 98), (1.5, 1.5), (98, 2), (2, 98)]:
        assert color_at(picture, world, place) != GROUND, place


def test_no_image_on_other_planes():
    """Where nothing wraps, a unit at the edge is drawn once."""
    world = plane("open")
    world.add_group("disc", [[2, 50]], model="flock", hull=DISC, heading=0.0)
    assert color_at(painted(world), world, (99, 50)) == GROUND


def test_nothing_of_a_torus_is_drawn_outside_its_bounds():
    """In a picture of another shape the strips beside the torus stay empty, also beside a unit."""
    world = plane("wrap")
    world.add_group("disc", [[0.5, 50]], model="flock", hull=DISC, heading=0.0)
    picture = painted(world, (800, 400))
    assert tuple(picture.get_at((197, 200)))[:3] == DARK.outside
    assert tuple(picture.get_at((203, 200)))[:3] != GROUND


def test_a_unit_that_left_is_not_drawn():
    """An absent unit leaves the ground free, and the others are drawn still."""
    world = plane()
    world.add_group("disc", [[23, 23], [63, 63]], model="flock", hull=DISC, heading=0.0)
    leave(world, 0)
    picture = painted(world)
    assert color_at(picture, world, (23, 23)) == GROUND
    assert color_at(picture, world, (66, 63)) != GROUND


def test_solids_and_walls_are_drawn():
    """Discs, boxes and walls cover their places, also across the seam."""
    solids = {"discs": [[99, 50, 5]], "boxes": [[10, 10, 20, 15]], "walls": [[40, 80, 60, 90]]}
    world = plane("wrap", **solids)
    picture = painted(world)
    for place in [(96, 50), (2, 50), (15, 12), (50, 85)]:
        assert color_at(picture, world, place) in (DARK.solid, DARK.solid_rim), place
    assert color_at(picture, world, (30, 85)) == GROUND
    walled = painted(plane("wall"))
    assert tuple(walled.get_at((10, 200)))[:3] == DARK.edge


def test_each_world_has_its_own_solids():
    """A scene that showed one world shows another's solids, not the first one's."""
    scene = Scene()
    painted(plane("wrap"), scene=scene)
    world = plane("wrap", discs=[[50, 50, 5]])
    assert color_at(painted(world, scene=scene), world, (50, 50)) == DARK.solid


def test_smooth_edges_blend_hull_and_ground():
    """A picture is the sprite over the ground, each pixel by its coverage: no dark fringe."""
    world = plane("wrap")
    world.add_group("one", [[50.6, 48.1]], model="player", hull=DISC, heading=0.4)
    sprite = Sheet(DISC, 4.0, DARK.player, DARK).take(np.array([0.4]))[0]
    side = sprite.get_width()
    x, y = np.rint(np.array([50.6, 48.1]) * 4 - side / 2).astype(int)
    shown = pygame.surfarray.array3d(painted(world))[x : x + side, y : y + side].astype(float)
    covered = pygame.surfarray.array_alpha(sprite)[..., None] / 255
    wanted = pygame.surfarray.array3d(sprite) + (1 - covered) * GROUND
    assert ((covered > 0.1) & (covered < 0.9)).sum() > 30
    on_grid = (shown == DARK.grid).all(axis=2)
    assert np.abs(shown - wanted)[~on_grid].max() < 9


def test_painting_changes_nothing_in_the_world():
    """A run that is painted at every step is the run that is not."""
    plain, shown = chase(), chase()
    scene, surface = Scene(), pygame.Surface(SIZE)
    scene.selected = 2
    for _ in range(30):
        plain.step()
        shown.step()
        scene.paint(surface, shown)
    assert np.array_equal(plain.units.position, shown.units.position)
    assert np.array_equal(plain.units.angle, shown.units.angle)


def test_the_same_world_gives_the_same_picture():
    """Two painters, one of them used before, paint the same pixels."""
    used = Scene()
    painted(plane(), scene=used)
    first, second = painted(chase()), painted(chase(), scene=used)
    assert pygame.image.tobytes(first, "RGB") == pygame.image.tobytes(second, "RGB")


def test_no_display_is_touched():
    """Painting needs no video mode."""
    pygame.display.quit()
    painted(chase())
    assert not pygame.display.get_init()


def _calls(world):
    """Calls of Python and C functions that painting a frame takes, sprites being there already."""
    scene, surface = Scene(), pygame.Surface(SIZE)
    scene.paint(surface, world)
    return calls_of(lambda: scene.paint(surface, world))


def test_a_frame_takes_no_more_calls_for_more_units():
    """Painting 2,000 units takes as many calls as painting 20: nothing is done unit by unit."""
    counts = []
    for n in (20, 2000):
        world = World(bounds=(0, 0, 1000, 1000), edges="wrap")
        places = np.random.default_rng(0).uniform(0, 1000, (n, 2))
        world.add_group("flock", _spread(places), model="flock", heading=0.0)
        counts.append(_calls(world))
    assert counts[0] == counts[1]


def _spread(places):
    """As many places on a lattice: hulls may not overlap at the start."""
    side = int(np.ceil(np.sqrt(len(places))))
    lattice = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2)
    return 5 + lattice[: len(places)] * (990 / side)


def test_a_large_flock_is_seen_as_many():
    """Ten groups, ten colours: each has its own sprites."""
    world = plane()
    names = [f"#{25 * i:02x}{250 - 25 * i:02x}40" for i in range(10)]
    for i, name in enumerate(names):
        world.add_group(
            str(i), [[5 + 10 * i, 50]], model="flock", hull=DISC, heading=0.0, color=name
        ).switch("flocking", False)
    picture = painted(world)
    found = [color_at(picture, world, (5 + 10 * i, 47)) for i in range(10)]
    assert found == [DARK.color(name) for name in names]


def test_goal_kinds_other_than_intercept_keep_the_color():
    """Chasing alone does not make anybody magenta."""
    world = chase()
    world.group("hunters").goal = Goal("chase", "player")
    assert _wedge_color(world, 3) != DARK.interceptor
