"""Scenes that nobody tuned for: drawn at random, family by family, as scenario files.

Every scene can be solved: doors and lanes let at least one unit through (two where two parties
need them at once), and no place lies inside a solid. Hull, scale, speed and numbers vary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Rng = np.random.Generator
Scene = tuple[list[str], list[dict[str, Any]]]
"""Lines of [map], and the tables of [[groups]]; lengths in hull radii, speeds in radii a second."""


def scenario(seed: int) -> str:
    """The text of scene number `seed`; its family is `seed` modulo their number."""
    rng = np.random.default_rng([seed, 8])
    make = FAMILIES[seed % len(FAMILIES)]
    ground, groups = make(rng)
    radius = float(np.round(10 ** rng.uniform(-1, 1.5), 3))
    pace = float(np.round(rng.uniform(2.0, 7.0), 2))
    return _text(f"{make.__name__[1:]} {seed}", ground, groups, radius, pace)


def _text(
    title: str, ground: list[str], groups: list[dict[str, Any]], radius: float, pace: float
) -> str:
    lines = [f'title = "{title}"', f"duration = {_patience(groups) / pace:.1f}", "", "[map]"]
    lines += [_scaled(line, radius) for line in ground]
    for number, group in enumerate(groups):
        size, quick = group.pop("size", 1.0), group.pop("quick", 1.0)
        lines += ["", "[[groups]]", f'name = "g{number}"', f"speed = {pace * quick * radius:.6g}"]
        lines.append(group.pop("hull", _disc)(size * radius))
        lines += [f"{key} = {_scaled(value, radius)}" for key, value in group.items()]
    return "\n".join(lines) + "\n"


def _patience(groups: list[dict[str, Any]]) -> float:
    """Time enough, in radii of way: across the scene several times, and a queue at a door."""
    return 900.0 + 60.0 * sum(group.get("count", 10) for group in groups)


def _scaled(value: Any, radius: float) -> str:
    """A value as TOML with every <length> in it scaled."""
    if not isinstance(value, str):
        return str(value)
    parts = value.split("<")
    text = parts[0]
    for part in parts[1:]:
        number, rest = part.split(">", 1)
        text += f"{float(number) * radius:.6g}" + rest
    return text


def _disc(radius: float) -> str:
    return f'hull = {{ shape = "disc", radius = {radius:.6g} }}'


def _box(radius: float) -> str:
    return f'hull = {{ shape = "box", length = {2 * radius:.6g}, width = {2 * radius:.6g} }}'


def _wedge(radius: float) -> str:
    return f'hull = {{ shape = "wedge", length = {4 * radius:.6g}, width = {2 * radius:.6g} }}'


def _at(*numbers: float) -> str:
    return "[" + ", ".join(f"<{number:.4f}>" for number in numbers) + "]"


def _region(*numbers: float, **extra: str) -> str:
    rest = "".join(f", {key} = {value}" for key, value in extra.items())
    return f"{{ region = {_at(*numbers)}{rest} }}"


def _point(x: float, y: float, **extra: str) -> str:
    rest = "".join(f", {key} = {value}" for key, value in extra.items())
    return f"{{ point = {_at(x, y)}{rest} }}"


def _meeting(rng: Rng) -> Scene:
    """Two to six units from all sides through one middle, starts and ends opposite."""
    count = int(rng.integers(2, 7))
    angles = np.sort(rng.uniform(0, 2 * np.pi, count))
    angles = np.arange(count) * 2 * np.pi / count if rng.random() < 0.5 else angles
    groups: list[dict[str, Any]] = []
    for angle in angles:
        x, y = 30 * np.cos(angle), 30 * np.sin(angle)
        far = rng.uniform(0.9, 1.3)
        if any(np.hypot(x - a, y - b) < 3 for a, b in (g["_at"] for g in groups)):
            continue
        groups.append({"_at": (x, y), "_to": (-far * x, -far * y)})
    return [], [
        {"spawn": f"{{ points = [{_at(*g['_at'])}] }}", "goal": _point(*g["_to"])} for g in groups
    ]


def _circle(rng: Rng) -> Scene:
    """A circle whose units change sides."""
    count = int(rng.integers(5, 41))
    wide = count * rng.uniform(3.0, 6.0) / (2 * np.pi) + 4
    return [], [
        {
            "count": count,
            "spawn": f"{{ circle = {_at(0, 0, wide)} }}",
            "goal": f"{{ antipode = {_at(0, 0)} }}",
        }
    ]


def _streams(rng: Rng) -> Scene:
    """Two or three streams that cross at any angle, each to a region of its own."""
    groups = []
    turns = rng.uniform(0, 2 * np.pi) + np.cumsum(rng.uniform(1.2, 2.6, int(rng.integers(2, 4))))
    for turn in turns:
        x, y = 40 * np.cos(turn), 40 * np.sin(turn)
        count = int(rng.integers(5, 21))
        groups.append(
            {
                "count": count,
                "spawn": _region(x - 9, y - 9, x + 9, y + 9),
                "goal": _region(-x - 10, -y - 10, -x + 10, -y + 10),
                "quick": float(rng.uniform(0.8, 1.2)),
            }
        )
    return [], groups


def _corridor(rng: Rng) -> Scene:
    """Two parties change the ends of a corridor in which at least two can pass."""
    half = rng.uniform(2.6, 8.0)
    count = int(rng.integers(2, 16))
    long = 30.0
    walls = [(-long, -half - 1, long, -half), (-long, half, long, half + 1)]
    deep = 12.0
    return [_boxes(walls)], [
        {
            "count": count,
            "spawn": _region(-long - 2 * deep, -deep, -long - 4, deep),
            "goal": _region(long + 4, -deep, long + 2 * deep, deep),
        },
        {
            "count": count,
            "spawn": _region(long + 4, -deep, long + 2 * deep, deep),
            "goal": _region(-long - 2 * deep, -deep, -long - 4, deep),
        },
    ]


def _boxes(boxes: list[tuple[float, ...]]) -> str:
    return "boxes = [" + ", ".join(_at(*box) for box in boxes) + "]"


def _door(rng: Rng) -> Scene:
    """A crowd leaves a room by one door, for an exit or a point behind it."""
    half = rng.uniform(1.15, 4.0)
    away = rng.uniform(-10, 10)
    count = int(rng.integers(5, 41))
    walls = [(0.0, -30.0, 2.0, away - half), (0.0, away + half, 2.0, 30.0)]
    goal = (
        _region(20, -8, 30, 8, leave="true")
        if rng.random() < 0.5
        else _point(25, float(rng.uniform(-15, 15)))
    )
    return [_boxes(walls), f"bounds = {_at(-40, -30, 45, 30)}", 'edges = "wall"'], [
        {"count": count, "spawn": _region(-38, -20, -4, 20), "goal": goal}
    ]


def _two_way_door(rng: Rng) -> Scene:
    """Two parties change rooms by one door, wide enough for two."""
    half = rng.uniform(2.2, 5.0)
    count = int(rng.integers(2, 13))
    walls = [(-1.0, -30.0, 1.0, -half), (-1.0, half, 1.0, 30.0)]
    left, right = (-35, -18, -6, 18), (6, -18, 35, 18)
    return [_boxes(walls), f"bounds = {_at(-40, -30, 40, 30)}", 'edges = "wall"'], [
        {"count": count, "spawn": _region(*left), "goal": _region(*right)},
        {"count": count, "spawn": _region(*right), "goal": _region(*left)},
    ]


def _forest(rng: Rng) -> Scene:
    """Two parties change sides of a field of discs and boxes."""
    discs: list[tuple[float, float, float]] = []
    for _ in range(200):
        x, y = rng.uniform(-24, 24, 2)
        size = rng.uniform(0.5, 4.0)
        if all(np.hypot(x - a, y - b) > size + c + 2.6 for a, b, c in discs):
            discs.append((x, y, size))
    some = discs[: int(rng.integers(4, 25))]
    round_ones = [d for k, d in enumerate(some) if k % 2]
    square = [(x - s * 0.7, y - s * 0.7, x + s * 0.7, y + s * 0.7) for x, y, s in some[::2]]
    ground = [_boxes(square), "circles = [" + ", ".join(_at(*d) for d in round_ones) + "]"]
    count = int(rng.integers(3, 16))
    left, right = (-45, -20, -30, 20), (30, -20, 45, 20)
    return ground, [
        {"count": count, "spawn": _region(*left), "goal": _region(*right)},
        {"count": count, "spawn": _region(*right), "goal": _region(*left)},
    ]


def _rooms(rng: Rng) -> Scene:
    """Three by three rooms with a door in every wall; parties change rooms."""
    boxes: list[tuple[float, ...]] = []
    side, thick = 24.0, 0.5
    for k in (1, 2):
        for m in range(3):
            half = rng.uniform(1.6, 3.0)
            at = side * m + rng.uniform(5, side - 5)
            low, high = side * m, side * (m + 1)
            boxes.append((side * k - thick, low, side * k + thick, at - half))
            boxes.append((side * k - thick, at + half, side * k + thick, high))
            at = side * m + rng.uniform(5, side - 5)
            boxes.append((low, side * k - thick, at - half, side * k + thick))
            boxes.append((at + half, side * k - thick, high, side * k + thick))
    picked = rng.permutation(9)
    groups = []
    for k in range(int(rng.integers(1, 4))):
        a, b = picked[2 * k], picked[2 * k + 1]
        (x, y), (u, v) = divmod(int(a), 3), divmod(int(b), 3)
        spawn = _region(side * x + 2, side * y + 2, side * x + side - 2, side * y + side - 2)
        goal = _region(side * u + 4, side * v + 4, side * u + side - 4, side * v + side - 4)
        if rng.random() < 0.4:
            goal = _point(side * u + side / 2, side * v + side / 2)
        groups.append({"count": int(rng.integers(3, 13)), "spawn": spawn, "goal": goal})
    return [_boxes(boxes), f"bounds = {_at(0, 0, 3 * side, 3 * side)}", 'edges = "wall"'], groups


def _gather(rng: Rng) -> Scene:
    """Everybody to one point: in the open, in a corner, or at the end of a blind alley."""
    count = int(rng.integers(5, 41))
    kind = int(rng.integers(3))
    spawn = _region(-30, -15, 0, 15)
    if kind == 0:
        return [], [{"count": count, "spawn": spawn, "goal": _point(30, 5)}]
    if kind == 1:
        ground = [f"bounds = {_at(-40, -20, 40, 20)}", 'edges = "wall"']
        return ground, [{"count": count, "spawn": spawn, "goal": _point(38, 18)}]
    half = rng.uniform(3.0, 6.0)
    boxes = [(10, -half - 1, 60, -half), (10, half, 60, half + 1), (60, -half - 1, 61, half + 1)]
    return [_boxes(boxes)], [{"count": count, "spawn": spawn, "goal": _point(56, 0)}]


def _shuffle(rng: Rng) -> Scene:
    """Everybody to a place of its own, drawn from a grid, all at once."""
    grid = int(rng.integers(3, 7))
    apart = rng.uniform(3.0, 5.0)
    where = np.stack(np.meshgrid(np.arange(grid), np.arange(grid)), axis=-1).reshape(-1, 2) * apart
    ends = where[rng.permutation(len(where))]
    some = rng.permutation(len(where))[: int(rng.integers(4, len(where) + 1))]
    spawn = "{ points = [" + ", ".join(_at(*where[k]) for k in some) + "] }"
    goal = "{ points = [" + ", ".join(_at(*ends[k]) for k in some) + "] }"
    return [], [{"spawn": spawn, "goal": goal}]


def _mixed(rng: Rng) -> Scene:
    """Parties of other sizes, hulls and paces pass through each other in a walled hall."""
    groups: list[dict[str, Any]] = []
    sides = [((-55, -25, -30, 25), (30, -25, 55, 25)), ((30, -25, 55, 25), (-55, -25, -30, 25))]
    for k in range(2):
        groups.append(
            {
                "count": int(rng.integers(3, 13)),
                "spawn": _region(*sides[k][0]),
                "goal": _region(*sides[k][1]),
                "size": float(rng.uniform(0.7, 2.0)),
                "quick": float(rng.uniform(0.6, 1.6)),
                "hull": (_disc, _box, _wedge)[int(rng.integers(3))],
            }
        )
    return [f"bounds = {_at(-60, -30, 60, 30)}", 'edges = "wall"'], groups


def _trap(rng: Rng) -> Scene:
    """A cup that opens toward the crowd stands in the straight way of all."""
    deep, half = rng.uniform(10, 25), rng.uniform(8, 18)
    walls = [(0, -half, 0, half), (-deep, -half, 0, -half), (-deep, half, 0, half)]
    ground = ["walls = [" + ", ".join(_at(*wall) for wall in walls) + "]"]
    count = int(rng.integers(1, 25))
    spawn = _region(-deep - 28, -8, -deep - 4, 8)
    return ground, [{"count": count, "spawn": spawn, "goal": _region(15, -10, 35, 10)}]


def _tour(rng: Rng) -> Scene:
    """A route round a block, one party each way, to its end."""
    half = rng.uniform(6, 15)
    far = half + rng.uniform(4, 7)
    corners = [(-far, -far), (far, -far), (far, far), (-far, far)]
    there = "[" + ", ".join(_at(*corner) for corner in corners[1:]) + "]"
    back = "[" + ", ".join(_at(*corner) for corner in corners[:3][::-1]) + "]"
    count = int(rng.integers(1, 7))
    wide = {"tolerance": "<4.0>"}
    extra = "".join(f", {key} = {value}" for key, value in wide.items())
    return [_boxes([(-half, -half, half, half)])], [
        {
            "count": count,
            "spawn": _region(-far - 16, -far - 8, -far - 2, -far + 4),
            "goal": f"{{ route = {there}{extra} }}",
        },
        {
            "count": count,
            "spawn": _region(-far - 16, far - 4, -far - 2, far + 8),
            "goal": f"{{ route = {back}{extra} }}",
        },
    ]


FAMILIES: list[Callable[[Rng], Scene]] = [
    _meeting, _circle, _streams, _corridor, _door, _two_way_door, _forest, _rooms, _gather,
    _shuffle, _mixed, _trap, _tour,
]  # fmt: skip
