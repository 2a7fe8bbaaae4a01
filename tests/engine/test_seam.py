"""Across the seam of a torus units meet as they do anywhere else."""

import numpy as np
import pytest

from sim import World
from sim.core.plane import Plane
from tests.engine.drift import HULLS, Drift

SIZE = np.array([60.0, 40.0])
TORUS = Plane((-10.0, 5.0, 50.0, 45.0), "wrap")
CENTRE = TORUS.origin + SIZE / 2
SEAMS = {
    "right": (30.0, 0.3), "bottom": (0.7, 20.0), "corner": (30.0, 20.0), "left": (-30.0, -4.0),
}  # fmt: skip


ALIKE = {"disc": 2e-6, "wedge": 2e-3, "box": 1e-2}
"""How much two runs may differ: two points of contact are solved in turns, in whatever order."""
KEPT = {"disc": 1e-12, "wedge": 1e-4, "box": 5e-3}
"""The same for momentum, as a share of the speed at which they meet."""


def pair(hull: str, shift, seed: int, speed: float = 12.0) -> Drift:
    """Two units that run into each other around the middle of the torus, moved by a shift."""
    rng = np.random.default_rng(seed)
    course = rng.uniform(0, 2 * np.pi)
    ahead = np.array([np.cos(course), np.sin(course)])
    aside = np.array([-ahead[1], ahead[0]]) * rng.uniform(-0.8, 0.8)
    places = CENTRE + np.array([-4 * ahead, 4 * ahead + aside]) + shift
    places = TORUS.origin + np.mod(places - TORUS.origin, SIZE)
    velocity = np.array([ahead, -ahead]) * speed * rng.uniform(0.5, 1, (2, 1)) + rng.normal(size=2)
    return Drift(
        TORUS, HULLS[hull], places, velocity, rng.uniform(-4, 4, 2), rng.normal(size=2) * 0.5
    )


def relative(units) -> np.ndarray:
    """Offset from the first unit to the second, by the nearest image; velocities, spins, turn."""
    offset = TORUS.nearest(units.position[1] - units.position[0])
    return np.concatenate([offset, *units.velocity, units.spin, units.angle])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seam", SEAMS)
@pytest.mark.parametrize("hull", HULLS)
def test_they_collide_as_in_the_middle(hull, seam, seed):
    """The same collision across an edge or a corner: same relative motion, step by step."""
    middle, across = pair(hull, 0.0, seed), pair(hull, SEAMS[seam], seed)
    speeds = []
    for _ in range(60):
        inside, outside = middle.step(), across.step()
        speeds.append(inside.velocity[0].copy())
        np.testing.assert_allclose(relative(outside), relative(inside), atol=ALIKE[hull])
    assert np.ptp(speeds, axis=0).max() > 1, "they never met"


@pytest.mark.parametrize("hull", HULLS)
def test_momentum_is_kept(hull):
    """Each of a pair gets what the other gives, wherever they meet: nobody meets a lone twin."""
    for seed in range(25):
        drift = pair(hull, np.random.default_rng(seed).uniform(0, 60, 2), seed, speed=40.0)
        before = drift.units.velocity.sum(axis=0)
        after = drift.run(40)[-1].velocity.sum(axis=0)
        np.testing.assert_allclose(after, before, atol=KEPT[hull] * 40)


@pytest.mark.parametrize("hull", HULLS)
@pytest.mark.parametrize("course", [(1.0, 0.0), (0.0, -1.0), (-1.0, 0.7), (1.0, 1.0)])
def test_one_alone_wraps_without_a_jolt(hull, course):
    """Crossing edges and corners changes nobody's velocity, turn or spin by a single bit."""
    drift = Drift(TORUS, HULLS[hull], [CENTRE], np.array(course) * 71.3, 0.4, 0.9)
    start = drift.units
    states = drift.run(150)
    moved = np.diff([s.position[0] for s in states], axis=0)
    assert (np.abs(moved) > 30).any(), "it never crossed an edge"
    for state in states:
        assert np.array_equal(state.velocity, start.velocity)
        assert np.array_equal(state.spin, start.spin)
        assert TORUS.origin[0] <= state.position[0, 0] < TORUS.origin[0] + SIZE[0]


@pytest.mark.parametrize("hull", HULLS)
def test_a_pushed_pair_crosses_in_contact(hull):
    """Two pressed together drift over the seam: no velocity jumps more than in mid-world."""

    def press(units):
        toward = TORUS.nearest(units.position[::-1] - units.position)
        return np.pad(toward * 60.0, ((0, 0), (0, 1)))

    jumps = []
    for shift in ((0.0, 0.0), (24.0, 0.0)):
        places = TORUS.origin + np.mod(
            CENTRE - TORUS.origin + np.add([(-1.6, 0), (1.6, 0.2)], shift), SIZE
        )
        drift = Drift(TORUS, HULLS[hull], places, (9.0, 0.0), np.pi / 2)
        states = drift.run(120, press)
        jumps.append(np.abs(np.diff([s.velocity for s in states], axis=0)).max())
        assert np.linalg.norm(TORUS.nearest(states[-1].position[1] - states[-1].position[0])) > 1.2
    assert jumps[1] < jumps[0] + 0.5


