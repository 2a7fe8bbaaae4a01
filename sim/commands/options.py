"""What several commands share: options as records, and JSON that is printed or written."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.core.files import atomic


def take_options(
    command: Callable[..., None], first: str, records: Sequence[type]
) -> list[inspect.Parameter]:
    """Give a command the options of records behind its own; `first` is its argument.

    They are found, and given back, as typer looks for them: as parameters with annotations.
    """
    asked = dict(inspect.signature(command, eval_str=True).parameters)
    argument = asked.pop(first)
    grouped = [dict(inspect.signature(each, eval_str=True).parameters) for each in records]
    named = [each for each in asked.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    options = [
        each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for each in (*named, *(option for options in grouped for option in options.values()))
    ]
    command.__signature__ = inspect.Signature([argument, *options])  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in (argument, *options)}
    return options


def sorted_into(records: Sequence[type], options: Mapping[str, Any]) -> list[Any]:
    """The records, filled with those of the options that are theirs."""
    named = [[each.name for each in fields(record)] for record in records]
    return [
        record(**{name: options[name] for name in names if name in options})
        for record, names in zip(records, named, strict=True)
    ]


Out = Annotated[Path | None, typer.Option(metavar="OUT.json", help="Write it there.")]


def put_json(value: Any, out: Path | None) -> None:
    """Print a value, or write it to a file, whole or not at all. Raises `BadInput` if it cannot."""
    text = json.dumps(value, indent=2, allow_nan=False)
    if out is None:
        print(text)
        return
    with atomic(out, "w") as file:
        file.write(f"{text}\n")
    print(f"wrote {out}")
