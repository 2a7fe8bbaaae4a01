"""Maps of the Moving AI benchmarks, `.map`: a header of four lines, then a letter a tile.

Format: https://movingai.com/benchmarks/formats.html; N. Sturtevant, "Benchmarks for grid-based
pathfinding", IEEE Trans. Comp. Intell. AI Games 4 (2012). Swamp is entered from open ground, so it
is free here. Water can be travelled but not entered from land, and units here walk: it is solid.
"""

from __future__ import annotations

import numpy as np

from sim.core.errors import BadInput, printable
from sim.maps.files import FARTHEST, MOST_TILES
from sim.maps.tile_map import TileMap

FREE = ".GS"
"""Ground (two letters) and swamp."""
SOLID = "@OTW"
"""Out of bounds (two letters), trees, water."""
TYPES = ("octile", "tile")
LONGEST = 200
"""Characters of the header at most."""


def parse_moving_ai(raw: bytes, tile: float = 1.0) -> TileMap:
    """The map in such a file's bytes, its tiles `tile` world units wide. Raises `BadInput`."""
    try:
        text = raw.decode("ascii").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise BadInput(f"not a Moving AI map: byte {error.start} is not ASCII") from None
    head, found, _ = text[: LONGEST + 1].partition("\nmap\n")
    if not found or len(head) > LONGEST:
        raise BadInput("not a Moving AI map: no line 'map' after type, height and width")
    columns, rows = _header(head)
    lines = text[len(head) + len("\nmap\n") :].rstrip("\n").split("\n")
    if len(lines) != rows:
        raise BadInput(f"has {len(lines)} rows of tiles instead of height = {rows}")
    for row, line in enumerate(lines):
        if len(line) != columns:
            raise BadInput(f"row {row}: has {len(line)} tiles instead of width = {columns}")
    letters = np.frombuffer("".join(lines).encode(), dtype="S1").reshape(rows, columns)
    solid = np.isin(letters, np.array(list(SOLID), dtype="S1"))
    unknown = ~solid & ~np.isin(letters, np.array(list(FREE), dtype="S1"))
    if unknown.any():
        row, column = np.argwhere(unknown)[0]
        letter = printable(letters[row, column].decode())
        where = f"row {row}, column {column}"
        raise BadInput(f"{where}: '{letter}' is no terrain; must be one of {FREE}{SOLID}")
    return TileMap(solid, (tile, tile))


def _header(head: str) -> tuple[int, int]:
    """Columns and rows."""
    words = [line.split() for line in head.split("\n")]
    if any(len(pair) != 2 for pair in words):
        raise BadInput("not a Moving AI map: its header must be type, height and width")
    given = dict(words)
    if sorted(given) != ["height", "type", "width"] or len(words) != 3:
        raise BadInput("not a Moving AI map: its header must be type, height and width")
    if given["type"] not in TYPES:
        raise BadInput(f"type = {printable(given['type'])}: must be {' or '.join(TYPES)}")
    width, height = (_extent(key, given[key]) for key in ("width", "height"))
    if width * height > MOST_TILES:
        raise BadInput(f"{width} x {height} tiles: at most {MOST_TILES} are read")
    return width, height


def _extent(key: str, text: str) -> int:
    if not (text.isdigit() and 1 <= int(text[:9]) <= FARTHEST and len(text) <= 7):
        raise BadInput(f"{key} = {printable(text)}: must be a whole number from 1 to {FARTHEST}")
    return int(text)
