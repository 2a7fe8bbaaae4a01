"""Hallway: twenty mages through a hallway of two tiles with two corners.

What to look for: no unit waits its turn for a waypoint and none catches on a corner; they go
abreast where there is room, and come to rest round the one place that all are sent to. The darts
are the flow field that leads them; P hides it.
"""

from sim.demo import play

if __name__ == "__main__":
    play(__file__, ways=True)
