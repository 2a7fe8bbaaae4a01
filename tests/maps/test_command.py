"""`python -m sim maps`."""

import pygame
import pytest
from typer.testing import CliRunner

from sim.commands.app import app
from sim.core.errors import BadInput
from sim.maps import TileMap
from sim.screen.chart import png
from sim.screen.theme import DARK

from .making import ROOMS, layer, octile, solid, tmx
from .test_objects import PLACES

RUN = CliRunner()


def test_it_prints_what_is_in_a_map(tmp_path):
    """Size, tiles, regions, walls and objects."""
    (tmp_path / "a.tmx").write_text(tmx(layer(ROOMS) + PLACES))
    out = RUN.invoke(app, ["maps", str(tmp_path / "a.tmx")]).output.splitlines()
    assert out[:5] == [
        "size     210 x 150, from (0, 0)",
        "tiles    7 x 5 of 30 x 30, 23 solid (66%)",
        "regions  1: 12 tiles",
        "walls    21 shapes: 0 blocks, 14 edges round 7 cores",
        "objects  8",
    ]
    assert "  red: rectangle [40, 55, 100, 100]" in out
    assert "  exit: point (100.5, 10)" in out


def test_names_cannot_command_the_terminal(tmp_path):
    """Names from a file are shown with their control characters as escapes."""
    (tmp_path / "a.tmx").write_text(tmx(layer(ROOMS) + PLACES.replace('"red"', '"r&#x9b;ed"')))
    out = RUN.invoke(app, ["maps", str(tmp_path / "a.tmx")]).output
    assert "r\\x9bed" in out


def test_tiles_of_a_moving_ai_map(tmp_path):
    """--tile says how large they are."""
    (tmp_path / "a.map").write_text(octile())
    out = RUN.invoke(app, ["maps", str(tmp_path / "a.map"), "--tile", "30"]).output
    assert out.startswith("size     210 x 150, from (0, 0)\n")


def test_it_draws_a_map(tmp_path):
    """--png writes a picture with walls where they are and ground between them."""
    (tmp_path / "a.tmx").write_text(tmx(layer(ROOMS)))
    target = tmp_path / "a.png"
    out = RUN.invoke(app, ["maps", str(tmp_path / "a.tmx"), "--png", str(target)]).output
    assert out.endswith(f"wrote {target}\n")
    picture = pygame.image.load(target)
    width, height = picture.get_size()
    assert width / height == pytest.approx(7 / 5, rel=0.02)
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []


def test_walls_are_drawn_in_one_piece(tmp_path):
    """What is solid has one colour, and no lines where its boxes meet; ground has none of it."""
    rows = ["....", ".##.", "..#.", "...."]
    (tmp_path / "a.png").write_bytes(png(TileMap(solid(rows)), box=(400, 400)))
    picture = pygame.image.load(tmp_path / "a.png")
    side = picture.get_width()
    scale = (side - 2 * 12) / 4
    for y, row in enumerate(rows):
        for x, each in enumerate(row):
            at = (round(12 + (x + 0.5) * scale), round(12 + (y + 0.5) * scale))
            is_wall = picture.get_at(at)[:3] == DARK.solid
            assert is_wall == (each == "#")
    seam = round(12 + 2 * scale)
    column = [picture.get_at((round(12 + 2.5 * scale), seam + d))[:3] for d in range(-3, 4)]
    assert set(column) == {DARK.solid}


def test_bad_maps_and_targets_end_in_one_line(tmp_path):
    """What cannot be read or written is refused, before anything is printed."""
    (tmp_path / "a.tmx").write_text("<map>")
    with pytest.raises(BadInput, match="not XML that can be read"):
        RUN.invoke(app, ["maps", str(tmp_path / "a.tmx")], catch_exceptions=False)
    (tmp_path / "a.tmx").write_text(tmx(layer(ROOMS)))
    where = ["--png", str(tmp_path / "no" / "a.png")]
    with pytest.raises(BadInput, match="there is no folder"):
        RUN.invoke(app, ["maps", str(tmp_path / "a.tmx"), *where], catch_exceptions=False)


def test_a_way_is_told_and_drawn(tmp_path):
    """Its length and points; where there is none, why, and how near one gets."""
    file = tmp_path / "a.tmx"
    file.write_text(tmx(layer(["#######", "#...#.#", "#.#.#.#", "#.#...#", "#######"])))
    way = ["--path", "45,105", "165,45", "--radius", "9"]
    target = tmp_path / "a.png"
    out = RUN.invoke(app, ["maps", str(file), *way, "--png", str(target)]).output
    assert "path     2" in out
    assert "points of" in out
    plain = tmp_path / "b.png"
    RUN.invoke(app, ["maps", str(file), "--png", str(plain)])
    assert target.read_bytes() != plain.read_bytes()
    out = RUN.invoke(app, ["maps", str(file), "--path", "45,105", "75,75"]).output
    assert "(75, 75) lies inside a solid; the nearest that can be reached is" in out
    with pytest.raises(BadInput, match="--path 4;5: must be two places, each as X,Y"):
        RUN.invoke(app, ["maps", str(file), "--path", "4;5", "1,1"], catch_exceptions=False)
