"""Flee: sheep run from where two dogs will be.

What to look for: sheep within reach of a dog run from where it is going, and calm down when it is
far; each dog goes after the nearest. The plane wraps: what leaves at an edge comes in opposite.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
