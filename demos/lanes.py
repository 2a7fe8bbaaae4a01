"""Lanes: two crowds pass through each other in a corridor.

What to look for: everyone who meets somebody keeps to its right, and who is behind follows, so
within seconds there are two lanes, and hardly anybody slows down. The yellow ones are in a hurry
and overtake where there is room; the violet ones dawdle and are overtaken.
"""

from sim.demo import play

FILM = "--film-speed 2 --film-size 640x140 --film-fps 12.5"

if __name__ == "__main__":
    play(__file__)
