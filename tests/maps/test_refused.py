"""Bad maps: each refused in one line that says where and what, and never at the cost of memory."""

import base64
import gzip
import tracemalloc
import zlib

import numpy as np
import pytest

from .making import ROOMS, TILESET, csv, data, gids, layer, tmx

GOOD = tmx(layer(ROOMS))
ROOM = 100 * 2**20
"""Bytes that no refusal may take: an honest map of the largest size takes less."""


def spoiled(old, new):
    """The good map with something changed."""
    assert old in GOOD
    return GOOD.replace(old, new)


def packed(raw, compression):
    """A map whose layer holds these bytes, as they are."""
    text = base64.b64encode(raw).decode()
    how = f'<data encoding="base64" compression="{compression}">{text}</data>'
    return GOOD.replace(data(ROOMS), how)


RIGHT = gids(ROOMS).tobytes()
CSV = csv(gids(ROOMS))
BILLION = (
    '<?xml version="1.0"?><!DOCTYPE map [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]><map>&i;</map>"
)
OUTSIDE = '<!DOCTYPE map [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
TYPE = "declares a document type or entities"
BAD_XML = [
    ("", "not XML that can be read: no element found (line 1, column 1)"),
    ("{}", "not XML that can be read: not well-formed (invalid token) (line 1, column 1)"),
    (GOOD[: len(GOOD) // 2], "not XML that can be read: "),
    (GOOD.encode("utf-16")[:-7], "not XML that can be read: "),
    (b'<?xml version="1.0" encoding="utf-8"?><map name="\xff"/>', "not XML that can be read: "),
    ('<?xml version="1.0" encoding="klingon"?><map/>', "not XML that can be read: "),
    ("<tileset/>", "must be a <map>, not <tileset>"),
    ("<map/>", "width: required"),
    ("<map>" * 100 + "</map>" * 100, "more elements, or deeper ones, than a map has"),
    (BILLION, TYPE),
    (OUTSIDE + GOOD.replace('name="tiles"', 'name="&a;"'), TYPE),
    ('<!DOCTYPE map SYSTEM "http://localhost/map.dtd">' + GOOD, TYPE),
    (f"{OUTSIDE}{GOOD}".encode("utf-16"), TYPE),
    (GOOD.replace('name="tiles"', 'name="&a;"'), "not XML that can be read: undefined entity"),
]
BAD_SIZES = [
    (GOOD.replace('width="7"', 'width="0"', 1), "width = 0: must"),
    (GOOD.replace('height="5"', 'height="-5"', 1), "height = -5: must be greater than"),
    (GOOD.replace('width="7"', 'width="1e9"', 1), "width = 1e9: must be a valid integer"),
    (GOOD.replace('width="7"', 'width="99999999999"', 1), "width = 99999999999: must be less than"),
    (spoiled('tilewidth="30" tileheight="30" nextlayerid', "nextlayerid"), "tilewidth: required"),
    (GOOD.replace('tilewidth="30"', 'tilewidth="nan"'), "tilewidth = nan: must be a valid integer"),
    (GOOD.replace('tilewidth="30"', 'tilewidth="0"'), "tilewidth = 0: must be greater than"),
    (GOOD.replace("orthogonal", "isometric"), "orientation = isometric: must be orthogonal"),
    (GOOD.replace('width="7"', 'width="500000"').replace('height="5"', 'height="500000"'),
     "500000 x 500000 tiles: at most 4194304 are read"),
    (GOOD.replace('width="7"', 'width="8"', 1), "(tiles): is 7 x 5 tiles, but the map is 8 x 5"),
    (GOOD.replace('width="7"', 'width="8"'), "layers[0] (tiles): holds 35 tiles instead of 40"),
    (GOOD.replace('width="7"', 'width="6"'), "layers[0] (tiles): holds 35 tiles instead of 30"),
    (GOOD.replace(data(ROOMS), ""), "layers[0] (tiles): has no data"),
    (GOOD.replace('infinite="0"', 'infinite="1"'),
     "layers[0] (tiles): must come in chunks, since the map is infinite"),
    (tmx("", attributes='tilewidth="3" tileheight="3" infinite="1"'),
     "no tiles are placed in this infinite map"),
]  # fmt: skip
BAD_DATA = [
    (spoiled(CSV, CSV[:-2]), "layers[0] (tiles): holds 34 tiles instead of 35"),
    (spoiled(CSV, CSV[:-1] + "x"), "must be whole numbers with commas between them"),
    (spoiled(CSV, CSV[:-1] + "1.5"), "must be whole numbers with commas between them"),
    (spoiled(CSV, CSV[:-1] + "-1"), "tile numbers must be from 0 to 4294967295"),
    (spoiled(CSV, CSV[:-1] + "9" * 5000), "must be whole numbers with commas between them"),
    (
        spoiled(CSV, CSV[:-1] + "3"),
        "row 4, column 6: tile 3 belongs to no tileset",
    ),
    (spoiled(TILESET, ""), "row 0, column 0: tile 2 belongs to no tileset"),
    (spoiled('encoding="csv"', 'encoding="rot13"'), "encoding 'rot13' is not known"),
    (packed(RIGHT, "lzma"), "compression 'lzma' is not known; must be gzip, zlib or zstd"),
    (packed(RIGHT, "zlib"), "is not zlib data"),
    (packed(RIGHT, "gzip"), "is not gzip data"),
    (packed(zlib.compress(RIGHT)[:-9], "zlib"), "the zlib data is cut off"),
    (packed(gzip.compress(RIGHT)[:-1], "gzip"), "the gzip data is cut off"),
    (packed(zlib.compress(RIGHT[:-4]), "zlib"), "holds 34 tiles instead of 35"),
    (packed(RIGHT[:-1], ""), "holds 139 bytes, not four a tile"),
    (packed(RIGHT + b"0000", ""), "holds more than the 35 tiles it should"),
    (packed(RIGHT, "").replace('base64" compression="">', 'base64">?'), "is not base64"),
]


ALL = BAD_XML + BAD_SIZES + BAD_DATA


@pytest.mark.parametrize(
    ("text", "said"), ALL, ids=[f"{n} {said}" for n, (_, said) in enumerate(ALL)]
)
def test_bad_maps_are_refused(refusal, text, said):
    """One line that says what is wrong, and where in the map."""
    assert said in refusal(text)


CHUNK = '<chunk x="{}" y="0" width="1" height="1">2</chunk>'
FAR = (
    '<layer name="far" width="1" height="1"><data encoding="csv">'
    f"{CHUNK.format(-900000)}{CHUNK.format(900000)}</data></layer>"
)
LARGE = GOOD.replace('width="7"', 'width="2048"').replace('height="5"', 'height="2048"')
NOTHING = 2**28
"""Zeros that are packed in a bomb."""


def twins():
    """A map of nine layers of 2048 x 2048 tiles, which pack well."""
    small = layer(ROOMS, encoding="base64", compression="zlib")
    large = small.replace('width="7" height="5"', 'width="2048" height="2048"').replace(
        base64.b64encode(zlib.compress(RIGHT)).decode(),
        base64.b64encode(zlib.compress(np.ones(2**22, "<u4").tobytes(), 1)).decode(),
    )
    plain = layer(ROOMS).replace('width="7"', 'width="2048"').replace('height="5"', 'height="2048"')
    return LARGE.replace(plain, large * 9)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: packed(zlib.compress(bytes(NOTHING), 1), "zlib"),
         "holds more than the 35 tiles it should"),
        (lambda: packed(gzip.compress(bytes(NOTHING), 1), "gzip"),
         "holds more than the 35 tiles it should"),
        (lambda: BILLION, TYPE),
        (lambda: LARGE, "holds 35 tiles instead of 4194304"),
        (twins, "layers[4] (tiles): more than 16777216 tiles in all layers"),
        (lambda: tmx(FAR, attributes='tilewidth="3" tileheight="3" infinite="1"'),
         "1800001 x 1 tiles between the outermost: at most"),
        (lambda: "<map>" + "<a/>" * 300_000 + "</map>",
         "more elements, or deeper ones, than a map has"),
        (lambda: "<map" + "".join(f" a{n}='>'" for n in range(10**6)) + "/>",
         "a tag longer than a map has"),
        (lambda: "<map>" + " " * 2**25 + "</map>", "longer than the 16 MB that a map may take"),
    ],
    ids=["zlib", "gzip", "entities", "claim", "layers", "chunks", "elements", "tag", "bytes"],
)  # fmt: skip
def test_bombs_take_no_memory(refusal, monkeypatch, make, said):
    """What a file unpacks to, or claims, is never more than its share of memory."""
    text = make()
    monkeypatch.setattr("sim.maps.grid.MOST_TILES", 2**20 if "-900000" in text else 2**22)
    text = text.encode()
    tracemalloc.start()
    try:
        assert said in refusal(text)
        assert tracemalloc.get_traced_memory()[1] < ROOM + 2 * len(text)
    finally:
        tracemalloc.stop()
