"""Ages: one street with units that are alike, one with units that differ.

What to look for: above all are alike, keep their order and come together. Below speed, size and
the distance that is kept are drawn for each unit: the quick pass the slow, and the group strings
out. Each run of a seed draws the same.
"""

from sim.demo import play

FILM = "--film-to 40 --film-speed 3 --film-size 640x170 --film-fps 12.5"

if __name__ == "__main__":
    play(__file__)
