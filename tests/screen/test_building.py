"""What is built by mouse and keys, undone and saved, through the window's own events."""

import tomllib
from math import inf
from pathlib import Path

import numpy as np
import pygame
import pytest

import sim
from sim.commands.edit import opened as open_ground
from sim.core.resources import folder
from sim.scenario.build import build
from sim.scenario.load import load
from sim.scenario.playlist import Playlist
from sim.screen.edits import covers
from sim.screen.window import Window
from sim.screen.workbench import Workbench

from .test_selecting import chord
from .worlds import FRAME, click, mouse, tap

DIGITS = {
    "disc": "1",
    "box": "2",
    "wall": "3",
    "door": "4",
    "area": "5",
    "units": "6",
    "erase": "7",
}


@pytest.fixture
def ground(tmp_path, monkeypatch):
    """A window on an empty ground of 60 x 40, which stands still and is built on.

    Without its panel, which is made anew for every world: half of the time went into that.
    """
    monkeypatch.chdir(tmp_path)
    window = open_ground(None)
    window.panel.toggle()
    window.course.budget = inf
    window.open()
    window.frame(FRAME)
    yield window
    pygame.key.set_mods(pygame.KMOD_NONE)
    window.close()


def spot(window, place):
    """The pixel of a place of the world."""
    return window.picture.camera.to_screen(np.array(place))


def draw(window, what, start, end):
    """Choose a tool by its digit and draw from one place to another."""
    tap(window, getattr(pygame, f"K_{DIGITS[what]}"))
    a, b = spot(window, start), spot(window, end)
    mouse(window, ("move", a), ("down", a), ("move", b), ("up", b))


def erase(window, place):
    """Click with the eraser."""
    tap(window, pygame.K_7)
    click(window, spot(window, place))


def document(window):
    """The scenario as it is now."""
    return window.plays.playlist.document


def run(window, steps):
    """Let the run go on by some steps."""
    window.controls.paused = False
    end = window.world.steps + steps
    while window.world.steps < end:
        window.frame(FRAME)
    window.controls.paused = True


def state(world):
    """All that moves, bit for bit."""
    units = world.units
    return world.steps, *(a.tobytes() for a in (units.position, units.velocity, units.angle))


def built(window):
    """Something of everything."""
    draw(window, "units", (2, 12), (9, 26))
    draw(window, "disc", (20, 10), (23, 10))
    draw(window, "box", (30, 2), (32, 17))
    draw(window, "wall", (31, 23), (31, 38))
    draw(window, "door", (30, 17), (32, 23))
    draw(window, "area", (40, 5), (50, 35))


def test_each_tool_makes_its_thing(ground):
    """Discs, boxes, walls, doors, areas and units are where they were drawn."""
    built(ground)
    world = ground.world
    assert np.allclose(world.fixed_solids.discs, [[20, 10, 3]], atol=0.2)
    assert np.allclose(world.fixed_solids.boxes, [[30, 2, 32, 17]], atol=0.2)
    assert np.allclose(world.fixed_solids.walls, [[31, 23, 31, 38]], atol=0.2)
    assert world.parts["door 1"].closed
    assert np.allclose(world.areas[0].shape.solids.boxes, [[40, 5, 50, 35]], atol=0.2)
    here = world.units.position
    assert len(here) > 20
    assert (here > (2, 12)).all()
    assert (here < (9, 26)).all()


def test_undo_and_redo(ground):
    """Each change is taken back and made again, in order; the world is the one of the document.

    The panel is there, and goes along.
    """
    tap(ground, pygame.K_TAB)
    assert ground.panel.shown
    steps = [document(ground)]
    for what, start, end in (
        ("disc", (20, 10), (23, 10)), ("units", (2, 5), (12, 35)), ("door", (30, 17), (32, 23)),
    ):  # fmt: skip
        draw(ground, what, start, end)
        steps.append(document(ground))
    for before in reversed(steps[:-1]):
        chord(ground, pygame.K_z)
        found = document(ground)
        for key in ("groups",):
            assert found[key] == before[key]
        assert (found["map"].get("circles") or []) == before["map"].get("circles", [])
    assert len(ground.world.ids) == 0
    assert not len(ground.world.solids.discs)
    chord(ground, pygame.K_z)
    assert ground.notice == "there is nothing to undo"
    for after in steps[1:]:
        chord(ground, pygame.K_y)
        assert document(ground)["groups"] == after["groups"]
    assert document(ground) == steps[-1]
    assert "door 1" in ground.world.parts
    chord(ground, pygame.K_y)
    assert "nothing" in ground.notice


