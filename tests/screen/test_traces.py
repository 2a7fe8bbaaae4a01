"""Trails, the map of where units have been, and contacts that flash."""

import numpy as np
import pygame
import pytest

from sim import World
from sim.screen.heat import Heat
from sim.screen.scene import SHOWS, Scene
from sim.screen.theme import DARK
from sim.screen.trails import EVERY, SAMPLES, History

from .worlds import DISC, GROUND, SIZE, WEDGE, calls_of, color_at, painted, plane


def sailing(edges="open", place=(20, 50), heading=0.0):
    """One that cruises along the middle of the plane."""
    world = plane(edges)
    world.add_group("one", [place], model="flock", hull=WEDGE, heading=heading, speed=20.0)
    return world


def run(world, scene, seconds):
    """Step and paint."""
    surface = pygame.Surface(SIZE)
    for _ in range(round(seconds / world.time_step)):
        world.step()
        scene.paint(surface, world)
    return surface


def shown(*names):
    """A scene that shows some traces."""
    return Scene(shows=names)


def test_nothing_is_shown_unasked():
    """All are off at the start."""
    assert not Scene().shows
    assert Scene(ways=True).shows == {"ways"}
    assert "ways" in SHOWS


def test_samples_are_kept_apart():
    """One a tenth of a second, the last sixty, oldest first."""
    world, history = sailing("wrap"), History()
    for _ in range(round((SAMPLES + 5) * EVERY / world.time_step)):
        world.step()
        history.observe(world)
    assert history.places.shape == (SAMPLES, 1, 2)
    steps = np.diff(history.places[:, 0, 0])
    assert ((steps > 0) | (steps < -90)).all()  # across the seam once


def test_a_run_that_begins_anew_has_no_past():
    """Going back in time, another world, or a second without a picture: the trail begins anew."""
    world, history = sailing(), History()
    for _ in range(60):
        world.step()
        history.observe(world)
    assert history.samples > 5
    other = sailing()
    other.step()
    history.observe(other)
    assert history.samples == 1
    for _ in range(90):
        other.step()
    history.observe(other)
    assert history.samples == 1


def test_large_crowds_have_short_trails():
    """However many there are, what is kept has a bound."""
    world = World(bounds=(0, 0, 1000, 1000), edges="wrap")
    side = np.arange(5, 1000, 12.0)
    world.add_group(
        "many", np.stack(np.meshgrid(side, side), -1).reshape(-1, 2), model="flock", heading=0.0
    )
    history = History()
    history.observe(world)
    assert history._places.size <= 2 * 80_000


def test_a_trail_lies_where_the_unit_was():
    """Behind the unit its colour on the ground, fading with age; ahead and beside nothing."""
    world, scene = sailing(), shown("trails")
    surface = run(world, scene, 3.0)
    x, y = world.units.position[0]
    blue = np.array(DARK.color("blue")) - GROUND
    strength = [
        np.dot(np.array(color_at(surface, world, (x - far, y))) - GROUND, blue) / (blue @ blue)
        for far in (9, 18, 27)
    ]
    assert strength[0] > strength[1] > strength[2] > 0.05
    assert color_at(surface, world, (x + 12, y)) == GROUND
    assert color_at(surface, world, (x - 18, y + 4)) in (GROUND, DARK.grid)


def test_a_trail_crosses_the_seam():
    """A unit that left at one side and came in at the other has a trail at both, none between."""
    world, scene = sailing("wrap", place=(88, 50)), shown("trails")
    surface = run(world, scene, 3.0)
    x = world.units.position[0, 0]
    assert x < 40
    for place in ((x - 9, 50), (95, 50)):
        assert color_at(surface, world, place) != GROUND, place
    assert color_at(surface, world, (62, 50)) == GROUND


def test_heat_counts_unit_seconds():
    """What all cells hold is the time that all units have spent."""
    world, scene = sailing("wrap"), Scene()
    world.add_group("two", [[70, 20], [70, 80]], model="flock", hull=WEDGE, heading=1.0)
    run(world, scene, 2.0)
    assert scene._heat.seconds.sum() == pytest.approx(3 * 2.0, rel=0.08)


def test_heat_is_shown_where_units_were():
    """Warm along the way, cold elsewhere."""
    world, scene = sailing("wrap"), shown("heat")
    surface = run(world, scene, 2.0)
    x = world.units.position[0, 0]
    assert color_at(surface, world, (x - 12, 50)) != GROUND
    assert color_at(surface, world, (50, 13)) == GROUND


def test_heat_without_bounds_grows_with_the_way():
    """On an endless plane the map grows; none of the time is lost."""
    world = World()
    world.add_group("one", [[0, 0]], model="flock", hull=WEDGE, heading=2.5, speed=40.0)
    heat = Heat()
    for k in range(600):
        world.step()
        if k % 6 == 5:
            heat.observe(world, EVERY)
    assert heat.seconds.sum() == pytest.approx(10.0)
    assert heat.seconds.shape[0] > 20


def test_contacts_flash_and_fade():
    """Two that collide are ringed; the ring weakens when they have parted; others have none."""
    world = plane()
    world.add_group("a", [[40, 50]], hull=DISC, heading=0.0, model="player").controls[:, 2] = 1
    world.add_group("b", [[53, 50], [20, 20]], hull=DISC, heading=0.0, model="player")
    scene = shown("contacts")
    rings = []
    for _ in range(200):
        world.step()
        plain, flashing = painted(world), painted(world, scene=scene)
        a, b = (pygame.surfarray.array3d(each).astype(int) for each in (plain, flashing))
        changed = np.abs(a - b).max(axis=2)
        rings.append((changed > 20).sum())
        corner = changed[40:120, 40:120]
        assert not (corner > 20).any()
    assert rings[0] == 0
    assert max(rings) > 100


def test_flashes_stay_with_their_units():
    """One joins another group while two flash: all have other rows, and no other unit is ringed."""
    world = plane()
    world.add_group("c", [[20, 20], [80, 20]], hull=DISC, heading=0.0, model="player")
    world.add_group("a", [[40, 50]], hull=DISC, heading=0.0, model="player").controls[:, 2] = 1
    world.add_group("b", [[53, 50]], hull=DISC, heading=0.0, model="player")
    scene = shown("contacts")
    while not np.diff(world.contacts.first).any():
        world.step()
        painted(world, scene=scene)
    world.regroup([0], "b")
    plain, flashing = painted(world), painted(world, scene=scene)
    a, b = (pygame.surfarray.array3d(each).astype(int) for each in (plain, flashing))
    changed = np.abs(a - b).max(axis=2) > 20
    assert changed[:, 160:].any()
    assert not changed[:, :120].any()


def _calls(world, names):
    """Calls of Python and C functions that painting a frame takes, the second time."""
    scene, surface = shown(*names), pygame.Surface(SIZE)
    for _ in range(30):
        world.step()
        scene.paint(surface, world)
    return calls_of(lambda: scene.paint(surface, world))


def test_traces_take_no_more_calls_for_more_units():
    """Trails and heat are arrays on one surface: 1,000 units take as many calls as 20."""
    counts = []
    for side in (5, 32):
        world = World(bounds=(0, 0, 1000, 1000), edges="wrap")
        places = np.stack(np.meshgrid(*[np.arange(side) * 990 / side + 5] * 2), -1)
        world.add_group("mages", places.reshape(-1, 2), heading=0.0, model="mages")
        counts.append(_calls(world, ("trails", "heat")))
    assert abs(counts[0] - counts[1]) <= 4
