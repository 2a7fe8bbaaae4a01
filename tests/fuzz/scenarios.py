"""Scenario files spoiled at random, run for a moment."""

from __future__ import annotations

import copy
import random
import tomllib
from pathlib import Path
from typing import Any

from sim.scenario.write import dumps

from .spoiling import NUMBERS, cut, spoil

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((ROOT / "maps").glob("*.toml"))
MOST = 60
"""Units of a group: more are as slow as they are many, which is no fault."""
SMALL = """
title = "Every key"
seed = 7
duration = 60.0
time_step = 0.02
[map]
bounds = [0, 0, 200, 100]
edges = "EDGES"
walls = [[60, 20, 60, 70]]
boxes = [[100, 30, 110, 60]]
circles = [[150, 50, 8]]
[[groups]]
name = "east"
model = "MODEL"
count = 5
view = "wide"
speed = 12.0
hull = { shape = "disc", radius = 1.5, mass = 80.0 }
color = "red"
spawn = { region = [5, 5, 50, 95], heading = 0 }
goal = { point = [190, 50], tolerance = 2.0, leave = true }
[groups.behaviours]
RULE = { weight = 1.5, range = 2.0 }
[[groups]]
name = "west"
model = "crowd"
spawn = { points = [[170, 20], [180, 30], [180, 70]] }
speed = { normal = [1.34, 0.26], within = [0.6, 2.0] }
hull = { shape = "disc", radius = { uniform = [0.8, 1.2] } }
goal = { route = [[10, 10], [10, 90]], loop = true }
[[player]]
spawn = { points = [[130, 10]] }
script = [[0.0, 0.5, 0.0, 1.0]]
"""
LIVING = """
[map.parts]
gate = { box = [120, 0, 122, 30] }
slab = { polygon = [[20, 0], [26, 0], [23, 4]], open = true }
lift = { circle = [80, 85, 3], path = [[0, 0, 0], [0.05, 4, 0], [0.08, 0, 0]], loop = true }
[[areas]]
region = [30, 30, 50, 60]
speed = 0.5
cost = 3.0
groups = ["east"]
[[areas]]
polygon = [[70, 10], [90, 10], [80, 20]]
speed = 1.5
[[groups]]
name = "later"
count = 0
spawn = { region = [20, 80, 40, 98] }
goal = { route = [[60, 90], { at = [90, 90], wait = 0.02 }, { at = [99, 80], serve = 0.01 }] }
[[groups]]
name = "watch"
count = 2
spawn = { region = [70, 5, 95, 25] }
speed = { normal = [1.3, 0.2], within = [0.8, 1.8] }
goal = { patrol = [[70, 10], [95, 20]], formation = { shape = "column", spacing = 1.5 } }
[[groups]]
name = "form"
spawn = { points = [[112, 70], [115, 74], [118, 70]] }
speed = { each = [1.2, 1.3, 1.5] }
goal = { point = [122, 60], formation = { shape = "wedge", spacing = 2.0, facing = 90 } }
[[groups]]
name = "drawn"
count = 4
model = "soldiers"
spawn = { region = [140, 70, 180, 95] }
hull = { shape = "box", length = { uniform = [0.6, 0.9] }, width = 0.5, mass = 80 }
goal = { region = [150, 75, 170, 90] }
[groups.behaviours]
linear_separation = { weight = { normal = [1.0, 0.2], within = [0.5, 1.5] } }
keep_clear = { margin = { uniform = [0.05, 0.3] }, horizon = { each = [1.0, 2.0, 2.5, 3.0] } }
[[sources]]
group = "later"
spawn = { region = [20, 80, 40, 98] }
rate = 90.0
total = 4
[[sources]]
group = "west"
poisson = 60.0
start = 0.02
end = 0.08
spawn = { region = [130, 70, 160, 95] }
[[sources]]
group = "watch"
times = [0.0, 0.03]
[[events]]
at = 0.02
open = "gate"
[[events]]
at = 0.04
close = "slab"
[[events]]
at = 0.04
order = "west"
goal = { point = [150, 80] }
queue = true
[[events]]
at = 0.06
hold = "watch"
[[events]]
at = 0.06
regroup = "later"
to = "west"
[[events]]
at = 0.08
set = { "groups.west.behaviours.personal_space.weight" = 0.2, "groups.watch.view" = "narrow" }
[[events]]
at = 0.08
remove = "east"
"""
"""What comes, goes and changes within the moment that a case is run for."""
RULES = {
    "crowd": "personal_space", "flock": "separation", "flock_book": "separation",
    "soldiers": "linear_separation", "squares": "close_ranks", "walkers": "personal_space",
    "mages": "personal_space",
}  # fmt: skip
"""By model: a rule that fits it."""
MODELS = tuple(RULES)
KEYS = (
    "groups.east.speed", "time_step", "groups.east.hull.radius", "map.bounds", "seed",
    "groups.east.goal.point", "sources.0.rate", "map.parts.gate.box", "events.0.at", "groups..x",
    "groups.form.goal.formation.spacing", "groups.drawn.hull.length.uniform",
    "groups.drawn.behaviours.keep_clear.margin", "groups.form.speed.each",
    "groups.watch.speed.normal",
)  # fmt: skip
"""What the command line sets to whatever number."""
SPLICES = [
    b"[", b"[[", b"]", b"{", b"}", b"=", b'"', b'"""', b"'", b"#", b"nan", b"inf", b"-", b"1e309",
    b"9" * 400, b"a." * 2000 + b"b = 1\n", b"[" * 2000, b"\xff", b"\0", b"\n[map]\n", b"true",
]  # fmt: skip


def of_model(text: str, model: str) -> str:
    """The small scenario with a model, and a rule that fits it."""
    return text.replace("MODEL", model).replace("RULE", RULES[model])


def make(folder: Path, seed: int) -> list[list[str]]:
    """Write the files of a case; the command lines that are to be run."""
    rng = random.Random(f"scenario {seed}")
    file = folder / "spoiled.toml"
    file.write_bytes(_data(rng))
    overrides = []
    if rng.random() < 0.2:
        key = rng.choice([*KEYS, "a." * rng.choice([3, 3000]) + "b"])
        overrides = ["--set", f"{key}={rng.choice(NUMBERS)}"]
    return [["run", str(file), "--seconds", "0.1", "--metrics", str(folder / "m.json"), *overrides]]


def _data(rng: random.Random) -> bytes:
    if rng.random() < 0.3:
        source = rng.choice(SHIPPED)
        text = source.read_text(encoding="utf-8").replace('file = "', f'file = "{source.parent}/')
    else:
        text = SMALL.replace("EDGES", rng.choice(["open", "wall", "wrap"]))
        text += LIVING if rng.random() < 0.5 else ""
        text = of_model(text, rng.choice(MODELS))
    if rng.random() < 0.15:
        return cut(text.encode(), rng, SPLICES)
    document: dict[str, Any] = copy.deepcopy(tomllib.loads(text))
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        spoil(document, rng)
    groups = document.get("groups")
    for group in groups if isinstance(groups, list) else []:
        if isinstance(group, dict) and isinstance(group.get("count"), int | float):
            group["count"] = min(group["count"], MOST) if group["count"] < 1e6 else 10**9
    try:
        return dumps(document).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError, AttributeError):
        return text.encode()
