"""Model "squares": boxes on tile maps that go round each other by handedness (rules C1 to C9)."""

from sim.core.hull import Hull
from sim.models.model import Model
from sim.orders.timers import Timers
from sim.steering.holonomic import HolonomicHelm

SIDE = 14.0
"""A little less than half a tile of 30: four pass abreast through a gap of two, with play."""
STRIDE = 0.05
"""Squares that bump into each other overlap by less than a fifth of a radius up to 560 units / s.
(Measured in a choke: 11 to 13 % of a radius at 56 units / s, 11 to 18 % at 280; in one part a step
23 to 26 %, and up to 99 %. With 0.0145 they overlap by 5 % at 56 units / s, take a quarter longer a
step, and jam at 280.)"""

SQUARES = Model(
    name="squares",
    about="boxes that go round each other by handedness, give up and make way by time",
    hull=Hull("box", SIDE, SIDE, 1.0, upright=True),
    helm=HolonomicHelm(pace=4.0, acceleration=4.0),
    stride=STRIDE,
    view="all",
    color="red",
    timers=Timers(),
    behaviours={
        "press_on": {},
        "press_after": {},
        "press_behind": {},
        "press_away": {},
        "close_ranks": {},
        "press_aside": {},
        # These two change what all before them want: a unit that waits for its turn only waits.
        "go_round": {"ahead": 60.0},
        "press_in_turn": {},
    },
)
