"""Discs of one group whose radii are drawn: what touches, plans and is drawn goes by them."""

import numpy as np
import pytest

import sim
from sim import BadInput, Goal, Hull, Normal, Region, Uniform, World
from sim.core.plane import Plane
from sim.living.sources import Source
from sim.record.stage import Stage
from sim.record.trajectory import Trajectory, load
from sim.screen.painter import looks
from sim.screen.replay import Replay
from sim.study.report import setting_of
from tests.living.tracking import track
from tests.watching import figures

SPREAD = Uniform(0.15, 0.35)
HULL = Hull.disc(SPREAD, 80.0)


def crowd(hull=HULL, count=50, model="crowd", seed=1, **plane) -> World:
    """A crowd that crosses itself in a small room."""
    world = World(seed=seed, **plane)
    world.add_group(
        "a", Region(0, 0, 9, 9), count=count, model=model, hull=hull, speed=1.25,
        goal=Goal.across((4.5, 4.5)),
    )  # fmt: skip
    return world


def gaps(places, radii, plane=None) -> np.ndarray:
    """(n, n) how far apart hulls are; infinite for each with itself."""
    off = (plane or Plane()).nearest(places[:, None] - places[None])
    found = np.hypot(off[..., 0], off[..., 1]) - radii[:, None] - radii[None]
    np.fill_diagonal(found, np.inf)
    return found


def test_radii_are_drawn_and_whole_hulls_find_room():
    """Within the bounds, all different, the engine's discs with them; nobody overlaps another."""
    world = crowd()
    group = world.groups[0]
    radii = group.radii
    assert len(set(radii.tolist())) == len(radii)
    assert radii.min() >= 0.15
    assert radii.max() <= 0.35
    assert [next(iter(b.shapes)).radius for b in world.roster.bridge.bodies] == radii.tolist()
    moments = [b.moment for b in world.roster.bridge.bodies]
    assert moments == pytest.approx((80 * radii**2 / 2).tolist())
    places = world.units.position
    assert gaps(places, radii).min() >= 0
    assert (places - radii[:, None]).min() >= 0
    assert (places + radii[:, None]).max() <= 9
    assert (group.hull.radius, group.hull.largest.radius) == (0.25, 0.35)


