"""Escort: one group, and parts of it do different things at once.

What to look for: six of the blue guards follow the cart, four hold the gate. When the raiders come
near, three of the six chase them off; when the last one has gone these three go back to the cart,
which was queued. In a window you give orders, too: draw a box round some guards, then right click
on a raider to chase, with Ctrl on the cart to follow it.
"""

import sim
from sim.demo import play

FILM = "--film-speed 2 --film-fps 10 --film-to 36"


def begin(world: sim.World, _: bool) -> None:
    """Order the guards, part by part."""
    ids = world.group("guards").ids
    world.select(ids[:6]).follow("cart")
    world.select(ids[6:]).hold()
    world.at(8.0, repel)


def repel(world: sim.World) -> None:
    """Have three chase the raiders until these have gone, and then follow the cart again."""
    three = world.select(world.group("guards").ids[3:6])
    three.chase("raiders")
    three.follow("cart", queue=True)


if __name__ == "__main__":
    play(__file__, begin=begin)
