"""Battle: two companies march up to each other and pair off face to face.

What to look for: from fifteen lengths on opponents that have none yet pair off, the nearest
first; then they keep no ranks, and stop two lengths apart. The others stay in reserve.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
