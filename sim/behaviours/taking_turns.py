"""Waiting at a narrow place for one's turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np

from sim.behaviours.commands import VELOCITY
from sim.behaviours.errands import straight
from sim.behaviours.parameters import Within
from sim.behaviours.table import Terms, rule
from sim.core.own import Amount
from sim.orders.aim import Aim
from sim.orders.goal import GO
from sim.perception.percepts import Percepts

Pace = Annotated[Amount, Within(0, 1, "share of the desired speed at which a unit steps back")]
TURNS = "passages"
"""The family of the rules by which a group takes turns."""
EASED = 0.25
"""Time to go below which a unit that steps back slows down, s."""


@rule(TURNS, serves=GO, gives=VELOCITY)
def take_turns(me: Percepts, aim: Aim, wanted: Terms, *, pace: Pace = 1.0) -> Terms:
    """Wait at a narrow place, off its mouth, until it is one's turn (`sim.orders.turns`).

    A unit that has to wait does nothing else that other rules want: it stands, or steps back where
    it is too near the mouth for others to come out. A group without this rule enters as it likes.
    """
    return wait_instead(aim, wanted, lambda: stand_back(me, aim, pace))


def wait_instead(aim: Aim, wanted: Terms, command: Callable[[], Terms]) -> Terms:
    """(n, 2) what turns all that is wanted into another command, for units that have to wait."""
    terms = np.zeros(wanted.shape)
    waits = aim.waiting
    if waits.any():
        terms[waits] = (command() - wanted)[waits]
    return terms


def stand_back(me: Percepts, aim: Aim, pace: Amount) -> Terms:
    """(n, 2) the velocities that lead units to where they are to wait, desired speeds."""
    back = np.hypot(*aim.hold.T) / (me.speeds * EASED)
    return straight(aim.hold, pace * np.minimum(back, 1.0))
