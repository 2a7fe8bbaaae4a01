"""Sources and events of scenario files."""

import json

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.run import run
from sim.scenario import load
from sim.scenario.build import build
from sim.scenario.load import loads
from sim.study.report import Report
from sim.world import World

PLAIN = """
title = "t"
duration = 60.0
[[groups]]
name = "east"
count = 0
goal = { point = [30, 0], leave = true }
[[groups]]
name = "west"
spawn = { points = [[30, 10], [30, 14]], heading = 180 }
"""


def world_of(text: str, plain: str = PLAIN):
    """The world of a scenario's text, and its report."""
    plan = loads(plain + text, "t.toml")
    world = build(plan)
    return world, Report(world, plan.title), plan


def entries(text: str, seconds: float = 20.0) -> list[float]:
    """When units entered, s."""
    world, _, _ = world_of(text)
    found, known = [], world.ids_given
    for _ in range(round(seconds * 60)):
        begins = world.time
        world.step()
        found += [begins] * (world.ids_given - known)
        known = world.ids_given
    return found


SPAWN = 'group = "east"\nspawn = { region = [-4, -4, 4, 4] }\n'


def test_a_rate_is_even():
    """Units a second, from start to before the end, and no more than the total."""
    times = entries(f"[[sources]]\n{SPAWN}rate = 0.5\nstart = 1\nend = 9")
    assert times == pytest.approx([1, 3, 5, 7], abs=0.02)
    assert len(entries(f"[[sources]]\n{SPAWN}rate = 2\ntotal = 3")) == 3


def test_times_are_kept():
    """Each unit enters at its time."""
    times = entries(f"[[sources]]\n{SPAWN}times = [0, 2.5, 7]")
    assert times == pytest.approx([0, 2.5, 7], abs=0.02)


def test_poisson_times_come_from_the_seed():
    """The same seed gives the same times, another one others; their mean is that of the rate."""
    text = f"[[sources]]\n{SPAWN}poisson = 4.0\nend = 10"
    first = entries(text, 10)
    assert first == entries(text, 10)
    assert first != entries(text + "\nstart = 0.5", 10)
    assert 20 < len(first) < 60


def test_units_wait_for_room_in_order_and_none_is_lost():
    """One at a time fits through a point that must be clear; all enter in the end."""
    text = '[[sources]]\ngroup = "east"\nspawn = { points = [[0, 0]] }\ntimes = [0, 0, 0, 0]'
    times = entries(text)
    assert len(times) == 4
    assert times[0] == 0.0
    assert min(np.diff(times)) > 0.2


def test_a_run_ends_when_nobody_is_to_come():
    """Not while a source has units to come, and as soon as all have arrived or left."""
    world, report, plan = world_of(f"[[sources]]\n{SPAWN}times = [0, 10]\n")
    run(world, plan.steps, [report], lambda: report.done)
    figures = report.result(1.0)
    assert 10 < figures["simulated_s"] < 59
    east = figures["groups"]["east"]
    assert (east["entered"], east["left"], east["arrived"], east["stuck"]) == (2, 2, 2, 0)
    assert figures["max_time_s"] < 35


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (PLAIN[: PLAIN.rindex("[[groups]]")], 0),
        (PLAIN.replace("goal = { point = [30, 0], leave = true }", ""), 60),
        (PLAIN + "[[events]]\nat = 2\nremove = 'west'\n", 2),
        (PLAIN[: PLAIN.rindex("[[groups]]")] + "[[events]]\nat = 2\nhold = 'east'\n", 2),
    ],
)
def test_a_run_ends_at_once_where_no_unit_is_there_or_to_come(text, seconds):
    """It went on without any; units that have no goal are not waited for to arrive."""
    plan = loads(text, "t.toml")
    world = build(plan)
    report = Report(world, plan.title)
    run(world, plan.steps, [report], lambda: report.done)
    assert world.time == pytest.approx(seconds, abs=0.1)


