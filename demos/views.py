"""Views: the same start three times, seen wide, limited and narrow.

What to look for: in three rooms beside each other twenty units start from the same places; each
sees only its own. On the left, with the wide view, all are soon one dense flock. In the middle,
with the limited view, no unit looks back or far: two or three flocks. On the right, with the narrow
view, units see only the units they follow, and fly in small bands, with stragglers. The walls turn
all units about. The tint is what one unit of each group sees, as far as a wall; the small outline
round it is what its separation looks with: a wide view of its own, as the book advises.
"""

from sim.demo import play

FILM = "--film-to 20 --film-speed 2 --film-fps 8"

if __name__ == "__main__":
    play(__file__, views=True)
