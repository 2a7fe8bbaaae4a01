"""Parts that move: they push units, wait for units that they would squeeze, and are seen."""

import numpy as np
import pymunk
import pytest

import sim
from sim.engine.movers import SQUEEZED, _rows
from sim.study.report import Report
from tests.watching import figures

from .test_parts import run


def test_a_path_is_followed_in_time():
    """A part is where its path says, to and fro in a loop, and at rest after the end without."""
    world = sim.World(bounds=(0, 0, 40, 20), edges="wall")
    rows = [(0, 0, 0), (1, 4, 0), (3, 4, 2), (4, 0, 0)]
    loop = world.add_solid(sim.Disc(5, 5, 1), path=rows, loop=True)
    once = world.add_solid(sim.Box(20, 10, 22, 11), path=rows[:3])
    for step in range(1, 600):
        world.step()
        time = step / 60
        where = [np.interp(time % 4, *np.transpose(rows)[[0, k]]) for k in (1, 2)]
        assert np.allclose(loop.body.position, where, atol=1e-9)
        where = [np.interp(time, *np.transpose(rows[:3])[[0, k]]) for k in (1, 2)]
        assert np.allclose(once.body.position, where, atol=1e-9)
    assert loop.moves
    assert not once.moves
    assert world.path((10, 12.5), (35, 12.5), 0.5).length > 25  # it is planned round where it rests


@pytest.mark.parametrize("model", ["crowd", "walkers", "squares"])
@pytest.mark.parametrize("shape", [sim.Box(0, 0, 1, 20), sim.Disc(0, 10, 5), sim.Wall(1, 0, 1, 20)])
def test_a_platform_pushes_and_nobody_tunnels(shape, model):
    """Units without a goal are pushed along in front of a part, and none comes to be behind it."""
    world = sim.World(bounds=(0, 0, 60, 20), edges="wall")
    hull = sim.Hull.disc(0.5, 80) if model != "squares" else None
    far = 8.0 if model != "squares" else 20.0
    world.add_group("a", [(far, 10.0), (far + 1, 11.5 if hull else 11.0)][: 2 if hull else 1],
                    model=model, hull=hull)  # fmt: skip
    part = world.add_solid(shape)
    part.velocity = (3.0, 0.0)
    for _ in range(400):
        world.step()
        x = world.units.position[:, 0]
        assert (x > part.solids.extent[0][0]).all()
    assert part.solids.extent[1][0] > 15


@pytest.mark.parametrize("model", ["crowd", "walkers", "soldiers", "mages"])
def test_units_that_are_pushed_hardly_overlap(model):
    """A box at 3 hull lengths a second pushes units that come toward it into no other by 5 %."""
    world = sim.World(bounds=(0, 0, 30, 16), edges="wall", seed=1)
    world.add_group(
        "a", sim.Region(6, 3, 14, 13), count=14, model=model, hull=sim.Hull.disc(0.5, 80),
        speed=1.3, goal=sim.Goal.to((2, 8)),
    )  # fmt: skip
    world.add_solid(sim.Box(1, 5, 3, 11)).velocity = (3.0, 0.0)
    result = figures(world, 300)
    assert result["max_overlap_share"] < 0.05
    assert result["max_wall_overlap_share"] < 0.05
    assert result["wall_crossings"] == 0


def test_a_beam_that_turns_lets_nobody_through():
    """A body of the user's own that turns quickly round its middle sweeps units along with it."""
    space = pymunk.Space()
    world = sim.World(space=space)
    beam = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    space.add(beam, pymunk.Segment(beam, (0, 0), (9, 0), 0.05))
    world.see(beam)
    world.add_group("a", [(7.26, 2.25)], hull=sim.Hull.disc(0.25, 80))
    beam.angular_velocity = 12.0  # it sweeps over a hull in half a step
    for _ in range(30):
        world.step()
        if np.hypot(*world.units.position[0]) > 9:
            break
        assert beam.world_to_local(tuple(world.units.position[0])).y > 0
    assert np.hypot(*world.units.position[0]) > 9  # it was thrown off


