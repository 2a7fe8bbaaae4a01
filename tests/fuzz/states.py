"""Saved states spoiled at random: loaded, and run on for a moment."""

from __future__ import annotations

import io
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .recordings import other
from .running import command
from .scenarios import of_model
from .spoiling import NUMBERS, cut, spoil

SPLICES = [b"nan", b"\xff", b"\0", b"PK\x03\x04", b"[" * 3000, b'{"n": 1}', b"9" * 20, b"{}"]
WORLD = """
title = "To be saved"
duration = 60.0
time_step = 0.02
[map]
bounds = [0, 0, 40, 30]
edges = "EDGES"
boxes = [[18, 0, 20, 12]]
circles = [[30, 8, 2]]
[map.parts]
gate = { box = [18, 12, 20, 17] }
lift = { box = [4, 24, 6, 26], path = [[0, 0, 0], [1, 4, 0], [2, 0, 0]], loop = true }
[[areas]]
region = [8, 4, 14, 12]
speed = 0.5
[[groups]]
name = "east"
model = "MODEL"
count = 4
speed = { uniform = [3.0, 4.0] }
hull = { shape = "disc", radius = 0.8 }
spawn = { region = [1, 1, 14, 20] }
goal = { point = [35, 20] }
[groups.behaviours]
RULE = { weight = 1.5, range = 2.0 }
[[groups]]
name = "west"
spawn = { points = [[36, 4], [36, 8], [36, 12]] }
hull = { shape = "disc", radius = 0.8 }
goal = { route = [{ at = [30, 25], wait = 0.1 }, [24, 25]], formation = { shape = "column" } }
[[sources]]
group = "east"
spawn = { region = [1, 20, 14, 29] }
rate = 20.0
[[events]]
at = 0.1
open = "gate"
[[events]]
at = 0.12
order = "west"
goal = { point = [25, 4] }
queue = true
"""
KINDS = (("wall", "crowd"), ("wrap", "flock"), ("open", "soldiers"), ("wall", "squares"))
"""Edges and models of the worlds that are saved, amid all that comes, goes and changes."""


def make(folder: Path, seed: int) -> list[list[str]]:
    """Write the files of a case; the command lines that are to be run."""
    rng = random.Random(f"state {seed}")
    data = good(folder.parent, *rng.choice(KINDS))
    file = folder / "spoiled.state"
    file.write_bytes(cut(data, rng, SPLICES) if rng.random() < 0.05 else _spoiled(data, rng))
    metrics = ["--metrics", str(folder / "m.json")]
    return [["run", "--load", str(file), "--seconds", "0.2", *metrics]]


@cache
def good(folder: Path, edges: str, model: str) -> bytes:
    """The state of a short run, with events and units still to come."""
    scenario, target = folder / f"{edges}_{model}.toml", folder / f"{edges}_{model}.state"
    text = of_model(WORLD.replace("EDGES", edges), model)
    scenario.write_text(text, encoding="utf-8")
    said = command(
        ["run", str(scenario), "--seconds", "0.1", "--save", str(target), "--at", "0.05"]
    )
    assert said.status == 0, said
    return target.read_bytes()


def _spoiled(data: bytes, rng: random.Random) -> bytes:
    """Other numbers in the text of how all belongs together, or in an array."""
    with np.load(io.BytesIO(data)) as found:
        arrays: dict[str, Any] = {name: found[name] for name in found}
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if rng.random() < 0.6:
            head = json.loads(str(arrays["state"]))
            spoil(head, rng)
            arrays["state"] = np.array(json.dumps(head))
            continue
        name = rng.choice([name for name in arrays if name != "state"])
        array = arrays[name]
        if array.size and array.dtype.kind in "iu" and rng.random() < 0.8:
            spoiled = array.copy()
            spoiled.flat[rng.randrange(array.size)] = rng.choice([0, 1, 2, 7, 100])
            if array.dtype.kind == "i" and rng.random() < 0.5:
                spoiled.flat[rng.randrange(array.size)] = rng.choice([-1, -2, -100])
            arrays[name] = spoiled
        elif array.size and array.dtype.kind == "f" and rng.random() < 0.8:
            spoiled = array.copy()
            spoiled.flat[rng.randrange(array.size)] = float(rng.choice(NUMBERS))
            arrays[name] = spoiled
        else:
            arrays[name] = other(name, array, rng)
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()
