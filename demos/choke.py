"""Choke: two groups swap sides through one gap of two tiles.

What to look for: all keep to the left in the gap, two lanes form and dissolve, no square is
told anything. On the far side each group packs round its one target; a unit that gave up short of
it closes ranks once no other is under way near it.
"""

from sim.demo import play

FILM = "--film-to 38 --film-speed 3"

if __name__ == "__main__":
    play(__file__)