def test_a_lift_waits_for_those_in_its_way():
    """A part stops before it squeezes a unit against a wall, says so, and nobody is overlapped."""
    world = sim.World(bounds=(0, 0, 20, 10), edges="wall")
    world.add_group("a", [(18.0, 5.0)])
    part = world.add_solid(sim.Box(0, 0, 2, 10), path=[(0, 0, 0), (6, 18, 0)])
    run(world, 600)
    assert part.note == "waits: unit 0 is in the way"
    assert part.moves
    assert world.units.position[0, 0] <= 19.5 + SQUEEZED * 0.5
    assert -world.solids.depth(world.units.position, world.plane)[0] > 0.6 * 0.5
    assert part.offset[0] < 17.2


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("model", ["crowd", "walkers"])
def test_a_pack_is_not_pressed_through_a_wall(model, seed):
    """A part presses 32 units against a wall: it stops, and none is thrown through either.

    Without `pressed` 1 to 16 walls are crossed in each of these four runs.
    """
    world = sim.World(bounds=(0, 0, 40, 20), edges="wall")
    pack = np.array([(33 + 1.05 * i, 6 + 1.05 * j) for i in range(4) for j in range(8)])
    near = np.random.default_rng(seed).uniform(-0.02, 0.02, pack.shape)
    world.add_group("a", pack + near, model=model)
    part = world.add_solid(sim.Box(28, 0, 30, 20), path=[(0, 0, 0), (2.5, 10, 0)])
    result = figures(world, 270)
    assert result["wall_crossings"] == 0
    assert result["max_wall_overlap_share"] < 0.5  # half of a hull would be 1.0
    assert part.note.startswith("waits: unit")
    assert part.offset[0] > 8.0  # it did press: two files of hulls are left room


def test_solids_are_where_parts_are():
    """After each step, and after each change: not where they were when it began."""
    world = sim.World(seed=1, bounds=(0, 0, 40, 20), edges="wall")
    world.add_group("a", [(30.0, 5.0)], goal=sim.Goal.to((30, 15)))
    lift = world.add_solid(sim.Disc(5, 5, 1), path=[(0, 0, 0), (10, 10, 5)])
    gate = world.add_solid(sim.Box(20, 8, 21, 12))
    for step in range(40):
        world.step()
        assert lift.offset[0] == pytest.approx((step + 1) / 60)
        assert world.solids.discs.tolist() == lift.solids.discs.tolist()
    gate.open()
    assert not len(world.solids.boxes)
    gate.close()
    assert len(world.solids.boxes) == 1
    lift.remove()
    assert not len(world.solids.discs)


def test_units_enter_where_a_part_has_just_come():
    """Not inside of it: a place counts as free by where parts are now."""
    world = sim.World(seed=1, bounds=(0, 0, 40, 20), edges="wall")
    group = world.add_group("a", [(30.0, 5.0)])
    part = world.add_solid(sim.Box(0, 0, 2, 20))
    part.velocity = (60.0, 0.0)
    for _ in range(10):
        world.step()
    with pytest.raises(sim.BadInput, match="starts inside a solid"):
        group.add([(part.offset[0] + 1.9, 10.0)])


def test_looking_at_solids_changes_nothing():
    """A run in which they are read at each step is the same, bit for bit."""
    ends = []
    for looks in (True, False):
        world = sim.World(bounds=(0, 0, 40, 20), edges="wall", seed=1)
        world.add_group("a", sim.Region(1, 1, 9, 19), count=20, goal=sim.Goal.to((36, 10)))
        world.add_solid(sim.Box(15, 0, 17, 12), path=[(0, 0, 0), (2, 0, 8), (4, 0, 0)], loop=True)
        for _ in range(200):
            world.step()
            assert not looks or len(world.solids.boxes)
        ends.append(world.units.position)
    assert np.array_equal(*ends)


def test_velocity_may_change_at_any_time():
    """A part goes as it is told, stands when told to, and ways then lead round where it stands."""
    world = sim.World(bounds=(0, 0, 40, 20), edges="wall")
    part = world.add_solid(sim.Box(0, 5, 2, 15), name="block")
    part.velocity = (6, 0)
    run(world, 120)
    part.velocity = (0, 0)
    run(world, 10)
    assert part.offset == pytest.approx([12, 0])
    assert world.path((5, 10), (35, 10), 0.5).length > 31
    assert np.allclose(world.parts["block"].solids.boxes, [(12, 5, 14, 15)])


def test_a_moving_part_is_got_round():
    """A disc that comes across brings a walker off its straight way; it arrives all the same."""
    shares = []
    for there in (True, False):
        world = sim.World(bounds=(0, 0, 40, 20), edges="wall")
        world.add_group("a", [(4.0, 10.0)], goal=sim.Goal.to((36, 10)))
        part = world.add_solid(sim.Disc(20, 0, 1.5), path=[(0, 0, 0), (30, 0, 22)], open=not there)
        off = []
        for _ in range(1800):
            world.step()
            off.append(abs(world.units.position[0, 1] - 10))
        shares.append((max(off), world.roster.orders.minds.arrived[0]))
        assert not there or part.closed
    assert all(arrived for _, arrived in shares)
    (with_it, _), (without, _) = shares
    assert without < 0.1 < 1.0 < with_it


