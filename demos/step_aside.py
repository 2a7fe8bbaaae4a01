"""Step aside: a line of walkers at rest lets one through, another one bars.

What to look for: five stand in each gate, with gaps of a sixth of a hull. Above, one comes and
waits; after some seconds the units before it step aside, and it passes between them. Below, the
line has the rule `step_aside` switched off: the unit that came looks for a gap along it, finds
none, and is still before it at the end.
"""

from sim.demo import play

FILM = "--film-to 15 --film-speed 1.5"

if __name__ == "__main__":
    play(__file__)
