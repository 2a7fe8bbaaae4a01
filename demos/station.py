"""Station: people enter at random times, and leave by train and street.

What to look for: units come from the street at random times, and forty from a train at 20 s. Then
the waiting people board, and at 45 s all that are on their way to the upper train turn to the lower
one: an event of the scenario. A unit that has reached an exit is taken out.
"""

import sim
from sim.demo import play
from sim.living.sources import Source

FILM = "--film-speed 4 --film-size 640x384 --film-fps 10 --film-to 60"
WALLS = [(14, 0, 15, 9), (14, 11, 15, 13), (14, 15, 15, 24)]
PLATFORMS, KIOSKS = [(22, 7.5, 36, 8.5), (22, 15.5, 36, 16.5)], [(6, 8, 8, 10), (6, 14, 8, 16)]
HULL, NO_UNITS = sim.Hull.disc(0.25, mass=80), sim.Points([])


def world() -> sim.World:
    """The same as maps/station.toml, by hand."""
    boxes = [*WALLS, *PLATFORMS, *KIOSKS]
    made = sim.World(seed=4, bounds=(0, 0, 40, 24), edges="wall", boxes=boxes)
    leaving = made.add_group("leaving", NO_UNITS, speed=1.4, hull=HULL, goal=train(4))
    street = sim.Goal.into((0.3, 9, 1.5, 15), leave=True)
    coming = made.add_group("coming", NO_UNITS, speed=1.3, hull=HULL, goal=street)
    there = sim.Region(20, 9.5, 34, 14.5)
    waiting = made.add_group("waiting", there, count=12, speed=1.2, hull=HULL)
    made.agenda.sources += [
        Source("leaving", sim.Region(0.5, 3, 2.5, 21), poisson=0.3, end=90.0),
        Source("coming", sim.Region(37, 10, 39.5, 14), rate=1.5, start=20.0, total=40),
    ]

    def board(_: sim.World) -> None:
        waiting.goal = sim.Goal.into((38, 17.5, 39.7, 23), leave=True)

    def change_train(_: sim.World) -> None:
        leaving.goal = train(20)

    def hurry(_: sim.World) -> None:
        coming.speed = 1.6

    for time, change in ((20.0, board), (45.0, change_train), (60.0, hurry)):
        made.at(time, change)
    return made


def train(y: float) -> sim.Goal:
    """By the middle of the hall to the train at this height, and in."""
    return sim.Goal.along([(18, 12), (38, y)], tolerance=1.5, leave=True)


if __name__ == "__main__":
    play(__file__)
