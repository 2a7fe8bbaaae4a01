"""Doors: a crowd leaves a hall by two doors, all nearer to the same one.

What to look for: as the queue at the nearer door grows, those at its back and flank leave it for
the other. They judge by the queues that stand now, as people do, so a few too many go over, and
then some come back.
"""

from sim.demo import play

FILM = "--film-speed 2 --film-size 480x300 --film-fps 12.5"

if __name__ == "__main__":
    play(__file__)