def test_an_order_is_given_in_time():
    """Before its time the group stands; with queue it goes on after what it is doing."""
    text = """
[[events]]
at = 1.0
order = "west"
goal = { point = [20, 12] }
[[events]]
at = 2.0
order = "west"
goal = { point = [30, 12] }
queue = true
"""
    world, report, plan = world_of(text)
    west = world.group("west")
    run(world, 59)
    assert not west.moving.any()
    run(world, 10)
    assert west.moving.all()
    seen = []
    while not west.arrived.all():
        run(world, 1, [report])
        seen.append(world.units.position[west.rows, 0].min())
        assert world.steps < plan.steps
    assert min(seen) < 21.5
    assert world.units.position[west.rows, 0].min() > 28
    assert west.arrived.all()


@pytest.mark.parametrize("goal", ["goal = { point = [40, 4] }\n", ""])
@pytest.mark.parametrize("model", ["crowd", "mages", "soldiers", "squares", "walkers"])
def test_a_group_that_is_held_stands(model, goal):
    """Soldiers marched on, 15 units in 11 s, and mages drifted on together."""
    places = [[0, 0], [3, 1], [1, 3], [4, 4], [7, 2], [6, 6]]
    text = f"""
[[groups]]
name = "a"
model = "{model}"
speed = 2.0
hull = {{ shape = "disc", radius = 0.5, mass = 80 }}
spawn = {{ points = {places}, heading = 0 }}
{goal}[[events]]
at = 2.0
hold = "a"
"""
    world, _, _ = world_of(text)
    run(world, 240)
    group = world.group("a")
    assert group.goal is None
    before = group.position.copy()
    run(world, 240)
    assert np.abs(group.position - before).max() < 0.01


def test_other_events():
    """Groups are held, join others, have their settings changed, and are removed."""
    text = """
[[events]]
at = 0.0
order = "west"
goal = { point = [-50, 12] }
[[events]]
at = 1.0
hold = "west"
[[events]]
at = 2.0
set = { "groups.west.speed" = 0.7, "groups.west.behaviours.keep_clear.weight" = 0.5 }
[[events]]
at = 2.0
set = { "groups.west.view" = "narrow" }
[[events]]
at = 3.0
regroup = "west"
to = "east"
[[events]]
at = 4.0
remove = "east"
"""
    world, _, _ = world_of(text)
    west, east = world.groups[1], world.groups[0]
    run(world, 60)
    assert west.moving.all()
    run(world, 1)
    assert not west.moving.any()
    run(world, 70)
    assert west.speed == pytest.approx(0.7)
    assert west.view == "narrow"
    assert west.settings["keep_clear"].weight == 0.5
    run(world, 60)
    assert (len(west), len(east)) == (0, 2)
    run(world, 60)
    assert len(world.units) == 0
    assert world.agenda.done
    run(world, 5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"[[sources]]\n{SPAWN}", "sources[0]: must say one of: rate, poisson, times"),
        (f"[[sources]]\n{SPAWN}rate = 1\npoisson = 2", "says rate and poisson"),
        (f"[[sources]]\n{SPAWN}rate = 0", "sources[0].rate = 0: must be greater than 0"),
        (f"[[sources]]\n{SPAWN}times = [3, 1]", "must not be less than 3"),
        ("[[sources]]\ngroup = 'eastt'\nspawn = { points = [[0, 0]] }\nrate = 1", "'east'"),
        ("[[events]]\nat = 1", "must say one of: order, hold, remove, regroup, set"),
        ("[[events]]\nat = -1\nhold = 'east'", "events[0].at = -1"),
        ("[[events]]\nat = 1\nhold = 'eats'", "did you mean 'east'"),
        ("[[events]]\nat = 1\norder = 'west'", "goal: required beside order"),
        ("[[events]]\nat = 1\nregroup = 'west'", "to: required beside regroup"),
        ("[[events]]\nat = 1\nset = { 'groups.west.sped' = 1 }", "'speed'"),
        (
            "[groups.behaviours]\nkeep_clear = { nearest = { uniform = [1, 5] } }",
            "behaviours.keep_clear.nearest = { uniform = [1, 5] }: must be a whole number",
        ),
        (
            "[groups.behaviours]\narrive = { wieght = 1 }",
            "behaviours.arrive.wieght = 1: unknown parameter; did you mean 'weight'?",
        ),
        (
            "[[events]]\nat = 1\nset = { 'groups.west.speed' = -1 }",
            "t.toml: events[0].set: groups.west.speed = -1: must be greater than 0",
        ),
        (
            "[[events]]\nat = 1\nset = { 'groups.west.behaviours.keep_clear.wieght' = 1 }",
            "t.toml: events[0].set: groups.west.behaviours.keep_clear.wieght = 1: unknown para",
        ),
        (
            "[[events]]\nat = 1\nset = { 'groups.west.behaviours.keep_claer.weight' = 1 }",
            "keep_clear",
        ),
    ],
)
def test_mistakes_are_refused(text, said):
    """With the key's path, and what is allowed."""
    with pytest.raises(BadInput) as refused:
        loads(PLAIN + text, "t.toml")
    assert "t.toml: " in str(refused.value)
    assert said in str(refused.value)


