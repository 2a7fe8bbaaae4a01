"""Flocking: twenty units become one flock.

What to look for: small bands form within seconds, meet, and end as one flock that crosses the seam
of the torus together. Press 1, 2, 3 for the wide, limited and narrow view, F to switch flocking
off.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
