"""Two obstacles: discs that overlap are gone round as one.

What to look for: what two rays meet almost equally near counts as one thing, so none wavers
between the two discs: each soldier decides for a side once, and keeps to it.
"""

from sim.demo import play

FILM = "--film-speed 1.5"

if __name__ == "__main__":
    play(__file__)
