"""Recordings spoiled at random: replayed as pages and films, and measured."""

from __future__ import annotations

import io
import json
import random
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .running import command
from .scenarios import SMALL, of_model
from .spoiling import NUMBERS, TEXTS, cut, spoil

SPLICES = [b"nan", b"inf", b"-1", b"1e300", b"\xff", b"\0", b"PK\x03\x04", b"# run: ", b"[" * 3000,
           b"\n", b" ", b"99999999999999999999", b"# framerate: 0\n", b"{}", b"# part: ",
           b"# part: 0 0 1 nan 0 0\n", b"# part: 3 9 1 0 0 0\n"]  # fmt: skip
PARTS = """
[map.parts]
gate = { polygon = [[3, 3], [6, 3], [3, 6]] }
lift = { box = [20, 20, 22, 22], path = [[0, 0, 0], [1, 5, 0]] }
late = { wall = [30, 3, 30, 9], open = true }

[[events]]
at = 0.1
open = "gate"
"""


def make(folder: Path, seed: int) -> list[list[str]]:
    """Write the files of a case; the command lines that are to be run."""
    rng = random.Random(f"recording {seed}")
    ending = rng.choice(["npz", "npz", "txt"])
    data = good(folder.parent, ending)
    if ending == "npz" and rng.random() < 0.8:
        data = _repacked(data, rng)
    elif rng.random() < 0.5 and ending == "txt":
        data = _retold(data, rng)
    else:
        data = cut(data, rng, SPLICES)
    file = folder / f"run.{ending}"
    file.write_bytes(data)
    film = rng.choice(["gif", "webp", "apng"])
    return [
        ["replay", str(file), "--html", str(folder / "page.html")],
        ["replay", str(file), "--film", str(folder / f"film.{film}"), "--film-size", "64x48",
         "--film-speed", str(rng.choice([0.5, 1, 1e6, 1e-9]))],
        ["metrics", str(file), "--out", str(folder / "m.json")],
    ]  # fmt: skip


@cache
def good(folder: Path, ending: str) -> bytes:
    """A recording of a short run."""
    scenario, target = folder / "good.toml", folder / f"good.{ending}"
    text = of_model(SMALL.replace("EDGES", "wrap"), "flock") + PARTS
    scenario.write_text(text, encoding="utf-8")
    said = command(["run", str(scenario), "--seconds", "0.2", "--trajectory", str(target)])
    assert said.status == 0, said
    return target.read_bytes()


def _repacked(data: bytes, rng: random.Random) -> bytes:
    """Other arrays in the archive, or other things in its heads."""
    with np.load(io.BytesIO(data)) as found:
        arrays: dict[str, Any] = {name: found[name] for name in found}
    for _ in range(rng.randint(1, 2)):
        name = rng.choice([*arrays, "stage", "text", "time", "position", "parts", "part_changes"])
        if name in arrays:
            arrays[name] = other(name, arrays[name], rng)
        if rng.random() < 0.1:
            arrays.pop(name, None)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice([0, 8, 8, 12, 14])) as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, array, allow_pickle=True)
            raw = member.getvalue()
            if rng.random() < 0.1:
                shape = repr(array.shape).encode()
                wrong = rng.choice([b"(10**30,)", b"(999999999999,)", b"(1,) * 9", b"(-1,)", b"()"])
                raw = raw.replace(shape, wrong.ljust(len(shape))[: max(len(shape), 5)], 1)
            archive.writestr(f"{name}.npy", raw)
    packed = out.getvalue()
    return cut(packed, rng, SPLICES) if rng.random() < 0.15 else packed


def other(name: str, array: Any, rng: random.Random) -> Any:
    """An array of that name with something else in it, or of another shape or kind."""
    deed = rng.randrange(6)
    if array.dtype.kind == "U":
        if name in ("stage", "parts") and deed < 5:
            return np.array(_restaged(str(array), rng))
        return np.array(rng.choice([*TEXTS[:-3], "[" * 3000, '"\\ud800"', "1" * 5000, "{}"]))
    if deed == 0:
        return np.atleast_1d(array)[: rng.randrange(3)]
    if deed == 1:
        return array.astype(rng.choice(["f4", "i8", "c16", "O", "U3", "i1"]))
    if deed == 2:
        return np.full(array.shape, float(rng.choice(NUMBERS)) if array.dtype.kind == "f" else True)
    if not array.size:
        return array
    spoiled = array.copy()
    at = tuple(rng.randrange(side) for side in array.shape)
    spoiled[at] = float(rng.choice(NUMBERS)) if array.dtype.kind == "f" else not spoiled[at]
    return spoiled


def _restaged(text: str, rng: random.Random) -> str:
    stage = json.loads(text) if text.startswith(("{", "[")) else {}
    for _ in range(rng.randint(1, 3)):
        spoil(stage, rng)
    return json.dumps(stage)


def _retold(data: bytes, rng: random.Random) -> bytes:
    """Another number, or another word, somewhere in a text."""
    lines = data.decode().splitlines()
    for _ in range(rng.randint(1, 3)):
        part = [k for k, line in enumerate(lines) if line.startswith("# part: ")]
        at = rng.choice([0, 1, rng.randrange(len(lines)), *part[-2:], len(lines) - 1])
        words = lines[at].split(" ")
        words[rng.randrange(len(words))] = str(rng.choice(NUMBERS))
        lines[at] = " ".join(words)
    return "\n".join(lines).encode()
