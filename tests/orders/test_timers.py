"""The timers of squares, step by step against traces worked by hand (C4 to C6)."""

from types import SimpleNamespace

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.plane import Plane
from sim.engine.contacts import Contacts
from sim.orders.minds import Minds
from sim.orders.timers import Timers, _packed, count
from tests.models.test_squares import hall

DT = 0.25
"""Seconds; sums of it are exact."""


def contacts(units: int, pairs: list[tuple[int, int]]) -> Contacts:
    """Contacts between these pairs, from both sides, solids being -1."""
    both = sorted({*pairs, *((b, a) for a, b in pairs if b >= 0)})
    me, other = (np.array([pair[k] for pair in both], dtype=np.int64) for k in (0, 1))
    first = np.searchsorted(me, np.arange(units + 1)).astype(np.int64)
    return Contacts(first, other, np.zeros((len(both), 2)))


def waited(moving, timer, pairs, offset=(3.0, 4.0), speed=7.0, timers=None, arrived=None, end=None):
    """One step of all units: which are still moving, and the timers.

    All at rest have arrived; what has arrived has no place to go back to.
    """
    moving, timer = np.array(moving), np.array(timer, dtype=float)
    n = len(moving)
    arrived = ~moving if arrived is None else np.array(arrived)
    minds = Minds.blank(n)._replace(moving=moving, timer=timer, arrived=arrived)
    if end is not None:
        minds.end[:] = end
    still, left = (timers or Timers()).count(
        slice(0, n),
        np.where(arrived[:, None], np.inf, offset),
        np.full(n, speed),
        np.zeros(n, bool),
        DT,
        contacts(n, pairs),
        minds,
    )
    return still.tolist(), left.tolist()


def trace(moving, timer, script, **options) -> list[tuple[bool, float]]:
    """Unit 0 through a script of pairs in touch; the others stay as they are."""
    seen = []
    for pairs in script:
        still, left = waited(moving, timer, pairs, **options)
        moving, timer = [still[0], *moving[1:]], [left[0], *timer[1:]]
        seen.append((still[0], left[0]))
    return seen


STOPPED, MOVING, ALONE, WALL = [(0, 1)], [(0, 2)], [], [(0, -1)]


def test_giving_up():
    """Up while touching a stopped one, stop above (3 + 4) / 7 = 1 s, and not at it (C4)."""
    found = trace([True, False, True], [0, 0, 0], [STOPPED] * 5)
    assert found == [(True, 0.25), (True, 0.5), (True, 0.75), (True, 1.0), (False, 0.0)]


@pytest.mark.parametrize(("patience", "steps"), [(0.0, 0), (0.5, 2), (2.0, 8), (np.inf, 99)])
def test_patience(patience, steps):
    """How often a unit of 1 s of way tries longer by a quarter of a second; inf: it never stops."""
    found = trace([True, False], [0, 0], [STOPPED] * 99, timers=Timers(patience=patience))
    assert sum(still for still, _ in found) == steps


def test_recovering():
    """Down at half rate while touching none, a moving one or a wall, and never below 0 (C4)."""
    script = [STOPPED, STOPPED, ALONE, MOVING, WALL, ALONE, ALONE]
    found = trace([True, False, True], [0, 0, 0], script)
    assert [left for _, left in found] == [0.25, 0.5, 0.375, 0.25, 0.125, 0.0, 0.0]
    assert all(still for still, _ in found)


def test_both_at_once():
    """One stopped unit among those touched is enough to count up (C6)."""
    assert trace([True, False, True], [0, 0, 0], [[(0, 1), (0, 2)]]) == [(True, 0.25)]


def test_distance_is_abs_dx_plus_abs_dy():
    """A place at (-3, 4) is as far as one at (3, 4); at the place itself the first touch stops."""
    assert trace([True, False], [1.0, 0], [STOPPED], offset=(-3.0, 4.0)) == [(False, 0.0)]
    assert trace([True, False], [0.75, 0], [STOPPED], offset=(-3.0, 4.0)) == [(True, 1.0)]
    assert trace([True, False], [0, 0], [STOPPED], offset=(0.0, 0.0)) == [(False, 0.0)]


