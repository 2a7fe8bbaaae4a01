"""In how many parts the engine takes a step: none runs through another; one part where it can."""

import numpy as np
import pytest

import sim
from sim.core.hull import Hull, sizes
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.core.units import Units
from sim.looking import Looking
from sim.perception.closing import _deepest, looks_needed
from sim.perception.surroundings import Surroundings
from sim.run import run
from sim.study.report import Report

DT = 1 / 60
WEDGE = Hull.wedge(4.0, 2.0)


def snapshot(*units: tuple[float, float, float, float]) -> Units:
    """Units as (x, y, angle, speed), each moving where it points."""
    rows = np.array(units)
    made = Units.blank(np.zeros(len(rows), np.int64))
    made.position[:] = rows[:, :2]
    made.heading[:] = np.stack([np.cos(rows[:, 2]), np.sin(rows[:, 2])], axis=1)
    made.velocity[:] = made.heading * rows[:, 3:]
    return made


def parts(units: Units, hull: Hull = WEDGE, walls=(), plane: Plane | None = None, discs=()) -> int:
    """How many parts a step of 1/60 s is to have."""
    plane, group = plane or Plane(), np.zeros(len(units), np.int64)
    solids = Solids(discs=np.reshape(np.array(discs, float), (-1, 3)))
    around = Surroundings.of(plane, solids, np.reshape(np.array(walls, float), (-1, 4)))
    return looks_needed(units, plane, sizes([hull], group), around.faces, around.discs, DT)


@pytest.mark.parametrize(
    ("gap", "aside", "needed"),
    [(4.5, 0.0, 3), (4.5, 0.8, 3), (4.5, 1.4, 1), (4.5, 2.5, 1), (5.5, 0.0, 1), (40.0, 0.0, 1)],
)
def test_two_craft_head_on(gap, aside, needed):
    """At 75 units/s each they close in by 2.5 in a step: parts of 1, unless they hardly touch."""
    pair = snapshot((0, 0, 0, 75), (gap, aside, np.pi, 75))
    assert parts(pair) == needed


def test_side_by_side_is_no_crash():
    """Circles round long hulls overlap where hulls that pass or fly in file do not touch."""
    assert parts(snapshot((0, 0, 0, 200), (3, 2.2, np.pi, 200))) == 1
    assert parts(snapshot((0, 0, 0, 200), (4.5, 0, 0, 120))) == 1


def test_across_the_seam():
    """On a torus two meet across it as anywhere else."""
    plane = Plane((0.0, 0.0, 100.0, 100.0), "wrap")
    assert parts(snapshot((98.0, 50, 0, 75), (2.5, 50, np.pi, 75)), plane=plane) == 3


def test_a_fast_unit_near_a_wall():
    """At 150 units/s it moves by 2.5 radii: parts of 0.9 of one, near a wall alone.

    Parts of 0.3 radii if it runs into it, or its side does as it turns.
    """
    wall = (20.0, -50.0, 20.0, 50.0)
    assert [parts(snapshot((x, 0, 0, 150)), walls=[wall]) for x in (-60.0, 17.0)] == [1, 9]
    assert parts(snapshot((18.0, 0, np.pi / 2, 150)), walls=[wall]) == 3
    turning = snapshot((18.5, 0, np.pi / 2, 0))
    assert parts(turning, walls=[wall]) == 1
    turning.spin[:] = -40.0
    assert parts(turning, walls=[wall]) > 2


def test_a_fast_unit_that_would_come_deep_into_a_disc():
    """At 150 units/s: parts of 0.3 radii if it gets into the disc, one if it grazes it."""
    disc = (30.0, 0.0, 10.0)
    cases = {(17.0, 0.0): 9, (18.5, 4.0): 8, (15.5, 0.0): 1, (18.5, 11.5): 1, (43.0, 0.0): 1}
    found = {at: parts(snapshot((*at, 0, 150)), discs=[disc]) for at in cases}
    assert found == cases
    corners = {(18.8, 7.2): 1, (18.8, 6.0): 8}  # a round hull is not its square: it has none
    for at, needed in corners.items():
        one = snapshot((*at, 0, 150))
        assert parts(one, Hull.disc(1.0), discs=[disc]) == needed
    torus = Plane((0.0, 0.0, 100.0, 100.0), "wrap")
    seam = snapshot((98.5, 50, 0, 150))
    assert parts(seam, plane=torus, discs=[(5.0, 50.0, 5.0)]) == 9


def test_fast_craft_stay_out_of_discs():
    """No centre gets in of those that fly straight at an island, nearly two radii a step.

    So fast they take one part in the open.
    """
    world = sim.World(discs=[(60, 0, 30)], time_step=0.02)
    places = np.stack([np.linspace(-7, 7, 15), np.linspace(-21, 21, 15)], axis=1)
    group = world.add_group("a", places, model="flock", heading=0.0, speed=95)
    group.switch("flocking", on=False)
    group.switch("obstacles", on=False)
    assert world.substeps == 1
    report = Report(world, "fast")
    run(world, 200, [report])
    found = report.result(1.0)
    assert found["max_wall_overlap_share"] > 0.0
    assert found["wall_crossings"] == 0


