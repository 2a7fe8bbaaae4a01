"""How far the things that are felt reach to either side, and what counts as one with them."""

import numpy as np
import pytest

from sim import World
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.perception.outlines import between, joined, standing
from sim.perception.sights import Feel

from .test_feelers import WIDTH, ask, random_world

ROOM = 0.5 * WIDTH
"""What is kept free beside a craft's middle."""


def along(outline: np.ndarray, rounding: float) -> np.ndarray:
    """Many places on the rim of an outline."""
    turn, share = np.linspace(0, 2 * np.pi, 400), np.linspace(0, 1, 60)[:, None, None]
    rim = (outline + share * (np.roll(outline, -1, axis=0) - outline)).reshape(-1, 2)
    if rounding == 0:
        return rim
    circle = rounding * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return (rim[:, None] + circle).reshape(-1, 2)


def bearings(here: np.ndarray, heading: float, places: np.ndarray) -> np.ndarray:
    """Angles to starboard of a heading."""
    away = places - here
    angle = np.arctan2(away[:, 1], away[:, 0]) - heading
    return np.arctan2(np.sin(angle), np.cos(angle))


@pytest.mark.usefixtures("own_rules")
@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(each, marks=pytest.mark.slow) for each in range(6, 20))]
)
def test_edges_are_the_outermost(seed):
    """The two that pass beside the corners given leave the room to every place of a thing's rim."""
    rng = np.random.default_rng(seed)
    solid = {
        "discs": [(14, 0, rng.uniform(0.5, 5))],
        "boxes": [(12, -rng.uniform(0.1, 8), rng.uniform(13, 25), rng.uniform(0.1, 8))],
        "walls": [(12, -rng.uniform(0.1, 8), rng.uniform(13, 25), rng.uniform(0.1, 8))],
    }
    kind = ("discs", "boxes", "walls")[seed % 3]
    world = World(**{kind: solid[kind]})
    heading = rng.uniform(-0.05, 0.05)
    got = ask(world, "a", Feel((0.0,), 0.5, 9.0), at=[(0, 0)], heading=heading)
    world.steer()
    felt, outlines = got[0].felt, standing(world.solids, world.plane)
    rim = along(outlines.corners, float(outlines.circle[0, 3]))
    assert felt.gap[0, 0] == pytest.approx(np.hypot(*rim.T).min(), rel=2e-3)
    # The rim widened by the room, all round.
    turn = np.linspace(0, 2 * np.pi, 200)
    wide = (rim[:, None] + ROOM * np.stack([np.cos(turn), np.sin(turn)], axis=1)).reshape(-1, 2)
    seen = bearings(np.zeros(2), heading, wide)
    for side, furthest in ((0, seen.min()), (1, seen.max())):
        edge, off = felt.edge[0, 0, side], felt.rounding[0, 0, side] + ROOM
        course = np.arctan2(edge[1], edge[0]) + (2 * side - 1) * np.arcsin(off / np.hypot(*edge))
        assert course == pytest.approx(furthest, abs=3e-3)


@pytest.mark.usefixtures("own_rules")
def test_what_leaves_no_room_between_counts_as_one():
    """However it heads, a craft feels both of two overlapping discs by either; not across a gap."""
    for second, joins, one in ((3.0, 9.0, True), (5.9, 9.0, True), (6.1, 9.0, False),
                               (3.0, 0.1, False)):  # fmt: skip
        world = World(discs=[(20, 0, 2), (20 + 0.5, second, 2)])
        feel = Feel((0.0,), lengths=9.0, joins=joins / 4)
        got = ask(world, "a", feel, at=[(0, 0)], heading=-0.05)
        world.steer()
        felt = got[0].felt
        assert felt.who[0, 0] == 0
        turn = np.array([[np.cos(0.05), -np.sin(0.05)], [np.sin(0.05), np.cos(0.05)]])
        furthest = np.array((20.5, second) if one else (20, 0)) @ turn.T
        np.testing.assert_allclose(felt.edge[0, 0, 1], furthest, atol=1e-9)
        assert felt.close[0, 0] == pytest.approx(18)


