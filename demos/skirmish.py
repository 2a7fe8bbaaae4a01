"""Skirmish: two armies meet, and a unit that is taken from behind is lost.

What to look for: in a window you lead blue. Draw a box round some, right click to send them, with
Shift right click to send them on from there. Without a window a script does it: the middle waits
while both wings go round and take red from behind. Count the units that are left.
"""

from functools import partial

import numpy as np

import sim
from sim.demo import play

FILM = "--film-speed 2 --film-fps 10 --film-to 36"
REACH, EVERY = 1.8, 1.0
"""World units within which units count, and seconds between two counts."""


def begin(world: sim.World, by_hand: bool) -> None:
    """Have red march, both sides fight and, where no player leads blue, a script lead it."""
    world.at(0.0, fight)
    world.at(1.0, lambda _: world.group("red").go_to((22, 19)))
    if by_hand:
        return
    middle, upper, lower = (inside(world, y, y + 13) for y in (13, 0, 27))
    world.at(1.0, lambda _: world.select(middle).go_to((15, 19)))
    for wing, y in ((upper, 4), (lower, 36)):
        world.at(1.0, partial(send_round, wing=wing, y=y))


def inside(world: sim.World, top: float, bottom: float) -> np.ndarray:
    """The ids of the blue units in a box across the ground."""
    blue = world.group("blue")
    y = world.units.position[blue.rows, 1]
    return blue.ids[(y > top) & (y < bottom)]


def send_round(world: sim.World, wing: np.ndarray, y: float) -> None:
    """Send a wing along its edge of the ground, and then into the rear of red."""
    wing = wing[np.isin(wing, world.ids)]
    squad = world.select(wing)
    squad.go_to((34, y))
    squad.go_to((21, 19), queue=True)


def fight(world: sim.World) -> None:
    """Take out the units that have a foe within reach behind them, and none within reach ahead."""
    units = world.units
    away = units.position - units.position[:, None]
    foe = (units.group[:, None] != units.group) & (np.hypot(away[..., 0], away[..., 1]) < REACH)
    ahead = (away * units.heading[:, None]).sum(axis=2) > 0
    lost = (foe & ~ahead).any(axis=1) & ~(foe & ahead).any(axis=1)
    world.remove(world.ids[lost])
    world.at(world.time + EVERY, fight)


if __name__ == "__main__":
    play(__file__, begin=begin)
