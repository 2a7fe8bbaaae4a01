"""Ray avoidance: rays feel what stands ahead, and the way leads past it.

What to look for: a near miss rather than a right angle, at full speed. Click a soldier to see
its rays, and which hit counts.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
