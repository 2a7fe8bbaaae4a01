"""What is asked of the Python interface is done, or refused with what is allowed."""

from math import inf, nan

import numpy as np
import pytest

from sim import BadInput, Diverged, Goal, Hull, Region, Ring, World, rule
from sim.core.files import check_target
from sim.core.geometry import FARTHEST, cell_of, floored
from sim.maps import read
from sim.run import run
from sim.screen.theme import rgb


def world(**options) -> World:
    """A world with a group of two."""
    made = World(**options)
    made.add_group("a", [[0, 0], [20, 0]], model="crowd")
    return made


@pytest.mark.parametrize(
    ("value", "found"),
    [(2.9, 2), (-0.1, -1), (nan, -FARTHEST), (inf, FARTHEST), (-inf, -FARTHEST), (1e300, FARTHEST),
     (-1e300, -FARTHEST), (7.0, 7)],
)  # fmt: skip
def test_floored(value: float, found: int):
    """Any number has a row; numbers that lie too far, or are none, have the farthest."""
    assert floored(value) == found
    assert cell_of(value, 5) == min(max(found, 0), 4)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda w: w.add_group("b", [[5, 5]], facing=(nan, 0)), "facing = "),
        (lambda _: Goal.along([(0, 0)] * 100_001), "goal.route: 100,001 places; must be at most"),
        (lambda _: Goal.along(np.array(5.0)), "goal: 5.0 must be points"),
        (lambda _: Goal.patrol([(0, 0)] * 50_001), "goal.patrol: 50,001 places; must be at most"),
        (lambda _: Goal.along([(k, 0) for k in range(100_000)]).ways(np.zeros((201, 2))),
         "goal.route of all units: 20,100,000 places; must be at most 20,000,000"),
        (lambda w: w.add_group("b", [[5, 5]], facing="x"), "facing: must be rows of 2 numbers"),
        (lambda w: w.add_group("b", [[5, 5]], speed=inf), "speed = inf: must be a finite number"),
        (lambda w: w.add_group("b", [[5, 5]], speed="x"), "speed = 'x': must be a number"),
        (lambda w: w.add_group("b", [[5, 5]], heading=nan), "heading = nan: must be a finite"),
        (lambda w: w.add_group("b", [[5, 5]], heading=[1, 2]), r"heading = \[1, 2\]: must be a "),
        (lambda w: w.add_group("b", [[5, 5]], color=5), "color = 5: must be a text"),
        (lambda w: w.add_group("b", [[1e20, 5]]), "must be numbers from -1e"),
        (lambda w: w.add_group("b", Region(0, 0, 9, 9), count=10**9), "must be at most 1,000,000"),
        (lambda w: w.add_group(5, [[5, 5]]), "name = 5: must be a text on one line"),
        (lambda w: w.add_group("\n", [[5, 5]]), "must be a text on one line"),
        (lambda w: w.group("a").go_to((1e20, 100)), "must be points .x, y. from -1e"),
        (lambda w: w.group("a").go_to("nowhere"), "must be points .x, y. of numbers"),
        (lambda w: w.group("a").go_to([[1], [2, 3]]), "must be points .x, y. of numbers"),
        (lambda _: Goal.into([0, 1]), "goal.region = "),
        (lambda _: Goal.to((1, 1), tolerance="x"), "goal.tolerance = 'x': must be a number"),
        (lambda _: Hull.disc(1e-300), "hull.radius = 1e-300: must be from 1e-12"),
        (lambda _: Hull.disc("x"), "hull.radius = 'x': must be a number"),
        (lambda _: Hull("box", 1, 10**400), "hull.width = 1000.*: must be from 1e-12"),
        (lambda _: Ring(0, 0, "x"), "spawn.circle = "),
        (lambda _: World(bounds=(0, 0, 1e300, 1), edges="wall"), "bounds = .* must be from -1e"),
        (lambda _: World(bounds="abcd", edges="wall"), "bounds = 'abcd': must be left, top"),
        (lambda _: World(discs=[(0, 0, 1e13)]), r"discs\[0\] = .*must be numbers from -1e"),
        (lambda _: World(time_step=1e-9), "time_step = 1e-09: must be from 1e-05"),
        (lambda _: rgb("nosuch"), "color = 'nosuch': must be the name of a colour"),
        (lambda _: check_target("/tmp/" + "a" * 304), "cannot be written: File name too long"),
        (lambda _: read("a" * 304 + ".tmx"), "File name too long|no such file"),
    ],
)  # fmt: skip
def test_refused(call, said: str):
    """Values that nothing can be made of."""
    made = world()
    with pytest.raises(BadInput, match=said):
        call(made)
    made.step()


@pytest.mark.usefixtures("own_rules")
def test_a_run_away_is_told_of_wherever_it_shows():
    """A push beyond all numbers ends the run with unit, step and rule, not with what trips."""

    @rule("own")
    def kick(me):
        """Push far too hard."""
        return 0 * me.velocity + 1e300

    made = World(boxes=[(40, 40, 50, 50)])
    made.add_group("a", [[0, 0], [20, 0]], model="flock", behaviours={"kick": True}).go_to((90, 0))
    said = r"its state is no longer finite; rule kick of group a: row 0: 1e\+300: must be from "
    with pytest.raises(Diverged, match=rf"^unit 0 at step \d+: {said}-1e\+12 to 1e\+12$"):
        run(made, 20)
