"""Saving and loading: a run that goes on from a state is the run that never stopped."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sim
from sim.scenario.build import build
from sim.scenario.load import load
from sim.world import World

ROOT = Path(__file__).parents[2]
EVERYDAY = ("doors", "views")
ALL = sorted(path.stem for path in (ROOT / "maps").glob("*.toml"))
GO_ON = """
import sys
from tests.saving.test_states import digest, forward
from sim.world import World
with World.load(sys.argv[1]) as world:
    sys.stdout.write(digest(forward(world, int(sys.argv[2]))).hex())
"""


def forward(world: World, steps: int) -> World:
    """The same world, `steps` steps on."""
    for _ in range(steps):
        world.step()
    return world


def digest(world: World) -> bytes:
    """All bits of where the units are and how they move."""
    units = world.units
    parts = units.position, units.velocity, units.angle, units.spin, units.present
    return b"".join(part.tobytes() for part in parts)


def in_a_new_process(state: Path, steps: int) -> bytes:
    """The digest of a state, some steps on, in another process."""
    done = subprocess.run(
        [sys.executable, "-c", GO_ON, str(state), str(steps)],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return bytes.fromhex(done.stdout)


def check(name: str, before: int, after: int, tmp_path: Path) -> None:
    """Straight on, from memory and from a file in a new process: the same bits."""
    with build(load(ROOT / "maps" / f"{name}.toml")) as world:
        forward(world, before)
        state = world.save(tmp_path / "run.state")
        straight = digest(forward(world, after))
        world.load(state)
        assert world.time == state.time
        assert digest(forward(world, after)) == straight
    assert in_a_new_process(tmp_path / "run.state", after) == straight


@pytest.mark.parametrize("name", EVERYDAY)
def test_goes_on_as_if_never_stopped(name: str, tmp_path):
    """Contacts, ways still being planned, opponents and twins included."""
    check(name, 40, 40, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_every_scenario(name: str, tmp_path):
    """300 steps straight are 150, saved, loaded in a new process, and 150."""
    check(name, 150, 150, tmp_path)


def crowd(**given) -> World:
    """Sixty units that push towards one place."""
    world = World(seed=3, bounds=(0, 0, 30, 20), edges="wall", **given)
    goal = sim.Goal.to((15, 10))
    world.add_group("crowd", sim.Region(4, 4, 26, 16), count=60, goal=goal)
    return world


def test_two_futures():
    """One state serves any number of loads, into any world that is made like its own."""
    world = forward(crowd(), 60)
    state = world.save()
    first = digest(forward(world, 30))
    other = crowd()
    for each in (world, other, world):
        each.load(state)
        assert digest(forward(each, 30)) == first
    other.load(state)
    other.group("crowd").go_to((3, 3))
    assert digest(forward(other, 30)) != first


def test_saving_changes_nothing():
    """A run that is saved at every step is the run that never is."""
    saved, plain = crowd(), crowd()
    for _ in range(30):
        saved.step()
        saved.save()
    assert digest(saved) == digest(forward(plain, 30))


def test_the_class_loads_a_new_world(tmp_path):
    """`World.load` of a file, or of a state, is a world that goes on as the saved one does."""
    world = forward(crowd(), 20)
    state = world.save(tmp_path / "run.state")
    wanted = digest(forward(world, 20))
    for given in (tmp_path / "run.state", str(tmp_path / "run.state"), state):
        other = World.load(given)
        assert other is not world
        assert digest(forward(other, 20)) == wanted
    world.load(state)
    assert digest(forward(world, 20)) == wanted
    for wrong in (3, None, tmp_path / "none.state"):
        with pytest.raises(sim.BadInput):
            World.load(wrong)


def test_a_class_of_a_users_own_loads_one_of_its_kind():
    """Whoever derives from `World` gets a world of that class."""

    class Town(World):
        pass

    assert type(Town.load(crowd().save())) is Town


def test_a_class_that_is_made_in_its_own_way_says_so():
    """Where `__init__` takes other things, `load` cannot make one: that was a `TypeError`."""

    class Village(World):
        def __init__(self, houses: int) -> None:
            super().__init__(seed=houses)

    with pytest.raises(sim.BadInput, match=r"Village.load: its __init__ must take what World"):
        Village.load(crowd().save())


def test_settings_come_back():
    """What was set after the save is as it was before; groups are the same objects."""
    world = crowd()
    group = world.group("crowd")
    group.schedule = [(0.5, (5.0, 5.0))]
    speed, state = group.speed, world.save()
    group.speed, group.color, group.schedule = 3.0, "red", []
    group.configure("keep_clear", weight=0.0)
    world.add_group("late", [(1, 1)])
    world.load(state)
    assert world.group("crowd") is group
    assert (group.speed, [g.name for g in world.groups]) == (speed, ["crowd"])
    assert group.settings["keep_clear"].weight != 0
    assert group.schedule == ((0.5, (5.0, 5.0)),)


def test_units_that_left(tmp_path):
    """Rows of units that have left stay theirs; the others go on."""
    world = World(seed=1, bounds=(0, 0, 20, 10), edges="wall")
    goal = sim.Goal.to((15, 5), leave=True)
    world.add_group("out", sim.Region(9, 1, 14, 9), count=12, goal=goal)
    while world.units.present.sum() > 8:
        world.step()
    world.save(tmp_path / "run.state")
    other = World.load(tmp_path / "run.state")
    assert np.array_equal(other.units.present, world.units.present)
    assert digest(forward(other, 60)) == digest(forward(world, 60))


def test_another_world_is_refused():
    """The state of another world changes nothing of this one."""
    world = forward(crowd(), 3)
    before = digest(world)
    for other in (World(seed=4), World(seed=3, time_step=0.01), crowd(discs=[(2, 2, 1)])):
        with pytest.raises(sim.BadInput, match="load: "):
            world.load(other.save())
    assert digest(world) == before
    foreign = World(space=type(world.space)())
    with pytest.raises(sim.BadInput, match="a space of your own"):
        foreign.save()


def test_a_state_is_shown_in_a_line():
    """It filled pages, with all its arrays, where a line of Python ended in `world.save()`."""
    assert repr(forward(crowd(), 60).save()) == "State(time=1, units=60)"


def test_a_state_cannot_be_written_to():
    """Kernels go by what a state says: a leg or a length that is none ended the process."""
    world = World(seed=1, discs=[(50, 50, 10)])
    world.add_group("a", sim.Region(0, 40, 20, 60), count=5, goal=sim.Goal.to((90, 50)))
    world.step()
    state = world.save()
    orders, engine = state.parts["orders"], state.engine
    party = orders.guide.parties[0]
    for array in (orders.leg, party.at, party.known, engine.settings, engine.order, state.owner):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = -5000
    world.load(state)
    world.load(state)
    world.step()
