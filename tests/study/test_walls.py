"""Units and solids."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.solids import Solids

from .scenes import BOX, WEDGE, figures, setting, walk

WALL = Solids(walls=np.array([[5.0, -1, 5, 1]]))
CRATE = Solids(boxes=np.array([[4.0, -1, 6, 1]]))
PILLAR = Solids(discs=np.array([[5.0, 0, 1]]))
ROOM = (0.0, -5.0, 10.0, 5.0)


def among(solids):
    """What to tell a setting of solids, or of bounds that are walls."""
    return {"bounds": solids} if isinstance(solids, tuple) else {"solids": solids}


def run(solids, *legs, **more):
    """The figures of one unit that walks so, among solids or between bounds."""
    frames = walk(*legs)[:, None]
    return figures(setting(frames[0], **among(solids), **more), frames)


@pytest.mark.parametrize(
    ("solids", "legs", "crossings"),
    [
        (WALL, [((0, 0), (4.9, 0), 10)], 0),
        (WALL, [((0, 0), (10, 0), 1)], 1),
        (WALL, [((0, 0), (10, 0), 100)], 1),
        (WALL, [((0, 0), (10, 0), 40), ((10, 0), (0, 0), 40)], 2),
        (WALL, [((0, 2), (10, 2), 7)], 0),
        (WALL, [((0, 1), (10, 1), 7)], 1),
        (CRATE, [((0, 0), (10, 0), 50)], 1),
        (CRATE, [((0, 0), (10, 0), 1)], 1),
        (CRATE, [((0, 1), (10, 1), 20)], 0),
        (CRATE, [((5, 0), (10, 0), 10)], 0),
        (PILLAR, [((0, 0), (10, 0), 50)], 1),
        (PILLAR, [((0, 0), (10, 0), 1)], 1),
        (PILLAR, [((0, 1), (10, 1), 20)], 0),
        (ROOM, [((5, 0), (9.9, 0), 10)], 0),
        (ROOM, [((5, 0), (11, 0), 10), ((11, 0), (5, 0), 10)], 2),
    ],
)
def test_crossings_are_steps_of_the_centre(solids, legs, crossings):
    """A step that crosses a wall or enters a solid counts once, however long; leaving does not."""
    assert run(solids, *legs)["wall_crossings"] == crossings


def test_a_step_through_two_walls_is_one_crossing():
    """Crossings count steps, and a joint between two pieces has no gap."""
    joint = Solids(walls=np.array([[5.0, -1, 5, 0], [5, 0, 5, 1], [6, -1, 6, 1]]))
    assert run(joint, ((0, 0), (10, 0), 1))["wall_crossings"] == 1
    assert run(joint, ((0, 0), (10, 0), 40))["wall_crossings"] == 2


@pytest.mark.parametrize(
    ("solids", "place", "hull", "share"),
    [
        (WALL, (4.8, 0), None, 0.3 / 0.5),
        (WALL, (5, 1.25), None, 0.25 / 0.5),
        (CRATE, (3.7, 0), None, 0.2 / 0.5),
        (CRATE, (5, 0), None, 1.5 / 0.5),
        (PILLAR, (5, 1.25), None, 0.25 / 0.5),
        (ROOM, (9.7, 0), None, 0.2 / 0.5),
        (ROOM, (8.75, 0), BOX, 0.25 / 1),
        (CRATE, (2.5, 0), WEDGE, 0.5 / 1),
        (PILLAR, (2.5, 0), WEDGE, 0.5 / 1),
        (WALL, (3, 0.0), BOX, 0.0),
    ],
)
def test_wall_overlap_is_a_share_of_the_radius(solids, place, hull, share):
    """Depth is the least translation that takes the hull off the solid."""
    more = {} if hull is None else {"hull": hull}
    start = np.array([place], dtype=float)
    result = figures(setting(start, **among(solids), **more), start[None])
    if hull is WEDGE:  # the least translation is along a face of the bow
        assert 0 < result["max_wall_overlap_share"] <= share
    else:
        assert result["max_wall_overlap_share"] == pytest.approx(share)


def test_a_wedge_in_a_wall():
    """The bow, 0.5 deep in a face square to it, is freed fastest straight back."""
    long = Solids(boxes=np.array([[4.0, -50, 60, 50]]))
    start = np.array([[2.5, 0.0]])
    result = figures(setting(start, solids=long, hull=WEDGE), start[None])
    assert result["max_wall_overlap_share"] == pytest.approx(0.5)


def test_walls_on_a_torus_stand_across_the_seam():
    """A long slanted wall is met at every image, and crossed through the seam."""
    slanted = Solids(walls=np.array([[0.0, 0, 10, 10]]))
    more = {"period": (10, 10), "solids": slanted}
    start = np.array([[9.5, 9.5 - 0.4 * np.sqrt(2)]])
    share = figures(setting(start, **more), start[None])["max_wall_overlap_share"]
    assert share == pytest.approx(0.1 / 0.5)
    upright = {"period": (10, 10), "solids": Solids(walls=np.array([[9.7, 0, 9.7, 9]]))}
    for place, share in ((9.4, 0.4), (0.1, 0.2)):
        start = np.array([[place, 5.0]])
        result = figures(setting(start, **upright), start[None])
        assert result["max_wall_overlap_share"] == pytest.approx(share)
    edge = {"period": (10, 10), "solids": Solids(walls=np.array([[0.0, 0, 0, 10]]))}
    frames = np.array([[[9.8, 5.0]], [[0.1, 5.0]]])
    assert figures(setting(frames[0], **edge), frames)["wall_crossings"] == 1
    assert figures(setting(frames[0] + 40, **edge), frames + 40)["wall_crossings"] == 1


def test_many_solids_are_met_like_one():
    """Whichever cell of the grid holds it, each crate is felt; far away nothing is."""
    corners = np.array([[x, y] for x in range(0, 90, 9) for y in range(0, 90, 9)], dtype=float)
    crates = Solids(boxes=np.hstack([corners, corners + 1]))
    start = corners + np.array([1.4, 0.5])
    frames = np.stack([start, start - [[0.2, 0]], start - [[1.0, 0]], start + 500])
    result = figures(setting(start, solids=crates), frames[:3])
    assert result["max_wall_overlap_share"] == pytest.approx((0.5 + 0.4) / 0.5)
    assert result["wall_crossings"] == 100
    assert figures(setting(frames[3], solids=crates), frames[3:])["max_wall_overlap_share"] == 0
