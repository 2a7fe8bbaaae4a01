"""Gate: a gate between two halls opens, and closes again.

What to look for: while it is shut, all go the long way by the bottom. When it opens, units that are
not past it yet turn round to it. It is to close at 20 s, and waits until no unit stands in it.
"""

import sim
from sim.demo import play

FILM = "--film-speed 2 --film-size 480x240 --film-fps 12.5"


def world() -> sim.World:
    """The same as maps/gate.toml, by hand."""
    walls = [(19.5, 0, 20.5, 8.5), (19.5, 11.5, 20.5, 17)]
    made = sim.World(seed=1, bounds=(0, 0, 40, 20), edges="wall", boxes=walls)
    gate = made.add_solid(sim.Box(19.5, 8.5, 20.5, 11.5), name="gate")
    made.add_group(
        "east", sim.Region(2, 5, 9, 15), count=16, heading=0.0,
        goal=sim.Goal.into((29, 1, 39, 19)),
    )  # fmt: skip
    made.add_group(
        "west", sim.Region(31, 5, 38, 15), count=16, heading=3.141592653589793,
        goal=sim.Goal.into((1, 1, 11, 19)),
    )  # fmt: skip
    made.at(9.0, lambda _: gate.open())
    made.at(20.0, lambda _: gate.close())
    return made


if __name__ == "__main__":
    play(__file__)
