"""Settle: squares whose place is taken give up, and rest.

What to look for: on the left forty squares are sent to one point. One gets there; the others come
to rest round it. On the right a heavy post stands on each blue one's place. A blue square goes
round it, touches it for as long as it would still have to go, and stops: without that timer it
would go round and round.
"""

from sim.demo import play

FILM = "--film-region 270,250,810,650 --film-to 12"

if __name__ == "__main__":
    play(__file__)
