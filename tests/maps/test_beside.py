"""Maps read here, beside what pytiled-parser reads."""

from pathlib import Path

import numpy as np
import pytest

from sim.maps import read

from .making import layer, tmx

pytiled_parser = pytest.importorskip("pytiled_parser")
WAYS = [
    {"encoding": "csv"},
    {"encoding": "base64"},
    {"encoding": "base64", "compression": "zlib"},
    {"encoding": "base64", "compression": "gzip"},
]
SHIPPED = sorted((Path(__file__).parents[2] / "maps").glob("*.tmx"))


def same_as_pytiled(path):
    """Compare a map with what pytiled-parser reads, which decodes and numbers tiles by itself."""
    ours, theirs = read(path), pytiled_parser.parse_map(path)
    said = {
        first + number
        for first, tileset in theirs.tilesets.items()
        for number, tile in (tileset.tiles or {}).items()
        if tile.properties and tile.properties.get("solid")
    }
    found = np.zeros(ours.solid.shape, bool)
    for each in theirs.layers:
        if isinstance(each, pytiled_parser.TileLayer):
            found |= np.isin(np.array(each.data) & 0x0FFFFFFF, list(said))
        else:
            for place in each.tiled_objects:
                left, top, right, bottom = ours.named(place.name).box
                assert (left, top) == tuple(place.coordinates)
                assert (right - left, bottom - top) == tuple(place.size or (0, 0))
    assert (ours.solid == found).all()


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_maps_beside_pytiled_parser(path):
    """Another reader of the format finds the same walls and objects."""
    same_as_pytiled(path)


@pytest.mark.parametrize("how", WAYS, ids=str)
def test_made_maps_beside_pytiled_parser(tmp_path, how):
    """So it does in maps of other encodings."""
    numbers = np.random.default_rng(5).integers(0, 3, (9, 13))
    rows = ["".join(" .#"[n] for n in row) for row in numbers]
    (tmp_path / "map.tmx").write_text(tmx(layer(rows, **how), rows))
    same_as_pytiled(tmp_path / "map.tmx")
