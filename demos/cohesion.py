"""Cohesion alone: everyone steers for the middle of those it sees.

What to look for: the units rush together and swarm about one point, in each other's way: nothing
keeps them apart or lines them up. That is what the two other rules are for.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