def test_erase_takes_out_what_is_clicked(ground):
    """A unit, a door, a disc, a box, a wall, an area; beside all it says so."""
    built(ground)
    count = len(ground.world.ids)
    erase(ground, ground.world.units.position[3])
    assert len(ground.world.ids) == count - 1
    for place in ((31, 20), (20, 11), (31, 10), (31, 30), (45, 20)):
        erase(ground, place)
    left = document(ground)
    assert not any(left["map"][key] for key in ("circles", "boxes", "walls", "parts"))
    assert left["areas"] == []
    erase(ground, (55, 3))
    assert "nothing to erase" in ground.notice
    for _ in range(6):
        chord(ground, pygame.K_z)
    assert len(ground.world.ids) == count
    assert "door 1" in ground.world.parts


def test_orders_before_the_start_are_the_scenarios(ground):
    """A group that is sent before the first step has a goal in the file; Shift makes a route."""
    draw(ground, "units", (2, 5), (12, 35))
    tap(ground, pygame.K_b)
    a, b = spot(ground, (1, 1)), spot(ground, (20, 39))
    mouse(ground, ("down", a), ("move", b), ("up", b))
    click(ground, spot(ground, (50, 20)), button=3)
    assert document(ground)["groups"][0]["goal"] == {"point": pytest.approx([50, 20], abs=0.1)}
    pygame.key.set_mods(pygame.KMOD_LSHIFT)
    click(ground, spot(ground, (50, 35)), button=3)
    assert len(document(ground)["groups"][0]["goal"]["route"]) == 2
    pygame.key.set_mods(pygame.KMOD_NONE)
    run(ground, 60)
    assert (ground.world.units.velocity[:, 0] > 0.1).any()


def test_a_saved_scenario_runs_the_same(ground, cli):
    """What Ctrl S writes runs from the start as the window does, bit for bit."""
    built(ground)
    tap(ground, pygame.K_b)
    a, b = spot(ground, (1, 1)), spot(ground, (15, 39))
    mouse(ground, ("down", a), ("move", b), ("up", b))
    click(ground, spot(ground, (55, 20)), button=3)
    tap(ground, pygame.K_b)
    chord(ground, pygame.K_s)
    assert ground.notice == "wrote ground-1.toml"
    said = cli("check", "ground-1.toml")
    assert (said.status, said.err) == (0, "")
    plan = load("ground-1.toml")
    world = build(plan)
    run(ground, 100)
    for _ in range(100):
        world.step()
    assert len(world.ids) > 20
    assert state(world) == state(ground.world)
    said = cli("run", "ground-1.toml", "--headless", "--seconds", 0.1)
    assert said.status == 0


def test_weights_are_saved(ground):
    """What a slider changed is in the file, and only that."""
    draw(ground, "units", (2, 5), (12, 35))
    group = ground.world.groups[0]
    rule = next(iter(group.settings))
    ground.controls.tuning.weigh(rule, 0.25)
    chord(ground, pygame.K_s)
    table = tomllib.loads(Path("ground-1.toml").read_text(encoding="utf-8"))["groups"][0]
    assert table["behaviours"] == {rule: {"weight": 0.25}}
    assert build(load("ground-1.toml")).groups[0].settings[rule].weight == 0.25


def test_figures_are_saved_to_the_last_digit(ground):
    """A weight and a view between two marks of a slider: the file's run is the window's."""
    draw(ground, "units", (2, 5), (12, 35))
    order_all(ground, (50, 20))
    for name, figure in (("arrive", 1 / 3), ("view_angle", 123.456789012), ("view_radius", 7 / 3)):
        ground.controls.tuning.weigh(name, figure)
    assert_runs_as_saved(ground, 60)


