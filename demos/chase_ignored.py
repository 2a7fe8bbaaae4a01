"""Chase ignored: a unit that cannot be caught is no obstacle.

What to look for: the blue walkers follow the faster red one along the same line and never shy away
from it; they go round the slower green one on their way.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
