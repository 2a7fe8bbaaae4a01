"""Headway: a crowd that walks as one block, and one that keeps its headway.

What to look for: above all set off at once at full speed, a hand's breadth apart. Below, by the
rule `keep_headway`, each goes as fast as the room ahead allows: the first walk off, the last wait
for their turn, and the crowd draws out to the density at which people walk freely.
"""

from sim.demo import play

FILM = "--film-to 26 --film-speed 4 --film-size 400x94 --film-fps 8"

if __name__ == "__main__":
    play(__file__)
