"""Speeds and radii in a scenario file that are drawn a unit."""

import pytest

from sim import Normal, Uniform
from sim.core.draws import Each
from sim.core.errors import BadInput
from sim.scenario.build import build
from sim.scenario.load import loads

TEXT = """
title = "t"
duration = 2

[[groups]]
name = "a"
spawn = { points = [[0, 0], [5, 0], [10, 0]] }
"""
DISC = 'hull = { shape = "disc", radius = RADIUS, mass = 80 }'


def plan(lines: str):
    """The scenario with more lines in its group."""
    return loads(TEXT + lines, "t.toml")


@pytest.mark.parametrize(
    ("said", "spread"),
    [
        ("{ normal = [1.34, 0.26], within = [0.6, 2.0] }", Normal(1.34, 0.26, (0.6, 2.0))),
        ("{ normal = [1.34, 0.2] }", Normal(1.34, 0.2)),
        ("{ uniform = [1, 1.6] }", Uniform(1, 1.6)),
        ("{ each = [1.2, 1.3, 1.5] }", Each((1.2, 1.3, 1.5))),
    ],
)
def test_drawn_speeds_and_radii(said, spread):
    """The file says what Python says."""
    group = build(plan(f"speed = {said}")).groups[0]
    assert group.speed_spread == spread
    group = build(plan(DISC.replace("RADIUS", said))).groups[0]
    assert group.hull.spread == spread
    assert group.hull.mass == 80
    low, high = spread.bounds
    assert ((low <= group.radii) & (group.radii <= high)).all()


@pytest.mark.parametrize(
    ("said", "refusal"),
    [
        ("{ uniform = [1.6, 1.0] }", ".uniform = [1.6, 1.0]: must have low < high"),
        ("{ uniform = [1.6] }", ".uniform = [1.6]: must be an array of 2 numbers [low, high]"),
        ("{ uniform = [0, 1] }", ".uniform[0] = 0: must be greater than 0"),
        ("{ normal = [1, 'a'] }", '.normal[1] = "a": must be a number'),
        ("{ normal = [1, 0.5] }", ".normal = [1, 0.5]: draws numbers from -0.5 to 2.5: must be"),
        ("{ normal = [1, 1], within = [2, 1] }", ".within = [2, 1]: must have low < high"),
        ("{ normal = [1, 1], within = [2, 3] }", ".within = [2, 3]: must hold the mean, 1"),
        ("{ uniform = [1, 2], within = [1, 2] }", ".within = [1, 2]: belongs to normal"),
        ("{ each = [1, 2] }", ".each = [1, 2]: has 2 for 3 units; must be one a unit"),
        ("{ each = [1, -2, 3] }", ".each[1] = -2: must be greater than 0"),
        ("{ unifrom = [1, 2] }", ".unifrom = [1, 2]: unknown key; did you mean 'uniform'?"),
        ("{}", ": must say one of: normal, uniform, each"),
        ("{ uniform = [1, 2], each = [1] }", ": says uniform and each; must say only one of"),
        ("[1, 2, 3]", " = [1, 2, 3]: must be a number or a table such as"),
        ("-1", " = -1: must be greater than 0"),
    ],
)
def test_refused(said, refusal):
    """By the path of the key, with the value and what is allowed."""
    for line, path in ((f"speed = {said}", "speed"), (DISC.replace("RADIUS", said), "hull.radius")):
        with pytest.raises(BadInput) as bad:
            plan(line)
        assert str(bad.value).startswith(f"t.toml: groups.a.{path}{refusal}")


def test_an_event_sets_other_speeds():
    """As a whole; a part of a distribution is refused."""
    event = '\n[[events]]\nat = 0.5\nset = { "groups.a.speed" = { uniform = [2, 3] } }\n'
    world = build(plan(event))
    for _ in range(40):
        world.step()
    assert world.groups[0].speed_spread == Uniform(2, 3)
    with pytest.raises(BadInput, match="speed must be set as a whole"):
        plan(event.replace('a.speed" = { uniform = [2, 3] }', 'a.speed.uniform" = [2, 3]'))
