"""Sweeps: every combination of what is varied, with every seed, a row each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import isfinite, prod
from typing import Any

import numpy as np

from sim.core.errors import BadInput
from sim.scenario.overrides import value_of
from sim.study.job import CLOCK, Job, Source
from sim.study.journal import Row

MOST_RUNS = 1_000_000
NUMBER = r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*"
WHOLE = r"[+-]?\d+"


@dataclass(frozen=True)
class Varied:
    """A key and the values that it takes, as texts of TOML."""

    key: str
    texts: tuple[str, ...]

    @property
    def values(self) -> list[Any]:
        """The values as they are read."""
        return [value_of(text) for text in self.texts]


@dataclass(frozen=True)
class Sweep:
    """What is to be run: the grid of `varied`, each point with the first `seeds` seeds."""

    of: Source
    varied: tuple[Varied, ...]
    seeds: int

    def __post_init__(self) -> None:
        """Raise `BadInput` for more runs than a sweep may have."""
        runs = prod(len(each.texts) for each in self.varied) * self.seeds
        if runs > MOST_RUNS:
            raise BadInput(f"{runs:,} runs: must be at most {MOST_RUNS:,}")

    def points(self) -> list[tuple[str, ...]]:
        """Every combination of values, the last key changing fastest."""
        return list(product(*(each.texts for each in self.varied)))

    def jobs(self) -> list[Job]:
        """All runs: point by point, seed by seed."""
        return [
            self.of.job(self.changes(point), seed)
            for point in self.points()
            for seed in range(self.seeds)
        ]

    def changes(self, point: Sequence[str]) -> list[str]:
        """A point of the grid as overrides."""
        return [f"{each.key}={text}" for each, text in zip(self.varied, point, strict=True)]

    def definition(self) -> dict[str, Any]:
        """What makes two sweeps the same, in plain values."""
        vary = {each.key: list(each.texts) for each in self.varied}
        return self.of.definition | {"vary": vary, "seeds": self.seeds}

    def table(self, rows: Sequence[Row]) -> list[Row]:
        """Rows in the order of the jobs, each with its number and the values that were varied.

        The same runs give the same table on any machine at any time: what the clock said is left
        out.
        """
        points, found = self.points(), []
        for number, row in enumerate(rows):
            point = points[number // self.seeds]
            values = {
                each.key: value_of(text) for each, text in zip(self.varied, point, strict=True)
            }
            figures = {key: value for key, value in row.items() if key not in (*CLOCK, "set")}
            found.append({"run": number, **values, **figures, **values})
        return found


def check(sweep: Sweep) -> Job:
    """A run that the scenario allows: raises what the first is refused for where none is."""
    refused: BadInput | None = None
    for point in sweep.points():
        job = sweep.of.job(sweep.changes(point), 0)
        try:
            job.plan()
        except BadInput as error:
            refused = refused or error
        else:
            return job
    raise refused or BadInput("nothing to run")


def varied(setting: str) -> Varied:
    """Read KEY=SPEC: `a:b:n`, n numbers evenly from a to b, or values with commas between.

    Raises `BadInput` that begins with "--vary".
    """
    key, equals, spec = (part.strip() for part in setting.partition("="))
    said = f"--vary {setting}"
    if not equals or not key or not spec:
        raise BadInput(f"{said}: must be KEY=SPEC, such as groups.east.speed=1:2:5 or ...=0,0.2,1")
    if key == "seed":
        raise BadInput(f"{said}: --seeds N runs N seeds, from the file's own upward")
    if span := re.fullmatch(f"{NUMBER}:{NUMBER}:{NUMBER}", spec):
        return Varied(key, _evenly(said, *span.groups()))
    if spec.count(":") and re.fullmatch(r"[\d\s.:eE+-]+", spec):
        raise BadInput(f"{said}: must be FIRST:LAST:HOW_MANY, such as 1.0:2.0:5")
    texts = split(spec)
    if not all(texts):
        raise BadInput(f"{said}: has a value that is empty")
    return Varied(key, tuple(dict.fromkeys(texts)))


def _evenly(said: str, first: str, last: str, count: str) -> tuple[str, ...]:
    """Evenly spaced numbers, both ends included; whole ones where all of it is."""
    if not re.fullmatch(WHOLE, count) or not 2 <= int(count) <= MOST_RUNS:
        raise BadInput(f"{said}: the number of values must be a whole one, 2 to {MOST_RUNS:,}")
    low, high = float(first), float(last)
    if not (isfinite(low) and isfinite(high)) or low == high:
        raise BadInput(f"{said}: must have two ends that differ")
    numbers = np.linspace(low, high, int(count)).tolist()
    as_whole = re.fullmatch(WHOLE, first) and re.fullmatch(WHOLE, last)
    if as_whole and all(number == int(number) for number in numbers):
        return tuple(str(int(number)) for number in numbers)
    # twelve digits: 0.3 rather than 0.30000000000000004
    return tuple(repr(float(f"{number:.12g}")) for number in numbers)


def split(text: str) -> list[str]:
    """The parts between commas that stand in no brackets, braces or quotes."""
    parts, depth, quote = [""], 0, ""
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        if sign == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]
