"""Path: A* through a maze, then waypoints skipped where there is sight.

What to look for: the dots are the way that A* found on the planning grid, the line what is left of
it when each waypoint is skipped that a ray as thick as the unit can see past. The two meet, pass
port to port and go on. Press P to hide the ways.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__, ways=True)
