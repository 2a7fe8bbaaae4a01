"""Parts of the ground in recordings: they come back as they were, are shown, and are measured."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pygame
import pymunk
import pytest

import sim
from sim.commands.recorded import stage_of
from sim.core.errors import BadInput
from sim.core.pieces import posed, standing
from sim.record.html import thinned, write_html
from sim.record.parts import Parts
from sim.record.run import Run
from sim.record.stage import Stage
from sim.record.trajectory import Trajectory, load
from sim.run import run
from sim.scenario.build import build
from sim.scenario.load import load as load_plan
from sim.screen.replay import Replay
from sim.screen.roles import page_colors
from sim.screen.scene import Scene
from sim.screen.theme import DARK
from sim.study.report import Report
from sim.study.trial import judge_run

BOTH = pytest.mark.parametrize("suffix", [".txt", ".npz"])
SCENARIO = """
title = "A gate and a lift"
duration = 1.2
stop_when_arrived = false

[map]
bounds = [0, 0, 40, 20]
edges = "wall"

[map.parts]
gate = { polygon = [[20, 5], [22, 5], [21, 12]] }
lift = { box = [4, 3, 7, 17], path = [[0, 0, 0], [3, 12, 0], [6, 0, 0]], loop = true }
late = { circle = [30, 10, 2], open = true }

[[events]]
at = 0.5
open = "gate"

[[events]]
at = 0.7
close = "late"

