"""Tiled maps: every way of writing the same tiles, and what makes them solid."""

import base64
import json
import sys

import numpy as np
import pytest

from .making import ROOMS, TILESET, csv, gids, layer, packed, solid, tmj, tmx

WAYS = [
    {"encoding": "csv"},
    {"encoding": "base64"},
    {"encoding": "base64", "compression": "zlib"},
    {"encoding": "base64", "compression": "gzip"},
    {"encoding": "xml"},
]
OPEN = [".......", ".......", ".......", ".......", "......."]


@pytest.mark.parametrize("how", WAYS, ids=str)
def test_the_same_tiles_in_any_encoding(reading, how):
    """CSV, base64, zlib, gzip and one element a tile give the same map."""
    tiles = reading(tmx(layer(ROOMS, **how)))
    assert (tiles.solid == solid(ROOMS)).all()
    assert (tiles.rows, tiles.columns, tiles.tile) == (5, 7, (30.0, 30.0))
    assert tiles.bounds == (0, 0, 210, 150)


ZSTD = layer(ROOMS, encoding="base64").replace('"base64"', '"base64" compression="zstd"')


def test_zstd_where_its_package_is(reading):
    """With the package zstandard, zstd is one more way."""
    zstandard = pytest.importorskip("zstandard")
    small = base64.b64encode(zstandard.compress(gids(ROOMS).tobytes())).decode()
    assert (reading(tmx(ZSTD.replace(packed(gids(ROOMS)), small))).solid == solid(ROOMS)).all()


def test_zstd_without_its_package(refusal, monkeypatch):
    """Without it, the refusal says what to do."""
    monkeypatch.setitem(sys.modules, "zstandard", None)
    assert "zstd needs the package zstandard (pip install zstandard)" in refusal(tmx(ZSTD))


def test_json_is_the_same_map(reading):
    """A .tmj gives what the .tmx gives, its data as an array or packed."""
    assert (reading(tmj(), "map.tmj").solid == solid(ROOMS)).all()
    layers = json.loads(tmj())["layers"]
    layers[0] |= {"encoding": "base64", "compression": "zlib", "data": packed(gids(ROOMS), "zlib")}
    assert (reading(tmj(layers=layers), "map.tmj").solid == solid(ROOMS)).all()


def test_turned_and_mirrored_tiles_are_the_same_tiles(reading):
    """The upper four bits of a tile's number say how it is drawn."""
    numbers = gids(ROOMS) | np.uint32(0xF0000000) * (gids(ROOMS) > 0)
    text = layer(ROOMS).replace(csv(gids(ROOMS)), csv(numbers.astype("<u4")))
    assert (reading(tmx(text)).solid == solid(ROOMS)).all()


def test_files_of_older_and_other_programs(reading):
    """What newer versions of Tiled added may be missing, and layers may be shifted in x alone."""
    head = '<map orientation="orthogonal" width="7" height="5" tilewidth="30" tileheight="30">'
    decoration = layer(OPEN, attributes='offsetx="7"')
    assert reading(f"{head}{TILESET}{layer(ROOMS)}{decoration}</map>").rows == 5


def test_tiles_need_not_be_square(reading):
    """Any tile size will do; a world unit is one of Tiled's pixels."""
    tiles = reading(tmx(layer(ROOMS), attributes='tilewidth="16" tileheight="24"'))
    assert tiles.bounds == (0, 0, 112, 120)


# -- infinite maps


