"""Corner: a throng goes round the corner of a wide corridor, three abreast.

What to look for: the corridor is eight hulls wide. With the rule `keep_lane` off (its weight 0) all
make for the inner corner and go round in single file, and the last is there half as late again.
"""

import sim
from sim.demo import play

FILM = "--film-speed 4 --film-to 41 --film-size 480x300 --film-fps 10"


def world() -> sim.World:
    """The same as maps/corner.toml, by hand."""
    walls = [(0, 0, 48, 2), (0, 10, 36, 30), (44, 2, 48, 30)]
    made = sim.World(seed=1, bounds=(0, 0, 48, 30), boxes=walls)
    made.add_group(
        "crowd", sim.Region(1, 2.6, 27, 9.4), count=80, speed=1.6, heading=0.0,
        goal=sim.Goal.into((37, 26, 43, 29), leave=True),
    )  # fmt: skip
    return made


if __name__ == "__main__":
    play(__file__)
