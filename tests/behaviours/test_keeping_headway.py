"""The less room there is ahead, the slower a unit walks; alone, or among others that cross, not."""

from __future__ import annotations

import numpy as np
import pytest

from sim import Goal, Hull, World
from sim.core.arrays import Floats
from sim.core.units import Units

RADIUS, SPEED = 0.2, 1.3


def walkers(places, headings, steps: int = 1, **parameters: float) -> tuple[World, Units]:
    """Units sent 20 m along their headings in degrees, and their state before the last step."""
    world = World(seed=0)
    for k, (place, heading) in enumerate(zip(places, headings, strict=True)):
        way = np.radians(heading)
        end = place[0] + 20 * np.cos(way), place[1] + 20 * np.sin(way)
        world.add_group(
            f"g{k}", [tuple(place)], heading=heading, speed=SPEED, hull=Hull.disc(RADIUS),
            goal=Goal.to(end), behaviours={"keep_headway": parameters or True},
        )  # fmt: skip
    for _ in range(steps):
        before = world.units.copy()
        world.step()
    return world, before


def wanted(world: World, i: int) -> Floats:
    """(2,) what all other rules of unit i want, own frame, in desired speeds."""
    others = [term[0] for name, term in world.groups[i].terms.items() if name != "keep_headway"]
    return np.asarray(sum(others))


def slow_form(world: World, units: Units, i: int, time: float, strip: float) -> Floats:
    """(2,) the term of unit i by the formula, one other after another."""
    pace = np.hypot(*wanted(world, i))
    bow, port = units.heading[i], np.array([-units.heading[i, 1], units.heading[i, 0]])
    way = (wanted(world, i) @ np.array([bow, port])) / pace
    allowed = np.inf
    for j in range(len(units.position)):
        gap = units.position[j] - units.position[i]
        share = abs(way[0] * gap[1] - way[1] * gap[0]) / (strip * 2 * RADIUS)
        if j != i and gap @ way > 0 and share < 1:
            room = max(np.hypot(*gap) - 2 * RADIUS, 0.0) / (time * SPEED)
            allowed = min(allowed, room + share**2 + 1 - units.heading[j] @ way)
    return wanted(world, i) * (min(allowed / pace, 1.0) - 1.0)


@pytest.mark.parametrize(("time", "strip"), [(1.06, 1.5), (0.5, 3.0)])
def test_is_the_formula(time: float, strip: float):
    """Twenty at random, most of them headed alike: the same as one pair after another."""
    rng = np.random.default_rng(3)
    places = (
        np.stack(np.divmod(rng.permutation(25)[:20], 5), axis=1) * 0.7 + rng.random((20, 2)) / 4
    )
    headings = rng.normal(0, 40, 20)
    world, before = walkers(places, headings, 30, time=time, strip=strip)
    slow = np.array([slow_form(world, before, i, time, strip) for i in range(20)])
    terms = np.array([group.terms["keep_headway"][0] for group in world.groups])
    assert terms == pytest.approx(slow, abs=1e-9)
    assert (np.hypot(*terms.T) > 0.01).sum() >= 8


@pytest.mark.parametrize("heading", [90, 180])
def test_one_that_crosses_or_comes_does_not_count(heading: float):
    """That is the part of the rules that avoid others."""
    world, _ = walkers([(0, 0), (0.6, 0)], [0, heading])
    assert not world.groups[0].terms["keep_headway"].any()


def test_one_at_rest_does_not_count():
    """A unit would stand behind it, and never go round it."""
    world = World(seed=0)
    world.add_group("rests", [(0.6, 0)], heading=0, hull=Hull.disc(RADIUS), goal=Goal.to((0.6, 0)))
    behind = world.add_group(
        "behind", [(0, 0)], heading=0, hull=Hull.disc(RADIUS), goal=Goal.to((20, 0)),
        behaviours={"keep_headway": True},
    )  # fmt: skip
    for _ in range(3):
        world.step()
    assert not behind.terms["keep_headway"].any()


def gaps(model: str, **rules: bool) -> Floats:
    """(6,) between the units of a file behind a slow one, centre to centre, after 40 s."""
    world = World(seed=0, boxes=[(-9, -1, 60, -0.25), (-9, 0.25, 60, 1)])
    hull, goal = Hull.disc(RADIUS), Goal.to((50, 0))
    world.add_group("slow", [(6, 0)], heading=0, hull=hull, speed=0.4, model=model, goal=goal)
    world.add_group(
        "file", [(-x, 0.0) for x in range(6)], heading=0, hull=hull, speed=SPEED, model=model,
        goal=goal, behaviours=rules,
    )  # fmt: skip
    while world.time < 40:
        world.step()
    return -np.diff(world.units.position[:, 0])


@pytest.mark.parametrize("model", ["crowd", "soldiers"])
def test_the_pace_of_a_file(model: str):
    """Behind a slow one all come to (gap - l) / time: they keep 1.06 s times its speed, and l."""
    expected = pytest.approx(np.full(6, 2 * RADIUS + 1.06 * 0.4), rel=0.06)
    assert gaps(model, keep_headway=True) == expected


def test_without_the_rule_a_file_closes_up():
    """So the test above tests the rule: the same file comes within half of that."""
    assert (gaps("crowd") < 2 * RADIUS + 0.5 * 1.06 * 0.4).all()