def chunks(rows, x, y, side, how="csv"):
    """Chunks of side x side that a picture lies in, its corner at tile (x, y)."""
    numbers = np.pad(gids(rows), side)
    found = []
    for cy in range((y - side) // side * side, y + len(rows) + side, side):
        for cx in range((x - side) // side * side, x + len(rows[0]) + side, side):
            top, left = cy - y + side, cx - x + side
            part = np.zeros((side, side), "<u4")
            for j in range(side):
                for i in range(side):
                    if 0 <= top + j < len(numbers) and 0 <= left + i < len(numbers[0]):
                        part[j, i] = numbers[top + j, left + i]
            text = csv(part) if how == "csv" else packed(part, how)
            size = f'width="{side}" height="{side}"'
            found.append(f'<chunk x="{cx}" y="{cy}" {size}>{text}</chunk>')
    kind = 'encoding="csv"' if how == "csv" else f'encoding="base64" compression="{how}"'
    inside = f"<data {kind}>{''.join(found)}</data>"
    return f'<layer id="1" name="tiles" width="99" height="99">{inside}</layer>'


@pytest.mark.parametrize("how", ["csv", "gzip"])
@pytest.mark.parametrize("at", [(0, 0), (-3, -13), (20, 5)])
def test_infinite_maps_reach_as_far_as_their_tiles(reading, at, how):
    """Chunks are put together; empty margins fall away, and the world's origin stays."""
    made = tmx(chunks(ROOMS, *at, 4, how), attributes='tilewidth="30" tileheight="30" infinite="1"')
    tiles = reading(made)
    assert (tiles.solid == solid(ROOMS)).all()
    x, y = at
    assert tiles.bounds == (30 * x, 30 * y, 30 * (x + 7), 30 * (y + 5))


def test_infinite_json(reading):
    """Chunks of a .tmj."""
    chunk = {"x": -16, "y": 0, "width": 7, "height": 5, "data": gids(ROOMS).ravel().tolist()}
    table = {"type": "tilelayer", "name": "t", "chunks": [chunk], "startx": -16, "starty": 0}
    tiles = reading(tmj(infinite=True, layers=[table]), "map.tmj")
    assert tiles.bounds == (-480, 0, -270, 150)


# -- what is solid

YES = '<properties><property name="solid" type="bool" value="true"/></properties>'
NO = YES.replace("true", "false")


def test_a_layer_can_make_all_its_tiles_solid(reading):
    """By its property, or by its name or class; where it has no tile nothing is solid."""
    some = ["# #    ", "       ", " .     ", "       ", "      #"]
    unsaid = TILESET.replace("solid", "deep")
    for text in (
        layer(some, YES),
        layer(some).replace('name="tiles"', 'name="Collision"'),
        layer(some, attributes='class="collision"'),
        f'<group id="3" name="g">{YES}{layer(some)}</group>',
    ):
        tiles = reading(tmx(text, tileset=unsaid))
        assert (tiles.solid == (gids(some) > 0)).all()


def test_a_layer_can_make_none_of_its_tiles_solid(reading):
    """A false property of the layer is stronger than what its tiles say."""
    assert not reading(tmx(layer(ROOMS, NO))).solid.any()


def test_a_tile_can_stay_open_in_a_solid_layer(reading):
    """A tile that says false is a gap in a collision layer."""
    text = layer(ROOMS, YES)
    tiles = reading(tmx(text, tileset=TILESET.replace("true", "false")))
    assert (tiles.solid == ~solid(ROOMS)).all()


def test_layers_add_up(reading):
    """A tile is solid if it is in any layer, whether the layer is shown or not."""
    left = ["#      "] * 5
    tiles = reading(tmx(layer(OPEN) + layer(left, attributes='visible="0"')))
    assert tiles.solid.sum() == 5


def test_later_tilesets(reading):
    """Tile numbers go on from tileset to tileset."""
    tileset = '<tileset firstgid="1" tilecount="1"/>' + TILESET.replace('"1" name', '"2" name')
    numbers = gids(ROOMS) + (gids(ROOMS) > 0)
    text = layer(ROOMS).replace(csv(gids(ROOMS)), csv(numbers))
    assert (reading(tmx(text, tileset=tileset)).solid == solid(ROOMS)).all()


@pytest.mark.parametrize("name", ["walls.tsx", "deep/walls.tsx", "walls.tsj", "deep/../walls.tsx"])
def test_external_tilesets(reading, tmp_path, name):
    """Tilesets in files of their own, XML or JSON, beside the map or below it."""
    (tmp_path / "deep").mkdir()
    word = {"name": "solid", "value": True}
    as_json = json.dumps({"tilecount": 2, "tiles": [{"id": 1, "properties": [word]}]})
    (tmp_path / name).write_text(as_json if name.endswith("tsj") else TILESET)
    tiles = reading(tmx(layer(ROOMS), tileset=f'<tileset firstgid="1" source="{name}"/>'))
    assert (tiles.solid == solid(ROOMS)).all()
