"""After you: two walkers get locked with each other, and two others do not.

What to look for: at the top two walkers avoid each other as they would avoid a post, so each waits
for the other and neither gets across. Below the same two look where their courses cross: the one
that comes from starboard goes first, the other passes astern.
"""

from sim.demo import play

FILM = "--film-to 12 --film-speed 1"

if __name__ == "__main__":
    play(__file__)