def test_a_saved_scenario_knows_what_is_switched_off(tmp_path, monkeypatch):
    """Without flocking all units lead, and chase: in the file as in the window."""
    monkeypatch.chdir(tmp_path)
    playlist = Playlist(folder("maps") / "leader.toml")
    window = Window(playlist.build(), "Leader", playlist=playlist)
    window.open()
    window.controls.paused = True
    tap(window, pygame.K_f)
    assert_runs_as_saved(window, 60)
    window.close()


def order_all(window, place):
    """All units are selected and sent to a place."""
    tap(window, pygame.K_b)
    a, b = spot(window, (1, 1)), spot(window, (59, 39))
    mouse(window, ("down", a), ("move", b), ("up", b))
    click(window, spot(window, place), button=3)
    tap(window, pygame.K_b)


def assert_runs_as_saved(window, steps):
    """What Ctrl S writes now runs as the window goes on, which has not started."""
    chord(window, pygame.K_s)
    saved = build(load(window.notice.removeprefix("wrote ")))
    run(window, steps)
    for _ in range(steps):
        saved.step()
    assert len(saved.ids) > 1
    assert state(saved) == state(window.world)


def test_building_while_it_runs(ground):
    """Later changes are done to the world that runs, and undone there; the file has them too."""
    draw(ground, "units", (2, 5), (12, 35))
    run(ground, 5)
    world, count = ground.world, len(ground.world.ids)
    draw(ground, "box", (30, 2), (32, 17))
    draw(ground, "units", (40, 5), (50, 15))
    assert ground.world is world
    assert len(world.solids.boxes) == 1
    assert len(world.ids) > count
    chord(ground, pygame.K_z)
    chord(ground, pygame.K_z)
    assert len(world.solids.boxes) == 0
    assert len(world.ids) == count
    chord(ground, pygame.K_y)
    chord(ground, pygame.K_y)
    assert len(world.solids.boxes) == 1
    assert len(world.ids) > count
    run(ground, 5)
    tap(ground, pygame.K_r)
    assert ground.world is not world
    assert len(ground.world.fixed_solids.boxes) == 1


def test_areas_are_laid_erased_and_undone_while_it_runs(ground):
    """In the world and in the file; with them the speed of those that stand there."""
    draw(ground, "units", (2, 5), (12, 35))
    run(ground, 5)
    world = ground.world
    draw(ground, "area", (1, 1), (20, 38))
    assert len(world.areas) == 1
    chord(ground, pygame.K_z)
    assert ground.notice == "undone"
    assert world.areas == ()
    assert not document(ground).get("areas")
    chord(ground, pygame.K_y)
    assert len(world.areas) == len(document(ground)["areas"]) == 1
    erase(ground, (18, 3))
    assert world.areas == ()
    chord(ground, pygame.K_z)
    assert len(world.areas) == len(document(ground)["areas"]) == 1
    run(ground, 5)
    assert ground.world is world


def test_units_taken_out_while_it_runs_come_back(ground):
    """As many, in the same places; what was done to the run alone is gone where it begins anew."""
    draw(ground, "units", (2, 5), (12, 35))
    run(ground, 5)
    world = ground.world
    places, ids = world.units.position.copy(), world.ids.copy()
    ground.controls.hand.squad.take(ids[:3])
    tap(ground, pygame.K_DELETE)
    assert len(world.ids) == len(ids) - 3
    chord(ground, pygame.K_z)
    assert len(world.ids) == len(ids)
    assert sorted(world.units.position.tolist()) == sorted(places.tolist())
    chord(ground, pygame.K_y)
    assert len(world.ids) == len(ids) - 3
    chord(ground, pygame.K_z)
    run(ground, 5)
    ground.controls.hand.squad.take(world.ids[:3])
    tap(ground, pygame.K_DELETE)
    tap(ground, pygame.K_r)
    chord(ground, pygame.K_z)  # the drawing of the units: what was taken out is there anew
    assert len(ground.world.ids) == 0