@pytest.mark.parametrize("hull", HULLS)
@pytest.mark.parametrize("speed", [5.0, 40.0, 80.0])
def test_landing_on_somebody(hull, speed):
    """One that arrives where another stands meets it before the wrap, as it would in mid-world."""
    ends = []
    for middle in (0.0, 30.0):
        places = np.add([(middle - 12.0, 0.0), (middle + 0.4, 0.3)], CENTRE)
        places = TORUS.origin + np.mod(places - TORUS.origin, SIZE)
        drift = Drift(TORUS, HULLS[hull], places, [(speed, 0.0), (0.0, 0.0)])
        states = drift.run(180)
        ends.append(np.concatenate([states[-1].velocity.ravel(), states[-1].spin]))
        assert states[-1].velocity[1, 0] > 1, "they never met"
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-4 * speed)


def test_a_torus_of_a_few_hulls():
    """Where a unit meets another on both sides at once, twins stand on both sides."""
    narrow = Plane((0.0, 0.0, 4.5, 40.0), "wrap")
    drift = Drift(narrow, HULLS["disc"], [(1.0, 10.0), (3.2, 10.0)])
    squeezed = drift.run(120, [[40.0, 0.0, 0.0], [-40.0, 0.0, 0.0]])[-1]
    gap = abs(squeezed.position[1, 0] - squeezed.position[0, 0])
    assert min(gap, 4.5 - gap) > 1.95
    torn = drift.run(240, [[-40.0, 0.0, 0.0], [40.0, 0.0, 0.0]])[-1]
    gap = abs(torn.position[1, 0] - torn.position[0, 0])
    assert min(gap, 4.5 - gap) > 1.95


def test_twins_only_where_somebody_may_meet_one():
    """A lone crossing needs no twin; one with somebody near beyond the edge does, for both."""
    alone = Drift(TORUS, HULLS["disc"], [(49.0, 20.0), (20.0, 20.0)], (10.0, 0.0))
    alone.run(40)
    assert not alone.bridge.seam.bodies
    both = Drift(TORUS, HULLS["disc"], [(49.0, 20.0), (-9.0, 21.0)])
    both.step()
    assert sorted(both.bridge.seam.row[both.bridge.seam.row >= 0].tolist()) == [0, 1]


def test_pools_are_reused_and_free_twins_rest():
    """A long crowded run needs few twins, and the free ones lie still, far from all units."""
    rng = np.random.default_rng(3)
    places = np.stack(np.meshgrid(np.arange(8) * 7, np.arange(6) * 6), axis=2).reshape(-1, 2)
    drift = Drift(TORUS, HULLS["disc"], places + TORUS.origin + 1, rng.normal(size=(48, 2)) * 20)
    sizes = []
    for _ in range(600):
        drift.step()
        seam = drift.bridge.seam
        sizes.append(len(seam.bodies))
        for body, row in zip(seam.bodies, seam.row, strict=True):
            if row < 0:
                assert body.position.x < TORUS.origin[0] - SIZE[0]
                assert body.velocity == (0, 0)
    assert 0 < sizes[-1] <= 48
    assert sizes[300] == sizes[-1]


def test_a_crowd_keeps_off_itself():
    """In a wild crowd units that meet across the seam overlap no deeper than the others."""
    rng = np.random.default_rng(9)
    places = np.stack(np.meshgrid(np.arange(12) * 5, np.arange(8) * 5), axis=2).reshape(-1, 2)
    drift = Drift(TORUS, HULLS["disc"], places + TORUS.origin + 1, rng.normal(size=(96, 2)) * 25)
    nearest = {False: 9.0, True: 9.0}
    for units in drift.run(150):
        straight = units.position[:, None] - units.position
        offset = TORUS.nearest(straight)
        apart = np.hypot(offset[..., 0], offset[..., 1]) + np.eye(96) * 9
        across = (np.abs(straight - offset) > 1).any(axis=2)
        for seam in nearest:
            nearest[seam] = min(nearest[seam], apart[across == seam].min())
    assert nearest[False] < 2.0, "nobody met"
    assert nearest[True] > nearest[False]


@pytest.mark.parametrize(
    "solid",
    [{"boxes": [(48, 10, 52, 30)]}, {"walls": [(49.9, 5, 49.9, 45)]}, {"discs": [(49, 20, 4)]}],
)
def test_solids_are_solid_from_both_sides(solid):
    """What stands at the right edge stops units that come over the left one."""
    for x, course in ((40.0, 0.0), (0.0, np.pi)):
        world = World(bounds=TORUS.bounds, edges="wrap", **solid)
        world.add_group(
            "one", [(x, 20.0)], model="flock", heading=course, behaviours={"avoid_discs": False}
        )
        for _ in range(60):
            world.step()
            assert (world.solids.depth(world.units.position, world.plane) <= 0).all()
        away = world.plane.nearest(world.units.position[0] - (49.9, 20.0))
        assert abs(away[0]) < 16
