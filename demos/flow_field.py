"""Flow field: a thousand units led by one field to the way out.

What to look for: the darts are the field: from each place the direction of the shortest way that a
hull has room for. It is worked out once for all units, and steps aside from no one: queues form at
the gaps. Press P to hide it.
"""

from sim.demo import play

FILM = "--film-fps 5 --film-to 40 --film-speed 4"

if __name__ == "__main__":
    play(__file__, ways=True)
