"""Approach: two soldiers come up to each other and stop face to face.

What to look for: each aims at where the other will be and slows down as the gap closes: neither
circles the other. They stop two lengths apart. Twelve pairs start in all directions.
"""

from sim.demo import play

FILM = "--film-to 16 --film-speed 1.5"

if __name__ == "__main__":
    play(__file__)
