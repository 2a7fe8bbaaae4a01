"""Formations: a column becomes a wedge, then a line, then a ring.

What to look for: ten walkers out of order form up as a column, and set off when the last is in its
place. At each end of the way they wait for each other, and each takes a place near by in the next
formation. On the way no unit changes places: the formation goes as one.
"""

import sim
from sim.demo import play

FILM = "--film-speed 3 --film-size 480x240 --film-fps 12.5 --film-to 66"
WEST, EAST = (8, 9), (28, 9)


def world() -> sim.World:
    """The same as maps/formations.toml, by hand."""
    made = sim.World(seed=1, bounds=(0, 0, 36, 18))
    column = sim.Goal.along([WEST, EAST], formation=sim.Formation("column", spacing=1.5))
    squad = made.add_group("squad", sim.Region(1, 1, 9, 7), count=10, speed=2.0, goal=column)
    then = made.select(squad.ids)
    then.go_along([EAST, WEST], queue=True, formation=sim.Formation("wedge", spacing=1.6))
    then.go_along([WEST, EAST], queue=True, formation=sim.Formation("line", spacing=1.5))
    ring = sim.Formation("circle", spacing=1.6, facing=3.141592653589793)
    then.go_along([EAST, WEST], queue=True, formation=ring)
    return made


if __name__ == "__main__":
    play(__file__)