def test_an_order_that_is_no_order_is_refused_with_its_key():
    """What a goal alone can tell, too, names the file and the event."""
    event = "[[events]]\nat = 1\norder = 'east'\ngoal = { patrol = [[5, 5]] }"
    said = r"^t\.toml: events\[0\]\.goal\.patrol: must have at least two points"
    with pytest.raises(BadInput, match=said):
        build(loads(PLAIN + event, "t.toml"))


def test_a_spawn_is_required_unless_nobody_is_there():
    """A group with units has to say where they start."""
    with pytest.raises(BadInput, match="required unless count = 0"):
        loads(PLAIN.replace("count = 0", "count = 1"), "t.toml")


def test_a_source_without_a_spawn_uses_its_groups():
    """They enter where the group would have started; without such a place it is refused."""
    spawn = "spawn = { region = [-40, -2, -38, 2] }"
    source = "[[sources]]\ngroup = 'east'\ntimes = [0]\n"
    world, _, _ = world_of(source, PLAIN.replace("count = 0", f"count = 0\n{spawn}"))
    run(world, 1)
    assert len(world.groups[0]) == 1
    assert -40 < world.units.position[world.groups[0].rows][0, 0] < -38
    with pytest.raises(BadInput, match=r"sources\[0\].spawn: required: 'east' has no region"):
        loads(PLAIN + source, "t.toml")


def test_a_flood_of_units_costs_no_more_than_the_region_holds():
    """A million units a second wait outside; places are looked for as many as can stand there."""
    spawn = 'group = "east"\nspawn = { region = [-4, -4, 4, 4] }\n'
    world, _, _ = world_of(f"[[sources]]\n{spawn}poisson = 1e6\n")
    asked = []
    group = world.groups[0]
    group.keep(coming=lambda count: (asked.append(count), type(group).coming(group, count))[1])
    run(world, 3)
    assert world.agenda.sources[0].waiting > 10_000
    assert max(asked) <= 82  # 64 square units, 0.785 each


def test_a_region_too_narrow_for_any_unit_is_refused():
    """A source whose region holds none of its hulls could never let one enter."""
    source = "[[sources]]\ngroup = 'east'\ntimes = [0]\nspawn = { region = [0, 0, 0.9, 9] }\n"
    with pytest.raises(BadInput, match=r"sources\[0\].spawn.region = .*: too small for one hull"):
        world_of(source)


def test_large_hulls_wait_beside_a_region_for_small_ones():
    """Where only some of a population fit, the rest keep the others waiting in order."""
    hull = "hull = { shape = 'disc', radius = { each = [0.3, 0.9] } }"
    source = "[[sources]]\ngroup = 'east'\ntimes = [0, 0]\nspawn = { region = [0, 0, 1, 9] }\n"
    world, _, _ = world_of(source, PLAIN.replace("count = 0", f"count = 0\n{hull}"))
    run(world, 2)
    assert len(world.groups[0]) == 1
    assert world.agenda.sources[0].waiting == 1


