"""Refusals of scenario files as lines: "FILE: groups.east.speed = -1: what is allowed"."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from sim.core.errors import BadInput, nearest, printable, shortened, suggest
from sim.living.sources import SOON
from sim.scenario.ground import AreaSpec, Map, PartSpec
from sim.scenario.living import Event, Player, Source
from sim.scenario.parts import FormationSpec, Goal, HullSpec, Spawn
from sim.scenario.schema import Group, Scenario
from sim.scenario.toml import toml_key

Step = str | int
Path = tuple[Step, ...]

MOST_LINES = 3
MOST_CHARACTERS = 60

ANY = "*"
# which table stands where, list positions left out
TABLES: dict[tuple[str, ...], type[BaseModel]] = {
    (): Scenario,
    ("map",): Map,
    ("groups",): Group,
    ("groups", "hull"): HullSpec,
    ("groups", "spawn"): Spawn,
    ("groups", "goal"): Goal,
    ("groups", "goal", "formation"): FormationSpec,
    ("sources",): Source,
    ("sources", "spawn"): Spawn,
    ("events",): Event,
    ("events", "goal"): Goal,
    ("events", "goal", "formation"): FormationSpec,
    ("player",): Player,
    ("player", "spawn"): Spawn,
    ("map", "parts", ANY): PartSpec,
    ("areas",): AreaSpec,
}
_ABSENT = object()


class Refusal(NamedTuple):
    """One thing that is wrong: where, and what is allowed there."""

    at: Path
    said: str


def keys_at(path: Path) -> list[str]:
    """The keys that the table at a path may have, none if there is no table."""
    steps = tuple(step for step in path if isinstance(step, str))
    if steps[:2] == ("map", "parts"):
        steps = (*steps[:2], *(ANY for _ in steps[2:3]), *steps[3:])
    table = TABLES.get(steps)
    return list(table.model_fields) if table else []


def show(value: Any) -> str:
    """A value as a scenario file writes it, on one line and cut where it grows long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        shown = json.dumps(value, ensure_ascii=not value.isprintable())
    elif isinstance(value, list | tuple):
        # a longer list is cut below; its end need not be written out first
        shown = f"[{', '.join(show(item) for item in value[:MOST_CHARACTERS])}]"
    elif isinstance(value, Mapping):
        items = ", ".join(f"{toml_key(key)} = {show(item)}" for key, item in value.items())
        shown = f"{{ {items} }}" if items else "{}"
    else:
        shown = str(value)
    return shown if len(shown) <= MOST_CHARACTERS else f"{shown[: MOST_CHARACTERS - 4]} ..."


def _value_at(document: Any, path: Path) -> Any:
    for step in path:
        inside = isinstance(document, Mapping) and step in document
        if not inside and not (isinstance(document, list) and isinstance(step, int)):
            return _ABSENT
        try:
            document = document[step]
        except IndexError:
            return _ABSENT
    return document


def _group_step(document: Any, index: int) -> str:
    """A group by its name where that is one, and its own; else by its place."""
    groups = document["groups"]
    names = [group.get("name") if isinstance(group, Mapping) else None for group in groups]
    name = names[index]
    if isinstance(name, str) and name.strip() and names.count(name) == 1:
        return f".{toml_key(name)}"
    return f"[{index}]"


def dotted(document: Any, path: Path) -> str:
    """A path as people write it: groups by name, the player without a number, rows as [0]."""
    text = ""
    for place, step in enumerate(path):
        if isinstance(step, str):
            text += f".{toml_key(step)}" if text else toml_key(step)
        elif place == 1 and path[0] == "groups":
            text += _group_step(document, step)
        elif place != 1 or path[0] != "player":
            text += f"[{step}]"
    return text


def _holds_tables(value: Any) -> bool:
    """Whether a value is a table or tables, which are too long to show."""
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, Mapping)


