"""Tile maps spoiled at random: described, drawn, and a way planned through them."""

from __future__ import annotations

import random
from pathlib import Path

from ..maps.making import ROOMS, TILESET, layer, octile, tmj, tmx
from .spoiling import NUMBERS, cut

INFINITE = 'tilewidth="30" tileheight="30" infinite="1"'
SPLICES = [
    b"<", b"&#0;", b'"', b"-1", b"nan", b"1e999", b"9" * 20, b"\xff", b"]]>", b"<chunk/>",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"<![CDATA[", b'infinite="1"', b"../t.tsx", b"\x00", b"[[[[",
    b'encoding="base64"', b'compression="zstd"', b"null", b"{}", b"true", b"<g>" * 3000, b"@" * 50,
    b"0" * 9, b"[" * 3000, b"1e300", b"2048", b"4096",
]  # fmt: skip


def make(folder: Path, seed: int) -> list[list[str]]:
    """Write the files of a case; the command lines that are to be run."""
    rng = random.Random(f"map {seed}")
    name, data = _good(rng)
    if rng.random() < 0.85:
        data = cut(data, rng, SPLICES)
    (folder / "t.tsx").write_text(TILESET.replace('firstgid="1"', ""), encoding="utf-8")
    file = folder / name
    file.write_bytes(data)
    options = []
    if rng.random() < 0.5:
        options += ["--png", str(folder / "map.png")]
    if rng.random() < 0.6:
        ends = [f"{rng.choice(NUMBERS)},{rng.choice(NUMBERS)}" for _ in range(2)]
        options += ["--path", ends[0] if rng.random() < 0.5 else "45,45", ends[1]]
    if rng.random() < 0.3:
        options += ["--radius", str(rng.choice(NUMBERS))]
    if name.endswith(".map") and rng.random() < 0.3:
        options += ["--tile", str(rng.choice(NUMBERS))]
    return [["maps", str(file), *options]]


def _good(rng: random.Random) -> tuple[str, bytes]:
    """A map that is right: small rooms, or large with as many walls as there may be."""
    kind = rng.randrange(8)
    if kind == 0:
        return "a.tmx", tmx(layer(ROOMS)).encode()
    if kind == 1:
        return "a.tmx", tmx(layer(ROOMS, encoding="base64", compression="zlib")).encode()
    if kind == 2:
        return "a.tmx", tmx(layer(ROOMS, encoding="xml")).encode()
    if kind == 3:
        chunk = '<layer id="1" name="tiles" width="4" height="4"><data encoding="csv">'
        chunk += '<chunk x="-3" y="2" width="2" height="2">1,2,1,1</chunk></data></layer>'
        return "a.tmx", tmx(chunk, attributes=INFINITE).encode()
    if kind == 4:
        outer = '<tileset firstgid="1" source="t.tsx"/>'
        return "a.tmx", tmx(layer(ROOMS), tileset=outer).encode()
    if kind == 5:
        return "a.tmj", tmj().encode()
    if kind == 6:
        return "a.map", octile().encode()
    side = rng.choice([10, 100, 400])
    if rng.random() < 0.5:
        rows = ["#." * (side // 2) if y % 2 else ".#" * (side // 2) for y in range(side)]
    else:
        rows = ["".join(rng.choice("#...") for _ in range(side)) for _ in range(side)]
    return "a.map", octile(rows).encode()
