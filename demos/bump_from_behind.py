"""Bump from behind: the quicker square goes round the slower one.

What to look for: left of the way one goes would be the same side for both. Left of the side that
was struck is not: the quick one swerves up the screen, the slow one lets itself be pushed down.
"""

from sim.demo import play

FILM = "--film-speed 1"

if __name__ == "__main__":
    play(__file__)
