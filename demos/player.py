"""The player: one craft in your hand among a flock.

What to look for: left and right work the thrusters at the bow, so the craft turns and for a
moment slides on sideways; up and down set the thrust. Without thrusters it lies still. The flock
takes you for one of its own: rules by which others go after you are in `chase`, `intercept` and
`leader`. Without a window a script steers.
"""

from sim.demo import play

FILM = "--film-speed 1.5 --film-to 20"

if __name__ == "__main__":
    play(__file__)
