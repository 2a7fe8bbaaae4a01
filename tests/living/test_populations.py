"""Units of one group that differ: their speeds are drawn as they enter, from the run's seed."""

import numpy as np
import pytest

import sim
from sim import BadInput, Goal, Hull, Normal, Region, Uniform, World
from sim.core.draws import Each
from sim.living.sources import Source
from tests.living.tracking import going_on, track
from tests.watching import figures

DISC = Hull.disc(0.25, 80.0)
SPREAD = Normal(1.34, 0.26, within=(0.6, 2.0))
FAR = [(0.0, 0.0), (0.0, 1e4), (0.0, 2e4)]


def crowd(speed, count=40, seed=1, model="crowd") -> World:
    """A crowd that crosses itself."""
    world = World(seed=seed)
    world.add_group(
        "a", Region(0, 0, 14, 14), count=count, model=model, hull=DISC, speed=speed,
        goal=Goal.across((7, 7)),
    )  # fmt: skip
    return world


@pytest.mark.parametrize("model", ["crowd", "walkers", "soldiers", "mages", "squares", "flock"])
def test_each_goes_at_its_own_speed(model):
    """Far from one another and from where they go all keep the speeds that they were given."""
    speeds = [45.0, 60.0, 75.0] if model == "flock" else [6.0, 8.0, 10.0]
    world = World()
    goal = None if model == "flock" else Goal.to([(900.0, y) for _, y in FAR])
    group = world.add_group("a", FAR, model=model, speed=speeds, heading=0.0, goal=goal)
    for _ in range(300):
        world.step()
    share = 0.5 if model == "soldiers" else 1.0  # soldiers march at less, to be able to catch up
    going = np.hypot(*world.units.velocity.T)
    assert going / going[0] == pytest.approx(np.array(speeds) / speeds[0], rel=0.02)
    assert (going > share * 0.95 * np.array(speeds)).all()
    assert (going < 1.02 * np.array(speeds)).all()
    assert group.speeds.tolist() == speeds


@pytest.mark.parametrize("model", ["crowd", "walkers", "squares"])
def test_equal_ones_take_the_same_run(model):
    """A list of one speed gives the run of that speed, bit for bit."""
    hull = Hull("box", 0.5, 0.5, 3.0) if model == "squares" else DISC
    runs = []
    for speed in (1.25, [1.25] * 20):
        world = World(seed=3)
        world.add_group(
            "a", Region(0, 0, 12, 12), count=20, model=model, hull=hull, speed=speed,
            goal=Goal.to((6, 6)),
        )  # fmt: skip
        runs.append(track(world, 120))
    assert runs[0] == runs[1]


def test_draws_are_of_the_distribution():
    """Within its bounds, with its mean and its deviation; another seed draws others."""
    group = World(seed=1).add_group("a", [(3.0 * k, 0) for k in range(4000)], speed=SPREAD)
    assert group.speeds.min() >= 0.6
    assert group.speeds.max() <= 2.0
    assert group.speeds.mean() == pytest.approx(1.34, abs=0.02)
    assert group.speeds.std() == pytest.approx(0.26, abs=0.02)
    assert (group.speed, group.fastest, group.speed_spread) == (pytest.approx(1.34), 2.0, SPREAD)
    even = World(seed=1).add_group("a", [(3.0 * k, 0) for k in range(4000)], speed=Uniform(1, 3))
    assert even.speeds.mean() == pytest.approx(2, abs=0.05)
    assert (even.speeds >= 1).all()
    assert (even.speeds <= 3).all()
    assert crowd(SPREAD).groups[0].speeds.tolist() == crowd(SPREAD).groups[0].speeds.tolist()
    assert (
        crowd(SPREAD).groups[0].speeds.tolist() != crowd(SPREAD, seed=2).groups[0].speeds.tolist()
    )


