"""Chicken: head-on, both swerve.

What to look for: the two meet on one line, each swerves half way to its own starboard, and they
pass port to port without a dance. Below, four at once.
"""

from sim.demo import play

FILM = "--film-speed 1.5"

if __name__ == "__main__":
    play(__file__)
