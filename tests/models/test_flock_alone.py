"""Model "flock": what one craft or a few do beside discs, before a quarry, at a place, head-on."""

import numpy as np
import pytest

from sim import BadInput, Goal, Region, World

STILL = dict.fromkeys(("cohesion", "alignment", "separation"), False)


@pytest.mark.parametrize("radius", [10.0, 100.0, 400.0])
@pytest.mark.parametrize("off", [0.0, 0.7])
def test_a_disc_of_any_size_is_passed(radius, off):
    """A craft heads at a disc of 2.5 to 100 lengths, by its middle or not, and touches none."""
    centre = radius + 250.0
    world = World(discs=[(centre, 0.0, radius)])
    group = world.add_group("a", [(0.0, off * radius)], heading=0.0, model="flock")
    nearest = np.inf
    for _ in range(600):
        world.step()
        nearest = min(nearest, float(np.hypot(*(world.units.position[0] - (centre, 0.0)))))
    assert nearest - radius > group.hull.reach


def test_the_book_still_measures_to_the_centre():
    """As in the book, a disc larger than the look-ahead is not seen in time, and is rammed."""
    world = World(discs=[(350.0, 0.0, 150.0)])
    world.add_group("a", [(0.0, 0.0)], model="flock_book", heading=0.0)
    nearest = np.inf
    for _ in range(300):
        world.step()
        nearest = min(nearest, float(np.hypot(*(world.units.position[0] - (350.0, 0.0)))))
    assert nearest < 152


def ahead_of_its_quarry(model):
    """Distances (s,) each second of an interceptor that starts 100 ahead of its quarry."""
    world = World()
    quarry = world.add_group("quarry", [(0, 0)], model="player", heading=0.0)
    quarry.controls = (0, 0, 1)
    faster = {"cruise": {"weight": 1.5}}
    world.add_group(
        "hunter", [(100, 5)], model=model, heading=0.0, goal=Goal("intercept", "quarry"),
        behaviours=faster,
    )  # fmt: skip
    gaps = []
    for step in range(1200):
        world.step()
        if step % 60 == 59:
            gaps.append(float(np.hypot(*(world.units.position[1] - world.units.position[0]))))
    return np.array(gaps)


def test_an_interceptor_ahead_of_its_quarry_turns_back():
    """By its own closing time it meets it and stays; by the book's it flies away from it."""
    assert ahead_of_its_quarry("flock")[5:].max() < 50
    assert ahead_of_its_quarry("flock_book")[-1] > 300


@pytest.mark.parametrize("count", [1, 20, pytest.param(5, marks=pytest.mark.slow)])
def test_a_flock_sent_to_a_point_gets_there_and_circles(count):
    """All have been within one hull radius of it in 40 s, and fly round it within two rings."""
    world = World(seed=1)
    start = Region(-80, -80, 80, 80) if count > 1 else [(0.0, 0.0)]
    group = world.add_group(
        "a", start, count=count, heading=np.pi / 2, goal=Goal.to((300, 100)), model="flock"
    )
    ring = float(group.settings["head_for"].parameters["ring"]) * group.hull.length
    for _ in range(2400):
        world.step()
    assert world.orders.minds.arrived.all()
    for _ in range(300):
        world.step()
        away = np.hypot(*(world.units.position - (300, 100)).T)
        assert away.max() < 2 * ring
    assert np.hypot(*world.units.velocity.T).mean() > 0.7 * group.speed


@pytest.mark.parametrize(
    ("count", "speed", "seed"),
    [(1, 150.0, 0), (1, 150.0, 1), (1, 400.0, 0), (5, 100.0, 0), (5, 100.0, 1), (5, 100.0, 3)],
)
def test_craft_quicker_than_the_book_s_get_there(count, speed, seed):
    """At 25 to 100 lengths a second, from any heading: at full speed they circled their place."""
    world = World(seed=seed)
    start = Region(-80, -80, 80, 80) if count > 1 else [(0.0, 0.0)]
    group = world.add_group(
        "a", start, count=count, heading="random", goal=Goal.to((300, 100)), model="flock",
        speed=speed,
    )  # fmt: skip
    while world.time < 10 and not group.arrived.all():
        world.step()
    assert group.arrived.all()


@pytest.mark.parametrize("offset", [0.0, 0.3, 0.6, 1.0])
def test_craft_do_not_fly_through_each_other(offset):
    """Head-on at cruise, with no rule that avoids, hulls 2 wide push each other aside."""
    world = World()
    for name, place, heading in (("a", (0, 0), 0.0), ("b", (100.3, offset), np.pi)):
        world.add_group(name, [place], heading=heading, behaviours=STILL, model="flock")
    least, most = np.inf, 0.0
    for _ in range(90):
        world.step()
        least = min(least, float(np.hypot(*(world.units.position[1] - world.units.position[0]))))
        most = max(most, float(np.abs(world.units.velocity[:, 1]).max()))
    assert least > 1.3
    assert most > 1


def test_looks_follow_the_closing_speed_only_of_units_that_meet():
    """Two that pass at a distance, or fly on together, need one look a step."""
    world = World()
    world.add_group("a", [(0, 0), (6, 0)], heading=0.0, behaviours=STILL, model="flock")
    world.add_group("b", [(50, 30)], heading=np.pi, behaviours=STILL, model="flock")
    for _ in range(40):
        world.step()
        assert world.looking.parts(world.units) == 1


@pytest.mark.parametrize(
    ("controls", "said"),
    [
        ((0, 0, 2), r"controls\[0\] thrust = 2: must be between 0 and 1"),
        ((-1, 0, 0), r"controls\[0\] port = -1"),
        ((0, np.nan, 0), r"controls\[0\] starboard = nan"),
        ((1, 2), "must be 1 x 3 numbers"),
    ],
)
def test_controls_refuse_what_no_thruster_can_do(controls, said):
    """When they are set, and at the step where they were written to."""
    world = World()
    craft = world.add_group("mine", [(0, 0)], model="player")
    with pytest.raises(BadInput, match=said):
        craft.controls = controls
    craft.controls = (0.5, 0, 1)
    world.step()
    craft.controls[0, 2] = 7
    with pytest.raises(BadInput, match="group 'mine': controls"):
        world.step()
