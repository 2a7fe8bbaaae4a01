"""The page of a recorded run in a real browser: it plays, and everything on it works."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sim.core.hull import Hull
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.record.html import write_html
from sim.record.parts import Parts
from sim.record.run import Run
from sim.record.stage import Cast
from sim.screen.camera import Camera
from sim.screen.painter import magnified
from sim.screen.roles import page_colors
from sim.screen.theme import DARK
from sim.world import World

from .browser import Browser, find_browser
from .test_html import some_run, some_stage

PROGRAM = find_browser()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium here to test in")

RUN = some_run(601, leads=True)
"""Ten seconds."""
PIXEL = 4.0
"""What a hull's middle may be off, pixels."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests."""
    assert PROGRAM is not None
    opened = Browser(PROGRAM, tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture
def page(tmp_path: Path, browser: Browser) -> Browser:
    """The page of some run, paused at its start."""
    stage = some_stage(plane=Plane((50, 50, 150, 150), "wall"))
    write_html(tmp_path / "run.html", RUN, stage, page_colors(stage, DARK))
    browser.open(tmp_path / "run.html", "#0")
    return browser


def time(page: Browser) -> float:
    """Where the page is in the run, s."""
    found = page.value("player.time")
    assert isinstance(found, float | int)
    return float(found)


def picture(page: Browser) -> np.ndarray:
    """What the page looks like, (height, width, 3), once it is drawn."""
    page.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    with Image.open(io.BytesIO(page.screenshot())) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def test_units_are_where_the_run_has_them(page: Browser) -> None:
    """Between two frames too; absent units are not shown, and leaders are told apart."""
    for moment in (0.0, 0.75, 62 / 60, 9.0):
        page.value(f"player.seek({moment})")
        now = page.value("(() => { const n = player.motion.at(player.time); return "
                         "[[...n.x], [...n.y], [...n.here], [...n.leads]]; })()")  # fmt: skip
        nearest, before = round(moment * 60), 3 * int(moment * 20 + 1e-9)
        assert now[2] == RUN.present[before].tolist()
        here = RUN.present[nearest]
        apart = np.stack(now[:2], axis=1)[here] - RUN.position[nearest][here]
        # the chord of an arc of 1/20 s at 5 rad/s on a radius of 30 is 0.25 away from it
        assert np.abs(apart).max() < 0.3
        assert RUN.leads is not None
        assert now[3] == RUN.leads[before].tolist()


def test_what_is_painted(page: Browser) -> None:
    """Each unit that is there shows in its group's colour at its place, and nobody else."""
    page.value("player.seek(3)")
    shown = picture(page)
    for unit in range(5):
        x, y = page.value(f"player.picture.toPage(...player.motion.place({unit}, 60))")
        patch = shown[int(y) - 6 : int(y) + 7, int(x) - 6 : int(x) + 7]
        far = np.abs(patch - DARK.ground).sum(axis=2).max()
        assert (far > 150) == bool(RUN.present[180, unit]), unit
    x, y = page.value("player.picture.toPage(...player.motion.place(4, 60))")
    orange = np.abs(shown - (0xFF, 0x88, 0x00)).sum(axis=2) < 40
    rows, columns = np.nonzero(orange[:, 200:])  # beside the legend
    assert np.hypot(columns + 200 - x, rows - y).min() < PIXEL


@pytest.mark.parametrize("discs", [[], [[900, 700, 20]]])
def test_hulls_are_as_large_as_in_the_window(
    tmp_path: Path, browser: Browser, discs: list[list[float]]
) -> None:
    """Too small to read, as many times larger as the painter's; closer by, life size."""
    run = Run(np.arange(3.0), np.full((3, 1, 2), 400.0), np.zeros((3, 1)), np.array(["one"]))
    casts = (Cast("one", 1, Hull("wedge", 4.0, 2.0), "#ff8800", "own"),)
    plane, solids = Plane((0, 0, 1024, 768), "wall"), Solids.of(discs, [], [])
    stage = some_stage(plane=plane, casts=casts, solids=solids)
    write_html(tmp_path / "craft.html", run, stage, page_colors(stage, DARK))
    browser.open(tmp_path / "craft.html", "#0")
    world = World(bounds=plane.bounds, edges="wall", discs=discs)
    group = world.add_group("one", [[400, 400]], model="flock", hull=casts[0].hull, heading=0.0)
    for zoom in (1, 2, 8):
        browser.value(f"player.picture.zoom = {zoom}, player.picture.centre = [400, 400]")
        browser.value("player.seek(0)")
        scale = browser.value("player.picture.scale")
        camera = Camera((0.0, 0.0), scale, tuple(browser.value("player.picture.size")))
        times = magnified(group, world, camera)
        assert browser.value("player.picture.larger(player.motion.groups[0])") == times
        orange = np.abs(picture(browser) - (0xFF, 0x88, 0x00)).sum(axis=2) < 200
        orange[:, :200] = False  # the legend
        assert np.ptp(np.flatnonzero(orange.any(axis=0))) == pytest.approx(4 * scale * times, abs=3)
        assert (times == 1) == (4 * scale >= 8)


def test_play_and_pause(page: Browser) -> None:
    """Space and the button start and stop it; at twice the speed it goes twice as far."""
    page.press(" ")
    page.wait("player.time > 0.3")
    page.press(" ")
    still = time(page)
    assert not page.value("player.playing")
    page.value("new Promise((done) => setTimeout(done, 100))")
    assert time(page) == still
    page.click("#play")
    page.wait(f"player.time > {still}")
    page.press("+")
    page.press("+")
    assert page.value("[player.speed, document.querySelector('#speed').value]") == [4, "4"]
    page.wait("player.time === player.motion.end && !player.playing")
    page.press(" ")
    page.wait("player.time < 9 && player.playing")
    page.press("-")
    assert page.value("player.speed") == 2


def test_scrubbing(page: Browser) -> None:
    """The bar, by the mouse, and the keys; the picture follows."""
    start = picture(page)
    page.click("#bar", 0.5)
    assert time(page) == pytest.approx(5, abs=0.3)
    assert (picture(page) != start).any()
    before = time(page)
    for key, shift, step in (("ArrowRight", False, 1), ("ArrowLeft", True, -5)):
        page.press(key, shift=shift)
        assert time(page) == pytest.approx(max(0, before + step))
        before = time(page)
    page.press("End")
    assert time(page) == 10
    page.press(",")
    assert time(page) == pytest.approx(9.95)
    page.press("Home")
    page.press(".")
    assert time(page) == pytest.approx(0.05)
    assert page.value("document.querySelector('#clock').textContent").endswith("of 10.0 s")


def test_zoom_and_pan(page: Browser) -> None:
    """The wheel keeps what is under the pointer; dragging carries it along; Fit shows all."""
    scale = page.value("player.picture.scale")
    under = page.value("player.picture.toWorld(300, 200)")
    page.mouse("mouseWheel", 300, 200, deltaX=0, deltaY=-240)
    assert page.value("player.picture.scale") > 1.5 * scale
    assert page.value("player.picture.toWorld(300, 200)") == pytest.approx(under)
    page.mouse("mousePressed", 300, 200, button="left", clickCount=1)
    page.mouse("mouseMoved", 340, 230, button="left", buttons=1)
    page.mouse("mouseReleased", 340, 230, button="left")
    assert page.value("player.picture.toWorld(340, 230)") == pytest.approx(under, abs=0.2)
    page.press("z")
    page.press("d")
    page.click("#fit")
    assert page.value("player.picture.scale") == pytest.approx(scale)
    page.press("x")
    assert page.value("player.picture.scale") == pytest.approx(0.8 * scale)
    page.press("0")
    assert page.value("player.picture.centre") == [100, 100]


def test_switches(page: Browser) -> None:
    """Trails show more of the groups' colours; follow centres on the units; help opens.

    The legend tells how many of a group are there at once at most: a unit that changes group has a
    column for each stay, and is not counted twice.
    """
    page.value("player.seek(5)")
    bare = picture(page)
    page.press("t")
    assert page.value("document.querySelector('#trails').checked")
    assert (picture(page) != bare).any(axis=2).sum() > 200
    page.click("#follow")
    page.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.value("player.picture.centre") != [100, 100]
    page.press("h")
    assert page.value("!document.querySelector('#help').hidden")
    page.click("#keys")
    assert page.value("document.querySelector('#help').hidden")
    legend = page.value("document.querySelector('#legend').innerText")
    assert legend.split("\n")[0] == "east </script> (2)"


def test_it_plays_by_itself(tmp_path: Path, browser: Browser) -> None:
    """Without a time in the address it begins at once; an open plane is followed."""
    stage = some_stage()
    write_html(tmp_path / "open.html", RUN, stage, page_colors(stage, DARK))
    browser.open(tmp_path / "open.html")
    browser.wait("player.playing && player.time > 0.2")
    assert browser.value("player.picture.follow")


def test_a_torus_has_no_leaps(tmp_path: Path, browser: Browser) -> None:
    """A unit that crosses the seam goes on over it, and is seen on both sides of it."""
    moments = np.arange(41) / 20
    position = np.stack([(80 + 20 * moments) % 100, np.full(41, 50.0)], axis=1)[:, None]
    run = Run(moments, position, np.zeros((41, 1)), np.array(["west"]))
    casts = (Cast("west", 1, Hull.disc(1.0), "#ff8800", "own"),)
    stage = some_stage(plane=Plane((0, 0, 100, 100), "wrap"), casts=casts)
    write_html(tmp_path / "torus.html", run, stage, page_colors(stage, DARK))
    browser.open(tmp_path / "torus.html", "#0")
    for moment in np.linspace(0.9, 1.1, 9):
        x = browser.value(f"player.motion.at({moment}).x[0]")
        assert abs((x - (80 + 20 * moment) + 50) % 100 - 50) < 0.01
    browser.value("player.seek(1)")
    shown = np.abs(picture(browser) - (0xFF, 0x88, 0x00)).sum(axis=2) < 60
    shown[:, :120] = False  # the legend
    columns = np.flatnonzero(shown.any(axis=0))
    assert np.ptp(columns) > 300


def test_parts_come_go_and_move(tmp_path: Path, browser: Browser) -> None:
    """A gate is there until it opens, a lift where it was at any time, turned if it has turned."""
    shapes = [
        {"name": "gate", "discs": [], "boxes": [], "walls": [],
         "polygons": [[[60, 60], [80, 60], [80, 80], [60, 80]]]},
        {"name": "lift", "discs": [], "boxes": [[-15, -3, 15, 3]], "walls": [], "polygons": []},
    ]  # fmt: skip
    changes = [[0, 0, 1, 0, 0, 0], [0, 1, 1, 70, 120, 0], [300, 0, 0, 0, 0, 0]]
    changes += [[300, 1, 1, 70, 120, 0], [303, 1, 1, 110, 120, np.pi / 2]]
    parts = Parts.read(json.dumps(shapes), np.array(changes, float))
    stage = some_stage(plane=Plane((50, 50, 150, 150), "wall"))
    run = replace(RUN, parts=parts)
    write_html(tmp_path / "parts.html", run, stage, page_colors(stage, DARK))
    browser.open(tmp_path / "parts.html", "#0")

    def solid(time: float, *place: float) -> bool:
        x, y = browser.value(f"player.seek({time}), player.picture.toPage({place[0]}, {place[1]})")
        found = picture(browser)[round(y), round(x)]
        return bool(np.abs(found - np.array(DARK.solid)[:3]).sum() < 30)

    assert [solid(time, 62, 62) for time in (0, 4.9, 5.1)] == [True, True, False]
    assert [solid(time, 82, 120) for time in (0, 4.9, 6)] == [True, True, False]
    assert [solid(time, 110, 132) for time in (0, 6)] == [False, True]
    x = browser.value("player.motion.pose(player.motion.parts[1], 5.025)[1]")
    assert x == pytest.approx(90, abs=0.01)
    assert not browser.complaints


def test_nothing_is_asked_for_and_nothing_goes_wrong(page: Browser) -> None:
    """In all of the tests above: no address but the pages' own, and no complaint."""
    page.press("t")
    assert {address.partition(":")[0] for address in page.requests} <= {"file"}
    assert all(address.split("#")[0].endswith(".html") for address in page.requests)
    assert not page.complaints