def test_a_draw_follows_from_the_order_of_entry_alone():
    """All at once, one by one, from a source or with others taken out between: the same speeds."""
    places = [(3.0 * k, 0.0) for k in range(12)]
    once = World(seed=5).add_group("a", places, speed=SPREAD).speeds.tolist()
    world = World(seed=5)
    group = world.add_group("a", places[:2], speed=SPREAD)
    for place in places[2:7]:
        group.add([place])
        world.step()
    assert group.speeds.tolist() == once[:7]
    group.remove(group.ids[1:3])
    group.add(places[7:])
    assert group.speeds.tolist() == once[:1] + once[3:]
    world = World(seed=5)
    group = world.add_group("a", np.zeros((0, 2)), speed=SPREAD)
    world.agenda.sources.append(Source("a", sim.Points(places), rate=30.0, total=12))
    for _ in range(60):
        world.step()
    assert group.speeds.tolist() == once


def test_a_unit_that_joins_another_group_draws_there():
    """The speed is the group's, as the hull is; units that are there keep theirs."""
    world = World(seed=5)
    one = world.add_group("one", [(0, 0), (5, 0)], speed=Uniform(1, 2))
    two = world.add_group("two", [(0, 9), (5, 9)], speed=Uniform(5, 6))
    before = two.speeds.tolist()
    world.regroup(one.ids[:1], two)
    assert sorted(two.speeds.tolist())[:2] != sorted(before)[:1]
    assert set(before) < set(two.speeds.tolist())
    assert two.speeds.min() >= 5
    assert len(one.speeds) == 1


def test_a_group_takes_other_speeds_while_it_runs():
    """A distribution, a list in the order of the ids, a number; the quick stay the quick."""
    group = crowd(SPREAD, count=8).groups[0]
    before = group.speeds
    group.speed = Normal(2.0, 0.1)
    assert np.argsort(group.speeds).tolist() == np.argsort(before).tolist()
    group.speed = list(range(1, 9))
    assert group.speeds.tolist() == list(range(1, 9))
    group.speed = 1.5
    assert (group.speeds == group.speed).all()
    assert group.speed_spread is None
    with pytest.raises(BadInput, match=r"speed: 3 numbers: must be one for each of 8 units"):
        group.speed = [1, 2, 3]


def test_saved_and_loaded_it_goes_on(tmp_path):
    """Bit for bit, units that enter afterwards included, from memory and from a file."""
    world = crowd(SPREAD)
    track(world, 30)
    ends = []
    for going in going_on(world, tmp_path / "a.state"):
        going.groups[0].add([(40.0, 40.0), (44.0, 40.0)])
        ends.append((track(going, 40), going.groups[0].speeds.tolist()))
    assert ends[0] == ends[1] == ends[2]


def test_arrival_is_measured_by_ones_own_speed():
    """A slow unit that walks straight has the time ratio of a quick one."""
    world = World()
    goal = Goal.to([(20.0, 0.0), (20.0, 50.0)])
    world.add_group("a", [(0, 0), (0, 50)], hull=DISC, speed=[0.7, 2.1], heading=0.0, goal=goal)
    result = figures(world, 3600, until_done=True)
    assert result["arrived"] == 2
    assert 1.0 <= result["mean_time_ratio"] < 1.1
    assert 1.0 <= result["max_time_ratio"] < 1.1


def test_an_area_slows_each_by_its_own_speed():
    """Half the speed of each on ground of factor 0.5."""
    world = World()
    world.add_group("a", FAR[:2], hull=DISC, speed=[1.0, 2.0], heading=0.0,
                    goal=Goal.to([(90.0, 0.0), (90.0, 1e4)]))  # fmt: skip
    world.add_area(sim.Box(-10, -50, 200, 2e4), speed=0.5)
    track(world, 240)
    assert np.hypot(*world.units.velocity.T) == pytest.approx([0.5, 1.0], rel=0.02)


