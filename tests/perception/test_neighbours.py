"""The cell grid, the engine's queries and all pairs see the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.core.cells import ROOMY, sort_into_cells
from sim.core.plane import Plane
from sim.core.sharing import threads, use_threads
from sim.perception.few import FEW
from sim.perception.views import ALL, LIMITED, NARROW, VIEWS, WIDE, fold, in_view
from sim.world import World
from tests.perception.slow import SHAPES, check, engine, grid, same, sees, table, units

OPEN = Plane()
TORUS = Plane((-3.0, 2.0, 7.0, 8.0), "wrap")


def agree(seen, plane, sights) -> None:
    """All three searches agree."""
    found = grid(seen, plane, sights)
    check(found, seen, sights)
    same(found, engine(seen, plane, sights))


@st.composite
def worlds(draw):
    """A plane, up to 40 units of up to three groups, some of them gone, and sights for each."""
    width, height = draw(st.sampled_from([(10.0, 6.0), (2.0, 9.0), (1.0, 1.0), (40.0, 3.0)]))
    plane = draw(st.sampled_from([OPEN, Plane((-3.0, 2.0, width - 3, height + 2), "wrap")]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, groups = draw(st.integers(1, 40)), draw(st.integers(1, 3))
    position = rng.uniform((-3, 2), (width - 3, height + 2), (n, 2))
    if draw(st.booleans()):
        # A lattice: many on the edges of views and cells, exactly ahead, or at one point.
        position = (-3, 2) + np.floor((position - (-3, 2)) * 2) / 2
    turns = rng.integers(0, 8, n) * np.pi / 4 if draw(st.booleans()) else rng.uniform(-4, 4, n)
    seen = units(
        position, turns, rng.normal(size=(n, 2)), rng.integers(0, groups, n), rng.random(n) < 0.9
    )
    reach = st.sampled_from([0.0, 0.5, 1.0, 2.5, 6.0, 100.0])
    sight = st.tuples(st.sampled_from(SHAPES), reach, st.booleans())
    sights = [draw(st.lists(sight, min_size=1, max_size=4)) for _ in range(groups)]
    made = table(*sights)
    made.means[:] = rng.random(made.means.shape) < 0.8
    if draw(st.booleans()):
        few = rng.random(made.each.shape) < draw(st.sampled_from([0.5, 1.0]))
        made.nearest[few] = rng.integers(1, 8, few.sum())
    made.accepts[:] = rng.random(made.accepts.shape) < 0.8
    return seen, plane, made


@settings(max_examples=150, deadline=None)
@given(worlds())
def test_all_agree_on_random_worlds(world):
    """Any world: the same neighbours, in the same order, with the same sums to the last bit."""
    agree(*world)


@pytest.mark.parametrize("shape", SHAPES)
def test_boundaries_of_views(shape):
    """Exactly on the edge of a view, at its reach, ahead, astern and abeam, in eight headings."""
    ring = [(x, y) for x in (-2, -1, 0, 1, 2) for y in (-2, -1, 0, 1, 2)] + [(0.0, 0.0)]
    for turn in range(8):
        agree(units(ring, np.full(26, turn * np.pi / 4)), OPEN, table([(shape, 2.0, True)]))


@pytest.mark.parametrize(
    ("shape", "share"), [(WIDE, 3 / 4), (LIMITED, 1 / 2), (NARROW, 1 / 4), (ALL, 1)]
)
@pytest.mark.parametrize("distance", [0.3, 1.0, 50.0])
def test_share_of_the_circle(shape, share, distance):
    """270, 180, 90 and 360 degrees at any distance: a view is not narrower or wider farther off."""
    turns = (np.arange(720) + 0.5) * np.pi / 360
    ring = distance * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    found = grid(units([(0, 0), *ring]), OPEN, table([(shape, 60.0, False)]))
    # The ring's own members see each other too: only the one in the middle counts.
    assert found.count[0, 0] == share * 720


def test_edges_belong_to_nobody():
    """The blind wedge includes its edge, the narrow cone excludes its own, abeam is not ahead."""
    around = [(0, 0), (-1, 1), (-1, -1), (1, 1), (1, -1), (0, 1), (0, -1)]
    sights = [(WIDE, 9.0, True), (NARROW, 9.0, True), (LIMITED, 9.0, True)]
    found = grid(units(around), OPEN, table(sights))
    listed = dict(zip(found.index[0, :4].tolist(), found.seen[0, :4].tolist(), strict=True))
    assert listed == {3: 0b101, 4: 0b101, 5: 0b001, 6: 0b001}


@given(
    st.sampled_from(list(VIEWS.values())),
    st.floats(-1e6, 1e6),
    st.floats(-1e6, 1e6),
)
def test_fold_is_the_view(view, ahead, starboard):
    """One comparison says what the words of the view say, and both say what the mission says."""
    side, fore, edge = fold(view.shape, view.factor)
    folded = side * abs(starboard) + fore * ahead > edge or (ahead == 0 and starboard == 0)
    said = in_view(view.shape, view.factor, ahead, starboard)
    slow = sees(view.shape, view.factor, np.array(ahead), np.array(starboard))
    assert folded == said == bool(slow)


def test_radius_is_the_books():
    """Rule A5: 200, 30 and 50 lengths of the unit that looks."""
    assert [VIEWS[v].radius for v in ("wide", "limited", "narrow")] == [200, 30, 50]


def test_across_the_seam():
    """A neighbour beyond the edge is seen where its nearest image stands, and at a corner too."""
    seen = units([(6.9, 7.9), (-2.9, 7.9), (6.9, 2.1), (-2.9, 2.1)])
    agree(seen, TORUS, table([(ALL, 0.5, True)]))
    found = grid(seen, TORUS, table([(ALL, 0.5, True)]))
    assert found.count.tolist() == [[3, 3, 3, 3]]
    np.testing.assert_allclose(found.offset[0, 0], (0.2 * 2 / 3, 0.2 * 2 / 3))


def test_all_in_one_cell():
    """A crowd in one cell, far larger than a list: nobody is lost, and lists grow."""
    rng = np.random.default_rng(5)
    agree(units(rng.random((60, 2)), rng.random(60)), OPEN, table([(ALL, 9.0, True)]))
    found = grid(units(rng.random((60, 2))), OPEN, table([(ALL, 9.0, True)]))
    assert found.listed.tolist() == [59] * 60


def test_two_at_one_point():
    """Two at one point see each other in every view, and not themselves."""
    for shape in SHAPES:
        found = grid(units([(1, 1), (1, 1)], [0.3, 2.0]), OPEN, table([(shape, 0.0, True)]))
        assert found.count.tolist() == [[1, 1]]
        assert found.index[:, 0].tolist() == [1, 0]


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_tiny_tori(columns, rows):
    """A torus of one or two cells: nobody is counted twice."""
    rng = np.random.default_rng(columns * 3 + rows)
    plane = Plane((0, 0, columns * 1.0, rows * 1.0), "wrap")
    seen = units(rng.random((20, 2)) * (columns, rows), rng.random(20) * 6)
    agree(seen, plane, table([(ALL, 1.0, True), (WIDE, 0.7, False)]))


def test_range_beyond_the_torus():
    """With a range of many periods everybody is seen once, by the nearest image."""
    rng = np.random.default_rng(8)
    seen = units(rng.random((15, 2)) * (10, 6) + (-3, 2))
    agree(seen, TORUS, table([(ALL, 500.0, True)]))
    assert (grid(seen, TORUS, table([(ALL, 500.0, True)])).count == 14).all()


def test_groups_with_views_and_lengths_of_their_own():
    """Each group looks its own way, and a quarry does not count among mates."""
    rng = np.random.default_rng(3)
    seen = units(rng.random((50, 2)) * 9, rng.random(50) * 6, group=np.arange(50) % 3)
    sights = table(
        [(WIDE, 3.0, False), (ALL, 0.5, True)], [(NARROW, 6.0, True)], [(LIMITED, 0.0, False)],
        strangers=[(0, 0, 1), (1, 0, 0)],
    )  # fmt: skip
    agree(seen, OPEN, sights)


def test_absent_units():
    """A unit that left the world sees none and is seen by none, also right after it left."""
    sights = table([(ALL, 9.0, True)])
    row = [(0, 0), (1, 0), (2, 0)]
    before, after = units(row), units(row, present=[1, 0, 1])
    agree(after, OPEN, sights)
    looker = grid(before, OPEN, sights)
    looker.look(after)
    assert looker.count.tolist() == [[1, 0, 1]]
    assert looker.listed.tolist() == [1, 0, 1]
    assert np.array_equal(looker.offset[0, 1], (0, 0))


def test_nobody_left():
    """A world that all have left is no error."""
    agree(units([(0, 0), (1, 0)], present=[0, 0]), OPEN, table([(ALL, 9.0, True)]))


def test_lists_grow_and_say_so():
    """The first crowd makes the lists longer, and whoever holds the old ones is told."""
    sights, rng = table([(ALL, 9.0, True)]), np.random.default_rng(1)
    looker = grid(units(rng.random((30, 2)) * 200), OPEN, sights)
    crowd = units(rng.random((30, 2)))
    assert looker.look(crowd)
    assert not looker.look(crowd)
    check(looker, crowd, sights)


@pytest.mark.usefixtures("shared_out")
def test_threads_change_nothing():
    """Many threads find the same bits as one."""
    rng = np.random.default_rng(2)
    seen = units(rng.random((3000, 2)) * 40, rng.random(3000) * 6, rng.normal(size=(3000, 2)))
    sights = table([(WIDE, 2.0, False), (ALL, 0.7, True)])
    threaded = grid(seen, OPEN, sights)
    most = threads()
    use_threads(1)
    try:
        plain = grid(seen, OPEN, sights)
    finally:
        use_threads(most)
    same(threaded, plain)


def test_the_nearest_few_of_hundreds():
    """Beside a sight that sees all, the few are picked from more than are ranked each by all."""
    rng = np.random.default_rng(4)
    seen = units(rng.uniform((0, 0), (30, 20), (300, 2)), rng.random(300) * 6)
    sights = table([(ALL, 60.0, False, 14), (ALL, 9.0, False)])
    agree(seen, OPEN, sights)
    found = grid(seen, OPEN, sights)
    assert (found.count[0] == 14).all()
    assert found.listed.max() > FEW


def test_cells_become_narrow_where_units_crowd():
    """The cell of a unit holds about as many as asked for, not all 2,000 of a knot."""
    rng = np.random.default_rng(4)
    seen = units([*rng.uniform(0, 20, (2000, 2)), (100, 100)])
    wide, narrow = (np.diff(sort_into_cells(seen, OPEN, 50.0, held).first) for held in (0.0, 8.0))
    assert wide.max() >= 2000
    assert (narrow**2).sum() / narrow.sum() <= ROOMY * 8.0


@pytest.mark.parametrize("plane", [OPEN, Plane((0.0, 0.0, 30.0, 20.0), "wrap")])
@pytest.mark.parametrize("crowded", [0.02, 1.0, 30.0])
def test_the_nearest_few(plane, crowded):
    """A unit that sees the nearest few sees the same through fine cells, however dense it is."""
    rng = np.random.default_rng(9)
    middle = rng.uniform((0, 0), (30, 20), (5, 2))
    spots = middle[rng.integers(0, 5, 300)] + rng.normal(size=(300, 2)) * 2 / np.sqrt(crowded)
    seen = units(np.mod(spots, (30, 20)), rng.random(300) * 6, group=rng.integers(0, 2, 300))
    sights = table([(ALL, 6.0, True, 14)], [(WIDE, 3.0, True, 5)], strangers=[(0, 0, 1)])
    sights.means[:] = False
    agree(seen, plane, sights)
    assert (np.diff(grid(seen, plane, sights).distance[:, :4], axis=1) >= 0)[seen.group == 0].all()


@pytest.mark.parametrize("model", ["crowd", "flock", "soldiers"])
@pytest.mark.parametrize("side", [1e-12, 1e-6])
def test_a_reach_that_goes_round_a_torus_many_times(model, side):
    """Units are looked for in all cells once, and a ray ends after a thousand rounds.

    A window of 1e12 rings was a number that overflowed, and a ray of 1e13 rounds went on for hours.
    """
    world = World(bounds=(0, 0, side, side), edges="wrap", discs=[(0, 0, side / 20)])
    group = world.add_group("a", [(side / 2, side / 2)], model=model)
    world.step()
    world.step()
    assert len(group) == 1
