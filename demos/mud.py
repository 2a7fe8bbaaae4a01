"""Mud: carts go round it by a road, those on foot wade straight through.

What to look for: mud slows carts to a quarter, so the way round by the road is cheaper for them.
Walkers are hardly slowed, and take the straight way.
"""

import sim
from sim.demo import play

FILM = "--film-speed 2 --film-size 480x240 --film-fps 12.5"


def world() -> sim.World:
    """The same as maps/mud.toml, by hand."""
    made = sim.World(seed=3, bounds=(0, 0, 50, 24), edges="wall")
    goal, cart = sim.Goal.into((43, 3, 49, 21)), sim.Hull("box", 1.6, 1.0, 200)
    made.add_group("carts", sim.Region(1, 10, 10, 18), count=8, hull=cart, heading=0.0, goal=goal)
    made.add_group("feet", sim.Region(2, 4, 9, 9.5), count=12, heading=0.0, goal=goal)
    mud = sim.Polygon([(17, 5), (31, 4), (35, 10), (30, 17), (18, 16)])
    made.add_area(mud, speed=0.25, groups=["carts"])
    made.add_area(mud, speed=0.8, cost=1.0, groups=["feet"])
    made.add_area(sim.Box(8, 19, 42, 22), speed=1.5, groups=["carts"])
    return made


if __name__ == "__main__":
    play(__file__)
