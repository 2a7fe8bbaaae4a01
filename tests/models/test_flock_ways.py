"""Model "flock" on ways round walls: through gaps, into formation behind one, along halls."""

from pathlib import Path

import pytest

from sim import Formation, Goal, Hull, Region, World
from sim.scenario.build import build
from sim.scenario.load import load

CASTLE = Path(__file__).resolve().parents[2] / "maps" / "castle.toml"


def arrive(world: World, longest: float) -> float:
    """The time at which all have arrived, s; fails when they have not by `longest`."""
    while not all(group.arrived.all() for group in world.groups):
        world.step()
        assert world.time < longest
    return world.time


@pytest.mark.parametrize(
    "formation", [None, Formation("box", 1.6, facing=0), Formation("wedge", 2.0, facing=0)]
)
@pytest.mark.parametrize("gap", [3.0, 6.0])
def test_a_flock_flies_through_a_gap(gap: float, formation: Formation | None):
    """Twelve craft behind a wall: all at their places within three times the free time of 8 s.

    The wall beside the gap is on course most of the time; craft that turned to the room on their
    own side of it never came through.
    """
    boxes = [(29, 0, 30, 20 - gap / 2), (29, 20 + gap / 2, 30, 40)]
    world = World(seed=0, bounds=(0, 0, 60, 40), edges="wall", boxes=boxes)
    world.add_group(
        "a", Region(2, 12, 18, 28), count=12, model="flock", hull=Hull("wedge", 1, 0.5, 10.0),
        speed=5.0, goal=Goal.to((48, 20), formation=formation),
    )  # fmt: skip
    assert arrive(world, longest=24.0) > 5.0  # what 25 lengths take; they start farther off


def test_craft_run_errands_through_a_castle():
    """Four parties of craft, three halls each, through doors and passages.

    They took 38 s; one party that is stuck takes all of the 90 s.
    """
    changes = [f"groups.{name}.model=flock" for name in ("library", "tower", "kitchen", "gate")]
    arrive(build(load(CASTLE, changes)), longest=90.0)


@pytest.mark.parametrize("room", [1.0, 2.0])
def test_craft_get_to_a_place_beside_a_disc(room: float):
    """Five craft, and a place this many hull lengths from the edge of a small disc, on four sides.

    Of 20 at least 18 arrive. Craft that turned off a disc behind their place circled both: one
    length from it hardly any came to the place, two lengths from it half of them.
    """
    arrived = 0
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        away = 5.0 + 4.0 * room
        world = World(seed=2, discs=[(300 + x * away, 100 + y * away, 5.0)])
        craft = world.add_group(
            "a", Region(-80, -80, 80, 80), count=5, heading="random", model="flock",
            goal=Goal.to((300, 100)),
        )  # fmt: skip
        while world.time < 20.0 and not craft.arrived.all():
            world.step()
        arrived += int(craft.arrived.sum())
    assert arrived >= 18


@pytest.mark.parametrize(
    ("hull", "place", "seed"),
    [(None, (80, 100), 145), (Hull.box(4, 2), (300, 80), 201), (Hull.box(4, 2), (60, 80), 200)],
)
def test_none_circles_its_place_for_long(hull: Hull | None, place: tuple[float, float], seed: int):
    """Five craft are there after 2.2 to 6.3 s: past a place inside its circle each goes straight.

    With the helm hard over all the time one of the five flew round it, and after 15 s still did.
    """
    side, more = (80, {}) if hull is None else (60, {"hull": hull})
    world = World(seed=seed)
    world.add_group(
        "a", Region(-side, -side, side, side), count=5, heading="random", model="flock",
        goal=Goal.to(place), **more,
    )  # fmt: skip
    arrive(world, longest=12.0)
