"""Rank and file: soldiers from anywhere march into offset rows.

What to look for: those behind make for the places beside those ahead, until rows stand behind the
gaps of the rows before them. It takes about a minute. One that has gone astray crosses the seam of
the torus and meets the others again. Press F to let them march each for itself.
"""

from sim.demo import play

FILM = "--film-to 70 --film-speed 4 --film-fps 8"

if __name__ == "__main__":
    play(__file__)
