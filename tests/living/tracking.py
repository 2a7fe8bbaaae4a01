"""Runs that are compared to the bit."""

from collections.abc import Iterator
from pathlib import Path

from sim import World


def track(world: World, steps: int) -> list[bytes]:
    """Where all stand after each step, to the bit."""
    found = []
    for _ in range(steps):
        world.step()
        found.append(world.units.position.tobytes() + world.units.angle.tobytes())
    return found


def going_on(world: World, file: Path) -> Iterator[World]:
    """The world as it is; then, as it was at first, from memory; then from a file."""
    kept = world.save()
    world.save(file)
    yield world
    world.load(kept)
    yield world
    yield World.load(file)
