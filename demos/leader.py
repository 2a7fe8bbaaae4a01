"""Leaders: a unit that sees none ahead leads, and alone chases the player.

What to look for: the red units at the head of each band steer for the player and the blue ones
follow them. When a leader falls in behind others it turns blue: none was appointed.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__)
