"""Battle: two companies march up to each other and pair off face to face.

What to look for: from fifteen lengths on opponents that have nobody yet pair off, the nearest
first; then they keep no ranks, and stop two lengths apart. Whoever finds nobody stays in reserve.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
