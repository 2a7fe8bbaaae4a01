"""Alignment alone: everyone steers as those it sees move.

What to look for: within seconds all head one way, but each stays in its own place: they share a
course and are no flock.
"""

from sim.demo import play

FILM = "--film-to 16 --film-speed 1.5"

if __name__ == "__main__":
    play(__file__)
