"""Bridge: forty from each side cross a bridge, and keep to starboard.

What to look for: the bridge is a little wider than four hulls. Each side keeps to its own starboard
half, so both walk at once. With the rule `keep_to_starboard` off (its weight 0) each side takes the
whole width, and they stand face to face without end.
"""

import sim
from sim.demo import play

FILM = "--film-speed 4 --film-size 480x240 --film-fps 10 --film-to 52"


def world() -> sim.World:
    """The same as maps/bridge.toml, by hand."""
    walls = [(12, 0, 28, 8.7), (12, 11.3, 28, 20)]
    made = sim.World(seed=1, bounds=(0, 0, 40, 20), edges="wall", boxes=walls)
    west, east = (1, 1, 11, 19), (29, 1, 39, 19)
    for name, start, end, heading in (("west", west, east, 0), ("east", east, west, 180)):
        made.add_group(
            name, sim.Region(*start), count=40, hull=sim.Hull.disc(0.3), speed=1.3,
            heading=heading, goal=sim.Goal.into(end),
        )  # fmt: skip
    return made


if __name__ == "__main__":
    play(__file__)
