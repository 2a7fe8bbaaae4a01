"""Runs that are compared to the bit."""

from sim import World


def track(world: World, steps: int) -> list[bytes]:
    """Where all stand after each step, to the bit."""
    found = []
    for _ in range(steps):
        world.step()
        found.append(world.units.position.tobytes() + world.units.angle.tobytes())
    return found
