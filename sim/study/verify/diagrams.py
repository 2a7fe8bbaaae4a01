"""Validation: speed by density, flow by width, and lanes, beside measurements of real crowds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from sim.record.run import Run
from sim.study.flow import specific
from sim.study.verify.case import Case, Figures, Finding, Picture, Runs
from sim.study.verify.measured import BOTTLENECKS, ONE_WAY, SINGLE_FILE, Measured, band
from sim.study.verify.reading import passed, steady

AROUND = {"single": 26.0, "corridor": 18.0}
"""World units (m) once round, as the scenes say."""
WIDE, SIDE, LANE = 3.0, 0.5, 0.5
"""m: the width of the corridor and of the wall at its side, and the middle of the single file, as
the scenes say."""
APART = 0.42
"""m from centre to centre that hulls in the corridor keep at the start: 0.4 across, and a gap."""
SETTLED = 20.0
"""s after which speeds are measured."""
OFF = 0.1
"""m/s, or persons a second and metre, by which figures may lie outside what was measured: as
one program that follows the guideline allows beside Weidmann's curve."""
LANES = 0.8
"""Lane order, less that of a random mix, from which streams count as lanes: A. Nowak, A.
Schadschneider, Quantitative analysis of pedestrian counterflow, Phys. Rev. E 85 (2012) 066128."""
STANDS = 0.02
"""m/s: a crowd that is slower on average is locked."""


def _toml(points: Sequence[Sequence[float]]) -> str:
    return "[" + ",".join(f"[{x:.4f},{y:.4f}]" for x, y in points) + "]"


def _round(name: str, places: np.ndarray, around: float, way: int, wide: float) -> tuple[str, ...]:
    """The changes by which a group stands at these places (n, 2) and goes round and round."""
    third = way * around / 3
    routes = ",".join(
        _toml([((x + third * k) % around, y) for k in (1, 2, 3)]) for x, y in places.tolist()
    )
    heading = 0 if way > 0 else 180
    return (
        f"groups.{name}.count={len(places)}",
        f"groups.{name}.spawn={{points={_toml(places.tolist())},heading={heading}}}",
        f"groups.{name}.goal={{routes=[{routes}],loop=true,tolerance={wide / 2}}}",
    )


def _file(count: int) -> tuple[str, ...]:
    """Evenly spread round the loop."""
    x = np.arange(count) * AROUND["single"] / count
    places = np.stack([x, np.full(count, LANE)], axis=1)
    return _round("crowd", places, AROUND["single"], 1, 1.0)