[[groups]]
name = "walkers"
count = 5
spawn = { points = [[8, 5], [8, 7], [8, 9], [8, 11], [8, 13]], heading = 0 }
goal = { point = [35, 10] }
"""


class Seen:
    """A watcher that keeps what stood there, besides what never changes."""

    def __init__(self) -> None:
        self.standing: list[dict[str, list[float]]] = []

    def observe(self, world: sim.World) -> None:
        """Keep it by name."""
        self.standing.append({p.name: corners(p.standing) for p in world.pieces if p.closed})

    def close(self) -> None:
        """Nothing to finish."""


def corners(solids: sim.core.solids.Solids) -> list[float]:
    """All numbers of some solids."""
    rows = [solids.discs, solids.boxes, solids.walls, *solids.polygons]
    return np.concatenate([np.ravel(each) for each in rows]).tolist()


class Recorded(NamedTuple):
    """A run of the scenario, what stood there at each frame, and the live metrics."""

    folder: Path
    """Where `s.toml` is, with recordings of both kinds: `run.txt` and `run.npz`."""
    seen: Seen
    live: dict[str, Any]

    def file(self, suffix: str = ".npz") -> Path:
        """The recording of a kind."""
        return self.folder / f"run{suffix}"


def record(folder: Path, text: str = SCENARIO) -> Recorded:
    """Run the scenario, and record it."""
    scenario, seen = folder / "s.toml", Seen()
    scenario.write_text(text, encoding="utf-8")
    plan = load_plan(scenario)
    world = build(plan)
    report = Report(world, plan.title)
    stage = Stage.of(world, plan.title).text()
    files = [
        Trajectory(folder / f"run{kind}", text=plan.text, stage=stage) for kind in (".txt", ".npz")
    ]
    run(world, plan.steps, [report, seen, *files])
    return Recorded(folder, seen, report.result(1.0))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """One run for all: its files are not to be changed."""
    return record(tmp_path_factory.mktemp("parts"))


@BOTH
def test_all_are_where_they_were(recorded: Recorded, suffix: str) -> None:
    """At each frame the parts that stood there come back, to the last digit, and no other."""
    target, seen = recorded.file(suffix), recorded.seen
    stage, motion = stage_of(target, load(target), None)
    replay = Replay(stage, motion)
    assert motion.parts is not None
    assert [set(each) for each in seen.standing[:: len(seen.standing) - 1]] == [
        {"gate", "lift"}, {"lift", "late"},
    ]  # fmt: skip
    for time, there in zip(motion.time, seen.standing, strict=True):
        pieces = motion.parts.pieces(float(time), motion.time)
        assert {p.name: corners(p.standing) for p in pieces if p.closed} == there
        replay.time = float(time)
        shown = stage.solids.joined([standing(p for p in pieces if p.closed)])
        assert corners(replay.solids) == corners(shown)
    lift = seen.standing[5]["lift"], seen.standing[6]["lift"]
    replay.time = float(motion.time[5:7].mean())
    assert np.allclose(replay.solids.boxes, np.mean(lift, axis=0))


def test_only_what_changes_is_kept(recorded: Recorded) -> None:
    """A row for each frame at which a part moves, one for each that comes or goes, no other."""
    parts = load(recorded.file()).parts
    assert parts is not None
    number = {name: k for k, name in enumerate(parts.names)}
    count = np.bincount(parts.changes[:, 1].astype(int), minlength=3)
    assert count[number["gate"]] == 2
    assert count[number["late"]] == 1
    assert count[number["lift"]] == len(recorded.seen.standing)


@BOTH
def test_measured_against_the_ground_as_it_was(recorded: Recorded, suffix: str) -> None:
    """The figures of the recording are those of the run, walls included."""
    live = recorded.live
    found = judge_run(load_plan(recorded.folder / "s.toml"), load(recorded.file(suffix)))
    for name in ("wall_crossings", "max_wall_overlap_share", "contacts", "composite01"):
        assert found[name] == live[name], name
    assert live["max_wall_overlap_share"] > 0  # the lift pushes


@pytest.mark.parametrize(
    ("box", "velocity", "crossings"),
    [((5, -3, 6, 3), (0, 0), 0), ((9, -3, 9.1, 3), (-24, 0), 1), ((9, -3, 9.1, 3), (0, 24), 0)],
)
def test_a_part_that_goes_through_somebody(box, velocity, crossings) -> None:
    """A part that leaps over a unit is a crossing; one that comes upon it or passes by is none."""
    motion = Run(
        np.arange(3) / 4, np.tile([5.5, 0.0], (3, 1, 1)), np.zeros((3, 1)), np.array(["a"]),
        parts=Parts.read(
            json.dumps([{"name": "p", "discs": [], "boxes": [box], "walls": [], "polygons": []}]),
            np.array([[1, 0, 1, 0, 0, 0], [2, 0, 1, *np.multiply(velocity, 0.25), 0]], float),
        ),
    )  # fmt: skip
    world = sim.World()
    world.add_group("a", [(5.5, 0.0)], hull=sim.Hull.disc(0.2))
    report = Report(world, "")
    for time in motion.time:
        report._judge.stand(motion.parts.pieces(float(time), motion.time))
        report._judge.observe(time, np.array([[5.5, 0.0]]), np.zeros(1), np.ones(1, np.bool_))
    assert report.result(1.0)["wall_crossings"] == crossings


def test_foreign_bodies_and_removed_parts(tmp_path: Path) -> None:
    """A body that turns is where the engine had it; a part that was removed is gone."""
    world = sim.World()
    world.add_group("a", [(20.0, 0.0)])
    body = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    body.position, body.angular_velocity = (3, 4), 2.0
    world.space.add(body, pymunk.Poly(body, [(-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)]))
    world.see(body)
    part = world.add_solid(sim.Box(8, 8, 9, 9), name="crate")
    watcher, turned = Trajectory(tmp_path / "a.npz", stage=Stage.of(world).text()), []
    for step in range(8):
        watcher.observe(world)
        turned.append([body.local_to_world(v) for v in next(iter(body.shapes)).get_vertices()])
        if step == 3:
            part.remove()
        world.step()
    watcher.close()
    stage, motion = stage_of(tmp_path / "a.npz", load(tmp_path / "a.npz"), None)
    replay = Replay(stage, motion)
    for frame, there in enumerate(turned):
        replay.time = float(motion.time[frame])
        (found,) = replay.solids.polygons
        assert np.allclose(np.sort(found, axis=0), np.sort(np.array(there), axis=0))
        assert len(replay.solids.boxes) == (1 if frame < 4 else 0)


def test_replay_paints_them(recorded: Recorded) -> None:
    """The gate is in the picture until it opens, and the same ground is not made anew for it."""
    target = recorded.file()
    replay = Replay(*stage_of(target, load(target), None))
    surface, scene = pygame.Surface((400, 200)), Scene()
    solid, colors = tuple(DARK.solid), []
    for time in (0.2, 0.8):
        replay.time = time
        scene.paint(surface, replay)
        camera = scene.camera(replay, surface.get_size())
        x, y = camera.to_screen(np.array([21.0, 7.0])).astype(int).tolist()
        colors.append(tuple(surface.get_at((x, y)))[:3] == solid)
    assert colors == [True, False]
    still = load(target)
    still = replace(still, parts=replace(still.parts, changes=still.parts.changes[:1]))
    replay = Replay(stage_of(target, still, None)[0], still)
    before = replay.solids
    replay.time = 0.5
    assert replay.solids is before


def test_old_recordings(recorded: Recorded, tmp_path: Path) -> None:
    """One that tells of no parts, as all did once, is shown with what stood there at its start."""
    seen, arrays = recorded.seen, dict(np.load(recorded.file()))
    for name in ("parts", "part_changes", "version"):
        arrays.pop(name)
    np.savez(tmp_path / "old.npz", **arrays)
    stage, motion = stage_of(tmp_path / "old.npz", load(tmp_path / "old.npz"), None)
    assert motion.parts is None
    replay = Replay(stage, motion)
    replay.time = 1.0
    assert corners(replay.solids) == seen.standing[0]["lift"] + seen.standing[0]["gate"]
    judge_run(load_plan(recorded.folder / "s.toml"), motion)


@BOTH
def test_a_later_version_is_refused(recorded: Recorded, tmp_path: Path, suffix: str) -> None:
    """With a message that says which versions can be read."""
    before, target = recorded.file(suffix), tmp_path / f"later{suffix}"
    if suffix == ".npz":
        np.savez(target, **{**np.load(before), "version": np.array(3)})
    else:
        text = before.read_text(encoding="utf-8")
        target.write_text(text.replace('"version": 2', '"version": 3'), encoding="utf-8")
    with pytest.raises(BadInput, match=r"version = 3.*versions 1 to 2"):
        load(target)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([0, 9, 1, 0, 0, 0], "parts must be"), ([0.5, 0, 1, 0, 0, 0], "whole numbers"),
        ([0, 0, 2, 0, 0, 0], "0 or 1"), ([0, 0, 1, np.nan, 0, 0], "numbers from"),
        ([0, 0, 1, 0, 1e13, 0], "numbers from"), ([10**6, 0, 1, 0, 0, 0], "below"),
        ([-1, 0, 1, 0, 0, 0], "whole numbers"),
    ],
)  # fmt: skip
def test_damaged_changes_are_refused(
    recorded: Recorded, tmp_path: Path, row: list[float], said: str
) -> None:
    """Each number that makes no sense, in words."""
    target = tmp_path / "damaged.npz"
    np.savez(target, **{**np.load(recorded.file()), "part_changes": np.array([row])})
    with pytest.raises(BadInput, match=said):
        load(target)


@pytest.mark.parametrize(
    "parts", ["", "3", "[3]", "{}", "[{}]", '[{"name": "a", "discs": [[0, 0, -1]]}]', "[" * 5000]
)
def test_damaged_parts_are_refused(recorded: Recorded, tmp_path: Path, parts: str) -> None:
    """Each text that makes no sense, as bad input and not as an error of the program's."""
    target = tmp_path / "damaged.npz"
    np.savez(target, **{**np.load(recorded.file()), "parts": np.array(parts)})
    with pytest.raises(BadInput):
        load(target)