@pytest.mark.parametrize("model", ["crowd", "walkers", "soldiers", "mages", "flock"])
def test_numbering_is_of_no_matter(model):
    """Units that are given in another order, with their speeds, take the same ways."""
    places = np.array([(3.0 * k, 40.0 * (k % 2)) for k in range(8)])
    speeds = np.linspace(1.0, 2.0, 8) * (30.0 if model == "flock" else 1.0)
    scale = 10.0 if model == "flock" else 1.0
    ends = []
    for order in (np.arange(8), np.array([3, 6, 0, 7, 1, 5, 2, 4])):
        world = World()
        goal = None if model == "flock" else Goal.to([(10.0, 20.0)] * 8)
        world.add_group(
            "a", places[order] * scale, model=model, speed=speeds[order].tolist(), heading=0.0,
            goal=goal,
        )  # fmt: skip
        track(world, 60)
        ends.append(world.units.position[np.argsort(order)])
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


@pytest.mark.parametrize(
    ("speed", "said"),
    [
        (0, r"speed = 0: must be a finite number greater than 0"),
        ("quick", r"speed = 'quick': must be a number, Normal"),
        ([1, -2], r"speed\[1\] = -2: must be a finite number greater than 0"),
        ([1, 2, 3], r"speed: 3 numbers: must be one for each of 2 units"),
        ([], r"speed: 0 numbers: must be one for each of 2 units"),
    ],
)
def test_speeds_refused(speed, said):
    """By name, with the value and what is allowed."""
    with pytest.raises(BadInput, match=said):
        World().add_group("a", [(0, 0), (5, 0)], speed=speed)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Uniform(2, 1), r"uniform = \[2, 1\]: must have low < high"),
        (lambda: Uniform(float("nan"), 1), r"uniform\[0\] = nan: must be from"),
        (lambda: Normal(1, -1), r"normal\[1\] = -1: must be a finite number greater than 0"),
        (lambda: Hull.disc(Normal(1, 1)), r"hull.radius: draws .* -2 to 4: must be more than 0; "),
        (lambda: Normal(1, 1, (2, 1)), r"within = \[2, 1\]: must have low < high"),
        (lambda: Normal(1, 1, (2, 3)), r"within = \[2, 3\]: must hold the mean, 1"),
        (lambda: Normal(1, 1, 3), r"within = 3: must be two numbers \[low, high\]"),
        (lambda: Each(()), r"each: must be one number or more"),
    ],
)
def test_distributions_refused(make, said):
    """By name, with the value and what is allowed."""
    with pytest.raises(BadInput, match=said):
        make()


@pytest.mark.parametrize("given", [[0.0, 2.0], Uniform(0.0, 2.0), Normal(1.0, 1.0, (0.0, 2.0))])
@pytest.mark.parametrize("name", ["margin", "weight"])
def test_a_parameter_that_may_be_0_may_be_0_for_some(name, given):
    """What one number may be, a list and a distribution may hold; a weight may be below 0."""
    world = World()
    group = world.add_group("a", [(0, 0), (5, 0)], behaviours={"keep_clear": {name: given}})
    assert group.parameter("keep_clear", name).min() >= 0
    if isinstance(given, list):
        assert group.parameter("keep_clear", name).tolist() == given
    with pytest.raises(BadInput, match=r"keep_clear\.margin.*-1"):
        group.configure("keep_clear", margin=[-1.0, 2.0])
    group.configure("keep_clear", weight=[-1.0, 2.0])
    assert group.parameter("keep_clear").tolist() == [-1.0, 2.0]


def test_what_is_handed_out_cannot_be_written_to() -> None:
    """Arrays that say how units are and where they stand refuse what would have no effect."""
    world = World(bounds=(0, 0, 20, 20), edges="wall")
    group = world.add_group("a", Region(0, 0, 9, 9), count=3, speed=SPREAD, goal=Goal.to((15, 15)))
    world.step()
    squad = world.select(group.ids)
    names = ("position", "velocity", "heading", "moving", "arrived", "stuck")
    told = [getattr(one, name) for one in (group, squad) for name in names]
    told += [group.speeds, group.radii, group.parameter("arrive"), group.ids, squad.ids]
    for each in told:
        with pytest.raises(ValueError, match="read-only"):
            each[:1] = each[-1:]