def test_stops_of_a_group_that_is_still_empty():
    """A route with stops may be that of units that are yet to come."""
    goal = "goal = { route = [[0, 0], { at = [9, 0], wait = 1 }] }"
    world, _, _ = world_of("", PLAIN.replace("goal = { point = [30, 0], leave = true }", goal))
    run(world, 1)
    assert len(world.groups[0]) == 0


def test_figures_are_json():
    """Whatever came and went, the figures are finite numbers or null."""
    world, report, _ = world_of(f"[[sources]]\n{SPAWN}poisson = 1.0\nend = 5")
    run(world, 600, [report])
    json.dumps(report.result(1.0), allow_nan=False)


def test_an_event_may_put_in_others():
    """What an event adds to the agenda is done in its turn, and later events stay."""
    world, done = World(), []
    world.add_group("red", [(0, 0)])

    def again(world):
        done.append(round(world.time, 1))
        if len(done) < 3:
            world.at(world.time + 0.1, again)

    world.at(0.1, again)
    world.at(0.5, lambda _: done.append("last"))
    for _ in range(40):
        world.step()
    assert done == [0.1, 0.2, 0.3, "last"]
    assert world.agenda.done


@pytest.mark.parametrize("part", ["box = [-1, -1, 1, 1]", "wall = [0.3, -2, 0.3, 2]"])
def test_no_unit_enters_inside_a_door(part):
    """Where a door closes at the very step at which a unit is due it waits until it opens."""
    text = f"""
[map.parts]
door = {{ {part}, open = true }}
[[sources]]
group = "east"
spawn = {{ points = [[0, 0]] }}
times = [1.0, 1.0]
[[events]]
at = 1.0
close = "door"
[[events]]
at = 3.0
open = "door"
"""
    times = entries(text)
    assert times[0] == pytest.approx(3.0, abs=0.02)
    assert len(times) == 2


def test_points_of_a_source_inside_what_is_solid_are_refused():
    """There would never be room; with the key's path, as for points of a group."""
    plain = PLAIN.replace("[[groups]]", "[map]\nboxes = [[-1, -1, 1, 1]]\n[[groups]]", 1)
    source = "[[sources]]\ngroup = 'east'\ntimes = [0]\nspawn = { points = [[5, 0], [0, 0]] }\n"
    with pytest.raises(BadInput, match=r"sources\[0\].spawn: unit 1 at \(0, 0\) starts inside"):
        world_of(source, plain)


def test_many_settings_are_checked_in_little_time(monkeypatch):
    """Each different one once, and against its group alone: 10,000 took over 50 s."""
    checked: list[int] = []
    put = load.put
    monkeypatch.setattr(
        load,
        "put",
        lambda changed, steps, value: (
            checked.append(len(repr(changed))),
            put(changed, steps, value),
        ),
    )
    points = [[2 * k, 2] for k in range(200)]
    text = f"""
title = "x"
duration = 1
[[groups]]
name = "a"
spawn = {{ points = {points} }}
goal = {{ points = {points} }}
"""
    text += "".join(
        f'[[events]]\nat = {k}\nset = {{ "groups.a.speed" = {1 + k % 3} }}\n' for k in range(100)
    )
    assert len(loads(text, "many.toml").events) == 100
    assert len(checked) == 3
    assert max(checked) < len(text) / 10


def test_an_order_may_be_after_the_player():
    """As the goal of a group; it was refused as the name of no group."""
    text = (
        PLAIN
        + """
[[player]]
spawn = { points = [[5, 25]] }
[[events]]
at = 1.0
order = "west"
goal = { follow = "player" }
"""
    )
    world = build(loads(text, "t.toml"))
    for _ in range(62):
        world.step()
    goal = world.group("west").goal
    assert (goal.kind, goal.target) == ("follow", "player")
    without = text.replace("[[player]]\nspawn = { points = [[5, 25]] }", "")
    with pytest.raises(BadInput, match=r"events\[0\]\.goal\.follow = .player.: no such group"):
        loads(without, "t.toml")