@pytest.fixture(scope="module")
def on_a_torus(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """The same where the plane wraps."""
    text = SCENARIO.replace('edges = "wall"', 'edges = "wrap"')
    return record(tmp_path_factory.mktemp("torus"), text)


@pytest.mark.parametrize("command", ["metrics", "replay"])
def test_parts_too_large_for_their_torus_are_refused(
    on_a_torus: Recorded, tmp_path: Path, cli, command: str
) -> None:
    """No world takes such a part; `metrics` of one with 880,000 images worked for over 20 s."""
    target, arrays = tmp_path / "large.npz", dict(np.load(on_a_torus.file()))
    parts = json.loads(str(arrays["parts"]))
    next(part for part in parts if part["name"] == "lift")["boxes"] = [[4, 3, 7, 2.2e7]]
    np.savez(target, **{**arrays, "parts": np.array(json.dumps(parts))})
    page = ["--html", str(tmp_path / "page.html")] if command == "replay" else []
    said = cli(command, str(target), *page)
    assert said.status == 2
    assert "part 'lift': boxes[0]" in said.err
    assert "within one period" in said.err


def test_the_page_has_them(recorded: Recorded, tmp_path: Path) -> None:
    """With what they look like, and from which of its frames on they are how."""
    target, seen = recorded.file(), recorded.seen
    stage, motion = stage_of(target, load(target), None)
    write_html(tmp_path / "a.html", motion, stage, page_colors(stage, DARK))
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    found = re.search(r'id="head">(.*?)</script>', page, re.DOTALL)
    assert found
    told = json.loads(found[1])["parts"]
    kept = thinned(motion)
    assert kept.parts is not None
    at = np.searchsorted(motion.time, kept.time - 1e-9)
    for frame, place in enumerate(at.tolist()):
        there = {}
        for name, part in zip(kept.parts.names, told, strict=True):
            states = [change[1:] for change in part["changes"] if change[0] <= frame]
            if states and states[-1][0]:
                solids = kept.parts.solids[kept.parts.names.index(name)]
                there[name] = corners(posed(solids, tuple(states[-1][1:])))
        assert there.keys() == seen.standing[place].keys()
        for name, numbers in there.items():
            assert np.allclose(numbers, seen.standing[place][name], atol=1e-5)
