"""The arrows of what acts where on units."""

import numpy as np
import pytest

from sim.screen.scene import Scene
from sim.screen.theme import DARK

from .worlds import WEDGE, color_at, painted, plane

THRUST, STEERING, GRIP = DARK.terms[:3]


def turning(count=1):
    """Craft that turn hard to starboard, long enough to be seen where their arrows begin."""
    world = plane()
    places = [[30, 30], [60, 60]][:count]
    group = world.add_group("a", places, hull=WEDGE, heading=0.0, model="player")
    group.controls = np.tile((1.0, 0.0, 1.0), (count, 1))
    for _ in range(8):
        world.step()
    return world


def near(picture, world, row, color, reach=30):
    """Whether a pixel of a colour is in the picture, some pixels about a unit's centre."""
    x, y = (world.units.position[row] * 4).astype(int)
    square = [(i, j) for i in range(x - reach, x + reach) for j in range(y - reach, y + reach)]
    return any(tuple(picture.get_at(at))[:3] == color for at in square)


def test_three_arrows_are_drawn_when_asked_for():
    """Thrust, steering and grip, each in its colour, on every unit; nothing of it unasked."""
    world = turning(2)
    scene = Scene(shows=("forces",))
    plain, picture = painted(world), painted(world, scene=scene)
    for row in (0, 1):
        for color in (THRUST, STEERING, GRIP):
            assert near(picture, world, row, color)
            assert not near(plain, world, row, color)


def test_steering_is_drawn_at_the_bow():
    """To starboard from there; at the centre nothing of its colour."""
    world = turning()
    picture = painted(world, scene=Scene(shows=("forces",)))
    centre, keel = world.units.position[0], world.units.heading[0]
    bow = centre + keel * WEDGE.bow
    beam = np.array([-keel[1], keel[0]])
    assert color_at(picture, world, bow + 1.0 * beam) == STEERING
    assert color_at(picture, world, centre + 1.5 * beam) != STEERING


@pytest.mark.parametrize("selected", [0, 1])
def test_only_those_of_the_selected_unit(selected):
    """Where one is looked inside."""
    world = turning(2)
    scene = Scene(shows=("forces",))
    scene.selected = selected
    picture = painted(world, scene=scene)
    assert near(picture, world, selected, GRIP)
    assert not near(picture, world, 1 - selected, GRIP)
