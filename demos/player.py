"""The player: one craft in your hand among a flock.

What to look for: left and right work the thrusters at the bow, so the craft pushes sideways as it
turns; up and down set the thrust. The flock sees you, keeps clear of you, and flies along where it
meets you. Without a window a script steers.
"""

from sim.demo import play

FILM = "--film-speed 1.5 --film-to 20"

if __name__ == "__main__":
    play(__file__)
