"""Recordings and figures of runs in which units come and go."""

import json

import numpy as np
import pytest

import sim
from sim.living.sources import Source
from sim.record.trajectory import Trajectory, load, moment
from sim.run import Watcher, run
from sim.study.metrics import TrajectoryHash
from sim.study.report import Report


def crossing() -> sim.World:
    """One walks to a place; later three more enter by a source, and one that walks is taken out."""
    world = sim.World(seed=5)
    world.add_group("walkers", [[0.0, 0.0], [0.0, 3.0]], goal=sim.Goal.to((8.0, 0.0)))
    source = Source("walkers", sim.Region(-2, -6, 2, -3), rate=1.0, start=1.0, total=3)
    world.agenda.sources.append(source)
    return world


class Stamp(Watcher):
    """The fingerprint of a run, taken from its world: units have rows in the order of ids."""

    def __init__(self):
        self.hash = TrajectoryHash()

    def observe(self, world):
        """Take in the world as it is now."""
        units = moment(world).units
        self.hash.add(units.position, units.angle, units.present)


def recorded(tmp_path, suffix: str):
    """The run, recorded, with the report and the fingerprint of it."""
    world = crossing()
    report, stamp = Report(world, "crossing"), Stamp()
    path = tmp_path / f"run{suffix}"
    run(world, 1500, [report, stamp, Trajectory(path)], lambda: report.done)
    return world, load(path), report.result(1.0), stamp.hash.hexdigest()


@pytest.mark.parametrize("suffix", [".npz", ".txt"])
def test_each_unit_has_a_column_from_the_moment_it_enters(tmp_path, suffix):
    """Before that it is not there; columns are in the order of ids."""
    _, motion, _, _ = recorded(tmp_path, suffix)
    assert motion.position.shape[1] == 5
    first = motion.present.argmax(axis=0)
    assert motion.time[first[:2]].tolist() == [0.0, 0.0]
    assert motion.time[first[2:]] == pytest.approx([1.0, 2.0, 3.0], abs=2 / 60)
    assert set(motion.group.tolist()) == {"walkers"}


def test_figures_count_from_a_units_own_entry(tmp_path):
    """All arrive; whoever came later has not been on its way for longer."""
    _, motion, figures, stamp = recorded(tmp_path, ".npz")
    assert (figures["units"], figures["entered"], figures["left"]) == (5, 3, 0)
    assert figures["arrived"] == 5
    assert figures["groups"]["walkers"]["arrived"] == 5
    assert figures["trajectory_sha256"] == stamp
    walked = np.nansum(np.hypot(*np.diff(motion.position, axis=0).T), axis=1)
    assert figures["max_time_s"] < 1.5 * walked.max() / 1.3 + 1.0
    assert figures["simulated_s"] > 3.0


def test_a_unit_that_is_sent_elsewhere_has_yet_to_arrive():
    """An arrival counts for the order that a unit had last."""
    world = sim.World()
    group = world.add_group("a", [[0.0, 0.0], [0.0, 3.0]], goal=sim.Goal.to((4.0, 0.0)))
    report = Report(world, "again")
    run(world, 600, [report], lambda: report.done)
    assert report.result(1.0)["arrived"] == 2
    group.goal = sim.Goal.to((-400.0, 0.0))
    run(world, 60, [report])
    assert report.result(1.0)["arrived"] == 0
    world.remove(group.ids)
    report.observe(world)
    assert report.done
    assert report.result(1.0)["left"] == 2


def test_ratios_leave_out_units_that_went_two_ways():
    """The time is that of both ways and of the rest between, the free path that of one."""
    world = sim.World()
    group = world.add_group("a", [(0.0, 0.0), (0.0, 5.0)], goal=sim.Goal.to([(3, 0), (14, 5)]))
    report = Report(world, "again")
    world.at(10.0, lambda _: world.select(group.ids[:1]).go_to((3.0, -3.0)))
    run(world, 1200, [report], lambda: report.done)
    found = report.result(1.0)
    assert (found["arrived"], found["max_time_s"] > 10) == (2, True)
    assert found["max_time_ratio"] < 1.3


def test_units_that_cannot_get_on_are_stuck():
    """A unit in a closed room, sent outside, is counted; one that walks is not."""
    world = sim.World()
    goal = sim.Goal.to((100.0, 0.0))
    group = world.add_group("a", [[0.0, 0.0], [0.0, 30.0]], goal=goal)
    report = Report(world, "held")
    body = world.roster.bridge.bodies[0]
    for _ in range(700):
        body.position, body.velocity = (0.0, 0.0), (0.0, 0.0)
        world.space.reindex_shapes_for_body(body)
        run(world, 1, [report])
    assert report.result(1.0)["stuck"] == 1
    assert world.select(group.ids).stuck.tolist() == [True, False]


@pytest.mark.parametrize("sent", [sim.Goal.to((0.0, 15.0)), None])
def test_a_unit_that_left_at_its_exit_stays_arrived(sent):
    """Whatever its group is told later: the figures took it for one that is under way again."""
    world = sim.World()
    exit_ = sim.Goal.to((5.0, 0.0), leave=True)
    group = world.add_group("a", [(2.0, 0.0), (0.0, 20.0)], goal=exit_)
    report = Report(world, "left")
    world.at(5.0, lambda _: setattr(group, "goal", sent))
    run(world, 1200, [report])
    found = report.result(1.0)
    assert (found["arrived"], found["arrived_share"]) == (1 + (sent is not None), 1.0)


def test_units_that_are_sent_to_an_exit_where_they_stand_have_arrived(cli, tmp_path):
    """They are out before the next frame, and counted as units that never came; recorded, too."""
    file, out, run = tmp_path / "t.toml", tmp_path / "m.json", tmp_path / "t.npz"
    file.write_text(
        'title = "t"\nduration = 8.0\n'
        '[[groups]]\nname = "a"\nspawn = { points = [[0, 0], [0, 3]] }\n'
        "goal = { point = [20, 0] }\n"
        '[[events]]\nat = 1.0\norder = "a"\ngoal = { region = [-5, -5, 5, 5], leave = true }\n'
    )
    assert cli("run", file, "--metrics", out, "--trajectory", run).status == 0
    for text in (out.read_text(), cli("metrics", run).out):
        figures = json.loads(text)
        assert (figures["arrived"], figures["left"]) == (2, 2)
        assert figures["mean_time_s"] == pytest.approx(1, abs=0.05)
