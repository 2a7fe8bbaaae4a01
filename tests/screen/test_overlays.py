import numpy as np
import pygame
import pytest

from sim.screen import overlays
from sim.screen.hud import unit_rows
from sim.screen.scene import Scene
from sim.screen.theme import DARK

from .worlds import DISC, GROUND, chase, color_at, leave, painted, plane


def looking(view, edges="open", place=(50, 50), heading=0.0):
    """A picture of one unit, looked inside; its radius is five times 8 units in every view."""
    world = plane(edges)
    world.add_group("one", [place], model="flock", hull=DISC, view=view, heading=heading)
    scene = Scene()
    scene.selected = 0
    return world, painted(world, scene=scene)


@pytest.mark.parametrize(
    ("view", "ahead", "abeam", "astern"),
    [
        ("wide", True, True, False),
        ("limited", True, True, False),
        ("narrow", True, False, False),
        ("all", True, True, True),
    ],
)
def test_the_view_is_tinted(view, ahead, abeam, astern):
    """Places that the unit sees are lighter than the ground, those in its blind angle are not."""
    world, picture = looking(view, heading=np.pi / 2)
    spots = {(53, 70): ahead, (31, 53): abeam, (53, 27): astern}
    for place, seen in spots.items():
        assert (color_at(picture, world, place) != GROUND) == seen, place


def test_the_view_reaches_across_the_seam():
    """On a torus a view that looks over an edge goes on at the opposite one."""
    world, picture = looking("narrow", "wrap", place=(90, 50))
    assert color_at(picture, world, (7, 50)) != GROUND
    world, picture = looking("narrow", "open", place=(90, 50))
    assert color_at(picture, world, (7, 50)) == GROUND


def test_a_view_ends_at_the_walls():
    """Nothing is tinted outside a walled plane."""
    _, picture = looking("all", "wall")
    assert tuple(picture.get_at((2, 200)))[:3] == DARK.outside


def test_neighbours_are_ringed():
    """Selecting a unit draws a ring round it and round those it sees, and round nobody else."""
    world = plane("wrap")
    world.add_group(
        "flock",
        [[50, 50], [70, 50], [30, 50]],
        model="flock",
        hull=DISC,
        view="limited",
        heading=0.0,
    )
    plain, scene = painted(world), Scene()
    scene.selected = 0
    looked = painted(world, scene=scene)
    changed = [_ring_changed(plain, looked, (x, 50)) for x in (50, 70, 30)]
    assert changed == [True, True, False]


def _ring_changed(before, after, place):
    """Whether anything was drawn just above and below a disc."""
    x, y = int(place[0] * 4), int(place[1] * 4)
    rows = [y - 18, y - 19, y + 18, y + 19]
    light = [max(after.get_at((x, r))[:3]) - max(before.get_at((x, r))[:3]) for r in rows]
    return max(light) > 25


def test_each_term_has_an_arrow_and_a_line():
    """Every rule that asks for something shows in its own colour, and in the legend by name."""
    world = chase()
    world.step()
    scene = Scene()
    scene.selected = 2
    terms = overlays.terms_of(world, 2, DARK)
    names = [name for name, _, _ in terms]
    assert names == [*world.group("flock").terms, overlays.SUM]
    head, *lines = unit_rows(world, 2, DARK)[3:]
    assert head[0][0] == "term"
    assert [row[0][0] for row in lines] == [name.replace("_", " ") for name in names]
    pixels = pygame.surfarray.array3d(painted(world, scene=scene)).reshape(-1, 3)
    for name, (ahead, starboard), color in terms:
        drawn = (pixels == color).all(axis=1).sum()
        assert (drawn > 15) == (np.hypot(ahead, starboard) > 0.2), name


def test_arrows_point_where_the_term_does():
    """A term of 1 to starboard of a unit heading right points down the screen, 44 pixels long."""
    world = plane()
    one = world.add_group("one", [[50, 50]], model="player", hull=DISC, heading=0.0)
    one.controls[:] = (1.0, 0.0, 0.0)
    world.steer()
    scene = Scene()
    scene.selected = 0
    pixels = pygame.surfarray.array3d(painted(world, scene=scene))
    x, y = np.nonzero((pixels == DARK.terms[0]).all(axis=2))
    assert abs(np.median(x) - 200) < 10
    assert 235 < y.max() <= 245
    assert y.min() >= 195


def test_a_rule_keeps_its_color():
    """Switching one rule off does not recolour the others."""
    world = chase()
    world.step()
    before = {name: color for name, _, color in overlays.terms_of(world, 2, DARK)}
    world.group("flock").configure("cohesion", weight=0.0)
    world.step()
    after = {name: color for name, _, color in overlays.terms_of(world, 2, DARK)}
    assert "cohesion" in before
    assert "cohesion" not in after
    assert all(before[name] == color for name, color in after.items())


def test_nothing_is_shown_of_a_unit_that_left():
    """When the selected unit leaves, its overlay goes too."""
    world = plane()
    world.add_group("one", [[23, 23], [63, 63]], model="flock", hull=DISC, heading=0.0)
    scene = Scene()
    scene.selected = 0
    leave(world, 0)
    assert scene.looked_inside(world) is None
    assert color_at(painted(world, scene=scene), world, (28, 23)) == GROUND
