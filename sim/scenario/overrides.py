"""Overrides of a scenario file from the command line: --set groups.east.speed=1.6."""

from __future__ import annotations

from typing import Any

from sim.core.errors import BadInput, naming, suggest
from sim.scenario.schema import PLAYER
from sim.scenario.toml import DEEPEST, parse


def override(document: dict[str, Any], setting: str) -> None:
    """Change one value of a document that has been read but not checked yet.

    `setting` is KEY=VALUE: a dotted key, with groups by name, and a value as TOML writes it or a
    bare word. Raises `BadInput` that begins with "--set".
    """
    key, equals, value = setting.partition("=")
    if not equals or not key.strip():
        raise BadInput(f"--set {setting}: must be KEY=VALUE, such as groups.east.speed=1.6")
    with naming(f"--set {setting}: "):
        put(document, steps_of(key.strip(), document), value_of(value.strip()))


def value_of(text: str) -> Any:
    """A value as TOML writes it, or a bare word."""
    try:
        read = parse(f"value = {text}")
    except ValueError:
        return text
    # a line break could smuggle in more keys
    return read["value"] if len(read) == 1 else text


def steps_of(key: str, document: dict[str, Any]) -> list[str]:
    """The parts of a dotted key; names with dots or spaces may stand in quotes, as in TOML."""
    # a name that TOML would want in quotes is taken as it is where a group has it
    if key.startswith("groups."):
        rest = key.removeprefix("groups.")
        for name in sorted(_names(document), key=len, reverse=True):
            if rest.startswith(f"{name}."):
                return ["groups", name, *rest.removeprefix(f"{name}.").split(".")]
    try:
        table: Any = parse(f"{key} = 0")
    except ValueError:
        return key.split(".", DEEPEST)
    steps = []
    while isinstance(table, dict) and table:
        step, table = next(iter(table.items()))
        steps.append(step)
    # a comment sign is no key, but says so best when it is taken for one
    return steps or [key]


def _groups(document: dict[str, Any]) -> list[dict[str, Any]]:
    groups = document.get("groups")
    return [each for each in groups if isinstance(each, dict)] if isinstance(groups, list) else []


def _names(document: dict[str, Any]) -> list[str]:
    names = [group.get("name") for group in _groups(document)]
    return [name for name in names if isinstance(name, str)]


def table_of(document: dict[str, Any], steps: list[str]) -> tuple[dict[str, Any], list[str]]:
    """The table that the first steps lead to, and the steps from there."""
    if steps[0] == "groups":
        if len(steps) < 3:
            raise BadInput("must name a group and a key, such as groups.east.speed")
        for group in _groups(document):
            if group.get("name") == steps[1]:
                return group, steps[2:]
        raise BadInput(f"no group '{steps[1]}'; {suggest(steps[1], _names(document))}")
    if steps[0] == PLAYER and len(steps) > 1:
        players = document.get(PLAYER)
        if not isinstance(players, list) or not players or not isinstance(players[0], dict):
            raise BadInput("there is no [[player]]")
        return players[0], steps[1:]
    return document, steps


def put(document: dict[str, Any], steps: list[str], value: Any) -> None:
    """Put a value where the steps lead. Raises `BadInput` where that is no table."""
    table, rest = table_of(document, steps)
    for place, step in enumerate(rest[:-1]):
        inner = table.setdefault(step, {})
        if isinstance(inner, bool) and place == 1 and rest[0] == "behaviours":
            # a rule that is only switched on or off in the file gets a table of parameters
            inner = table[step] = {}
        if not isinstance(inner, dict):
            raise BadInput(f"{step} is not a table")
        table = inner
    table[rest[-1]] = value