def test_units_come_back_only_where_there_is_room(ground):
    """Else it is said, and nothing changes."""
    draw(ground, "units", (2, 5), (12, 35))
    run(ground, 5)
    world, places = ground.world, ground.world.units.position.copy()
    ground.controls.hand.squad.take(world.ids[:2])
    tap(ground, pygame.K_DELETE)
    world.add_solid(sim.Disc(*places[1].tolist(), 0.1))
    count = len(world.ids)
    chord(ground, pygame.K_z)
    assert len(world.ids) == count
    assert ground.notice not in ("", "undone")


def doors(window):
    """The names of the parts of the world, and of those of the file."""
    return list(window.world.parts), list(document(window)["map"].get("parts", {}))


def test_what_was_built_goes_with_the_time(ground):
    """Back before it: neither the world nor the file has it, and it can be built again there."""
    draw(ground, "units", (2, 5), (12, 35))
    run(ground, 90)
    count = len(ground.world.ids)
    draw(ground, "door", (30, 17), (32, 23))
    ground.controls.hand.squad.take(ground.world.ids[:3])
    tap(ground, pygame.K_DELETE)
    run(ground, 60)
    assert doors(ground) == (["door 1"], ["door 1"])
    ground.controls.act("back")
    ground.controls.act("back")
    assert ground.world.steps <= 60
    assert doors(ground) == ([], [])
    assert len(ground.world.ids) == count
    ground.controls.act("forth")
    ground.controls.act("forth")
    assert doors(ground) == (["door 1"], ["door 1"])
    chord(ground, pygame.K_z)
    assert len(ground.world.ids) == count
    ground.controls.act("back")
    ground.controls.act("back")
    chord(ground, pygame.K_y)
    assert ground.notice == "done again"
    assert doors(ground) == (["door 1"], ["door 1"])
    chord(ground, pygame.K_z)
    assert doors(ground) == ([], [])


def test_back_to_the_start_keeps_what_was_built_before_it(ground):
    """Of the scenario nothing is taken back that the world has at its start."""
    built(ground)
    before = document(ground)
    run(ground, 90)
    draw(ground, "disc", (50, 36), (52, 36))
    ground.controls.act("back")
    ground.controls.act("back")
    assert ground.world.steps == 0
    assert document(ground) == before
    chord(ground, pygame.K_z)
    assert not document(ground).get("areas")


def test_doors_that_e_turns_while_it_runs_are_turned_back(ground):
    """By undo, and again by redo."""
    built(ground)
    run(ground, 2)
    door = ground.world.parts["door 1"]
    mouse(ground, ("move", spot(ground, (31, 20))))
    tap(ground, pygame.K_e)
    assert not door.closed
    chord(ground, pygame.K_z)
    assert door.closed
    chord(ground, pygame.K_y)
    assert not door.closed


def test_what_cannot_be_done_while_it_runs_is_said(ground):
    """Solids of the file cannot be erased then; nothing changes."""
    draw(ground, "box", (30, 2), (32, 17))
    draw(ground, "units", (2, 5), (12, 35))
    run(ground, 5)
    before = document(ground)
    erase(ground, (31, 10))
    assert "from the start" in ground.notice
    assert document(ground) == before
    draw(ground, "units", (30, 3), (31.5, 15))
    assert document(ground) == before
    assert ground.notice


def test_what_would_bar_the_start_is_not_built_while_it_runs(each):
    """A box where a unit began, which has left: it is said why, and the file begins as before."""
    run(each, 200)
    before = document(each)
    draw(each, "box", (3, 3), (7, 7))
    assert "not built, as R and Ctrl S could not begin with it" in each.notice
    assert "unit 0 at (5, 5)" in each.notice
    assert document(each) == before
    assert not each.world.parts
    draw(each, "box", (20, 20), (24, 24))
    tap(each, pygame.K_r)
    assert (each.world.steps, len(each.world.fixed_solids.boxes)) == (0, 1)
    assert_runs_as_saved(each, 5)


def test_e_opens_and_closes_the_door_under_the_mouse(ground):
    """Before the start in the file, later in the run; beside doors E is what it was."""
    built(ground)
    mouse(ground, ("move", spot(ground, (31, 20))))
    tap(ground, pygame.K_e)
    assert document(ground)["map"]["parts"]["door 1"]["open"] is True
    assert not ground.world.parts["door 1"].closed
    run(ground, 2)
    mouse(ground, ("move", spot(ground, (31, 20))))
    tap(ground, pygame.K_e)
    assert ground.world.parts["door 1"].closed
    tap(ground, pygame.K_e)
    assert not ground.world.parts["door 1"].closed
    mouse(ground, ("move", spot(ground, (55, 38))))
    tap(ground, pygame.K_e)
    assert ground.controls.tuning.is_alone()


