"""Intercept: magenta units aim where the player will be.

What to look for: the blue chasers swing round behind the player; the interceptors, with half as
much thrust again, cut the corner to the meeting point and arrive first.
"""

from sim.demo import play

FILM = "--film-speed 1 --film-to 16"

if __name__ == "__main__":
    play(__file__)
