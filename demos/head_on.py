"""Head-on: squares that meet exactly head-on pass each other.

What to look for: nothing at random is in it. Each follows the side it has struck, clockwise round
the other, so both swerve to their own left: one pair, then four abreast against four, in a mirror.
"""

from sim.demo import play

FILM = "--film-speed 1"

if __name__ == "__main__":
    play(__file__)
