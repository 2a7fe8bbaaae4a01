"""Views: the same start three times, seen wide, limited and narrow.

What to look for: in three rooms beside each other twenty units start from the same places; each
sees only its own. On the left, with the wide view, all of them are one dense flock within seconds.
In the middle, with the limited view, nobody looks back: bands form, part and meet again. On the
right, with the narrow view, units see only whom they follow, and fly in many small files. The tint
is what one unit of each group sees, the small outline round it what its separation looks with: a
wide view of its own, as the book advises. Figures: `python -m sim.study.views`.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__, views=True)
