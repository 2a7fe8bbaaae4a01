"""A recorded run as ONE page of HTML that plays it: no network, no other file.

The page is `sim/record/page/`, put together. The motion in it is thinned to some 20 frames a
second, between which the page draws straight on, and quantised: places to 1/65535 of the box that
all units move in, angles to 1/1024 of a turn. Kept are second differences, 0 for a unit that
goes straight on at one pace, their high and low bytes apart, deflated (RFC 1950).
"""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

import numpy as np

from sim.core.arrays import Bools, Floats
from sim.core.errors import BadInput
from sim.core.files import AnyPath, atomic
from sim.core.hull import Hull
from sim.core.pieces import posed, told
from sim.core.plane import Bounds
from sim.core.solids import Solids
from sim.record.areas import Areas
from sim.record.legible import CROWD, LEGIBLE, box_round, most_times
from sim.record.parts import Parts
from sim.record.run import Run
from sim.record.stage import Stage

RATE = 20.0
"""Frames a second that are kept of a run that has more."""
PLACES, TURN = 65_535, 1024
"""Steps to the box, and to a full turn."""
FARTHEST = 1e30
"""World units from the origin."""
_SCRIPTS = ("motion.js", "picture.js", "player.js")


@dataclass(frozen=True)
class Colors:
    """Colours as CSS writes them ("#rrggbb")."""

    page: Mapping[str, str]
    """By name: ground, area, outside, grid, edge, solid, rim, text, faint, panel, selected."""
    groups: Sequence[tuple[str, str, str, str]]
    """For each group its own, its leaders', that of the mark of the heading, and the rim's."""
    dark: bool = True
    """Whether the page is light on dark."""


def write_html(path: AnyPath, run: Run, stage: Stage, colors: Colors) -> None:
    """Write the page. Raises `BadInput` as `page_of`, and where nothing can be written."""
    text = page_of(path, run, stage, colors)
    with atomic(path, "w") as file:
        file.write(text)


def page_of(path: AnyPath, run: Run, stage: Stage, colors: Colors) -> str:
    """The page that plays a run; `path` is the file that messages name.

    Raises `BadInput` for a run without a frame, or of other units than the stage's.
    """
    if not len(run.time) or not len(run.group):
        raise BadInput(f"{path}: a run of {len(run.time)} frames, {len(run.group)} units: no film")
    if stage.units != len(run.group):
        raise BadInput(f"{path}: a run of {len(run.group)} units, and a stage of {stage.units}")
    kept = thinned(run)
    if np.nanmax(np.abs(kept.position), initial=0.0) > FARTHEST:
        raise BadInput(f"{path}: places beyond {FARTHEST:g}: too far away for a page to show")
    box, motion = packed(kept)
    head = _head(kept, stage, box, colors)
    return _page(stage.title, head, base64.b64encode(zlib.compress(motion, 9)).decode(), colors)


def thinned(run: Run) -> Run:
    """The same run with at most `RATE` frames a second; the last frame stays."""
    gap = float(np.median(np.diff(run.time))) if len(run.time) > 1 else 1.0
    every = max(1, round(1 / (RATE * gap))) if gap > 0 else 1
    frames = np.unique(np.append(np.arange(0, len(run.time), every), len(run.time) - 1))
    return replace(
        run, time=run.time[frames], position=run.position[frames], angle=run.angle[frames],
        leads=None if run.leads is None else run.leads[frames],
        parts=None if run.parts is None else run.parts.kept(frames.tolist()),
        areas=None if run.areas is None else run.areas.kept(frames.tolist()),
    )  # fmt: skip


def packed(run: Run) -> tuple[Bounds, bytes]:
    """The box all units move in, and the motion in bytes as `page/motion.js` reads them."""
    position = _filled(run.position)
    angle = np.unwrap(_filled(run.angle[..., None])[..., 0], axis=0)
    low, high = position.min(axis=(0, 1)), position.max(axis=(0, 1))
    size = np.where(high > low, high - low, 1.0)
    steps = np.rint((position - low) / size * PLACES)
    turns = np.rint(angle * TURN / (2 * np.pi))
    columns = np.stack([steps[..., 0].T, steps[..., 1].T, turns.T])  # (3, N, T)
    bent = np.diff(columns, n=2, axis=2, prepend=np.zeros((*columns.shape[:2], 2)))
    words = bent.astype(np.int64).astype(np.uint16)
    data = (words >> 8).astype(np.uint8).tobytes() + (words & 255).astype(np.uint8).tobytes()
    if run.leads is not None and run.leads.any():
        data += np.packbits(run.leads.T).tobytes()
    return (float(low[0]), float(low[1]), float(size[0]), float(size[1])), data


def _filled(values: Floats) -> Floats:
    """(T, N, k) with a row's last known values, at first its first ones, where it has none."""
    known = ~np.isnan(values).any(axis=2)
    frames = np.arange(len(values))[:, None]
    last = np.maximum.accumulate(np.where(known, frames, -1), axis=0)
    last = np.where(last < 0, known.argmax(axis=0), last)
    filled = np.take_along_axis(values, last[..., None].repeat(values.shape[2], axis=2), axis=0)
    return np.nan_to_num(filled)


