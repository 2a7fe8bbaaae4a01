"""Castle: four parties of five on errands through close quarters.

What to look for: halls, doors of one tile, passages of two: each party goes its round of three
places, and where two meet they pass or wait. Click a mage to see its way.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