def test_it_is_said_that_a_part_waits_for_units(each):
    """A box that is drawn over a unit: which unit stands there. Elsewhere nothing is said."""
    run(each, 200)
    here = each.world.units.position[2]
    draw(each, "box", here - 1, here + 1)
    assert each.notice.endswith("waits: unit 2 stands there")
    each.notice = ""
    draw(each, "door", (20, 20), (24, 24))
    assert each.notice == ""


def test_e_takes_the_polygon_and_not_its_box(ground):
    """In a corner of the box round a triangle there is nothing; on it, or close to it, it opens."""
    triangle = sim.Polygon([(0, 0), (10, 0), (0, 10)])
    places = [(4, 4, 0.0), (8, 8, 0.5), (5.2, 5.2, 0.5), (5.2, 5.2, 0.0)]
    assert [covers(triangle, *place) for place in places] == [True, False, True, False]
    run(ground, 2)
    gate = ground.world.add_solid(sim.Polygon([(20, 5), (40, 5), (20, 25)]), name="gate")
    mouse(ground, ("move", spot(ground, (37, 22))))
    tap(ground, pygame.K_e)
    assert gate.wanted
    mouse(ground, ("move", spot(ground, (26, 10))))
    tap(ground, pygame.K_e)
    assert not gate.wanted


def test_the_view_stays_while_one_builds(ground):
    """A world that is made anew is seen as the one before."""
    tap(ground, pygame.K_PAGEUP)
    zoom = ground.scene.lens.zoom
    draw(ground, "disc", (30, 20), (33, 20))
    assert ground.scene.lens.zoom == zoom != 1.0
    assert ground.controls.hand.building


def test_files_that_are_there_are_opened_and_saved(tmp_path, monkeypatch):
    """`sim edit FILE` opens the file, and Ctrl S writes it again; all else in it stays."""
    monkeypatch.chdir(tmp_path)
    text = 'title = "Hall"\nseed = 5\nduration = 9.0\n[map]\nbounds = [0, 0, 20, 20]\n'
    text += '[[groups]]\nname = "a"\nspawn = { points = [[5, 5]] }\n'
    (tmp_path / "hall.toml").write_text(text, encoding="utf-8")
    window = open_ground(tmp_path / "hall.toml")
    window.open()
    draw(window, "disc", (10, 10), (12, 10))
    chord(window, pygame.K_s)
    window.close()
    plan = load("hall.toml")
    assert (plan.title, plan.seed, len(plan.map.circles)) == ("Hall", 5, 1)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["hall.toml"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("nowhere/a.toml", None, "nowhere"),
        ("bad.toml", "title = 3", "bad.toml: title"),
        ("new.map", None, "new.map: must end in .toml"),
    ],
)
def test_what_cannot_be_opened_is_refused(cli, tmp_path, monkeypatch, name, text, said):
    """No folder, a file that is no scenario, and a new one that is not to be: status 2."""
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = cli("edit", name)
    assert done.status == 2
    assert said in done.err


def test_saving_a_demo_tells_that_its_script_is_not_in_the_file(tmp_path, monkeypatch):
    """What the script orders is no part of the scenario; without a script nothing is missing."""
    monkeypatch.chdir(tmp_path)
    playlist = Playlist(folder("maps") / "choke.toml")
    bench = Workbench(playlist, lambda _: None)
    assert bench.save(playlist.build()) == "wrote choke-1.toml"
    bench = Workbench(playlist, lambda _: None)
    said = bench.save(playlist.pick("skirmish"))
    assert said == "wrote skirmish-1.toml, without what the demo's script does"


