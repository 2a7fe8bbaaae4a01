"""The page of a recorded run: what is packed into it, and that it needs nothing else."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.hull import Hull
from sim.core.plane import Plane
from sim.core.solids import Solids
from sim.maps.tile_map import TileMap
from sim.record.html import PLACES, TURN, packed, thinned, write_html
from sim.record.run import Run
from sim.record.stage import Cast, Stage
from sim.screen.roles import page_colors
from sim.screen.theme import DARK


def some_run(frames: int = 121, units: int = 5, rate: float = 60.0, leads: bool = False) -> Run:
    """Units on circles, one of which is there only for a while, and one never."""
    time = np.arange(frames) / rate
    angle = time[:, None] * (1 + np.arange(units)) - 20.0
    position = 30 * np.stack([np.cos(angle), np.sin(angle)], axis=2) + 100
    for unit, where in ((1, time > 1), (1, time < 0.5), (2, time >= 0)):
        position[where, unit], angle[where, unit] = np.nan, np.nan
    led = (np.arange(frames)[:, None] // 7 + np.arange(units)) % 3 == 0
    names = np.array(["east"] * 3 + ["west"] * (units - 3))
    return Run(time, position, angle, names, leads=led if leads else None)


def some_stage(**changes: object) -> Stage:
    """A stage for five units."""
    casts = (
        Cast("east </script>", 3, Hull("wedge", 4.0, 2.0), "blue", "leads"),
        Cast("west", 2, Hull.disc(1.0), "#ff8800", "own"),
    )
    given = {"title": "Round & <round>", "plane": Plane(), "solids": Solids(), "map": None}
    return Stage(**{**given, "casts": casts, **changes})  # type: ignore[arg-type]


def write(path: Path, run: Run, stage: Stage) -> str:
    """Write a page, and read it."""
    write_html(path, run, stage, page_colors(stage, DARK))
    return path.read_text(encoding="utf-8")


def parts(page: str) -> tuple[dict[str, object], bytes]:
    """The head and the motion of a page."""
    head = re.search(r'id="head">(.*?)</script>', page, re.DOTALL)
    motion = re.search(r'id="motion">(.*?)</script>', page, re.DOTALL)
    assert head
    assert motion
    return json.loads(head[1]), zlib.decompress(base64.b64decode(motion[1]))


def unpacked(data: bytes, frames: int, units: int) -> np.ndarray:
    """(3, N, T) columns, by plain running sums."""
    cells = 3 * frames * units
    raw = np.frombuffer(data[: 2 * cells], np.uint8).reshape(2, 3, units, frames).astype(int)
    found = np.zeros((3, units, frames), int)
    for place in np.ndindex(3, units):
        value = slope = 0
        for frame in range(frames):
            slope += 256 * raw[0][place][frame] + raw[1][place][frame]
            value += slope
            found[place][frame] = value % 65536
    return found


def test_the_motion_comes_back(tmp_path: Path) -> None:
    """To half a step of the box and of a turn, whoever is there; absences are told."""
    run = some_run()
    head, data = parts(write(tmp_path / "a.html", run, some_stage()))
    kept = thinned(run)
    assert np.allclose(head["times"], kept.time, atol=1e-4)
    x, y, turn = unpacked(data, len(kept.time), 5)
    left, top, width, height = head["box"]  # type: ignore[misc]
    here = kept.present.T
    for found, low, size, axis in ((x, left, width, 0), (y, top, height, 1)):
        apart = low + found / PLACES * size - kept.position[..., axis].T
        assert np.abs(apart[here]).max() <= 0.51 * size / PLACES
    apart = np.exp(2j * np.pi * turn / TURN) - np.exp(1j * kept.angle.T)
    assert np.abs(apart[here]).max() <= 0.51 * 2 * np.pi / TURN
    gone = np.zeros_like(here)
    for unit, first, last in head["gone"]:  # type: ignore[attr-defined]
        gone[unit, first:last] = True
    assert np.array_equal(gone, ~here)
    assert not head["led"]


def test_leaders_come_back(tmp_path: Path) -> None:
    """Which units led stands behind the motion, a bit a unit and frame."""
    run = some_run(leads=True)
    head, data = parts(write(tmp_path / "a.html", run, some_stage()))
    kept = thinned(run)
    bits = np.unpackbits(np.frombuffer(data[6 * 5 * len(kept.time) :], np.uint8))
    assert head["led"]
    assert kept.leads is not None
    assert np.array_equal(bits[: kept.leads.size], kept.leads.T.ravel())


def test_thinned() -> None:
    """Twenty frames a second of sixty, the first and the last among them; few stay as they are."""
    kept = thinned(some_run(122))
    assert np.allclose(np.diff(kept.time)[:-1], 0.05)
    assert kept.time[0] == 0
    assert kept.time[-1] == pytest.approx(121 / 60)
    assert len(thinned(some_run(rate=10)).time) == 121
    assert len(thinned(some_run(1)).time) == 1


def test_nothing_moves() -> None:
    """A box without a size, and units that are never there, are no division by zero."""
    still = Run(np.zeros(1), np.full((1, 2, 2), 7.0), np.zeros((1, 2)), np.array(["a", "a"]))
    assert packed(still)[0] == (7.0, 7.0, 1.0, 1.0)
    nobody = Run(np.zeros(1), np.full((1, 1, 2), np.nan), np.full((1, 1), np.nan), np.array(["a"]))
    assert np.isfinite(packed(nobody)[0]).all()


def test_one_file_that_asks_for_nothing(tmp_path: Path) -> None:
    """No address anywhere, no name left open, and names cannot break out of their place."""
    page = write(tmp_path / "a.html", some_run(), some_stage())
    assert "http" not in page.replace("http-equiv", "")
    assert not re.search(r"@[A-Z]+@|\bsrc=|\bhref=|@import|url\(", page)
    assert "<title>Round &amp; &lt;round&gt;</title>" in page
    assert "default-src 'none'" in page
    head, _ = parts(page)
    assert head["groups"][0]["name"] == "east </script>"  # type: ignore[index]
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]


def test_what_stands_still_is_in_it(tmp_path: Path) -> None:
    """Bounds, edges, solids and the walls of a map."""
    solids = Solids.of([[1, 2, 3]], [[0, 0, 4, 5]], [[9, 9, 8, 7]])
    plane = Plane((0, 0, 200, 150), "wrap")
    head, _ = parts(write(tmp_path / "a.html", some_run(), some_stage(plane=plane, solids=solids)))
    assert head["bounds"] == head["seen"] == [0, 0, 200, 150]
    assert head["wraps"] is True
    assert (head["discs"], head["boxes"], head["walls"]) == (
        [[1, 2, 3]], [[0, 0, 4, 5]], [[9, 9, 8, 7]],
    )  # fmt: skip
    tiles = TileMap(np.pad(np.zeros((3, 4), bool), 1, constant_values=True))
    head, _ = parts(write(tmp_path / "b.html", some_run(), some_stage(map=tiles)))
    assert len(head["outline"]) == len(tiles.edges)  # type: ignore[arg-type]


def test_a_minute_of_a_hundred_is_small(tmp_path: Path) -> None:
    """100 units that turn irregularly for 60 s, recorded 60 times a second: under 500 kB."""
    rng = np.random.default_rng(2)
    turning = np.cumsum(rng.normal(size=(3600, 100)) * 0.02, axis=0)
    angle = np.cumsum(turning * 0.02, axis=0) + rng.uniform(0, 6, 100)
    steps = np.stack([np.cos(angle), np.sin(angle)], axis=2) * 0.5
    run = Run(np.arange(3600) / 60, np.cumsum(steps, axis=0), angle, np.array(["a"] * 100))
    casts = (Cast("a", 100, Hull("wedge", 4.0, 2.0), "blue", "own"),)
    write(tmp_path / "a.html", run, some_stage(casts=casts))
    assert (tmp_path / "a.html").stat().st_size < 500_000


def test_refused(tmp_path: Path) -> None:
    """A run of other units, one without a frame, a folder that is not there; no file is left."""
    stage = some_stage()
    empty = Run(np.zeros(0), np.zeros((0, 5, 2)), np.zeros((0, 5)), np.array(["a"] * 5))
    for run, said in ((some_run(units=6), "6 units, and a stage of 5"), (empty, "0 frames")):
        with pytest.raises(BadInput, match=said):
            write(tmp_path / "a.html", run, stage)
    with pytest.raises(BadInput, match="no folder"):
        write(tmp_path / "none" / "a.html", some_run(), stage)
    assert not list(tmp_path.iterdir())
