"""Values that break things, and ways to spoil what is right with them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

NUMBERS = [
    0, -1, 1, 2, 3, 0.5, -0.5, 1e-300, 5e-324, 1e-12, 1e-9, 1e-3, 7.5, 40, 1e3, 1e6, 1e9, 1e12,
    -1e12, 1.1e12, 1e20, 1e300, -1e300, 10**30, -(10**30), float("nan"), float("inf"),
    float("-inf"), 2**31, 2**63, -(2**63) - 1,
]  # fmt: skip
FACTORS = [0.01, 0.1, 0.5, 0.9, 1.1, 2, 10, 100, 1e6, -1]
TEXTS = [
    "", " ", "a", "east", "player", "random", "wrap", "open", "wall", "disc", "box", "wedge",
    "crowd", "flock", "mages", "squares", "soldiers", "walkers", "flock_book", "nosuch", "red",
    "#12345", "#ff0000", "a" * 304, "\0", "\n", "\u202e", "\U0001f426", "../..", "/", "a.tmx",
    "\ud800", "wide", "all",
]  # fmt: skip
HARMLESS = {"title", "about", "name"}


def value(rng: random.Random) -> Any:
    """Any value at all."""
    kind = rng.randrange(8)
    if kind < 4:
        return rng.choice(NUMBERS)
    if kind == 4:
        return rng.choice(TEXTS)
    if kind == 5:
        return rng.random() < 0.5
    if kind == 6:
        return [rng.choice(NUMBERS) for _ in range(rng.randrange(6))]
    return [[rng.choice(NUMBERS) for _ in range(rng.randrange(5))] for _ in range(rng.randrange(4))]


def number(rng: random.Random) -> Any:
    """Most often a number."""
    return rng.choice(NUMBERS) if rng.random() < 0.7 else value(rng)


def point(rng: random.Random) -> Any:
    """Most often two numbers."""
    return [rng.choice(NUMBERS), rng.choice(NUMBERS)] if rng.random() < 0.7 else value(rng)


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a document, as a container and a key in it."""
    for key, item in list(tree.items() if isinstance(tree, dict) else enumerate(tree)):
        yield tree, key
        if isinstance(item, dict | list):
            yield from places(item)


def spoil(tree: Any, rng: random.Random) -> None:
    """Change, remove or add one thing somewhere; most often a number to another."""
    found = [place for place in places(tree) if place[1] not in HARMLESS]
    numbers = [
        (inside, key) for inside, key in found
        if isinstance(inside[key], int | float) and not isinstance(inside[key], bool)
    ]  # fmt: skip
    if numbers and rng.random() < 0.6:
        inside, key = rng.choice(numbers)
        scaled = inside[key] * rng.choice(FACTORS)
        inside[key] = scaled if rng.random() < 0.6 else rng.choice(NUMBERS)
        return
    if not found:
        return
    inside, key = rng.choice(found)
    deed = rng.randrange(4)
    if deed == 0:
        del inside[key]
    elif deed == 1 and isinstance(inside, list):
        inside.insert(key, inside[key])
    else:
        inside[key] = value(rng)


def cut(data: bytes, rng: random.Random, splices: list[bytes]) -> bytes:
    """A few cuts in some bytes, with something else put in their place."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data) + 1)
        splice = rng.choice(splices) if rng.random() < 0.5 else rng.randbytes(rng.randrange(9))
        data = data[:at] + splice + data[at + rng.randrange(40) :]
    return data
