"""Lanes: two crowds pass through each other in a corridor.

What to look for: units that meet keep to their right, and those behind follow, so
within seconds there are two lanes, and hardly any unit slows down. The yellow ones are in a hurry
and overtake where there is room; the violet ones dawdle and are overtaken.
"""

from sim.demo import play

FILM = "--film-speed 2 --film-size 640x140 --film-fps 12.5"

if __name__ == "__main__":
    play(__file__)
