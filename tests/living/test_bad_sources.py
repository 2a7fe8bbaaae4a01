"""Sources and events with values that are none are refused; many units at once take little time."""

from math import inf, nan

import pytest

from sim import BadInput, Points, Region, Ring, World
from sim.living import agenda
from sim.living.agenda import Due
from sim.living.sources import Source
from sim.scenario.load import loads

SCENARIO = """
title = "x"
duration = 1
groups = [{ name = "a", spawn = { region = [5, 5, 35, 35] }, count = 0 }]
sources = [{ group = "a", rate = RATE }]
"""
HERE = Region(2, 2, 38, 38)


def world_with(source: Source) -> World:
    """A world in which that source lets units enter."""
    world = World(bounds=(0, 0, 40, 40), edges="wall")
    world.add_group("a", [], model="crowd")
    world.agenda.sources.append(source)
    return world


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rate": 1e12}, "source.rate = 1e+12: must be from 1e-12 to 1e+06"),
        ({"poisson": 1e7}, "source.poisson = 1e+07: must be from 1e-12 to 1e+06"),
        ({"rate": 1.0, "group": 3}, "source.group = 3: must be a text"),
        ({"rate": 1.0, "spawn": Ring(5, 5, 1)}, "must be a Region or Points"),
        ({"rate": 1.0, "spawn": Points([(1, 2, 3)])}, "source.spawn: must be rows of 2 numbers"),
        ({"rate": 1.0, "start": nan}, "source.start = nan: must be seconds"),
        ({"rate": 1.0, "start": 3.0, "end": 1.0}, "source.end = 1: must be greater"),
        ({"rate": 1.0, "start": -1e6}, "source.start = -1000000.0: must be seconds"),
        ({"rate": 1.0, "end": "x"}, "source.end = 'x': must be seconds"),
        ({"rate": 1.0, "total": -1}, "source.total = -1: must be a whole number"),
        ({"rate": 1.0, "total": 1.5}, "source.total = 1.5: must be a whole number"),
        ({"rate": 1.0, "entered": 2}, "source.entered = 2: must be at most due = 0"),
        ({"rate": 1.0, "heading": "north"}, "source.heading = 'north': must be a finite number"),
        ({"times": 3.0}, "source.times = 3.0: must be a list of seconds"),
        ({"times": (nan,)}, "source.times = (nan,): must be a list of seconds"),
    ],
)
def test_refused_when_it_is_made(given, said):
    """What is wrong is told at once, not by a step that hangs or ends in another error."""
    with pytest.raises(BadInput) as refused:
        Source(**{"group": "a", "spawn": HERE, **given})
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("group", "spawn", "said"),
    [
        ("b", HERE, "group 'b': must be one of a"),
        (
            "a",
            Region(11, 11, 19, 19),
            "spawn.region = [11, 11, 19, 19]: no room was found for a hull",
        ),
        (
            "a",
            Region(-30, 2, -20, 38),
            "spawn.region = [-30, 2, -20, 38]: no room was found for a hull",
        ),
        ("a", Points([(5, 5), (15, 15)]), "spawn: unit 1 at (15, 15) starts inside a solid"),
    ],
)
def test_refused_when_it_is_put_in(group, spawn, said):
    """As in a file: no unit could ever enter, or a step ended in the error when one was due."""
    world = World(bounds=(0, 0, 40, 40), edges="wall", boxes=[(10, 10, 20, 20)])
    world.add_group("a", [], model="crowd")
    with pytest.raises(BadInput) as refused:
        world.agenda.sources.append(Source(group, spawn, times=(9.0,)))
    assert str(refused.value).startswith(said)
    assert not world.agenda.sources


def test_a_state_is_loaded_without_looking_for_room_again(monkeypatch):
    """It has been checked as a whole: what is refused half way would leave half a world."""
    world = world_with(Source("a", HERE, rate=1.0))
    world.step()
    state = world.save()
    monkeypatch.setattr(agenda, "check_start", lambda *_: pytest.fail("looked"))
    world.load(state)
    assert World.load(state).agenda.sources[0].entered == world.agenda.sources[0].entered == 1


@pytest.mark.parametrize("when", [{"rate": 1e6}, {"poisson": 1e6}, {"times": (0.0,) * 200_000}])
def test_more_units_than_there_is_room_for_are_counted(when):
    """A step's units are counted in a step; the times of all are not gone through for each."""
    with world_with(Source("a", HERE, **when)) as world:
        world.step()
        world.step()
        (source,) = world.agenda.sources
        assert 0 < source.entered == len(world.ids) < source.due


def test_times_count_from_start_to_end():
    """In whatever order they are given."""
    with world_with(Source("a", HERE, times=(0.3, 0.05, 0.01), start=0.02, end=0.2)) as world:
        for _ in range(30):
            world.step()
        assert world.agenda.sources[0].entered == 1
        assert world.agenda.sources[0].done


def test_a_scenario_with_such_a_rate():
    """It ran without end, and without a word."""
    text = SCENARIO.replace("RATE", "1e12")
    with pytest.raises(BadInput, match=r"rate = 1000000000000.0: must be .* at most 1e\+06"):
        loads(text, "t.toml")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Due(nan, print), "time = nan: must be seconds"),
        (lambda: Due(inf, print), "time = inf: must be seconds"),
        (lambda: Due(1.0, None), "act = None: must be a function"),
        (lambda: World().agenda.add(print), "must be a Due"),
    ],
)
def test_events_that_are_none(make, said):
    """An event has a time that comes, and something to do."""
    with pytest.raises(BadInput, match="must be") as refused:
        make()
    assert said in str(refused.value)


def test_many_events_are_put_in_and_found_in_little_time(monkeypatch):
    """Neither is a list of all sorted for each event, nor is it gone through at each step."""
    looked: list[Due] = []
    monkeypatch.setattr(agenda, "_time", lambda event: (looked.append(event), event.at)[1])
    with World() as world:
        times = [1.0 + k * 7 % 11 for k in range(2000)]
        for time in times:
            world.at(time, print)
        assert [event.at for event in world.agenda.events] == sorted(times)
        assert len(looked) < 2000 * 13  # the height of a tree of 2,000, and the event itself
        looked.clear()
        world.step()
        assert len(looked) < 13


@pytest.mark.parametrize("when", [{"rate": 7.3}, {"poisson": 5e3}, {"rate": 1e6}])
@pytest.mark.parametrize("end", [{}, {"end": 0.0201}, {"total": 37}])
def test_counted_in_bulk_as_one_by_one(when, end, monkeypatch):
    """A thousand sources of a million units a second took minutes a step: each was counted."""

    def counted(source):
        world = World(seed=4, time_step=1 / 64)
        world.add_group("a", [(50, 50)])
        world.agenda.sources.append(source)
        monkeypatch.setattr(Source, "follow", lambda me, roster, _: me._count(roster, 0))
        found = []
        for _ in range(3):
            world.step()
            found.append((source.due, source.kept["next"], source.kept["rng"]))
        return found

    fast = counted(Source("a", HERE, **when, **end))
    monkeypatch.setattr(Source, "_count_many", lambda *_: None)
    assert counted(Source("a", HERE, **when, **end)) == fast


def test_places_of_a_source():
    """A hundred thousand were looked at one by one whenever a unit waited."""
    with pytest.raises(BadInput, match=r"source.spawn: 1,001 places; must be at most 1,000"):
        Source("a", Points([(3.0 * k, 0) for k in range(1001)]), rate=1.0)