def test_making_way():
    """5 s when touched by one on its way, renewed while touched, then down while in touch (C5)."""
    script = [MOVING, STOPPED, STOPPED, MOVING, STOPPED]
    found = trace([False, False, True], [0, 0, 0], script)
    assert [left for _, left in found] == [5.0, 4.75, 4.5, 5.0, 4.75]
    assert not any(still for still, _ in found)


def test_out_of_touch_stops_at_once():
    """Not touched by any unit, whatever the timer says; a wall is no touch (C5)."""
    assert trace([False, False, True], [0, 0, 0], [MOVING, ALONE]) == [(False, 5.0), (False, 0.0)]
    assert trace([False, False], [3.0, 0], [WALL]) == [(False, 0.0)]


def test_copying():
    """A resting unit copies the largest timer of the stopped ones it touches, less a step (C5)."""
    still, left = waited([False] * 4, [0, 2.0, 3.0, 9.0], [(0, 1), (0, 2)])
    assert left == [2.75, 1.75, 2.75, 0.0]
    assert not any(still)
    # Of a unit on its way the timer means something else.
    assert trace([False, False, True], [0, 0.5, 3.0], [STOPPED]) == [(False, 0.25)]


def test_nobody_copies_its_own_time_back():
    """Two in touch: the larger timer of both runs out by a step each step, and stays out (C5)."""
    timer, largest = [1.0, 0.0], []
    for _ in range(6):
        _, timer = waited([False, False], timer, [(0, 1)])
        largest.append(max(timer))
    assert largest == [0.75, 0.5, 0.25, 0.0, 0.0, 0.0]


def test_numbering_is_of_no_matter():
    """A crowd with its units renumbered does the same (C8)."""
    rng = np.random.default_rng(3)
    n = 40
    moving, timer = rng.random(n) < 0.4, np.round(rng.random(n) * 4) * (rng.random(n) < 0.6)
    pairs = [(a, b) for a in range(n) for b in range(a) if rng.random() < 0.08]
    arrived, end = rng.random(n) < 0.5, rng.integers(0, 3, n)
    order = rng.permutation(n)
    place = np.argsort(order)
    first = waited(moving, timer, pairs, arrived=arrived, end=end)
    second = waited(
        moving[order], timer[order], [(int(place[a]), int(place[b])) for a, b in pairs],
        arrived=arrived[order], end=end[order],
    )  # fmt: skip
    for one, other in zip(first, second, strict=True):
        assert np.array_equal(np.array(one)[order], other)
    assert 0 < sum(first[0]) < n


def test_a_unit_that_gave_up_tries_again():
    """It rests for as long as it tried, 1 s, or others make way; in touch with one or not."""
    for pairs in (STOPPED, ALONE):
        for make_way, seconds in ((0.5, 1.0), (5.0, 5.0)):
            options = {"arrived": [False, True, False], "end": [0, 1, 2]}
            options["timers"] = Timers(make_way=make_way)
            steps = round(seconds / DT)
            found = trace([False, False, True], [0, 0, 0], [pairs] * (steps + 1), **options)
            assert found[:-1] == [(False, -DT * step) for step in range(1, steps + 1)]
            assert found[-1] == (True, 0.0)


def test_a_unit_stays_behind_its_pack():
    """A stopped mate before it is in its way, one beside it is not."""
    minds = Minds.blank(2)._replace(moving=np.zeros(2, bool), timer=np.array([-1.9, 0.0]))
    minds.arrived[1] = True
    offset, ones = np.array([[-9.0, 0.0], [-3.0, 0.0]]), np.ones(2)
    for normal, found in (((-1, 0), (False, 0.0)), ((0, 1), (True, 0.0))):
        touch = contacts(2, [(0, 1)])
        touch.normal[0] = normal
        timers = Timers(make_way=2.0)
        still, left = timers.count(
            slice(0, 2), offset, 9 * ones, np.zeros(2, bool), DT, touch, minds
        )
        assert (still[0], left[0]) == found


def test_a_unit_that_gave_up_is_set_going():
    """Touched by one on its way it tries again at once; one that has arrived makes way (C5)."""
    for arrived, found in ((False, (True, 0.0)), (True, (False, 5.0))):
        options = {"arrived": [arrived, True, False], "end": [0, 1, 2]}
        assert trace([False, False, True], [-0.75, 0, 0], [MOVING], **options) == [found]


