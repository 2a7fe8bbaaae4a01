"""Station: people enter at random times, and leave by train and street.

What to look for: units come from the street at random times, and forty from a train at 20 s. Then
the waiting people board, and at 45 s all that are on their way to the upper train turn to the lower
one: an event of the scenario. A unit that has reached an exit is taken out.
"""

from sim.demo import play

FILM = "--film-speed 4 --film-size 640x384 --film-fps 10 --film-to 60"

if __name__ == "__main__":
    play(__file__)
