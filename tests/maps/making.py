"""Tile maps made for tests, from pictures: '#' is a wall, '.' ground, ' ' no tile."""

import base64
import gzip
import json
import zlib

import numpy as np

GIDS = {" ": 0, ".": 1, "#": 2}

ROOMS = [
    "#######",
    "#..#..#",
    "#.....#",
    "#..#.##",
    "#######",
]

TILESET = (
    '<tileset firstgid="1" name="t" tilewidth="30" tileheight="30" tilecount="2" columns="2">'
    '<tile id="1"><properties><property name="solid" type="bool" value="true"/></properties></tile>'
    "</tileset>"
)


def solid(rows):
    """What a picture shows to be solid, (rows, columns)."""
    return np.array([[each == "#" for each in row] for row in rows])


def gids(rows):
    """The tile numbers of a picture, (rows, columns)."""
    return np.array([[GIDS[each] for each in row] for row in rows], dtype="<u4")


def csv(numbers):
    """Tile numbers as Tiled writes them by default."""
    return ",\n".join(",".join(map(str, row)) for row in numbers.tolist())


def packed(numbers, compression=""):
    """Tile numbers as base64, compressed or not."""
    pack = {"zlib": zlib.compress, "gzip": gzip.compress, "": bytes}[compression]
    return base64.b64encode(pack(numbers.astype("<u4").tobytes())).decode()


def data(rows, encoding="csv", compression=""):
    """The <data> of a layer."""
    numbers = gids(rows)
    if encoding == "xml":
        tiles = "".join(f'<tile gid="{n}"/>' for n in numbers.ravel())
        return f"<data>{tiles}</data>"
    text = csv(numbers) if encoding == "csv" else packed(numbers, compression)
    named = f' compression="{compression}"' if compression else ""
    return f'<data encoding="{encoding}"{named}>{text}</data>'


def layer(rows, inside="", attributes="", **how):
    """A <layer> with these tiles."""
    size = f'width="{len(rows[0])}" height="{len(rows)}"'
    return f'<layer id="1" name="tiles" {size} {attributes}>{inside}{data(rows, **how)}</layer>'


def tmx(layers, rows=ROOMS, tileset=TILESET, attributes='tilewidth="30" tileheight="30"'):
    """A whole .tmx of the size of a picture."""
    size = f'width="{len(rows[0])}" height="{len(rows)}"'
    head = 'version="1.10" tiledversion="1.11.0" orientation="orthogonal" renderorder="right-down"'
    ids = 'nextlayerid="9" nextobjectid="9"'
    infinite = "" if "infinite" in attributes else 'infinite="0"'
    return f"<map {head} {size} {infinite} {attributes} {ids}>{tileset}{layers}</map>"


def tmj(rows=ROOMS, **changes):
    """A whole .tmj, as Tiled's JSON has it."""
    word = {"name": "solid", "type": "bool", "value": True}
    tiles = {"type": "tilelayer", "name": "tiles", "id": 1, "opacity": 1, "visible": True,
             "width": len(rows[0]), "height": len(rows), "x": 0, "y": 0,
             "data": gids(rows).ravel().tolist()}  # fmt: skip
    tileset = {"firstgid": 1, "name": "t", "tilecount": 2, "tilewidth": 30, "tileheight": 30,
               "columns": 2, "image": "t.png", "imagewidth": 60, "imageheight": 30, "margin": 0,
               "spacing": 0, "tiles": [{"id": 1, "properties": [word]}]}  # fmt: skip
    whole = {"type": "map", "version": "1.10", "tiledversion": "1.11.0", "infinite": False,
             "orientation": "orthogonal", "renderorder": "right-down", "compressionlevel": -1,
             "width": len(rows[0]), "height": len(rows), "tilewidth": 30, "tileheight": 30,
             "nextlayerid": 9, "nextobjectid": 9, "tilesets": [tileset],
             "layers": [tiles]}  # fmt: skip
    return json.dumps(whole | changes)


def octile(rows=ROOMS):
    """A whole .map of the Moving AI benchmarks."""
    lines = "\n".join(rows).replace("#", "@")
    return f"type octile\nheight {len(rows)}\nwidth {len(rows[0])}\nmap\n{lines}\n"