def test_a_saved_scenario_finds_its_map(tmp_path, monkeypatch):
    """A file that is saved in another folder names the tile map by the way from there."""
    monkeypatch.chdir(tmp_path)
    playlist = Playlist(folder("maps") / "castle.toml")
    world = playlist.build()
    said = Workbench(playlist, lambda _: None).save(world)
    assert said == "wrote castle-1.toml"
    saved = build(load("castle-1.toml"))
    assert np.array_equal(saved.map.solid, world.map.solid)
    assert state(saved) == state(world)


EACH = """title = "x"
duration = 20.0
[map]
bounds = [0, 0, 60, 40]
[[groups]]
name = "a"
speed = { each = [1, 1.2, 1.4] }
hull = { shape = "disc", radius = { each = [0.3, 0.4, 0.5] } }
behaviours.arrive = { weight = { each = [1, 0.8, 0.6] } }
spawn = { points = [[5, 5], [5, 9], [5, 13]] }
goal = { points = [[50, 5], [50, 9], [50, 13]] }
[[events]]
at = 1.0
order = "a"
goal = { routes = [[[40, 5], [50, 6]], [[40, 9], [50, 10]], [[40, 13], [50, 14]]] }
[[events]]
at = 2.0
set = { "groups.a.speed" = { each = [2, 3, 4] } }
"""


@pytest.fixture
def each(tmp_path, monkeypatch):
    """A window on a group that says everything for each unit."""
    monkeypatch.chdir(tmp_path)
    Path("each.toml").write_text(EACH, encoding="utf-8")
    window = open_ground(Path("each.toml"))
    window.panel.toggle()
    window.course.budget = inf
    window.open()
    window.frame(FRAME)
    yield window
    window.close()


def test_a_unit_is_erased_from_all_that_is_said_of_each(each):
    """Speed, hull, weight, goal and events lose its value; the saved file runs the same."""
    each.controls.tuning.choose("arrive")
    tap(each, pygame.K_q)
    erase(each, (5, 9))
    tap(each, pygame.K_q)
    assert each.notice == ""
    table, (sent, told) = document(each)["groups"][0], document(each)["events"]
    assert table["speed"] == {"each": [1, 1.4]}
    assert table["hull"]["radius"] == {"each": [0.3, 0.5]}
    assert table["goal"] == {"points": [[50, 5], [50, 13]]}
    assert [route[-1] for route in sent["goal"]["routes"]] == [[50, 6], [50, 14]]
    assert told["set"] == {"groups.a.speed": {"each": [2, 4]}}
    assert each.world.group("a").settings["arrive"].given["weight"].values == (1, 0.6)
    assert_runs_as_saved(each, 150)


def test_all_units_are_erased_where_something_is_said_of_each(each):
    """The group stays, as an event names it, but no place or order for units that are gone."""
    each.controls.hand.squad.take(each.world.ids)
    tap(each, pygame.K_DELETE)
    assert len(each.world.ids) == 0
    assert "goal" not in document(each)["groups"][0]
    assert [event["at"] for event in document(each)["events"]] == [2.0]
    draw(each, "units", (20, 20), (26, 26))
    assert len(each.world.ids) > 3
    assert each.world.group("a").settings["arrive"].given["weight"] == 0.8


def test_units_like_those_of_a_group_that_differ_are_typical(each):
    """A number for each of three units says nothing of a dozen others."""
    draw(each, "units", (20, 20), (26, 26))
    table = document(each)["groups"][1]
    assert table["speed"] == pytest.approx(1.2)
    assert table["hull"] == {"shape": "disc", "radius": pytest.approx(0.4)}
    assert table["behaviours"] == {"arrive": {"weight": 0.8}}
    assert len(each.world.ids) > 4


@pytest.mark.parametrize("name", ["after_you", "chicken", "crossing", "head_on", "make_way",
                                  "step_aside", "unaligned_avoidance"])  # fmt: skip
def test_a_unit_of_a_demo_with_a_place_for_each_is_erased(name):
    """The shipped maps whose groups have a goal for each unit."""
    playlist = Playlist(folder("maps") / f"{name}.toml")
    world = playlist.build()
    bench = Workbench(playlist, lambda play: shown.append(play.world))
    shown = []
    bench.remove(world, world.ids[:1])
    assert len(shown[0].ids) == len(world.ids) - 1
