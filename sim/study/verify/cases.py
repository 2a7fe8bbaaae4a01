"""All cases in one list, and how one run of a case is made."""

from __future__ import annotations

from math import isfinite
from typing import Any

from sim.core.errors import BadInput, printable, suggest
from sim.study.job import CLOCK
from sim.study.journal import Row
from sim.study.trial import try_out
from sim.study.verify import corridors, diagrams, doors
from sim.study.verify.case import Case, Shot

CASES: dict[str, Case] = {
    case.name: case for case in (*corridors.CASES, *doors.CASES, *diagrams.CASES)
}
"""By name: verification, then validation."""
LEFT_OUT = {
    "RiMEA 8": "a building of three storeys",
    "RiMEA 12a to 12d, 13 by density": "the forms of 4.1.1; those of 3.0 are run",
    "NIST 1.1": "other distributions of times than even ones",
    "NIST 2.6": "poisonous gas: units have no health",
    "NIST 2.7": "a lift between storeys",
    "NIST 3.2, 3.3": "a choice of way out by what others do, or by habit: units are told, or take "
    "the quickest",
    "NIST 5.1": "much as RiMEA 13",
}
"""Tests, or parts of them, that are not run, and why."""
EVERY = 0.25
"""Seconds between the frames that cases read."""


def find(names: list[str]) -> list[Case]:
    """The cases whose names are, or hold, these: "RiMEA 9", "NIST 2.1", "Lanes". All without any.

    Raises `BadInput` for a name that no case has.
    """
    parts = {part: case for case in CASES.values() for part in case.parts}
    known = parts | {case.name: case for case in CASES.values()}
    lower = {name.lower(): case for name, case in known.items()}
    for name in names:
        if name.lower() not in lower:
            raise BadInput(f"case {name!a}: there is none of that name; {suggest(name, parts)}")
    return list({case.name: case for case in (lower[n.lower()] for n in names or CASES)}.values())


def perform(shot: Shot) -> Row:
    """Run a shot: the figures, with what its case reads. One that fails is a row with its error."""
    try:
        figures, motion = try_out(shot, EVERY)
        kept = {name: figures[name] for name in figures if name not in ("groups", *CLOCK)}
        return {"error": None, "figures": kept, "read": _known(CASES[shot.case].read(motion))}
    except Exception as error:  # a model that cannot run a case fails it, and the others are run
        return {"error": printable(f"{type(error).__name__}: {error}")}


def _known(value: Any) -> Any:
    """The same with None for what is not a finite number: JSON has no other word for it."""
    if isinstance(value, dict):
        return {name: _known(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_known(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