def _streams(density: float, ways: int) -> tuple[str, ...]:
    """Spread over the corridor in cells, at this density in persons a square metre."""
    around, rng = AROUND["corridor"], np.random.default_rng(0)
    count = round(density * around * WIDE)
    across = max(1, round(np.sqrt(density) * WIDE))
    along = -(-count // across)
    cell = np.array([around / along, WIDE / across])
    those = rng.permutation(along * across)[:count]
    middle = (np.stack(np.divmod(those, across), axis=1) + 0.5) * cell + (0, SIDE)
    places = middle + (rng.random((count, 2)) - 0.5) * np.maximum(cell - APART, 0.0)
    first = _round("there", places[: count // ways], around, 1, WIDE)
    return first if ways == 1 else (*first, *_round("back", places[count // 2 :], around, -1, WIDE))


def _speed_read(run: Run, around: float) -> Figures:
    return {"speed": steady(run, SETTLED, around)}


def _points(runs: Runs, figure: str) -> list[tuple[float, float]]:
    """(x, figure) of each run, whose name begins with x."""
    return [(float(name.split()[0]), figures[figure]) for name, figures in runs.items()]


def _beside(runs: Runs, figure: str, sets: tuple[Measured, ...]) -> Finding:
    """How far the figures lie outside what was measured."""
    off = {}
    for x, value in _points(runs, figure):
        low, high = band(sets, x)
        off[x] = max(low - value, value - high, 0.0)
    worst = max(off, key=lambda x: off[x])
    inside = sum(each <= OFF for each in off.values())
    told = f"{inside} of {len(off)} points; the farthest is {off[worst]:.2f} off, at {worst:g}"
    return Finding(told, inside == len(off))


def _two_way(runs: Runs) -> Finding:
    """By the first word of its name a run is one way or both ways."""
    flows: dict[str, list[float]] = {"one": [], "both": []}
    for name, figures in runs.items():
        way, density = name.split()[:2]
        flows[way].append(float(density) * figures["speed"])
    one, both = (max(each) for each in flows.values())
    slowest = min(figures["speed"] for figures in runs.values())
    told = f"greatest flow {both:.2f} both ways, {one:.2f} one way; slowest {slowest:.2f} m/s"
    return Finding(told, both < one and slowest > STANDS)


def _passage(width: float) -> tuple[str, ...]:
    """A bottleneck of this width."""
    half = width / 2
    return (
        "map.boxes=[[-11.1,-4.5,0,-4],[-11.1,4,0,4.5],[-11.1,-4,-10.6,4],"
        f"[0,-4.5,2.8,{-half}],[0,{half},2.8,4.5]]",
    )


def _passage_read(run: Run) -> Figures:
    """Persons a second, through a passage of any width."""
    return {"passing": specific(passed(run, (2.8, -4.0, 2.8, 4.0)), (0, 0, 0, 1))}


def _by_width(runs: Runs) -> Runs:
    return {
        name: {**figures, "specific": figures["passing"] / float(name.split()[0])}
        for name, figures in runs.items()
    }


def _lanes(runs: Runs) -> Finding:
    mixed, late = runs[""]["lane_order_start"], runs[""]["lane_order"]
    told = f"lane order {mixed:.2f} at the start, {late:.2f} in the last quarter"
    return Finding(told, (late - mixed) / (1 - mixed) >= LANES)


def _speed_picture(runs: Runs, across: str, sets: tuple[Measured, ...]) -> Picture:
    return Picture(across, "speed, m/s", _points(runs, "speed"), sets)


def _flow_picture(runs: Runs) -> Picture:
    return Picture(
        "width, m", "persons a second and metre", _points(_by_width(runs), "specific"), BOTTLENECKS
    )


def _two_way_picture(runs: Runs) -> Picture:
    points = [(float(name.split()[1]), runs[name]["speed"]) for name in runs if "both" in name]
    return Picture("persons a square metre, both ways", "speed, m/s", points, ())


CASES = (
    Case(
        "Single file, RiMEA 16",
        f"Speed by persons a metre lies within {OFF} m/s of what was measured.",
        "verify/single_file.toml", partial(_beside, figure="speed", sets=SINGLE_FILE),
        {f"{n / AROUND['single']:.3g} a metre": _file(n) for n in (13, 20, 26, 32, 39, 46, 52)},
        partial(_speed_read, around=AROUND["single"]),
        picture=partial(_speed_picture, across="persons a metre", sets=SINGLE_FILE),
    ),
    Case(
        "Corridor, RiMEA 4",
        f"Speed by persons a square metre lies within {OFF} m/s of what was measured.",
        "verify/corridor.toml", partial(_beside, figure="speed", sets=ONE_WAY),
        {f"{x:g} a square metre": _streams(x, 1) for x in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)},
        partial(_speed_read, around=AROUND["corridor"]),
        picture=partial(_speed_picture, across="persons a square metre", sets=ONE_WAY),
    ),
    Case(
        "Corridor both ways",
        "Fewer pass both ways than one way (Zhang et al., 2012), and none is locked.",
        "verify/corridor.toml", _two_way,
        {
            f"{word} {x:g} a square metre": _streams(x, ways)
            for ways, word in ((1, "one"), (2, "both"))
            for x in (1.0, 1.5, 2.0, 2.5)
        },
        partial(_speed_read, around=AROUND["corridor"]),
        picture=_two_way_picture,
    ),
    Case(
        "Bottleneck",
        f"Flow a metre by width lies within {OFF} of what was measured.",
        "scenes/bottleneck_120.toml",
        lambda runs: _beside(_by_width(runs), "specific", BOTTLENECKS),
        {f"{x:g} m": _passage(x) for x in (0.8, 1.0, 1.2, 1.6, 2.0)}, _passage_read,
        picture=_flow_picture,
    ),
    Case(
        "Lanes", f"Streams against each other form lanes: lane order of {LANES} or more.",
        "scenes/corridor.toml", _lanes,
    ),
)  # fmt: skip
