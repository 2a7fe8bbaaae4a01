"""Lift: two platforms cross a hall to and fro among walkers.

What to look for: walkers keep clear of the platforms, and units that only stand are pushed along. A
platform stops before it would squeeze a unit against a wall, and goes on when there is room.
"""

import sim
from sim.demo import play

FILM = "--film-speed 2 --film-size 480x240 --film-fps 12.5"


def world() -> sim.World:
    """The same as maps/lift.toml, by hand."""
    made = sim.World(seed=2, bounds=(0, 0, 40, 20), edges="wall")
    rows = [(0, 0, 0), (8, 0, 15), (10, 0, 15), (18, 0, 0), (20, 0, 0)]
    made.add_solid(sim.Box(13, 1, 16, 4), name="lift", path=rows, loop=True)
    there_and_back = [(0, 0, 0), (9, 0, -14), (18, 0, 0)]
    made.add_solid(sim.Disc(26, 17, 2), name="disc", path=there_and_back, loop=True)
    goal = sim.Goal.into((33, 2, 39, 18))
    made.add_group("walkers", sim.Region(2, 3, 8, 17), count=14, heading=0.0, goal=goal)
    made.add_group("standing", [(14.5, 10), (26, 8), (14, 18.6)], heading=0.0)
    return made


if __name__ == "__main__":
    play(__file__)