@pytest.mark.parametrize("solid", ["discs", "boxes", "walls"])
def test_a_craft_that_rams_a_solid_is_stopped_at_its_edge(solid):
    """Steered straight into it at 71 units/s it was up to 86 % of a radius deep, now 29 at most."""
    rows = {"discs": [(60, 0.4, 20)], "boxes": [(40, -30, 60, 30)], "walls": [(40, -30, 40, 30)]}
    deepest = 0.0
    for start in (0.0, 0.3, 0.6, 0.9):
        world = sim.World(**{solid: rows[solid]})
        craft = world.add_group("craft", [(start, 0)], model="player", heading=0.0)
        craft.controls = (0.0, 0.0, 1.0)
        report = Report(world, "rams")
        run(world, 120, [report])
        deepest = max(deepest, report.result(1.0)["max_wall_overlap_share"])
    assert 0.0 < deepest < 0.3


def test_the_depth_is_that_of_many_looks():
    """The deepest overlap of two rectangles on their way is what 400 looks at them find."""
    rng, far = np.random.default_rng(1), []
    for _ in range(300):
        hulls = [Hull.box(rng.uniform(1, 4), rng.uniform(1, 4)) for _ in range(2)]
        pair = snapshot(*(rng.uniform((-3, -3, -4, 0), (3, 3, 4, 300)) for _ in range(2)))
        half = sizes(hulls, np.arange(2)).half
        way, change = pair.position[1] - pair.position[0], pair.velocity[1] - pair.velocity[0]
        found = _deepest(0, 1, (*way, *change), pair.heading, half, DT)
        looks = overlap(pair, hulls, way + change * np.linspace(0, DT, 400)[:, None])
        far.append(abs(found - looks.max()))
    assert max(far) < 0.2  # two at 300 units/s go on by 0.4 in what is left of the span


@pytest.mark.parametrize("side", [6.0, 14.0, 60.0])
@pytest.mark.parametrize("edges", ["open", "wrap"])
def test_no_pair_is_missed(edges, side):
    """Of random crowds, in few cells and many, the most of all pairs, taken one by one, decides."""
    plane = Plane((0.0, 0.0, side, side), edges) if edges == "wrap" else Plane()
    rng, found = np.random.default_rng(2), []
    for _ in range(40):
        count = int(rng.integers(2, 30))
        crowd = snapshot(*rng.uniform((0, 0, -4, 0), (side, side, 4, 200), (count, 4)))
        found.append((parts(crowd, plane=plane), of_pairs(crowd, plane)))
    ours, pairwise = np.transpose(found)
    np.testing.assert_array_equal(ours, pairwise)
    assert len(np.unique(ours)) > 2


def of_pairs(crowd: Units, plane: Plane) -> int:
    """How many parts the pairs of a crowd ask for, one by one."""
    size, most = sizes([WEDGE], np.zeros(len(crowd), np.int64)), 1.0
    for i, j in zip(*np.triu_indices(len(crowd), 1), strict=True):
        way = plane.nearest(crowd.position[j] - crowd.position[i])
        change = crowd.velocity[j] - crowd.velocity[i]
        depth = _deepest(i, j, (*way, *change), crowd.heading, size.half, DT)
        if depth > size.radius[i]:
            most = max(most, np.hypot(*change) * DT / size.radius[i])
    return int(np.ceil(most))


def overlap(pair: Units, hulls: list[Hull], ways: np.ndarray) -> np.ndarray:
    """By how much the shadows of two rectangles overlap, on the side where it is least.

    For each of many ways (n, 2) from one to the other.
    """
    least = np.full(len(ways), np.inf)
    sides = [np.array([h, (-h[1], h[0])]) for h in pair.heading]
    half = [np.array([hull.length, hull.width]) / 2 for hull in hulls]
    for axis in np.concatenate(sides):
        wide = sum((abs(own @ axis) * size).sum() for own, size in zip(sides, half, strict=True))
        least = np.minimum(least, wide - np.abs(ways @ axis))
    return least


def crashes(pairs: int = 40) -> int:
    """How many pairs of quick craft pass through each other; all fly nearly head-on."""
    rng, world = np.random.default_rng(3), sim.World()
    rows = 60.0 * np.arange(pairs)
    aside, gap = rng.uniform(-0.6, 0.6, pairs), rng.uniform(30, 34, pairs)
    for name, places, heading in (
        ("east", np.stack([np.zeros(pairs), rows], axis=1), 0.0),
        ("west", np.stack([gap, rows + aside], axis=1), np.pi),
    ):
        group = world.add_group(name, places, model="flock", heading=heading, speed=300.0)
        group.switch("flocking", on=False)
    through = np.zeros(pairs, bool)
    before = world.units.position[pairs:] - world.units.position[:pairs]
    for _ in range(40):
        world.step()
        now = world.units.position[pairs:] - world.units.position[:pairs]
        beside = np.maximum(abs(before[:, 1]), abs(now[:, 1])) < 0.7
        through |= beside & (before[:, 0] * now[:, 0] < 0)
        before = now
    return int(through.sum())


def test_quick_craft_do_not_pass_through_each_other(monkeypatch):
    """None of forty pairs that crash does; many would if each step were taken as a whole."""
    assert crashes() == 0
    monkeypatch.setattr(Looking, "parts", lambda _looking, _units: 1)
    assert crashes() > 10