def _gone(present: Bools) -> list[tuple[int, int, int]]:
    """Unit, first frame, and the frame after the last, of every absence."""
    edges = np.diff(~present.T, axis=1, prepend=False, append=False)
    units, frames = np.nonzero(edges)
    spans = zip(units[::2].tolist(), frames[::2].tolist(), frames[1::2].tolist(), strict=True)
    return list(spans)


def _head(run: Run, stage: Stage, box: Bounds, colors: Colors) -> dict[str, Any]:
    """All but the motion."""
    plane, solids = stage.plane, _still(run, stage)
    bounds = plane.bounds
    groups, first = [], 0
    for cast, (own, lead, mark, rim) in zip(stage.casts, colors.groups, strict=True):
        hull, rows = cast.hull, slice(first, first + cast.count)
        look = {"shape": hull.shape, "length": hull.length, "width": hull.width}
        groups.append(
            {"name": cast.name, "first": first, "count": cast.count, "most": _most(run, rows),
             "upright": hull.upright,
             "color": own, "lead": lead, "marked": mark, "rim": rim, **look,
             "legible": LEGIBLE[hull.shape],
             "sizes": _sizes(run, hull, rows)}
        )  # fmt: skip
        first += cast.count
    return {
        "title": stage.title, "times": np.round(run.time, 4).tolist(), "units": len(run.group),
        "box": box, "bounds": bounds, "edges": plane.edges, "wraps": plane.wraps,
        "discs": solids.discs.tolist(), "boxes": solids.boxes.tolist(),
        "walls": solids.walls.tolist(), "polygons": [each.tolist() for each in solids.polygons],
        "parts": _parts(run.parts), "areas": _areas(run.areas),
        "outline": None if stage.map is None else stage.map.edges[:, 2:6].tolist(),
        "seen": list(bounds) if bounds is not None else _around(run, stage),
        "gone": _gone(run.present), "led": run.leads is not None and bool(run.leads.any()),
        "most": _most(run, slice(None)), "groups": groups, "colors": dict(colors.page),
        "crowd": CROWD,
        "larger": most_times(solids.joined([] if run.parts is None else run.parts.solids)),
    }  # fmt: skip


def _most(run: Run, rows: slice) -> int:
    """How many of these units are there at once, at most."""
    return int(run.present[:, rows].sum(axis=1).max(initial=0))


def _still(run: Run, stage: Stage) -> Solids:
    """What stands there all the time, and what stood there at first where no more is known."""
    return stage.solids.joined([stage.standing] if run.parts is None else [])


def _parts(parts: Parts | None) -> list[dict[str, Any]]:
    """What each part looks like, and from which frame on it is how: frame, closed, x, y, angle."""
    if parts is None:
        return []
    every = [{**told(solids), "changes": []} for solids in parts.solids]
    for frame, part, closed, *pose in parts.changes.tolist():
        short = [float(f"{each:.7g}") for each in pose]
        every[int(part)]["changes"].append([int(frame), int(closed), *short])
    return every


def _areas(areas: Areas | None) -> list[dict[str, Any]]:
    """What each area looks like, and from which frame on it is there, as `_parts`."""
    if areas is None:
        return []
    return [
        {**told(area.shape.solids),
         "changes": [[first, 1, 0, 0, 0], *([] if end is None else [[end, 0, 0, 0, 0]])]}
        for first, end, area in areas.stretches
    ]  # fmt: skip


def _sizes(run: Run, hull: Hull, rows: slice) -> list[float] | None:
    """How many times as large as its group's hull each unit's is; None where all are alike."""
    if run.radius is None:
        return None
    share = np.nan_to_num(run.radius[rows] / hull.radius, nan=1.0)
    return None if (share == 1.0).all() else np.round(share, 4).tolist()


def _around(run: Run, stage: Stage) -> list[float]:
    """The least box, with some air, round all that is ever shown."""
    solids = [_still(run, stage)]
    if run.areas is not None:
        solids += [each.area.shape.solids for each in run.areas.stretches]
    if run.parts is not None:
        solids += [
            posed(run.parts.solids[int(part)], (x, y, angle))
            for _, part, closed, x, y, angle in run.parts.changes.tolist() if closed
        ]  # fmt: skip
    return list(box_round([_filled(run.position)], solids, [cast.hull for cast in stage.casts]))


def _page(title: str, head: Mapping[str, Any], motion: str, colors: Colors) -> str:
    """The files of the page, put together."""
    page = files("sim.record") / "page"

    def read(name: str) -> str:
        return (page / name).read_text(encoding="utf-8")

    css = {name.upper(): value for name, value in colors.page.items()}
    css["SCHEME"] = "dark" if colors.dark else "light"
    script = "\n".join(read(name).replace('"use strict";\n', "", index) for index, name in
                       enumerate(_SCRIPTS))  # fmt: skip
    # "<" in a script would end it where a name holds "</script>"
    told = json.dumps(head, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    parts = {
        "TITLE": html.escape(title or "A run"), "STYLE": _put(read("page.css"), css),
        "HEAD": told, "MOTION": motion, "SCRIPT": script,
    }  # fmt: skip
    return _put(read("page.html"), parts)


def _put(text: str, parts: Mapping[str, str]) -> str:
    """A text with every @NAME@ replaced, in one pass: what is put in is not looked at again."""
    return re.sub(r"@([A-Z]+)@", lambda found: parts[found[1]], text)
