"""Velocity matching: soldiers turn to the course of those ahead of them.

What to look for: units from random headings fall in with those they see ahead, and speed up or slow
down to their pace. No ranks are kept yet: that is rank_and_file.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
