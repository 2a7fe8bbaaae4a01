"""Settle: forty squares pack round one point and come to rest.

What to look for: the first is there at once. The others find stopped ones in their way and give up
after as long as they would still have had to go; then the loose pack closes up, and nothing moves.
"""

from sim.demo import play

FILM = "--film-region 300,225,900,675 --film-to 40 --film-speed 2"

if __name__ == "__main__":
    play(__file__)
