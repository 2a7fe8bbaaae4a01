"""A recorded run in the formats of pedestrian research: PedPy's text, JuPedSim's SQLite, and WKT.

Lengths are in metres: a factor says how many a world unit has. The y axis is turned on demand,
since it grows downwards here and upwards there. The formats are the ones that PedPy 1.5
(`load_trajectory`, `load_trajectory_from_jupedsim_sqlite`) and JuPedSim 1.4 (database version 2)
read and write.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import Any

import numpy as np

from sim.core.arrays import Floats
from sim.core.errors import BadInput
from sim.core.limits import LARGEST, SMALLEST, check_range
from sim.record.run import Run
from sim.record.stage import Stage

DATABASE_VERSION = 2
"""Of JuPedSim's trajectory files."""
ARC_STEPS = 16
"""Corners in a quarter of a disc's outline."""


def converted(run: Run, metres: float = 1.0, y_up: bool = False) -> Run:
    """The run with positions in metres, and with y growing upwards if `y_up`.

    `metres` is the length of one world unit. Raises `BadInput` where it is not a length.
    """
    check_range(metres, "metres", SMALLEST, LARGEST)
    sign = -1.0 if y_up else 1.0
    radius = None if run.radius is None else run.radius * metres
    position = run.position * (metres, sign * metres)
    return replace(run, position=position, angle=sign * run.angle, radius=radius)


def pedpy_text(run: Run) -> str:
    """The run as PedPy's text: id, frame, x and y in metres, of the units that are present."""
    lines = [f"# framerate: {frame_rate(run)!r}", "# id frame x/m y/m"]
    for frame, (places, there) in enumerate(zip(run.position, run.present, strict=True)):
        lines += [
            f"{unit} {frame} {x!r} {y!r}"
            for unit, (x, y) in zip(np.flatnonzero(there).tolist(), places[there].tolist(),
                                    strict=True)
        ]  # fmt: skip
    return "\n".join(lines) + "\n"


def jupedsim_file(run: Run, walkable: str) -> bytes:
    """The run as the bytes of a JuPedSim trajectory file; `walkable` is the geometry as WKT.

    A unit without a known angle gets the orientation (0, 0).
    """
    frames, units = np.nonzero(run.present)
    ahead = np.nan_to_num(np.stack([np.cos(run.angle), np.sin(run.angle)], axis=-1))
    places = np.hstack([run.position[frames, units], ahead[frames, units]])
    rows = zip(frames.tolist(), units.tolist(), *places.T.tolist(), strict=True)
    low, high = places[:, :2].min(axis=0, initial=0), places[:, :2].max(axis=0, initial=0)
    facts: list[tuple[str, Any]] = [("version", DATABASE_VERSION), ("fps", frame_rate(run))]
    facts += zip(("xmin", "ymin", "xmax", "ymax"), map(float, (*low, *high)), strict=True)
    base = sqlite3.connect(":memory:")
    try:
        base.executescript(
            "CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL,"
            " pos_x REAL NOT NULL, pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);"
            "CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
            "CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);"
            "CREATE UNIQUE INDEX geometry_hash on geometry(hash);"
            "CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);"
            "CREATE INDEX frame_id_idx ON trajectory_data(frame, id);"
        )
        base.executemany("INSERT INTO trajectory_data VALUES(?, ?, ?, ?, ?, ?)", rows)
        base.executemany("INSERT INTO metadata VALUES(?, ?)", facts)
        base.execute("INSERT INTO geometry VALUES(1, ?)", (walkable,))
        every = [(frame, 1) for frame in range(len(run.time))]
        base.executemany("INSERT INTO frame_data VALUES(?, ?)", every)
        base.commit()
        return base.serialize()
    finally:
        base.close()


def groups_table(run: Run) -> str:
    """The group of each unit, as CSV with the columns id and group."""
    names = ('"' + name.replace('"', '""') + '"' for name in run.group.tolist())
    return "id,group\n" + "".join(f"{unit},{name}\n" for unit, name in enumerate(names))


def walkable_wkt(stage: Stage, metres: float = 1.0, y_up: bool = False) -> str:
    """The bounds without all solids, as WKT in metres. Needs shapely, of the extra `study`.

    Raises `BadInput` for a world without bounds, and where `metres` is not a length.
    """
    check_range(metres, "metres", SMALLEST, LARGEST)
    try:
        import shapely
        from shapely import affinity
    except ImportError:
        raise BadInput("the walkable area needs shapely: pip install shapely") from None
    if stage.plane.bounds is None:
        raise BadInput("the walkable area: the world has no bounds")
    solids, shapes = stage.solids, []
    shapes += [shapely.Point(x, y).buffer(r, quad_segs=ARC_STEPS) for x, y, r in solids.discs]
    shapes += [shapely.box(*each) for each in solids.boxes]
    shapes += [shapely.Polygon(each) for each in solids.polygons]
    if stage.map is not None:
        (width, height), (left, top) = stage.map.tile, stage.map.origin
        for row, column in np.argwhere(stage.map.solid):
            x, y = left + column * width, top + row * height
            shapes.append(shapely.box(x, y, x + width, y + height))
    area = shapely.box(*stage.plane.bounds).difference(shapely.union_all(shapes))
    if len(solids.walls):  # a line has no area: it is cut out as a thin strip
        walls = shapely.MultiLineString([each.reshape(2, 2) for each in solids.walls])
        thin = 1e-6 * max(*np.ptp(np.reshape(stage.plane.bounds, (2, 2)), axis=0).tolist())
        area = area.difference(walls.buffer(thin, cap_style="flat"))
    scaled = affinity.scale(area, metres, -metres if y_up else metres, origin=(0, 0))
    return str(scaled.wkt)


def frame_rate(run: Run) -> float:
    """Frames a second; 1 for a run of one frame. Raises `BadInput` where they are uneven."""
    gaps: Floats = np.diff(run.time)
    if not len(gaps):
        return 1.0
    if not np.allclose(gaps, gaps[0], rtol=1e-6) or gaps[0] <= 0:
        raise BadInput("the frames are not evenly spaced in time: these formats need a frame rate")
    return float(1 / gaps.mean())
