"""One thread at a time works on a world, and changes come between two steps."""

import threading

import numpy as np
import pymunk
import pytest

from sim import BadInput, Box, Hull, Region, World
from sim.behaviours import RULES, rule
from sim.core.units import Units
from sim.engine import bridge, rows

CHANGES = [
    ("step", lambda world: world.step()),
    ("step", lambda world: world.steer()),
    ("units", lambda world: world.remove([0])),
    ("units", lambda world: world.regroup([0], "b")),
    ("group 'b'", lambda world: world.group("b").add([(90, 90)])),
    ("group 'b'", lambda world: world.select(world.ids[-2:-1]).go_to((10, 10))),
    ("add_group|group 'c'", lambda world: world.add_group("c", [(90, 90)])),
    ("save", lambda world: world.save()),
    ("group 'b'", lambda world: world.group("b").configure("cohesion", weight=0.2)),
    ("group 'b'", lambda world: world.group("b").switch("avoidance", False)),
    ("group 'a'", lambda world: world.group("a").go_to((10, 10))),
    ("group 'a'", lambda world: setattr(world.group("a"), "goal", None)),
    *(
        ("group 'b'", lambda world, name=name, to=to: setattr(world.group("b"), name, to))
        for name, to in (
            ("view", "all"),
            ("view_angle", 3.0),
            ("view_radius", 9.0),
            ("speed", 2.0),
            ("schedule", [(9.0, (50, 50))]),
            ("script", [(0.0, 0.0, 0.0, 0.0)]),
        )
    ),
]
OF_OTHERS = [
    *CHANGES,
    ("orders", lambda world: world.group("a").arrived),
    ("add_solid", lambda world: world.add_solid(Box(90, 80, 95, 85))),
    ("add_area", lambda world: world.add_area(Box(90, 80, 95, 85), speed=0.5)),
    ("queries", lambda world: world.queries.rays([(0, 0)], [(90, 90)])),
    ("queries", lambda world: world.queries.clear(Hull.disc(0.5), [(90, 90)], 0)),
    ("queries", lambda world: world.queries.pick((80, 80))),
    ("contacts", lambda world: world.contacts),
    ("contacts", lambda world: world.events),
    ("percepts", lambda world: world.percepts(world.groups[0])),
]


def two_groups() -> World:
    """Some units on their way, and two that stand."""
    world = World(bounds=(0, 0, 100, 100), edges="wall")
    world.add_group("a", Region(5, 5, 50, 95), count=9, model="crowd").go_to((90, 50))
    world.add_group("b", [(80, 80), (85, 85)], model="crowd")
    world.step()
    return world


def refused(world: World, act) -> str:
    """What a change is refused with."""
    with pytest.raises(BadInput) as raised:
        act(world)
    return str(raised.value)


@pytest.fixture
def waiting():
    """A rule that waits amid a step until it is let go on."""
    begun, go_on = threading.Event(), threading.Event()

    @rule("flocking", gives="velocity")
    def wait(me):
        begun.set()
        assert go_on.wait(60)
        return np.zeros((len(me.units.position[me.rows]), 2))

    yield begun, go_on
    go_on.set()
    del RULES["wait"]


def test_a_world_at_work_in_another_thread(waiting):
    """Steps, changes and orders are refused there, and the run is the same as without them."""
    begun, go_on = waiting
    go_on.set()
    with two_groups() as alone:
        alone.group("a").configure("wait")
        alone.step()
        expected = alone.units.position
    begun.clear()
    go_on.clear()
    with two_groups() as world:
        world.group("a").configure("wait")
        before = world.units.position.copy()
        stepping = threading.Thread(target=world.step)
        stepping.start()
        assert begun.wait(60)
        for name, act in OF_OTHERS:
            said = refused(world, act)
            assert any(said.startswith(each) for each in name.split("|")), said
            assert "while another thread is at work on the world" in said
        np.testing.assert_array_equal(world.units.position, before)
        go_on.set()
        stepping.join(60)
        assert world.steps == 2
        np.testing.assert_array_equal(world.units.position, expected)
        world.step()


@pytest.mark.parametrize(("name", "act"), CHANGES)
def test_what_the_engine_calls_cannot_change_the_world(name: str, act):
    """A step within a step of the engine ended the process; now it is a message."""
    world, said = two_groups(), []

    def moved(body: pymunk.Body, dt: float) -> None:
        pymunk.Body.update_position(body, dt)
        said.append(refused(world, act))

    body = next(iter(world.space.bodies))
    body.position_func = moved
    world.step()
    assert said
    assert "step" in said[0]
    assert "the engine" in said[0]
    assert any(said[0].startswith(each) for each in name.split("|"))


def test_units_are_read_amid_a_step_of_the_engine_as_they_decided():
    """No half of a step is seen, in the callback or after it."""
    world, seen = two_groups(), []
    before = world.units.position.copy()

    def moved(body: pymunk.Body, dt: float) -> None:
        pymunk.Body.update_position(body, dt)
        seen.append(world.units.position)

    next(iter(world.space.bodies)).position_func = moved
    world.step()
    np.testing.assert_array_equal(seen[0], before)
    assert (world.units.position != before).any()


def test_an_interrupt_as_units_are_read_shows_none_that_is_half_filled_in(monkeypatch):
    """The next step had places of memory that held anything: units moved on from there."""
    with two_groups() as world:
        world.step()
        whole = rows.Draft.stand

        def interrupt(*_: object) -> None:
            monkeypatch.setattr(rows.Draft, "stand", whole)
            raise KeyboardInterrupt

        unfilled = Units.unfilled
        monkeypatch.setattr(Units, "unfilled", lambda group: full_of_nan(unfilled(group)))
        monkeypatch.setattr(rows.Draft, "stand", interrupt)
        with pytest.raises(KeyboardInterrupt):
            world.step()
        world.step()
        there = [(*body.position, *body.velocity) for body in world.roster.bridge.bodies]
        units = world.units
        np.testing.assert_array_equal(np.hstack((units.position, units.velocity)), there)


def full_of_nan(units: Units) -> Units:
    """Units of which nothing is known, as new memory might have them."""
    for name in ("position", "velocity", "angle", "spin"):
        getattr(units, name)[...] = np.nan
    return units


def test_an_interrupt_as_bodies_are_found_leaves_them_to_be_found(monkeypatch):
    """Else units were taken for others once some had gone: rows led to where bodies lay before."""
    with two_groups() as world:
        whole = bridge.where_now

        def interrupt(*_: object) -> None:
            monkeypatch.setattr(bridge, "where_now", whole)
            raise KeyboardInterrupt

        world.remove(world.ids[:3])
        monkeypatch.setattr(bridge, "where_now", interrupt)
        with pytest.raises(KeyboardInterrupt):
            world.step()
        there = [tuple(body.position) for body in world.roster.bridge.bodies]
        np.testing.assert_array_equal(world.units.position, there)
        world.step()
