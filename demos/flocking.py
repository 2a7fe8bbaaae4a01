"""Flocking: twenty units become one flock.

What to look for: small bands form within seconds, meet, and end as one flock that crosses the seam
of the torus together. Press 3, the narrow view, and within five seconds the flock draws out and
parts; 1, the wide one, and the bands turn to each other and join. 2, the limited view, leaves one
flock nearly as it is, for all are within it; bands that are far apart it leaves apart. F switches
flocking off.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
