"""Unaligned avoidance: soldiers foresee which units their course would meet.

What to look for: head-on they pass port to port; crossing, the one that is there first hurries and
the other passes behind it. Click one to see both ghosts at the closest approach.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
