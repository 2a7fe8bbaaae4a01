"""Areas in recordings: they come back when and where they were, and are shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pygame
import pytest

import sim
from sim.core.errors import BadInput
from sim.record.areas import AreaNotes, Areas
from sim.record.html import thinned, write_html
from sim.record.stage import Stage
from sim.record.trajectory import Trajectory, load
from sim.screen.land import area_color
from sim.screen.replay import Replay
from sim.screen.roles import page_colors
from sim.screen.scene import PlainScene
from sim.screen.theme import DARK

SHAPES = (sim.Box(4, 4, 10, 9), sim.Disc(30, 10, 4), sim.Polygon([(20, 2), (24, 2), (22, 8)]))
SUFFIXES = pytest.mark.parametrize("suffix", [".txt", ".npz"])


def record(path: Path) -> sim.World:
    """Ten steps on ground with one area at the start, one more after four, and one after eight."""
    world = sim.World(bounds=(0, 0, 40, 20), edges="wall")
    world.add_group("a", [(2, 10), (2, 13)], goal=sim.Goal.to((38, 10)))
    world.add_area(SHAPES[0], speed=0.5, groups=["a"])
    recorder = Trajectory(path, stage=Stage.of(world).text())
    recorder.observe(world)
    for step in range(1, 11):
        if step in (4, 8):
            world.add_area(SHAPES[step // 4], speed=2.0, cost=3.0)
        world.step()
        recorder.observe(world)
    recorder.close()
    return world


def shapes(areas) -> list[list[float]]:
    """What areas look like, as numbers."""
    every = [area.shape.solids for area in areas]
    return [[*s.discs.ravel(), *s.boxes.ravel(), *np.ravel(s.polygons)] for s in every]


@SUFFIXES
def test_they_come_back(tmp_path: Path, suffix: str) -> None:
    """Each from the frame on at which it came, with its factors and its groups."""
    world = record(tmp_path / f"run{suffix}")
    areas = load(tmp_path / f"run{suffix}").areas
    assert areas is not None
    for frame in range(11):
        known = 1 + (frame >= 4) + (frame >= 8)
        assert shapes(areas.at(frame)) == shapes(world.areas[:known])
    for found, was in zip(areas.at(10), world.areas, strict=True):
        assert (found.speed, found.cost, found.groups) == (was.speed, was.cost, was.groups)


def test_one_that_goes_is_there_no_more(tmp_path: Path) -> None:
    """It ends with the frame at which it is gone; frames that are left out change nothing else."""
    areas = record(tmp_path / "run.npz").areas
    notes = AreaNotes()
    for frame, now in enumerate((areas[:1], areas[:2], areas[1:2], areas[1:2], ())):
        notes.observe(frame, now)
    found = Areas.read(notes.described)
    assert [len(found.at(frame)) for frame in range(5)] == [1, 2, 1, 1, 0]
    kept = found.kept([0, 2, 4])
    assert [shapes(kept.at(k)) for k in range(3)] == [shapes(found.at(k)) for k in (0, 2, 4)]


@SUFFIXES
def test_a_replay_shows_them(tmp_path: Path, suffix: str) -> None:
    """Pixel by pixel what the world showed at that step; before an area came it is bare ground."""
    world = record(tmp_path / f"run{suffix}")
    run = load(tmp_path / f"run{suffix}")
    replay, pictures = Replay(Stage.read(run.stage), run), []
    for shown in (world, replay):
        replay.time = replay.end
        surface, scene = pygame.Surface((400, 200)), PlainScene(DARK)
        scene.paint(surface, shown)
        pictures.append(pygame.surfarray.array3d(surface))
    assert (pictures[0] == pictures[1]).mean() > 0.99  # angles differ by rounding in a .txt
    x, y = scene.camera(replay, surface.get_size()).to_screen(np.array([31.3, 11.3])).astype(int)
    assert tuple(pictures[1][x, y].tolist()) == area_color(DARK)
    replay.time = 0.0
    scene.paint(surface, replay)
    assert tuple(pygame.surfarray.array3d(surface)[x, y].tolist()) == DARK.ground


def test_a_page_shows_them(tmp_path: Path) -> None:
    """It has their shapes, the frames from which on they are there, and a colour of their own."""
    record(tmp_path / "run.npz")
    run = load(tmp_path / "run.npz")
    stage = Stage.read(run.stage)
    write_html(tmp_path / "run.html", run, stage, page_colors(stage, DARK))
    text = (tmp_path / "run.html").read_text(encoding="utf-8")
    told = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL)
    assert told is not None
    head = json.loads(told[1])
    kept = thinned(run)
    assert [area["changes"][0][:2] for area in head["areas"]] == [
        [int(np.searchsorted(kept.time, k / 60 - 1e-9)), 1] for k in (0, 4, 8)
    ]
    assert head["areas"][0]["boxes"] == [[4, 4, 10, 9]]
    assert re.fullmatch("#[0-9a-f]{6}", head["colors"]["area"])


@pytest.mark.parametrize(
    "text",
    ["", "3", "[3]", "[{}]", '[{"first": -1}]', "[" * 9999,
     '[{"first": 0, "end": null, "speed": 0, "cost": 1, "groups": null}]',
     '[{"first": 0, "end": null, "speed": 1, "cost": 1, "groups": null, "discs": [], "boxes": [],'
     ' "walls": [], "polygons": []}]'],
)  # fmt: skip
def test_what_is_none_is_refused(text: str) -> None:
    """With a message, never a traceback."""
    with pytest.raises(BadInput, match=r"^areas: "):
        Areas.read(text)
