"""Model "flock": the view that is picked is what its rules look with."""

from dataclasses import replace
from itertools import combinations
from math import pi, radians
from pathlib import Path

import numpy as np
import pytest

from sim import BadInput, World
from sim.scenario.build import build
from sim.scenario.load import load
from sim.study.views import VIEWS, Look, apart, fly, switch

MAP = Path(__file__).resolve().parents[2] / "maps" / "views.toml"


@pytest.mark.slow
def test_views_differ_in_figures():
    """After 30 s from the same starts, 20 seeds: each pair by a spread in two figures or more."""
    runs = {view: np.array([fly(view, seed) for seed in range(20)]) for view in VIEWS}
    for one, other in combinations(VIEWS, 2):
        assert (apart(runs[one], runs[other]) > 1).sum() >= 2, (one, other)


def looks(start: str, view: str, seeds: int) -> np.ndarray:
    """(seeds, 5) figures 5 s after units are given a view."""
    return np.array([switch(start, view, seed)[0] for seed in range(seeds)])


def test_a_switch_is_seen_within_five_seconds():
    """Scattered units: with the wide view one course, with the others not; 5 s, eight seeds."""
    wide, limited, narrow = (looks("scattered", view, 8) for view in VIEWS)
    course = Look._fields.index("polarisation")
    for other in (limited, narrow):
        assert apart(wide, other)[course] > 1
        assert wide[:, course].mean() > other[:, course].mean() + 0.1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "alike"),
    [
        ("one flock", {"wide", "limited"}),
        ("scattered", {"limited", "narrow"}),
        ("bands", {}),
    ],
)
def test_a_switch_is_seen_within_five_seconds_from_any_start(start, alike):
    """20 seeds, after 5 s: each pair apart by a spread in a figure or more, but for `alike`.

    One flock on one course is within the limited view. Of the others only how near they come
    differs so soon.
    """
    runs = {view: looks(start, view, 20) for view in VIEWS}
    for one, other in combinations(VIEWS, 2):
        if {one, other} != alike:
            assert (apart(runs[one], runs[other]) > 1).any(), (one, other)


@pytest.mark.parametrize("name", ["cohesion", "alignment"])
def test_the_default_table_leaves_the_view_to_the_user(name):
    """Cohesion and alignment of `flock` have neither a view nor a range of their own."""
    group = World().add_group("a", [(0, 0)], model="flock")
    assert (group.settings[name].view, group.settings[name].range) == (None, None)


def test_the_demo_has_the_rules_that_are_measured():
    """The groups of `views` fly by the table of `flock`, each with its own mates alone."""
    plain = World().add_group("a", [(0, 0)], model="flock")
    for group in build(load(MAP)).groups:
        for rule in ("cohesion", "alignment", "separation"):
            setting = group.settings[rule]
            assert replace(setting, whom=plain.settings[rule].whom) == plain.settings[rule]


@pytest.mark.parametrize("rule", ["cohesion", "alignment"])
def test_rules_look_through_the_view_of_the_group(rule):
    """Of rules without a view of their own angle and radius are the group's, however set."""
    world = World()
    group = world.add_group(
        "a", [(0, 0), (40, 0), (0, 60), (-100, 10)], heading=0.0, model="flock_book"
    )

    def seen() -> int:
        me = world.percepts(group)[rule].seen
        return int(me.summary.count[0])

    assert seen() == 2  # wide: all but the one astern
    group.view = "narrow"
    assert seen() == 1
    group.view_angle = pi + 0.01
    assert seen() == 2
    group.view_radius = 14
    assert seen() == 1
    group.view_angle, group.view_radius = 2 * pi, 200
    assert seen() == 3
    group.view = "wide"
    assert (seen(), group.view_radius, group.view_angle) == (2, 200, pytest.approx(1.5 * pi))


def test_separation_keeps_a_wide_view_of_its_own():
    """As the book advises; a narrow view would let units slide together side by side."""
    world = World()
    group = world.add_group("a", [(0, 0), (0, 12)], heading=0.0, view="narrow", model="flock")
    found = world.percepts(group)
    assert found["cohesion"].seen.summary.count.tolist() == [0, 0]
    assert found["separation"].seen.each.count.tolist() == [1, 1]


def test_figures_of_a_view_at_the_start():
    """A group may be added with an angle and a radius of its own."""
    group = World().add_group("a", [(0, 0)], view_angle=radians(100), view_radius=20, model="flock")
    assert (group.view, group.view_radius) == ("wide", 20)
    assert group.view_angle == pytest.approx(radians(100))


@pytest.mark.parametrize("angle", [0, -1, 7, np.nan])
def test_an_angle_that_is_none_is_refused(angle):
    """Above 0, up to a full circle."""
    group = World().add_group("a", [(0, 0)], model="flock")
    with pytest.raises(BadInput, match=r"view_angle = .*: must be greater than 0 and at most 2 pi"):
        group.view_angle = angle


@pytest.mark.parametrize("radius", [0, -1, np.inf, np.nan])
def test_a_radius_that_is_none_is_refused(radius):
    """Above 0 and finite."""
    group = World().add_group("a", [(0, 0)], model="flock")
    with pytest.raises(BadInput, match=r"view_radius = .*: must be greater than 0"):
        group.view_radius = radius
