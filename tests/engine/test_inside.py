"""Bodies come and go in a short way where pymunk's tables are known, and by its own calls else."""

import sys
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pymunk
import pytest

from sim import Goal, Hull, Region, World
from sim.engine import inside

NAMES = ["_bodies", "_shapes", "_locked", "_removed_shapes", inside.UNCHECKED]


@pytest.fixture
def asked_anew() -> Iterator[None]:
    """What is known of pymunk is asked for again, within the test and after it."""
    inside.quick.cache_clear()
    yield
    inside.quick.cache_clear()


def coming_and_going() -> tuple[list[int], bytes]:
    """What a world comes to whose units come, go and change their hull: ids and state."""
    world = World(seed=4)
    a = world.add_group("a", Region(0, 0, 15, 15), count=12, goal=Goal.to((30, 5)))
    b = world.add_group(
        "b", Region(30, 0, 45, 15), count=8, hull=Hull.disc(0.4), goal=Goal.to((0, 5))
    )
    for step in range(30):
        if step % 5 == 2:
            a.remove(a.ids[:2])
            b.add(Region(0, 30, 30, 45), count=3)
            world.regroup(b.ids[-1:], "a")
        world.step()
    units = world.units
    assert len(world.space.bodies) == len(world.space.shapes) == len(units)
    return world.ids.tolist(), np.hstack([units.position, units.velocity]).tobytes()


def test_this_pymunk_is_known():
    """The installed one keeps what is in a space where the package writes it."""
    assert inside.quick()


@pytest.mark.usefixtures("asked_anew")
@pytest.mark.parametrize("name", [*NAMES, "_dead_ref"])
def test_without_a_name_units_come_and_go_all_the_same(monkeypatch: pytest.MonkeyPatch, name: str):
    """A table that pymunk names otherwise: its own calls serve, and the run is the same."""
    known = coming_and_going()
    assert inside.quick()

    class Renamed(pymunk.Space):
        def __getattribute__(self, asked):
            asks = sys._getframe(1).f_globals["__name__"]
            if asked == name and not asks.startswith("pymunk"):
                raise AttributeError(asked)
            held = super().__getattribute__(asked)
            return {k: v for k, v in held.items() if k != name} if asked == "__dict__" else held

    if name == "_dead_ref":
        monkeypatch.setattr(inside, name, None)
    else:
        monkeypatch.setattr("sim.living.roster.Space", Renamed)
        monkeypatch.setattr(pymunk, "Space", Renamed)
    inside.quick.cache_clear()
    assert coming_and_going() == known
    assert not inside.quick()


def across_the_seam() -> bytes:
    """What a flock on a small torus comes to, with twins in use and units brought back."""
    world = World(seed=4, bounds=(0, 0, 60, 60), edges="wrap")
    world.add_group("a", Region(0, 0, 60, 60), count=12, model="flock")
    for _ in range(30):
        world.step()
    assert world.roster.bridge.seam.in_use
    return np.hstack([world.units.position, world.units.velocity]).tobytes()


@pytest.mark.usefixtures("asked_anew")
@pytest.mark.parametrize("name", ["cpBodySetPosition", "cpBodySetAngularVelocity"])
def test_without_a_call_bodies_are_moved_all_the_same(monkeypatch: pytest.MonkeyPatch, name: str):
    """A call that pymunk's library names otherwise: a body's own attributes serve, to the bit."""
    known, calls = across_the_seam(), {each: getattr(inside.lib, each) for each in dir(inside.lib)}
    assert inside.quick()
    del calls[name]
    monkeypatch.setattr(inside, "lib", SimpleNamespace(**calls))
    inside.quick.cache_clear()
    assert across_the_seam() == known
    assert not inside.quick()


@pytest.mark.usefixtures("asked_anew")
def test_a_table_that_is_not_known_is_noticed(monkeypatch: pytest.MonkeyPatch):
    """One that pymunk's own calls fill besides: it would lack what comes in the short way."""

    class More(pymunk.Space):
        def __init__(self):
            self.more = {}
            super().__init__()

        def _add_body(self, body):
            super()._add_body(body)
            self.more[body.id] = self.more[body] = None

    monkeypatch.setattr(pymunk, "Space", More)
    inside.quick.cache_clear()
    assert not inside.quick()
