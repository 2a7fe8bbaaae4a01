"""What neighbours ask of a unit's velocity, worked out for several of them at a time."""

import numpy as np
import pytest

from sim.behaviours.avoidance.aside import PRESSING, presses_on
from sim.behaviours.avoidance.foreseen import BARRED, LANES, Walker, bounds, weigh_up
from sim.behaviours.avoidance.keep_clear import Manners
from sim.behaviours.avoidance.nearest import (
    APART,
    HULL,
    HX,
    HY,
    JOINED,
    KNOWN,
    LATER,
    PACE,
    RESTING,
    SHARED,
    STANCE,
    VX,
    VY,
    WIDE,
    X,
    Y,
)
from sim.behaviours.avoidance.solver import ROWS
from sim.core.arrays import NO_ROW
from sim.orders.minds import FREE, ITS_TURN, PATIENCE, WAITING, Minds, wait

MANNERS = Manners(2.0, 0.08, 0.12, 0.4, 0.5, 1.4, 1.7, 0.9, 0.5, 1.3, 0.25, 0.5)
MANY = LANES + 2
"""More than one instruction takes, and not a multiple of it."""


def neighbours(seed: int) -> np.ndarray:
    """A table (things, n) of some at random: at rest and on their way, joined, of any stance."""
    rng = np.random.default_rng(seed)
    table = rng.uniform(-1.0, 1.0, (LATER // WIDE + 1, MANY))
    row = {name: table[name // WIDE] for name in (X, Y, APART, HULL, PACE, JOINED, SHARED, STANCE)}
    row[APART][:] = np.hypot(row[X], row[Y])
    row[HULL][:] = 0.25
    row[PACE][:] = rng.choice([RESTING, 1.3, 1.3], MANY)
    row[JOINED][:], row[SHARED][:] = rng.integers(0, 2, (2, MANY))
    row[STANCE][:] = rng.choice([FREE, FREE, WAITING, ITS_TURN], MANY)
    table[LATER // WIDE, rng.random(MANY) < 0.5] = np.nan
    return table


def asked(table: np.ndarray, stance: int, left: float = 1.0) -> tuple[np.ndarray, np.ndarray, list]:
    """The firm half-planes, the others, how much any comes against one and whether it queues.

    `left` is what else stands in the table, from units before.
    """
    count, known = table.shape[1], np.full(KNOWN, left)
    for kind, row in enumerate(table):
        known[kind * WIDE : kind * WIDE + count] = row
    me, planes = Walker(0.0, 0.0, 1.0, 0.0, 1.1, 0.1, stance), np.empty((ROWS, 3 * count + 1))
    weigh_up(known, count, me, (1.2, 0.0, NO_ROW, 0), MANNERS)
    firm, total, *told = bounds(known, count, MANNERS.speed, planes, 0)
    rows = planes[:3].T
    return rows[:firm], rows[firm:total], told


@pytest.mark.parametrize("stance", [FREE, WAITING, ITS_TURN])
def test_several_at_a_time_ask_for_what_each_asks_alone(stance: int):
    """Bit for bit, and in their order."""
    for seed in range(60):
        table = neighbours(seed)
        firm, others, (against, queueing) = asked(table, stance)
        alone = [asked(table[:, n : n + 1], stance) for n in range(MANY)]
        assert firm.tobytes() == np.concatenate([each[0] for each in alone]).tobytes()
        assert others.tobytes() == np.concatenate([each[1] for each in alone]).tobytes()
        assert against == max(each[2][0] for each in alone)
        assert queueing == max(each[2][1] for each in alone)


@pytest.mark.parametrize("stance", [FREE, WAITING, ITS_TURN])
def test_what_is_left_in_the_table_changes_nothing(stance: int):
    """Rows are filled in whole lanes: what stands there of other units is not read."""
    for seed in range(20):
        found = [asked(neighbours(seed), stance, left) for left in (1.0, np.nan)]
        (firm, others, told), (same, rest, again) = found
        assert firm.tobytes() == same.tobytes()
        assert others.tobytes() == rest.tobytes()
        assert told == again


@pytest.mark.parametrize(
    ("pace", "joined", "shared", "queueing"),
    [(RESTING, 0, 0, BARRED), (1.3, 0, 0, 1.0), (RESTING, 1, 1, 1.0), (RESTING, 0, 1, 0.0)],
)
def test_one_close_ahead_bars_the_way_or_makes_a_queue(pace, joined, shared, queueing):
    """One at rest elsewhere bars it; one that goes the same way, or for which one waits, queues."""
    table = neighbours(0)[:, :1]
    for name, value in (
        (X, 0.6), (Y, 0.0), (APART, 0.6), (HULL, 0.25), (PACE, pace), (HX, 1.0), (HY, 0.0),
        (JOINED, joined), (SHARED, shared), (STANCE, FREE), (LATER, np.nan),
    ):  # fmt: skip
        table[name // WIDE] = value
    assert asked(table, FREE)[2][1] == queueing


def test_a_unit_presses_on_before_it_turns_aside():
    """For the first half of a second of the time in which it would turn aside."""
    minds, still = Minds.blank(1), np.zeros((1, 2))
    minds.moving[0] = True
    pressed, walk = [], (np.ones(1), *np.zeros((3, 1)), np.zeros(1, np.bool_))
    for _ in range(120):
        wait(still, walk, 0.05, minds.moving, minds.blocked)
        pressed.append(presses_on(minds, 0))
    assert not any(pressed[: int(PATIENCE / 0.05) - 1])
    assert sum(pressed) == pytest.approx(PRESSING / 0.05, abs=1)


def test_units_that_wait_stand_for_all_but_those_whose_turn_it_is():
    """Of those on their way nothing is foreseen but where these have their turn."""
    table = neighbours(0)
    table[PACE // WIDE], table[X // WIDE] = 1.3, np.abs(table[X // WIDE])
    for other, foreseen in ((FREE, False), (ITS_TURN, True)):
        table[STANCE // WIDE] = other
        assert bool(len(asked(table, WAITING)[1])) == foreseen


def test_of_two_that_come_to_a_mouth_from_two_sides_the_nearer_one_goes_first():
    """The other has to change its course by more; side by side that makes no difference."""
    table = neighbours(0)[:, :1]
    for name, value in (
        (X, 1.2), (Y, 0.1), (APART, np.hypot(1.2, 0.1)), (VX, -1.1), (VY, 0.0), (HULL, 0.25),
        (PACE, 1.3), (HY, 0.0), (JOINED, 0), (SHARED, 1), (STANCE, ITS_TURN),
    ):  # fmt: skip
        table[name // WIDE] = value
    for heading in (-1.0, 1.0):
        table[HX // WIDE], changes = heading, []
        for later in (-1.0, np.nan, 1.0):
            table[LATER // WIDE] = later
            changes.append(asked(table, ITS_TURN)[1][0, 2])
        nearer, alike, farther = changes
        assert nearer < alike < farther if heading < 0 else nearer == alike == farther
