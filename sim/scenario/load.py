"""Reading scenario files: TOML, overrides, checks; every refusal is a `BadInput` with the file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from sim.core.errors import BadInput, printable, shortened, suggest
from sim.core.files import AnyPath, path_of
from sim.core.resources import at_hand
from sim.living.deeds import KEYS
from sim.maps import TileMap, read
from sim.models import MODELS, check_composition
from sim.scenario.ground import objects_of
from sim.scenario.messages import Refusal, line, lines, of_rules, refusals
from sim.scenario.overrides import override, put, steps_of, table_of
from sim.scenario.schema import PLAYER, Group, Scenario
from sim.scenario.toml import MOST_BYTES, parse

SOMEWHERE = {"region": [0, 0, 1, 1]}
"""A start, where it is not asked what it is."""


def load_scenario(path: AnyPath, changes: Iterable[str] = (), seed: int | None = None) -> Scenario:
    """Read and check a scenario file, with changes, for `build` to make a world of it.

    `maps/NAME` of the package is found from any folder. Attributes of what is returned are the keys
    of the file, and cannot be set. `changes` are "KEY=VALUE" texts as `run --set` takes them,
    applied in order before the checks; `seed` replaces the file's. Raises `BadInput`, with a line a
    fault.
    """
    listed = not isinstance(changes, str) and isinstance(changes, Iterable)
    texts = list(changes) if listed else []
    if not listed or not all(isinstance(each, str) for each in texts):
        said = "must be texts in a list, such as ['groups.east.speed=1.6']"
        raise BadInput(f"changes = {shortened(changes)}: {said}")
    asked = path_of(path)
    return load(at_hand(asked) or asked, texts, int(seed) if isinstance(seed, np.integer) else seed)


def load(path: str | Path, overrides: Sequence[str] = (), seed: int | None = None) -> Scenario:
    """Read and check a scenario file.

    `overrides` are KEY=VALUE texts applied before the checks, in order; `seed` replaces the file's
    and theirs. Raises `BadInput`, a line a fault, each beginning with the path as given.
    """
    return loads(read_text(path), path, overrides, seed)


def loads(
    text: str, path: str | Path, overrides: Sequence[str] = (), seed: int | None = None
) -> Scenario:
    """As `load`, of a text that has been read; map files are looked for beside `path`."""
    file = printable(str(path))
    document = document_of(text, path, overrides, seed)
    try:
        context = {"path": Path(path), "text": text}
        scenario = Scenario.model_validate(document, context=context)
    except ValidationError as errors:
        raise BadInput(lines(file, document, refusals(errors))) from None
    if scenario.map.file is not None:
        scenario.keep_tiles(_tiles(file, document, scenario))
    _check_models(file, document, scenario)
    if any(event.set for event in scenario.events):
        _check_settings(file, document, scenario)
    return scenario


def document_of(
    text: str, path: str | Path, overrides: Sequence[str] = (), seed: int | None = None
) -> dict[str, Any]:
    """The tables of a scenario's text with overrides, not checked yet."""
    file = printable(str(path))
    document = _parse(file, text)
    for setting in overrides:
        try:
            override(document, setting)
        except BadInput as bad:
            raise BadInput(f"{file}: {printable(str(bad))}") from None
    if seed is not None:
        document["seed"] = seed
    return document


def read_text(path: str | Path) -> str:
    """The text of a scenario file. Raises `BadInput` where there is none."""
    file = printable(str(path))
    try:
        # "utf-8-sig": some editors begin a file with a byte order mark
        with Path(path).open("rb") as source:
            data = source.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise BadInput(f"{file}: must be at most {MOST_BYTES:,} bytes")
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        raise BadInput(f"{file}: no such file") from None
    except IsADirectoryError:
        raise BadInput(f"{file}: is a directory, not a scenario file") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{file}: not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}") from None
    except BadInput:
        raise
    except ValueError:
        raise BadInput(f"{file}: not the name of a file") from None


def _parse(file: str, text: str) -> dict[str, Any]:
    try:
        return parse(text)
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at (.*)\)", str(error), re.DOTALL)
        said, where = found.groups() if found else (str(error), "")
        raise BadInput(f"{file}: {where}: not TOML: {said}") from None
    except ValueError as error:
        # a number of thousands of digits, or tables nested too deep
        raise BadInput(f"{file}: not TOML that can be read: {error}") from None


