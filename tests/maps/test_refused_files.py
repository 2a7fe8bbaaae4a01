"""Bad maps of other kinds, and bad files beside them."""

import json
import os

import pytest

from sim.maps import read

from .making import ROOMS, TILESET, layer, octile, tmj, tmx

GOOD = tmx(layer(ROOMS))
ENTITIES = '<!DOCTYPE tileset [<!ENTITY a "aaaaaaaaaa">]>'
SIZE = {"width": 7, "height": 5}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"width": float("nan")}, "NaN: must be a finite number"),
        ({"width": float("inf")}, "Infinity: must be a finite number"),
        ({"width": 10**30}, "width = 1000000000000000000000000000000: must be"),
        ({"layers": 3}, "layers = 3: must be a valid list"),
        ({"layers": [{"data": [1] * 34 + [1.5], **SIZE}]}, "must be whole numbers"),
        ({"layers": [{"data": [1] * 34 + ["1"], **SIZE}]}, "must be whole numbers"),
        ({"layers": [{"data": [1] * 34 + [True], **SIZE}]}, "must be whole numbers"),
        ({"layers": [{"data": {}, **SIZE}]}, "must be an array or a text"),
        ({"layers": [{"objects": [{"name": "a", "x": "1e400"}], "type": "objectgroup"}]},
         "layers[0].objects[0].x = 1e400: must be"),
        ({"tilesets": [{"firstgid": 1}, {"firstgid": 1}]}, "two begin with the same firstgid"),
    ],
)  # fmt: skip
def test_bad_json_maps_are_refused(refusal, change, said):
    """The same for JSON: nothing that is not finite, whole or there."""
    assert said in refusal(json.dumps(json.loads(tmj()) | change), "map.tmj")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "not JSON that can be read"),
        (b"\xff\xfe", "not UTF-8 text (byte 0)"),
        (b"[" * 100_000, "nested too deep"),
        (b"[[]" + b",[]" * 300_000 + b"]", "more arrays and objects than a map has"),
        (b"9" * 10_000, "too long a number"),
        (tmj().encode()[:-40], "not JSON that can be read"),
        (b"[1, 2]", "the file: must be"),
    ],
)
def test_broken_json_is_refused(refusal, raw, said):
    """Files that are no JSON, or none that a map could be."""
    assert said in refusal(raw, "map.tmj")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("none.tsx", "no such file"),
        ("../outside.tsx", "lies outside the map's folder"),
        ("/etc/passwd", "lies outside the map's folder"),
        ("link.tsx", "lies outside the map's folder"),
        (".", "is a directory"),
        ("pipe", "is not a plain file"),
        ("empty.tsx", "not JSON that can be read"),
        ("map.tmx", "must be a <tileset>, not <map>"),
        ("chain.tsx", "is a tileset that names another file"),
        ("bomb.tsx", "declares a document type or entities"),
        ("x" * 5000, "cannot be read: File name too long"),
    ],
)
def test_tilesets_stay_in_the_maps_folder(refusal, tmp_path, source, said):
    """A map reads no file but those beside it or below, and those like any file from anywhere."""
    inside = tmp_path / "maps"
    inside.mkdir()
    (tmp_path / "outside.tsx").write_text(TILESET)
    (inside / "link.tsx").symlink_to(tmp_path / "outside.tsx")
    (inside / "empty.tsx").touch()
    (inside / "chain.tsx").write_text('<tileset source="empty.tsx"/>')
    (inside / "bomb.tsx").write_text(ENTITIES + TILESET)
    os.mkfifo(inside / "pipe")
    text = tmx(layer(ROOMS), tileset=f'<tileset firstgid="1" source="{source}"/>')
    line = refusal(text, "maps/map.tmx")
    assert line.startswith("tilesets[0].source")
    assert said in line


def test_tilesets_share_one_budget(refusal, tmp_path, monkeypatch):
    """Naming one file many times does not read it many times over."""
    monkeypatch.setattr("sim.maps.files.MOST_BYTES", 20_000)
    (tmp_path / "t.tsx").write_text(TILESET + " " * 5000)
    many = "".join(f'<tileset firstgid="{n + 1}" source="t.tsx"/>' for n in range(9))
    assert "longer than" in refusal(tmx(layer(ROOMS), tileset=many))


MAP = octile()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not a Moving AI map: no line 'map'"),
        (MAP.replace("map\n", ""), "not a Moving AI map: no line 'map'"),
        (MAP.replace("octile", "hex"), "type = hex: must be octile or tile"),
        (MAP.replace("height", "depth"), "its header must be type, height and width"),
        (MAP.replace("type octile\n", ""), "its header must be type, height and width"),
        (MAP.replace("width 7", "width 0"), "width = 0: must be a whole number from 1"),
        (MAP.replace("width 7", "width -7"), "width = -7: must be a whole number from 1"),
        (MAP.replace("width 7", "width \u0667"), "byte 27 is not ASCII"),
        (MAP.replace("width 7", "width 9" + "9" * 90), "must be a whole number from 1 to 1000000"),
        (MAP.replace("width 7", "width 500000").replace("height 5", "height 500000"),
         "500000 x 500000 tiles: at most 4194304 are read"),
        (MAP.replace("width 7", "width 8"), "row 0: has 7 tiles instead of width = 8"),
        (MAP.replace("height 5", "height 6"), "has 5 rows of tiles instead of height = 6"),
        (MAP[:-9], "has 4 rows of tiles instead of height = 5"),
        (MAP.replace("@\n@", "#\n@", 1), "row 0, column 6: '#' is no terrain; must be one of "),
        (b"\xff" + MAP.encode(), "byte 0 is not ASCII"),
    ],
)  # fmt: skip
def test_bad_moving_ai_maps_are_refused(refusal, text, said):
    """Headers that are none, sizes that lie, letters that mean nothing."""
    assert said in refusal(text, "a.map")


@pytest.mark.parametrize("tile", [0.0, -1.0, float("nan"), float("inf"), 1e300])
def test_tile_sizes_are_positive_and_finite(refusal, tile):
    """The one number that comes from elsewhere is checked as well."""
    assert refusal(MAP, "a.map", tile=tile).startswith(f"tile = {tile}: must be a finite number")


def test_a_tile_size_must_agree_with_the_maps_own(refusal, reading):
    """A Tiled map carries its tile size; another one is a mistake, the same one is none."""
    assert refusal(GOOD, tile=32.0) == "tile = 32: is for .map files; tiles of this one are 30 x 30"
    assert reading(GOOD, tile=30.0).tile == (30, 30)


def test_what_is_no_map_file(refusal):
    """The suffix says what a file is."""
    assert refusal(GOOD, "map.png") == "must be a .tmx, .tmj or .map file"


@pytest.mark.parametrize(
    ("make", "said"),
    [(os.mkdir, "is a directory"), (os.mkfifo, "is not a plain file"), (id, "no such file")],
    ids=["folder", "pipe", "nothing"],
)
def test_what_is_no_file(tmp_path, make, said):
    """A pipe would hang whoever reads it."""
    make(tmp_path / "a.tmx")
    with pytest.raises(ValueError, match=f"a.tmx: {said}"):
        read(tmp_path / "a.tmx")