@pytest.mark.usefixtures("own_rules")
def test_thick_rays_leave_no_gaps():
    """A wall met end-on between two rays, and one abeam, are felt by thick rays alone."""
    for wall, thick, met in (
        ((20, 0.6, 40, 0.6), 0.0, False), ((20, 0.6, 40, 0.6), 0.33, True),
        ((-9, 1.8, 9, 1.8), 0.0, False), ((-9, 1.8, 9, 1.8), 0.33, True),
        ((-9, 2.0, 9, 2.0), 0.33, False),
    ):  # fmt: skip
        world = World(walls=[wall])
        feel = Feel((-0.63, 0.0, 0.63), thick, lengths=9.0)
        got = ask(world, "a", feel, at=[(0, 0)], heading=0.0)
        world.steer()
        assert np.isfinite(got[0].felt.distance).any() == met


def test_between_is_the_least_distance():
    """As between many places on both rims; 0 where they overlap, though no corner is inside."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        one, other = (rng.uniform(0, 4, (rng.choice([1, 2]), 2)) for _ in range(2))
        x, y = shift = rng.uniform(-4, 4, 2)
        places = along(one, 0.0)[:, None] - along(other + shift, 0.0)
        least = np.hypot(places[..., 0], places[..., 1]).min()
        got = between(one, 0, len(one), other, 0, len(other), x, y)
        assert got == pytest.approx(least, abs=0.1)
    cross = standing(Solids(boxes=np.array([(-4.0, -1, 4, 1), (-1, -4, 1, 4)])), Plane())
    assert between(cross.corners, 0, 4, cross.corners, 4, 8, 0.0, 0.0) == 0.0
    assert between(cross.corners, 0, 4, cross.corners, 4, 8, 9.0, 0.0) == 4.0


@pytest.mark.parametrize("edges", ["open", "wrap", "wall", "map"])
def test_joined_are_all_that_are_near(edges):
    """The joined pairs are those nearer than the room, and on a torus across its seam."""
    for seed in range(4):
        world, room = random_world(edges, seed), 3.0
        outlines, size = standing(world.solids, world.plane), world.plane.size
        found = joined(outlines, world.plane, room)
        first, begin, round_ = found.first, outlines.first, outlines.circle[:, 3]
        wraps = (-1, 0, 1) if world.plane.wraps else (0,)
        for k in range(len(round_)):
            assert found.other[first[k]] == k
            got = {
                (int(m), *shift[:2]) for m, shift in
                zip(*(each[first[k] : first[k + 1]].tolist() for each in found[1:]), strict=True)
            }  # fmt: skip
            wanted = {(k, 0.0, 0.0)}
            for m in range(len(round_)):
                for x, y in ((i * size[0], j * size[1]) for i in wraps for j in wraps):
                    apart = between(
                        outlines.corners, begin[k], begin[k + 1],
                        outlines.corners, begin[m], begin[m + 1], x, y,
                    )  # fmt: skip
                    if apart - round_[k] - round_[m] < room:
                        wanted.add((m, x, y))
            assert got == wanted
            assert len(got) == first[k + 1] - first[k]


def test_what_goes_on_in_line_is_told():
    """Pieces of a wall and tiles of a row: by the angle of their line; none where they bend."""
    walls = np.array([(0.0, 0, 2, 2), (2, 2, 3, 3), (3, 3, 5, 3)])
    boxes = np.array([(9.0, 9, 10, 10), (10, 9, 12, 10), (10, 10, 12, 11)])
    outlines = standing(Solids(walls=walls, boxes=boxes), Plane())
    found = joined(outlines, Plane(), 0.5)
    of = np.repeat(np.arange(6), np.diff(found.first))
    lines = {
        (int(k), int(m)): round(float(line), 6)
        for k, m, line in zip(of, found.other, found.shift[:, 2], strict=True)
        if m != k
    }
    boxes_first = {(0, 1): 3.141593, (1, 0): 3.141593, (1, 2): 1.570796, (2, 1): 1.570796}
    sloped = {(3, 4): 2.356194, (4, 3): 2.356194}
    bends = {(0, 2): 0.0, (2, 0): 0.0, (4, 5): 0.0, (5, 4): 0.0}
    assert lines == boxes_first | sloped | bends