def _check_models(file: str, document: dict[str, Any], scenario: Scenario) -> None:
    """Refuse unknown models and behaviours that a group's model does not take."""
    built = [name for name in MODELS if name != PLAYER]
    wrong: list[str] = []
    for index, group in enumerate(scenario.groups):
        if group.model not in built:
            said = f"unknown model; {suggest(group.model, built)}"
            wrong.append(line(file, document, Refusal(("groups", index, "model"), said)))
            continue
        wrong += _unfit(file, document, group)
    if wrong:
        raise BadInput("\n".join(wrong[:3]))


def _unfit(file: str, document: dict[str, Any], group: Group) -> list[str]:
    """The line of a refusal of a group's rules; none where they fit its model."""
    try:
        check_composition(group.model, group.behaviours)
    except BadInput as bad:
        return [of_rules(file, document, group, bad)]
    return []


def _tiles(file: str, document: dict[str, Any], scenario: Scenario) -> TileMap:
    """The map that `map.file` names. Raises `BadInput` for one that is wrong, or does not fit."""
    name, tile = scenario.map.file, scenario.map.tile
    assert name is not None
    try:
        tiles = read(scenario.path.parent / name, tile)
    except BadInput as error:
        raise BadInput(line(file, document, Refusal(("map", "file"), str(error)))) from None
    for refusal in _misfits(scenario, tiles):
        raise BadInput(line(file, document, refusal))
    return tiles


def _misfits(scenario: Scenario, tiles: TileMap) -> Iterator[Refusal]:
    """What the scenario says that this map cannot be."""
    if scenario.map.edges == "wrap":
        said = "a tile map does not wrap: what lies outside it is solid"
        yield Refusal(("map", "edges"), said)
    if scenario.map.bounds is not None:
        (left, top, right, bottom), (x1, y1, x2, y2) = scenario.map.bounds, tiles.bounds
        if left > x1 or top > y1 or right < x2 or bottom < y2:
            said = f"must hold the whole map, [{x1:g}, {y1:g}, {x2:g}, {y2:g}], or be left out"
            yield Refusal(("map", "bounds"), said)
    for at, name, count in objects_of(scenario):
        try:
            found = tiles.named(name, *([("rectangle",)] if at[0] == "areas" else []))
        except BadInput as error:
            yield Refusal(at, str(error))
            continue
        if count is not None and found.kind == "point" and count > 1:
            yield Refusal(at, f"is a point in the map, where one unit can start, not {count}")


def _check_settings(file: str, document: dict[str, Any], scenario: Scenario) -> None:
    """Raise `BadInput` for keys that an event cannot set, and values that they cannot have."""
    known: set[tuple[str, str]] = set()
    for number, event in enumerate(scenario.events):
        for key, value in (event.set or {}).items():
            if (key, repr(value)) in known:
                continue
            known.add((key, repr(value)))
            begin = f"{file}: events[{number}].set"
            where = f"{begin}: {printable(key)}"
            steps = steps_of(key, document)
            _check_steps(where, key, steps)
            try:
                changed = _group_alone(document, scenario, steps)
                put(changed, steps, value)
            except BadInput as bad:
                raise BadInput(f"{where}: {printable(str(bad))}") from None
            try:
                whole = type(scenario).model_validate(changed)
            except ValidationError as errors:
                raise BadInput(lines(begin, changed, refusals(errors))) from None
            if wrong := _unfit(begin, changed, whole.groups[0]):
                raise BadInput(wrong[0])


def _check_steps(where: str, key: str, steps: list[str]) -> None:
    """Raise `BadInput` that begins with `where` for what is no key that may be set."""
    if len(steps) < 3 or steps[0] != "groups" or steps[2] not in KEYS:
        named = steps[2] if len(steps) > 2 else key
        raise BadInput(
            f"{where}: must be groups.NAME.KEY, KEY one of {', '.join(KEYS)}; "
            f"{suggest(named, KEYS)}"
        )
    if len(steps) > 3 and steps[2] != "behaviours":
        raise BadInput(f"{where}: {steps[2]} must be set as a whole")
    if len(steps) > 5:
        raise BadInput(f"{where}: {steps[4]} must be set as a whole")


def _group_alone(document: dict[str, Any], scenario: Scenario, steps: list[str]) -> dict[str, Any]:
    """A document of the group that the steps lead to, with its size and what may be set of it.

    All else has been checked, and is long in some files.
    """
    table = table_of(document, steps)[0]
    size = next(group.size for group in scenario.groups if group.name == table["name"])
    held = {key: deepcopy(table[key]) for key in ("name", "model", *KEYS) if key in table}
    return {"title": "x", "duration": 1, "groups": [{**held, "count": size, "spawn": SOMEWHERE}]}
