"""Pursue: four hunters cut the corners of one that goes its round.

What to look for: the orange ones head for where the green one will be when they could be there.
They are slower than it is, and yet meet it in the middle of its round of four corners. The violet
ones follow the hunters and keep a hull's length of room.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
