"""Own bodies: people see a disc that the program itself has put there.

What to look for: the disc hangs on a pin joint, which this script puts into the space of the world.
People from both sides go round it, and hardly touch it. Take the line with `see` away and they walk
into it.
"""

import pymunk

import sim
from sim.demo import play

FILM = "--film-to 26 --film-speed 2 --film-size 480x220 --film-fps 10"


def swing(world: sim.World, _: bool = False, seen: bool = True) -> None:
    """Put a disc on a joint into the world's space; units are to see it."""
    disc = pymunk.Body(20000.0, pymunk.moment_for_circle(20000.0, 0, 1.0))
    disc.position, disc.velocity = (18, 12), (1.2, 0)
    joint = pymunk.PinJoint(world.space.static_body, disc, (18, 8))
    world.space.add(disc, pymunk.Circle(disc, 1.0), joint)
    if seen:
        world.see(disc)


if __name__ == "__main__":
    play(__file__, begin=swing)
