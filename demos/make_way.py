"""Make way: a resting pack lets one square through and closes again.

What to look for: whoever is touched by the blue one moves aside for five seconds at most, and so
do those that it bumps into, for what is left of that time. Time only ever runs out: behind the
blue one the pack comes to rest, and everybody goes back as far as the others leave room.
"""

from sim.demo import play

FILM = "--film-speed 1.5"

if __name__ == "__main__":
    play(__file__)
