"""Obstacles: a flock meets a field of eight discs.

What to look for: the flock splits, goes round the discs without touching one, and closes up again
behind them. Click a unit to see what it sees and which terms steer it.
"""

from sim.demo import play

FILM = "--film-region 170,130,850,510 --film-speed 1 --film-from 0.5 --film-to 9"

if __name__ == "__main__":
    play(__file__)
