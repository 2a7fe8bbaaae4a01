"""Make way: a resting pack lets one square through and closes again.

What to look for: the pack bars a corridor. A square that the blue one touches moves aside for five
seconds at most, and so do the units that it bumps into, for what is left of that time. Time only
ever runs out: behind the blue one the pack comes to rest, and all go back to their places.
"""

from sim.demo import play

FILM = "--film-to 14 --film-speed 1.5"

if __name__ == "__main__":
    play(__file__)
