"""Squares: two groups on a level, sent about by the two mouse buttons.

What to look for: the left button sends the red group to the cursor, the right one the blue group,
as often as you like. They take the gaps of the level four abreast, keep to the left where they
meet, make way for each other, and pack round the place they were sent to. Until you click, each
follows a script. The middle button looks inside a unit: its timer, the sides it has struck, and
its target.
"""

from sim.demo import play

FILM = "--film-to 48 --film-speed 4"

CLICKS = {
    "red": [(0.5, (450.0, 240.0)), (14.0, (840.0, 690.0)), (34.0, (90.0, 90.0))],
    "blue": [(0.5, (90.0, 660.0)), (18.0, (450.0, 240.0)), (38.0, (840.0, 90.0))],
}

if __name__ == "__main__":
    play(__file__, CLICKS)