def test_a_unit_that_was_pushed_off_goes_back():
    """Far from its place it sets out again after a rest, though it has arrived; not in its pack."""
    minds = Minds.blank(1)._replace(
        moving=np.array([False]), arrived=np.array([True]), timer=np.array([-5.0])
    )
    for packed in (False, True):
        still, _ = Timers().count(
            slice(0, 1), np.array([[9.0, 0.0]]), np.full(1, 9.0), np.array([packed]), DT,
            contacts(1, []), minds,
        )  # fmt: skip
        assert still[0] != packed


def test_which_units_stand_in_their_pack():
    """Units that it has room for, not counting others that rest; and none before a mouth."""
    off, yes, minds = np.array([0.0, 2.0, 3.0, 30.0]), np.ones(4, bool), Minds.blank(4)
    minds = minds._replace(moving=~yes, end=np.zeros(4, np.int64))
    units = SimpleNamespace(present=yes, position=np.zeros((4, 2)))
    for barred in (None, 1):
        narrows = SimpleNamespace(in_the_way=lambda *_, at=barred: np.arange(4) == at)
        orders = SimpleNamespace(
            outlines=SimpleNamespace(area=np.full(4, np.pi)), minds=minds, sent=yes,
            radius=np.ones(4), narrows=narrows, plane=Plane(),
        )  # fmt: skip
        # Room for two: 1.6 * sqrt(2) = 2.3, for one more 2.8; if all that rest counted, 3.2.
        assert _packed(orders, units, off).tolist() == [True, barred is None, False, False]


def test_a_unit_that_takes_its_turn_does_not_give_up():
    """Nor one that waits for it: what it touches goes on when the sides change over (C4)."""
    world = hall(1, 20, 1)
    while world.time < 5:
        world.step()
    orders, touch = world.roster.orders_now(), world.contacts
    me = np.repeat(np.arange(40), np.diff(touch.first))
    pairs = orders.narrows.queue[me] & (touch.other >= 0)
    one, other = me[pairs][0], touch.other[pairs][0]
    orders.minds.moving[:], orders.minds.timer[:] = True, 1e9  # of trying in vain, s
    orders.minds.moving[other] = False
    count(world.groups, orders, world.units, touch, world.time_step)
    assert orders.minds.moving[one]


@pytest.mark.parametrize("given", [{"make_way": -1.0}, {"recovery": float("nan")}])
def test_bounds(given):
    """Times and rates are finite numbers, 0 or more; 0 is one."""
    with pytest.raises(BadInput, match="must be a finite number, 0 or more"):
        Timers(**given)
    with pytest.raises(BadInput, match="must be 0 or more, or inf"):
        Timers(patience=float("nan"))
    assert waited([False, True], [0, 0], [(0, 1)], timers=Timers(make_way=0.0))[1] == [0, DT]


def test_a_packed_unit_makes_way_for_other_places_only():
    """Unit 0 stands in its pack: one bound for the same place is to join it, another is let by."""
    for end, left in ((0, 0.0), (1, 5.0)):
        minds = Minds.blank(2)._replace(moving=np.array([False, True]), end=np.array([0, end]))
        offset, ones = np.array([[3.0, 0.0], [9.0, 0.0]]), np.ones(2)
        touch = contacts(2, [(0, 1)])
        _, timer = Timers().count(
            slice(0, 2), offset, ones, np.array([True, False]), DT, touch, minds
        )
        assert timer[0] == left


def test_a_unit_that_comes_up_to_its_pack_stops():
    """In the room of its pack, behind a unit that stands before it; not beside, nor further off."""
    minds = Minds.blank(2)._replace(moving=np.array([False, True]))
    cases = (((-1, 0), True, True), ((0, 1), True, False), ((-1, 0), False, False))
    for normal, room, stops in cases:
        touch = contacts(2, [(0, 1)])
        touch.normal[1] = normal
        offset, ones = np.array([[-3.0, 0.0], [-9.0, 0.0]]), np.ones(2)
        still, _ = Timers().count(slice(0, 2), offset, ones, np.full(2, room), DT, touch, minds)
        assert still[1] != stops
