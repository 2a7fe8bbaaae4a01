"""Rank and file: soldiers from anywhere march into offset rows.

What to look for: those behind make for the places beside those ahead, until rows stand behind the
gaps of the rows before them. It takes about a minute. Press F to let them march each for itself.
"""

from sim.demo import play

FILM = "--film-to 30 --film-speed 3"

if __name__ == "__main__":
    play(__file__)
