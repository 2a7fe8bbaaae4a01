"""Hallway swap: two parties of ten change ends of a hallway.

What to look for: the files that meet sort themselves out, each keeping to the right; a unit on
the wrong side gives way, backward if need be, and then follows its own file.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
