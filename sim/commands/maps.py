"""`python -m sim maps FILE`: what is in a tile map, and a picture of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.errors import printable
from sim.maps import MapObject, TileMap, read
from sim.record.files import AtomicFile, check_target

MOST = 20
"""Regions and objects listed one by one."""


def command(
    file: Annotated[Path, typer.Argument(help="Tiled (.tmx, .tmj) or Moving AI (.map).")],
    png: Annotated[
        Path | None, typer.Option(metavar="OUT.png", help="Draw it; no display needed.")
    ] = None,
    tile: Annotated[
        float | None, typer.Option(help="World units a tile, for .map files; 1 unless given.")
    ] = None,
) -> None:
    """Print a tile map's size, tiles, regions, walls and objects; or draw it."""
    if png is not None:
        check_target(png)
    tiles = read(file, tile)
    print(describe(tiles))
    if png is not None:
        from sim.screen.chart import png as picture  # late: it brings in pygame and the kernels

        target = AtomicFile(png)
        target.write(picture(tiles))
        target.commit()
        print(f"wrote {png}")


def describe(tiles: TileMap) -> str:
    """What is in a map, in lines; lengths in world units."""
    left, top, right, bottom = tiles.bounds
    solid, regions = int(tiles.solid.sum()), tiles.regions
    lines = [
        f"size     {right - left:g} x {bottom - top:g}, from ({left:g}, {top:g})",
        f"tiles    {tiles.columns} x {tiles.rows} of {tiles.tile[0]:g} x {tiles.tile[1]:g}, "
        f"{solid} solid ({solid / tiles.solid.size:.0%})",
        f"regions  {len(regions)}{_sizes(regions)}",
        f"walls    {len(tiles.blocks) + len(tiles.edges) + len(tiles.cores)} shapes: "
        f"{len(tiles.blocks)} blocks, {len(tiles.edges)} edges round {len(tiles.cores)} cores",
        f"objects  {len(tiles.objects)}",
        *(f"  {_object(each)}" for each in tiles.objects[:MOST]),
    ]
    more = len(tiles.objects) - MOST
    return "\n".join([*lines, f"  and {more} more"] if more > 0 else lines)


def _sizes(regions: list[int]) -> str:
    """The tiles of each region; a region is connected by the sides of its tiles."""
    if not regions:
        return ""
    shown = ", ".join(str(each) for each in regions[:MOST])
    return f": {shown}{', ...' if len(regions) > MOST else ''} tiles"


def _object(each: MapObject) -> str:
    left, top, right, bottom = each.box
    where = (
        f"({left:g}, {top:g})"
        if each.kind == "point"
        else f"[{left:g}, {top:g}, {right:g}, {bottom:g}]"
    )
    return f"{printable(each.name)}: {each.kind} {where}"