def test_parts_move_across_the_seam_of_a_torus():
    """A part that leaves a torus on one side comes back on the other, seen, felt and pushing."""
    world = sim.World(bounds=(0, 0, 20, 20), edges="wrap")
    world.add_group("a", [(2.5, 10.0)])
    part = world.add_solid(sim.Box(16, 8, 18, 12))
    part.velocity = (2.0, 0)
    run(world, 300)  # from 18 to 28: its image is at 6 to 8
    assert np.isfinite(world.feelers.cast([(12, 10)], [(8.5, 10)]).share).all() == False  # noqa: E712
    assert np.isfinite(world.feelers.cast([(12, 10)], [(7, 10)]).share[0])
    assert world.units.position[0, 0] > 8.3
    assert part.closed


def test_foreign_bodies_are_seen():
    """Static, kinematic and dynamic bodies of somebody's own are seen once the world is told."""
    space = pymunk.Space()
    world = sim.World(space=space, bounds=(0, 0, 40, 20), edges="wall")
    static, moved = pymunk.Body(body_type=pymunk.Body.STATIC), pymunk.Body(5, 5)
    static.position, moved.position = (20, 10), (10, 5)
    space.add(static, pymunk.Poly.create_box(static, (2, 8)))
    space.add(moved, pymunk.Circle(moved, 1))
    lift = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    space.add(lift, pymunk.Segment(lift, (30, 0), (30, 6), 0.2))
    assert world.path((10, 10), (30, 10), 0.5).length == pytest.approx(20)
    for body in (static, moved, lift):
        world.see(body)
    world.add_group("a", [(3.0, 16.0)])
    world.step()
    assert world.path((10, 10), (30, 10), 0.5).length > 20.5
    hits = world.feelers.cast([(10, 10), (5, 5), (25, 3)], [(30, 10), (15, 5), (35, 3)])
    assert np.allclose(hits.share, [0.45, 0.4, 0.5], atol=0.03)
    moved.position = (12, 5)
    world.step()
    assert np.allclose(world.feelers.cast([(5, 5)], [(15, 5)]).share, 0.6, atol=0.01)


@pytest.mark.parametrize("shape", [sim.Box(4.5, 1, 5.5, 9), sim.Wall(5, 1, 5, 9)])
def test_round_a_torus(shape):
    """A part that goes round and round pushes a unit before it each time, and is seen in bounds."""
    with sim.World(bounds=(0, 0, 20, 10), edges="wrap") as world:
        world.add_group("one", [(12.0, 5.0)], hull=sim.Hull.disc(0.3, mass=80), speed=1.3)
        part = world.add_solid(shape)
        part.velocity = (4, 0)
        report = Report(world, "round")
        for _ in range(600):
            world.step()
            report.observe(world)
            low, high = world.solids.extent
            assert low[0] > -1
            assert high[0] < 21
        result = report.result(1.0)
        assert result["wall_crossings"] == 0
        assert result["max_wall_overlap_share"] < 0.3


@pytest.mark.parametrize("moved_by", ["path", "velocity"])
def test_a_part_is_where_it_says(moved_by) -> None:
    """After each step a moving part says where it is then, as the engine and recordings have it."""
    world = sim.World(bounds=(0, 0, 20, 20), edges="wall")
    path = [(0, 0, 0), (2, 4, 1)] if moved_by == "path" else None
    lift = world.add_solid(sim.Box(2, 2, 4, 4), path=path)
    if path is None:
        lift.velocity = (2, 0.5)
    for k in range(1, 61):
        world.step()
        (piece,) = world.pieces
        assert lift.offset == pytest.approx((2 * k / 60, k / 120), abs=1e-12)
        assert lift.offset == pytest.approx(piece.pose[:2], abs=1e-12)
        assert lift.solids.boxes[0, 0] == pytest.approx(2 + 2 * k / 60, abs=1e-12)


def test_units_are_found_by_a_few_bodies():
    """By their own and by those of their twins across a seam: the same as among all of them."""
    world = sim.World(seed=1, bounds=(0, 0, 12, 12), edges="wrap")
    world.add_group("a", sim.Region(0, 0, 12, 12), count=40, goal=sim.Goal.to((0.5, 0.5)))
    run(world, 30)
    bridge = world.roster.bridge
    assert (bridge.seam.row >= 0).any()
    every = bridge.rows()
    for few in (set(list(every)[::3]), set(list(every)[-4:]), {1}, set()):
        assert _rows(bridge, few) == {body: every[body] for body in few if body in every}
