"""Separation alone: everyone steers away from those too near.

What to look for: the dense bunch bursts outward and then flies straight on, each unit turning only
when another comes within six lengths, and always away from its side.
"""

from sim.demo import play

FILM = "--film-to 3.4 --film-speed 1 --film-region 320,240,704,528"

if __name__ == "__main__":
    play(__file__)
