"""Boxes and wedges of one group whose lengths are drawn: the rest goes in proportion."""

import numpy as np
import pytest

from sim import BadInput, Goal, Hull, Region, Uniform, World
from sim.record.stage import Stage
from sim.record.trajectory import Trajectory, load
from sim.scenario.build import build
from sim.scenario.load import load as load_scenario
from sim.screen.painter import looks
from sim.screen.replay import Replay
from sim.study.report import setting_of
from tests.living.tracking import track
from tests.watching import figures

BOX = Hull.box(Uniform(0.4, 1.0), 0.35, 3.0)
KINDS = [("crowd", BOX), ("squares", BOX), ("flock", Hull.wedge(Uniform(0.6, 1.0), 0.4, 3.0))]


def crowd(model, hull, count=30, seed=1, **plane) -> World:
    """Some that cross each other in a small room."""
    world = World(seed=seed, **plane)
    goal = Goal.to((6, 6)) if model == "squares" else Goal.across((6, 6.1))
    world.add_group("a", Region(0, 0, 12, 12), count=count, model=model, hull=hull, goal=goal)
    return world


def outlines(world: World) -> list[float]:
    """How large the engine's own shapes are, each by its farthest corner."""
    shapes = [next(iter(body.shapes)) for body in world.roster.bridge.bodies]
    return [max(np.hypot(*c) for c in s.get_vertices()) + s.radius for s in shapes]


@pytest.mark.parametrize(("model", "hull"), KINDS)
def test_bodies_are_as_large_as_was_drawn(model, hull):
    """Lengths within the bounds, all different; width, reach and moment in proportion."""
    world = crowd(model, hull)
    group = world.groups[0]
    share = group.radii / hull.radius
    lengths = share * hull.length
    assert len(set(lengths.tolist())) == 30
    assert hull.smallest.length <= lengths.min()
    assert lengths.max() <= hull.largest.length
    assert (hull.length, hull.largest.length) == pytest.approx((group.hull.length, 1.0))
    assert outlines(world) == pytest.approx((share * group.hull.reach).tolist())
    assert setting_of(world).length == pytest.approx(lengths)
    assert setting_of(world).reach == pytest.approx(share * group.hull.reach)
    moments = [body.moment for body in world.roster.bridge.bodies]
    assert moments == pytest.approx((group.hull.moment * share**2).tolist())


@pytest.mark.parametrize(("model", "hull"), KINDS)
def test_equal_ones_take_the_same_run(model, hull):
    """A list of one length gives the run of that length, bit for bit."""
    runs = []
    for length in (hull.length, [hull.length] * 12):
        made = Hull.box if hull.shape == "box" else Hull.wedge
        runs.append(track(crowd(model, made(length, hull.width, 3.0), 12), 90))
    assert runs[0] == runs[1]


@pytest.mark.parametrize(("model", "hull"), KINDS)
def test_none_goes_through_another(model, hull):
    """Measured by the outline of each: hardly deeper than hulls that are alike."""
    deepest = [
        figures(crowd(model, each), 240)["max_overlap_share"]
        for each in (hull, hull.sized(hull.radius))
    ]
    assert deepest[0] < max(0.1, 2 * deepest[1])


@pytest.mark.parametrize(
    ("model", "hull"), [*KINDS, ("crowd", Hull.disc(Uniform(0.15, 0.35), 80.0))]
)
@pytest.mark.parametrize("edges", ["open", "wrap"])
def test_saved_and_loaded_it_goes_on(model, hull, edges, tmp_path):
    """Bit for bit, twins across a seam included, with units that enter afterwards."""
    plane = {} if edges == "open" else {"bounds": (0.0, 0.0, 12.0, 12.0), "edges": "wrap"}
    world = crowd(model, hull, **plane)
    track(world, 30)
    world.save(tmp_path / "a.state")
    ends = []
    for going in (world, World.load(tmp_path / "a.state")):
        first = track(going, 40)
        going.groups[0].add(
            Region(20, 0, 30, 9) if edges == "open" else Region(0, 0, 12, 12), count=2
        )
        ends.append((first, track(going, 20), going.groups[0].radii.tolist()))
    assert ends[0] == ends[1]


def test_across_a_seam_a_box_is_as_large_as_it_is():
    """A long one that meets a short one across the edge of a torus stays off by both sizes."""
    world = World(bounds=(0, 0, 20, 20), edges="wrap")
    world.add_group(
        "a", [(2, 10), (18, 10)], hull=Hull.box([3.0, 0.6], 0.9, 80.0), model="crowd",
        behaviours={"keep_clear": False}, goal=Goal.to([(18, 10), (2, 10)]), speed=1.5,
        heading=0.0,
    )  # fmt: skip
    nearest = np.inf
    for _ in range(240):
        world.step()
        x, y = world.plane.nearest(world.units.position[1] - world.units.position[0])
        if abs(y) < 0.1:
            nearest = min(nearest, abs(x))
    assert nearest == pytest.approx((3.0 + 0.6) / 2, abs=0.05)


def test_recorded_and_shown_with_its_sizes(tmp_path):
    """A recording tells each unit's radius; a replay paints hulls in that proportion."""
    world = crowd("crowd", BOX)
    recorder = Trajectory(tmp_path / "run.npz", stage=Stage.of(world).text())
    recorder.observe(world)
    recorder.close()
    run = load(tmp_path / "run.npz")
    assert run.radius.tolist() == world.groups[0].radii.tolist()
    replay = Replay(Stage.read(run.stage), run)
    for shown in (world.groups[0], replay.groups[0]):
        for hull, members in looks(shown):
            assert hull.length / hull.width == pytest.approx(BOX.length / BOX.width)
            assert shown.radii[members] == pytest.approx(hull.radius, abs=0.2 / 8)


FILE = """
title = "x"
duration = 1.0
[[groups]]
name = "east"
count = 3
hull = { shape = "box", length = { each = [0.5, 0.8, 1.1] }, width = 0.4, mass = 3 }
spawn = { region = [0, 0, 10, 10] }
"""


def test_from_a_file(tmp_path):
    """As in Python, and refused by key, value and what is allowed."""
    path = tmp_path / "a.toml"
    path.write_text(FILE)
    radii = build(load_scenario(path)).groups[0].radii
    assert radii == pytest.approx(np.array([0.5, 0.8, 1.1]) * 0.2 / 0.8)
    for old, new, said in (
        ("0.5, 0.8, 1.1", "0.5", r"hull\.length\.each = \[0\.5\]: has 1 for 3 units"),
        (
            "each = [0.5, 0.8, 1.1]",
            "uniform = [1, 0.5]",
            r"hull\.length\.uniform = \[1, 0\.5\]: must have low",
        ),
    ):
        path.write_text(FILE.replace(old, new))
        with pytest.raises(BadInput, match=said):
            load_scenario(path)
    with pytest.raises(BadInput, match=r"hull\.length: 2 numbers: must be one for each of 1 units"):
        World().add_group("a", [(0, 0)], hull=Hull.box([0.2, 0.3], 0.1))
