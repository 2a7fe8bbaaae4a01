"""Crossing: two walkers meet, then twelve, and each knows whose turn it is.

What to look for: of each two whose courses cross one goes straight on and the other passes astern
of it. Click a walker: its desired course is dashed, current courses are dotted, a ring marks each
crossing, green where it goes first.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
