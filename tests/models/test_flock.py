"""Model "flock": the figures it is tuned for, in every view, and that it looks well doing so."""

from functools import cache

import numpy as np
import pytest

from sim import Goal, Hull, Region, World
from tests.models.flights import Passage, Settled, pass_discs, settle

SEEDS = [1, pytest.param(20, marks=pytest.mark.slow)]
"""Random starts: one every day."""
VIEWS = ["wide", "limited", "narrow"]


@cache
def settled(view: str, seed: int) -> Settled:
    """A minute from a random start on the book's torus."""
    return settle("flock", view, seed)


def runs(view: str, seeds: int) -> list[Settled]:
    """The same once for each seed."""
    return [settled(view, seed) for seed in range(seeds)]


@cache
def passages(view: str, seeds: int) -> tuple[Passage, ...]:
    """Through the eight discs, once for each seed."""
    return tuple(pass_discs("flock", view, seed) for seed in range(seeds))


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("view", VIEWS)
def test_flock_forms_and_nobody_touches(view, seeds):
    """Of one course (polarisation 0.95), and without a touch after the first 10 s, in each run.

    All with the wide view; with the others each flock by itself: those farther apart than the view
    reaches do not see each other.
    """
    course = "polarisation" if view == "wide" else "within"
    assert [getattr(run, course) >= 0.95 for run in runs(view, seeds)] == [True] * seeds
    assert [run.touching for run in runs(view, seeds)] == [0] * seeds


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("view", VIEWS)
def test_settled_flock_is_calm(view, seeds):
    """Nobody spins or wags: a settled unit turns by less than a sixth of a radian a second."""
    assert np.mean([run.swing for run in runs(view, seeds)]) < 1 / 6


@pytest.mark.slow  # medians of six runs scatter too much
@pytest.mark.parametrize(("view", "most"), [("wide", 1), ("limited", 5), ("narrow", 9)])
def test_flock_keeps_together(view, most):
    """In most runs a wide view ends in one flock, and everywhere neighbours stay near."""
    assert np.median([run.flocks for run in runs(view, 20)]) <= most
    assert 2 < np.median([run.nearest for run in runs(view, 20)]) < 12


@pytest.mark.parametrize("seeds", SEEDS)
def test_flock_passes_eight_discs(seeds):
    """It parts round discs, touches none, nor each other, and is one flock again: in each run."""
    for seed, run in enumerate(passages("wide", seeds)):
        assert run.parted >= 2, seed
        assert (run.contacts, run.wall_overlap) == (0, 0), seed
        assert (run.flocks, run.through) == (1, 20), seed
        assert run.polarisation >= 0.95, seed


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("view", ["limited", "narrow"])
def test_other_views_touch_no_disc(view, seeds):
    """Whoever sees less parts for longer, but touches nothing and gets through."""
    for run in passages(view, min(seeds, 4)):
        assert (run.contacts, run.wall_overlap, run.through) == (0, 0, 20)
        assert run.parted >= 1


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("apart", [25, 60, 400])
def test_head_on_pair_passes_port_to_port(view, apart):
    """Two that meet exactly head-on pass each other to port, at more than a hull's width."""
    world = World()
    for name, x, heading in (("a", 0, 0.0), ("b", apart, np.pi)):
        world.add_group(name, [(x, 0)], model="flock", view=view, heading=heading)
    nearest, port = np.inf, None
    for _ in range(240):
        world.step()
        (ahead, starboard), distance = seen_by_first(world)
        if port is None and ahead <= 0:
            port = starboard < 0
        nearest = min(nearest, distance)
    assert port
    assert nearest > 4


def seen_by_first(world: World) -> tuple[tuple[float, float], float]:
    """(ahead, starboard) from unit 0 to unit 1 in the frame unit 0 started in, and the distance."""
    offset = world.units.position[1] - world.units.position[0]
    return (float(offset[0]), float(offset[1])), float(np.hypot(*offset))


@pytest.mark.parametrize("late", [0, 1, 5])
def test_crossing_pair_joins(late):
    """Two on crossing courses, however exactly timed, do not touch and fly on together."""
    world = World()
    world.add_group("a", [(0, 0)], model="flock", heading=0.0)
    world.add_group("b", [(60, 60 + late)], model="flock", heading=-np.pi / 2)
    nearest = np.inf
    for _ in range(240):
        world.step()
        nearest = min(nearest, seen_by_first(world)[1])
    assert nearest > 8
    assert np.hypot(*world.units.heading.mean(axis=0)) > 0.99


def test_single_unit_flies_straight():
    """Alone there is nothing to steer for."""
    world = World()
    world.add_group("a", [(0, 0)], model="flock", heading=0.3)
    for _ in range(300):
        world.step()
    assert np.arctan2(*world.units.position[0][::-1]) == pytest.approx(0.3, abs=1e-9)
    assert abs(world.units.spin[0]) < 1e-9


def test_rescaled_world_is_the_same_run():
    """Everything four times as large gives four times the same run, to the last bit."""
    places = np.random.default_rng(2).uniform(0, 400, (20, 2)).round()
    states = []
    for scale in (1, 4):
        discs = [(200 * scale, 150 * scale, 15 * scale)]
        bounds = (0, 0, 512 * scale, 384 * scale)
        world = World(seed=1, bounds=bounds, edges="wrap", discs=discs)
        hull = Hull("wedge", 4 * scale, 2 * scale, 10)
        world.add_group(
            "a", places % (512, 384) * scale, model="flock", hull=hull, heading="random"
        )
        for _ in range(400):
            world.step()
        states.append((world.units.position / scale, world.units.angle))
    assert np.array_equal(states[0][0], states[1][0])
    assert np.array_equal(states[0][1], states[1][1])


@pytest.mark.parametrize("count", [10, 40])
@pytest.mark.parametrize("hull", [Hull("wedge", 4, 2, 10), Hull("box", 14, 14, 1)])
def test_other_sizes_of_flock_and_hull(count, hull):
    """Fewer or more units, or large and light ones, flock as well and touch nobody."""
    bounds = (0, 0, 256 * hull.length, 192 * hull.length)
    world = World(seed=4, bounds=bounds, edges="wrap")
    world.add_group("a", Region(*bounds), model="flock", count=count, hull=hull, heading="random")
    for _ in range(1800):
        world.step()
    assert np.hypot(*world.units.heading.mean(axis=0)) > 0.95
    assert np.abs(world.units.spin).mean() < 0.5


@pytest.mark.parametrize("controls", [(0, 0, 0), (0.5, 0, 1)])
def test_flock_follows_its_leaders_to_the_player(controls):
    """With a player to chase, a few lead, the flock comes and stays, and nobody rams it."""
    world = World(seed=1, bounds=(0, 0, 1024, 768), edges="wrap")
    flock = world.add_group(
        "flock", Region(0, 0, 1024, 768), model="flock", count=20, heading="random"
    )
    player = world.add_group("player", [(512, 384)], model="player", heading=0.0)
    player.controls[:] = controls
    flock.goal = Goal("chase", "player")
    distance, leads, nearest = [], [], np.inf
    for step in range(2400):
        world.step()
        away = world.plane.nearest(world.units.position[:20] - world.units.position[20])
        lengths = np.hypot(*away.T) / flock.hull.length
        if step > 600:
            distance.append(np.median(lengths))
            leads.append(flock.leads.sum())
            nearest = min(nearest, lengths.min())
    assert np.mean(distance) < 60  # anywhere on this torus would be 98
    assert 0.5 < np.mean(leads) < 6
    assert nearest > 0.5