@pytest.mark.parametrize("model", ["crowd", "walkers", "soldiers", "mages", "flock"])
def test_equal_radii_take_the_same_run(model):
    """A list of one radius gives the run of that radius, bit for bit."""
    runs = [track(crowd(Hull.disc(r, 80.0), 12, model), 90) for r in (0.25, [0.25] * 12)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("model", ["crowd", "walkers", "soldiers", "mages", "flock"])
def test_hulls_of_many_sizes_do_not_go_through_each_other(model):
    """In every model contacts hold by the radius of each, in figures that are measured by it."""
    world = crowd(model=model, count=30)
    result = figures(world, 240)
    assert result["wall_crossings"] == 0
    assert result["max_overlap_share"] < 0.25
    assert setting_of(world).radius.tolist() == world.groups[0].radii.tolist()
    assert setting_of(world).length.tolist() == (2 * world.groups[0].radii).tolist()
    deepest = -gaps(world.units.position, world.groups[0].radii).min()
    assert deepest < 0.25 * 0.15


def test_a_crowd_of_many_sizes_arrives():
    """Speeds and radii drawn together: all cross, hardly touching."""
    world = World(seed=2)
    world.add_group(
        "a", Region(0, 0, 14, 14), count=40, hull=HULL, speed=Normal(1.34, 0.26, (0.6, 2.0)),
        goal=Goal.across((7, 7)),
    )  # fmt: skip
    result = figures(world, 5400, until_done=True)
    assert result["arrived"] == 40
    assert result["mean_time_ratio"] < 2.0


def test_units_that_enter_later_have_their_own_radii():
    """From a source, one by one, or all at once: the same radii, in the order of entry."""
    places = [(3.0 * k, 0.0) for k in range(12)]
    once = World(seed=5).add_group("a", places, hull=HULL).radii.tolist()
    world = World(seed=5)
    group = world.add_group("a", places[:3], hull=HULL)
    world.agenda.sources.append(Source("a", Region(-2, 10, 40, 30), rate=30.0, total=9))
    for _ in range(60):
        world.step()
    assert group.radii.tolist() == once
    assert [next(iter(b.shapes)).radius for b in world.roster.bridge.bodies] == once
    assert gaps(world.units.position, group.radii).min() > -1e-3


def test_a_unit_that_joins_gets_a_hull_of_the_group():
    """Drawn anew there; a unit that goes to a group of one size gets that."""
    world = World(seed=5)
    drawn = world.add_group("drawn", [(0, 0), (5, 0)], hull=HULL)
    plain = world.add_group("plain", [(0, 9), (5, 9)], hull=Hull.disc(0.5, 80.0))
    kept = drawn.radii.tolist()
    world.regroup(plain.ids[:1], drawn)
    world.regroup(drawn.ids[:1], plain)
    assert len(set(drawn.radii.tolist()) - set(kept)) == 1
    assert plain.radii.tolist() == [0.5, 0.5]
    bodies = [next(iter(b.shapes)).radius for b in world.roster.bridge.bodies]
    assert bodies == [*drawn.radii.tolist(), 0.5, 0.5]


def test_across_a_seam_a_hull_is_as_large_as_it_is():
    """Two large ones that meet across the edge of a torus stay apart by their own radii."""
    world = World(bounds=(0, 0, 20, 20), edges="wrap")
    group = world.add_group(
        "a", [(1.5, 10), (18.5, 10)], hull=Hull.disc([0.2, 1.0], 80.0), model="crowd", speed=1.5,
        behaviours={"keep_clear": False}, goal=Goal.to([(18.5, 10), (1.5, 10)]),
    )  # fmt: skip
    nearest = np.inf
    for _ in range(240):
        world.step()
        nearest = min(nearest, gaps(world.units.position, group.radii, world.plane).min())
    assert -0.05 < nearest < 0.1


def test_ways_are_planned_for_the_largest():
    """A gap that only the small ones fit is gone round, or refused, for all of the group."""
    walls = [(0, -9, 0, -0.3), (0, 0.3, 0, 9), (-9, -9, 9, -9), (-9, 9, 9, 9), (-9, -9, -9, 9),
             (9, -9, 9, 9)]  # fmt: skip
    for radius, fits in ((0.2, True), (Uniform(0.1, 0.4), False)):
        world = World(walls=walls)
        options = {"hull": Hull.disc(radius, 80.0), "goal": Goal.to((5, 0))}
        if fits:
            world.add_group("a", [(-5, 0)], **options)
        else:
            with pytest.raises(BadInput, match=r"radius 0\.4"):
                world.add_group("a", [(-5, 0)], **options)


def test_recorded_and_shown_with_its_radii(tmp_path):
    """Both kinds of file tell each unit's radius; a replay is painted by them, in a few sizes."""
    world = crowd(count=20)
    for suffix in (".npz", ".txt"):
        path = tmp_path / f"run{suffix}"
        recorder = Trajectory(path, stage=Stage.of(world).text())
        recorder.observe(world)
        recorder.close()
        run = load(path)
        assert run.radius is not None
        assert run.radius.tolist() == world.groups[0].radii.tolist()
        replay = Replay(Stage.read(run.stage), run)
        for shown in (world.groups[0], replay.groups[0]):
            sizes = looks(shown)
            assert 2 < len(sizes) <= 8
            for hull, members in sizes:
                assert shown.radii[members] == pytest.approx(hull.radius, abs=0.2 / 8)
            assert sorted(np.concatenate([m for _, m in sizes]).tolist()) == list(range(20))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Hull.disc(Uniform(0, 1)), r"hull\.radius: draws numbers from 0 to 1: must be"),
        (lambda: Hull("disc", 1, 1, spread=3), r"hull\.spread = 3: must be such as"),
        (lambda: Hull.disc([0.2, 0]), r"hull\.radius\[1\] = 0: must be"),
        (
            lambda: World().add_group("a", [(0, 0)], hull=Hull.disc([0.2, 0.3])),
            r"hull\.radius: 2 numbers: must be one for each of 1 units",
        ),
    ],
)
def test_radii_refused(make, said):
    """By name, with the value and what is allowed."""
    with pytest.raises(BadInput, match=said):
        make()
    assert sim.Normal is Normal
