"""Choke: two groups swap sides through one gap of two tiles.

What to look for: everybody keeps to the left in the gap, two lanes form and dissolve, nobody is
told anything. On the far side each group packs round its one target; who gave up short of it
closes ranks once nobody is under way near it.
"""

from sim.demo import play

FILM = "--film-to 38 --film-speed 3"

if __name__ == "__main__":
    play(__file__)
