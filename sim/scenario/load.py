"""Reading scenario files: TOML, overrides, checks; every refusal is a `BadInput` with the file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sim.core.errors import BadInput, printable, suggest
from sim.scenario.messages import Refusal, dotted, line, lines, refusals
from sim.scenario.overrides import override
from sim.scenario.schema import PLAYER, Scenario
from sim.scenario.settings import check_settings
from sim.scenario.toml import MOST_BYTES, parse


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
    _check_map(file, document, scenario)
    _check_models(file, document, scenario)
    if any(event.set for event in scenario.events):
        check_settings(file, document, scenario)
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


def _check_map(file: str, document: dict[str, Any], scenario: Scenario) -> None:
    """Read the tile map that the scenario names, and keep it with the scenario."""
    if scenario.map.file is None:
        return
    # late, because most scenarios have none
    from sim.scenario.tiles import read_tiles

    scenario.keep_tiles(read_tiles(file, document, scenario))


def _check_models(file: str, document: dict[str, Any], scenario: Scenario) -> None:
    """Refuse unknown models and behaviours that a group's model does not take."""
    # late, because the models bring in the compiled kernels, which plain mistakes need not wait for
    from sim.models import MODELS, check_composition

    built = [name for name in MODELS if name != PLAYER]
    wrong: list[str] = []
    for index, group in enumerate(scenario.groups):
        if group.model not in built:
            said = f"unknown model; {suggest(group.model, built)}"
            wrong.append(line(file, document, Refusal(("groups", index, "model"), said)))
            continue
        try:
            check_composition(group.model, group.behaviours)
        except BadInput as bad:
            where = dotted(document, ("groups", index))
            wrong.append(f"{file}: {where}.{printable(str(bad))}")
    if wrong:
        raise BadInput("\n".join(wrong[:3]))
