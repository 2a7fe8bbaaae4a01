"""Loads into a world whose bodies are still the same: quick, and bit for bit as in a new space."""

import resource
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.engine import build
from sim.engine.memory import is_tree
from sim.saving import made_with, spaces
from sim.world import World
from tests.saving.test_states import digest, forward

MANY = 1024
"""Units from which the engine finds contacts by cells."""


def packed(**given) -> World:
    """A crowd in which all are pushed about, so that they touch."""
    world = World(seed=1, bounds=(0, 0, 40, 40), **{"edges": "wall", **given})
    side = np.linspace(8, 32, 32)
    places = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    hull = sim.Hull.disc(0.38)
    world.add_group("crowd", places, hull=hull, goal=sim.Goal.to((20, 20)))
    rng = np.random.default_rng(1)
    for body in world.space.bodies:
        body.velocity = tuple(rng.uniform(-8, 8, 2).tolist())
    return world


def state_of(world: World) -> list[np.ndarray]:
    """All that its engine carries, as arrays."""
    engine = world.save().engine
    return [part for each in engine for part in (each if isinstance(each, tuple) else (each,))]


def same(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    """Whether two lists of arrays hold the same."""
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def check(world: World, steps: int) -> None:
    """A world rewound in its own space, twice, is in the state it was in, and goes on alike."""
    assert not is_tree(world.space)
    state, was, space = world.save(), state_of(world), world.space
    touching = world.contacts
    assert len(touching.other) > 10
    straight = digest(forward(world, steps))
    for _ in range(2):
        world.load(state)
        assert world.space is space
        assert same(state_of(world), was)
        assert all(np.array_equal(a, b) for a, b in zip(world.contacts, touching, strict=True))
        assert digest(forward(world, steps)) == straight
    other = World(**made_with(state))
    other.load(state)
    assert digest(forward(other, steps)) == straight


def test_rewound():
    """The bodies stay, and are where they were; contacts with their impulses too."""
    world = forward(packed(), 8)
    check(world, 12)


def test_found_where_it_was():
    """Right after a load the engine's own queries find a unit where it was at the save."""
    world = forward(packed(), 5)
    state, at = world.save(), world.units.position
    forward(world, 60)
    unit = int(np.argmax(np.hypot(*(world.units.position - at).T)))
    assert world.queries.pick(tuple(at[unit].tolist())) != unit
    world.load(state)
    assert world.queries.pick(tuple(at[unit].tolist())) == unit


@pytest.mark.slow
@pytest.mark.parametrize("steps", [1, 60])
def test_rewound_with_a_door(steps: int):
    """Parts of the ground and twins across a seam are bodies like others."""
    world = packed(edges="wrap")
    world.add_solid(sim.Box(19, 1, 21, 3), name="door")
    world.group("crowd").go_to((1, 20))
    check(forward(world, 8), steps)


def test_a_group_that_has_been_added_since():
    """The engine has laid its cells anew: all bodies are new ones, and the run is the same."""
    world = forward(packed(), 10)
    state, space = world.save(), world.space
    straight = digest(forward(world, 10))
    world.add_group("more", [(1.0, 1.0)])
    world.load(state)
    assert world.space is not space
    assert digest(forward(world, 10)) == straight


@pytest.mark.parametrize("kind", ["gone", "come", "both", "other group", "torus"])
def test_rewound_though_units_came_and_went(kind: str):
    """The bodies that are the same stay, and the run is that which it was, bit for bit."""
    world = forward(packed(edges="wrap" if kind == "torus" else "wall"), 4)
    world.add_group("later", [(2.0, 2.0)], hull=sim.Hull.disc(0.3))
    (crowd, later), stay = world.groups, world.roster.bridge.bodies[100]
    state, was, space = world.save(), state_of(world), world.space
    straight = digest(forward(world, 8))
    for _ in range(2):
        world.load(state)
        if kind != "come":
            crowd.remove(crowd.ids[:40])
            world.step()
        if kind != "gone":
            crowd.add(sim.Region(1, 1, 39, 7), count=20)
            forward(world, 3)
        if kind == "other group":
            world.regroup(crowd.ids[-5:], later)
            world.step()
        world.load(state)
        assert world.space is space
        assert world.roster.bridge.bodies[100] is stay
        assert same(state_of(world), was)
        assert digest(forward(world, 8)) == straight


def test_a_load_though_units_came_and_went_makes_no_body_anew(monkeypatch):
    """Those that left serve again: to make all anew took 24 microseconds each."""
    world = forward(packed(), 2)
    (crowd,), state = world.groups, world.save()
    crowd.remove(crowd.ids[:40])
    crowd.add(sim.Region(1, 1, 39, 7), count=40)
    forward(world, 2)

    def refuse(*_: object) -> None:
        raise AssertionError("made a body")

    monkeypatch.setattr(build, "make_body", refuse)
    monkeypatch.setattr(spaces, "make_body", refuse)
    world.load(state)
    assert len(world.ids) == MANY


@pytest.mark.slow
def test_memory_stays_level():
    """A hundred loads take no more memory than twenty."""
    world = forward(packed(), 8)
    state, seen = world.save(), []
    for _ in range(100):
        world.load(state)
        forward(world, 2)
        seen.append(resident())
    assert seen[-1] - seen[20] < 4 << 20


def resident() -> int:
    """Bytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()
