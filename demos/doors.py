"""Doors: a crowd leaves a hall by two doors, and nearly everybody stands nearer to one of them.

What to look for: as soon as a queue forms at the nearer door, those behind it turn to the other,
until it would take them as long there. Both queues end together.
"""

from sim.demo import play

FILM = "--film-speed 2 --film-size 480x300 --film-fps 12.5"

if __name__ == "__main__":
    play(__file__)
