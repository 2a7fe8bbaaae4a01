"""Scenario files spoiled at random, run for a moment."""

from __future__ import annotations

import copy
import random
import tomllib
from pathlib import Path
from typing import Any

from sim.scenario.toml import dumps

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
bounds = [0, 0, 50, 25]
edges = "EDGES"
walls = [[15, 5, 15, 17.5]]
boxes = [[25, 7.5, 27.5, 15]]
circles = [[37.5, 12.5, 2]]
[[groups]]
name = "east"
model = "MODEL"
count = 5
view = "wide"
speed = 12.0
hull = { shape = "disc", radius = 0.75, mass = 80.0 }
color = "red"
spawn = { region = [1.25, 1.25, 12.5, 23.75], heading = 0 }
goal = { point = [47.5, 12.5], tolerance = 2.0, leave = true }
[groups.behaviours]
RULE = { weight = 1.5, range = 2.0 }
[[groups]]
name = "west"
model = "crowd"
spawn = { points = [[42.5, 5], [45, 7.5], [45, 17.5]] }
speed = { normal = [1.34, 0.26], within = [0.6, 2.0] }
hull = { shape = "disc", radius = { uniform = [0.4, 0.6] } }
goal = { route = [[2.5, 2.5], [2.5, 22.5]], loop = true }
[[player]]
spawn = { points = [[32.5, 2.5]] }
script = [[0.0, 0.5, 0.0, 1.0]]
"""
LIVING = """
[map.parts]
gate = { box = [30, 0, 30.5, 7.5] }
slab = { polygon = [[5, 0], [6.5, 0], [5.75, 1]], open = true }
lift = { circle = [20, 21.25, 1.5], path = [[0, 0, 0], [0.05, 2, 0], [0.08, 0, 0]], loop = true }
[[areas]]
region = [7.5, 7.5, 12.5, 15]
speed = 0.5
cost = 3.0
groups = ["east"]
[[areas]]
polygon = [[17.5, 2.5], [22.5, 2.5], [20, 5]]
speed = 1.5
[[groups]]
name = "later"
count = 0
spawn = { region = [5, 20, 10, 24.5] }
goal = { route = [[15, 22.5], { at = [22.5, 22.5], wait = 0.02 }, { at = [24, 20], serve = 0.01 }] }
[[groups]]
name = "watch"
count = 2
spawn = { region = [17.5, 1.25, 23.75, 6.25] }
speed = { normal = [1.3, 0.2], within = [0.8, 1.8] }
goal = { patrol = [[17.5, 2.5], [23.75, 5]], formation = { shape = "column", spacing = 1.5 } }
[[groups]]
name = "form"
spawn = { points = [[28, 17.5], [28.75, 18.5], [29.5, 17.5]] }
speed = { each = [1.2, 1.3, 1.5] }
goal = { point = [30.5, 15], formation = { shape = "wedge", spacing = 2.0, facing = 90 } }
[[groups]]
name = "drawn"
count = 4
model = "soldiers"
spawn = { region = [35, 17.5, 45, 23.75] }
hull = { shape = "box", length = { uniform = [1.2, 1.8] }, width = 1.0, mass = 80 }
goal = { region = [37.5, 18.75, 42.5, 22.5] }
[groups.behaviours]
linear_separation = { weight = { normal = [1.0, 0.2], within = [0.5, 1.5] } }
keep_clear = { margin = { uniform = [0.05, 0.3] }, horizon = { each = [1.0, 2.0, 2.5, 3.0] } }
[[sources]]
group = "later"
spawn = { region = [5, 20, 10, 24.5] }
rate = 90.0
total = 4
[[sources]]
group = "west"
poisson = 60.0
start = 0.02
end = 0.08
spawn = { region = [32.5, 17.5, 40, 23.75] }
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
goal = { point = [37.5, 20] }
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
