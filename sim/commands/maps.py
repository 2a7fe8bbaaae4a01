"""`python -m sim maps FILE`: what is in a tile map, a picture of it, and ways through it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sim.core.errors import BadInput, printable
from sim.core.files import atomic, check_targets
from sim.core.plane import Plane
from sim.core.resources import at_hand
from sim.core.solids import Solids
from sim.maps import MapObject, TileMap, read
from sim.navigation import Path as Way
from sim.navigation import plan, planning_grid

MOST = 20
"""Regions and objects listed one by one."""


def command(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Tiled (.tmx, .tmj) or Moving AI (.map).", callback=at_hand
        ),
    ],
    png: Annotated[
        Path | None, typer.Option(metavar="OUT.png", help="Draw it; no display needed.")
    ] = None,
    tile: Annotated[
        float | None, typer.Option(help="World units a tile, for .map files; 1 unless given.")
    ] = None,
    path: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="X,Y X,Y", help="Plan a way between two places, and draw it too."),
    ] = None,
    radius: Annotated[
        float | None, typer.Option(help="Of the hull that goes it; a quarter of a tile.")
    ] = None,
) -> None:
    """Print a tile map's size, tiles, regions, walls and objects; or draw it."""
    check_targets([file], [png])
    tiles = read(file, tile)
    print(describe(tiles))
    way = None
    if path is not None:
        hull = min(tiles.tile) / 4 if radius is None else radius
        grid = planning_grid(Solids(boxes=tiles.boxes), Plane(tiles.bounds, "wall"), hull, tiles)
        way = plan(grid, _place(path[0]), _place(path[1]), nearest=True)
        print(told(way))
    if png is not None:
        from sim.screen.chart import png as picture  # late: it brings in pygame and the kernels

        with atomic(png) as target:
            target.write(picture(tiles, way))
        print(f"wrote {png}")


def told(way: Way) -> str:
    """A way in a line: how long it is and how many points it has, or why there is none."""
    if not way.found:
        return f"path     none: {way.reason}"
    about = f"{way.length:g} long, {len(way.points)} points of {len(way.planned)} planned"
    return f"path     {about}" + (f" ({way.reason})" if way.reason else "")


def _place(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise BadInput(f"--path {printable(text)}: must be two places, each as X,Y") from None
    return x, y


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
