"""Doors: a crowd leaves by a narrow door near by or a wide one far off.

What to look for: as the queue at the nearer door grows, those at its back and flank leave it for
the other. The last is out after about 22 s; by the shortest ways most wait at the narrow door, and
the last is out after about 38. They judge by the queues that stand now, as people do, and now and
then too many go over.
"""

from sim.demo import play

FILM = "--film-speed 2 --film-size 480x300 --film-fps 12.5"

if __name__ == "__main__":
    play(__file__)
