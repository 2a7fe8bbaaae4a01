"""How large a map may be.

A file can claim, or unpack to, far more than it is long: these bounds hold before memory is taken.
"""

MOST_BYTES = 16 * 2**20
"""Of a map and the tileset files it names, together."""
MOST_TILES = 2048 * 2048
"""Of a map."""
MOST_CELLS = 4 * MOST_TILES
"""Of all its layers."""
MOST_CORNERS = 400_000
"""Of its walls: each wall is a shape of its own to the engine."""
MOST_NODES = 100_000
"""XML elements, or JSON arrays and objects, of a file; tiles that are elements do not count."""
MOST_TILE_NODES = 1_000_000
"""Tiles of a file that are elements, as very old maps have them."""
DEEPEST = 64
"""XML elements inside one another, and layers in groups."""
FARTHEST = 1_000_000
"""Tiles from the origin that a chunk may lie, and the most columns or rows."""
LARGEST = 1e9
"""Any coordinate or size, world units."""