def line(file: str, document: Any, refusal: Refusal) -> str:
    """One refusal as one line, with the value where there is one."""
    value = _value_at(document, refusal.at)
    shown = "" if value is _ABSENT or _holds_tables(value) else f" = {show(value)}"
    path = dotted(document, refusal.at)
    return f"{file}: {path}{shown}: {refusal.said}" if path else f"{file}: {refusal.said}"


def of_rules(file: str, document: Any, group: Group, refused: BadInput) -> str:
    """One refusal of a group's rules as one line, with a parameter's value as the file has it."""
    index = next(k for k, each in enumerate(document["groups"]) if each["name"] == group.name)
    for rule, given in group.behaviours.items():
        for name, value in given.items() if isinstance(given, dict) else ():
            head, shown = f"behaviours.{rule}.{name}", f" = {shortened(value)}"
            said = str(refused).removeprefix(head).removeprefix(shown)
            if str(refused).startswith(head) and said.startswith(": "):
                at = ("groups", index, "behaviours", rule, name)
                return f"{file}: {dotted(document, at)} = {show(_value_at(document, at))}{said}"
    return f"{file}: {dotted(document, ('groups', index))}.{printable(str(refused))}"


def lines(file: str, document: Any, refusals: Sequence[Refusal]) -> str:
    """The first few refusals, one line each, and how many more there are."""
    shown = [line(file, document, refusal) for refusal in refusals[:MOST_LINES]]
    more = len(refusals) - len(shown)
    return "\n".join([*shown, f"{file}: and {more} more"] if more else shown)


def refusals(errors: ValidationError) -> list[Refusal]:
    """What pydantic found, in our words, the most telling first.

    A misspelled key comes first, and the key that is missing for it is not told again.
    """
    unknown, missing, others = [], [], []
    meant: set[Path] = set()
    for error in errors.errors(include_url=False):
        # "[key]": what is wrong is the last key itself, such as the name of a part
        at: Path = error["loc"][:-1] if error["loc"][-1:] == ("[key]",) else error["loc"]
        if error["type"] == "extra_forbidden":
            key, allowed = str(at[-1]), keys_at(at[:-1])
            unknown.append(Refusal(at, f"unknown key; {suggest(key, allowed)}"))
            meant.add((*at[:-1], nearest(key, allowed) or key))
        elif error["type"] == "missing":
            missing.append(Refusal(at, "required"))
        elif error["type"] == "refused":
            others.append(Refusal((*at, *error["ctx"]["at"]), error["ctx"]["said"]))
        else:
            # what is left of pydantic's own checks: a value where a table belongs
            others.append(Refusal(at, "must be a table"))
    return [*unknown, *others, *(each for each in missing if each.at not in meant)]


def unreached(plan: Scenario) -> list[str]:
    """What never comes, as the run or its source ends before: a line each, and how many more.

    A step does what is due when it begins, so what is due at the very end never comes either.
    """
    last, over = (plan.steps - 1) * plan.time_step + SOON, f"the run ends at {plan.duration:g} s"
    late = [(f"events[{k}].at = {e.at:g}", over) for k, e in enumerate(plan.events) if e.at > last]
    for number, source in enumerate(plan.sources):
        if source.start > last:
            late.append((f"sources[{number}].start = {source.start:g}", over))
            continue
        for k, time in enumerate(source.times or ()):
            if why := _left_out(source, time) or (over if time > last else ""):
                late.append((f"sources[{number}].times[{k}] = {time:g}", why))
    said = [f"{each}: never comes, {why}" for each, why in late]
    more = len(said) - MOST_LINES
    return [*said[:MOST_LINES], f"and {more} more"] if more > 0 else said


def _left_out(source: Source, time: float) -> str:
    """Why a source leaves out a unit of its `times`; nothing of others."""
    if time < source.start:
        return f"its source starts at {source.start:g} s"
    if source.end is not None and time >= source.end:
        return f"its source ends at {source.end:g} s"
    return ""
