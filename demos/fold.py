"""Fold: a wedge goes through a narrow gate in file and unfolds behind it.

What to look for: before the gate all wait until the column stands, then they go through one after
another. Behind it each takes its place in the wedge, and the wedge goes on when the last has come.
On the way back they do the same from the other side.
"""

import sim
from sim.demo import play

FILM = "--film-speed 4 --film-to 53 --film-size 480x218 --film-fps 10"


def world() -> sim.World:
    """The same as maps/fold.toml, by hand."""
    walls = [(21.5, 0, 22.5, 9.3), (21.5, 10.7, 22.5, 20)]
    made = sim.World(seed=1, bounds=(0, 0, 44, 20), edges="wall", boxes=walls)
    wedge = sim.Formation("wedge", spacing=1.6)
    there_and_back = sim.Goal.along([(38, 10), (5, 10)], formation=wedge)
    made.add_group("squad", sim.Region(1, 4, 9, 16), count=9, speed=2.0, goal=there_and_back)
    return made


if __name__ == "__main__":
    play(__file__)
