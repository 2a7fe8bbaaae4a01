"""Options that several commands share, as records: given to a command, and sorted out again."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any


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
