"""Chase: every unit of a flock is after the player.

What to look for: the units steer at where the player is now, so they swing in behind it and follow
in a tail. Press C to switch the chase off and on, F to see them chase without flocking.
"""

from sim.demo import play

FILM = "--film-speed 1.5 --film-to 20"

if __name__ == "__main__":
    play(__file__)
