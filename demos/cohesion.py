"""Cohesion alone: everyone steers for the middle of those it sees.

What to look for: the units gather and circle round their common middle, in a ring, either way
round, and bump into each other: nothing lines them up or keeps them apart. The two other rules are
for that.
"""

from sim.demo import play

FILM = "--film-region 256,192,768,576 --film-to 24"

if __name__ == "__main__":
    play(__file__)
