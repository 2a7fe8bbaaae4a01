"""TOML from anywhere, read within bounds that hold before time is taken; and TOML written."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

MOST_BYTES = 16 * 2**20
"""Of a scenario file."""
DEEPEST = 64
"""Tables and arrays inside one another, and the parts of a dotted key."""

# texts and comments, whose dots and brackets count for nothing
_WORDS = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"""+|' + r"'''(?:[^']|'(?!''))*+'''+|"
    r'"(?:[^"\\\n]|\\.)*+"|' + r"'[^'\n]*+'|#[^\n]*+",
    re.DOTALL,
)
_MARKS = re.compile(r"[\[{]+|[\]}]+|\.|[^\w\s.\-\[\]{}]|\n")


def parse(text: str) -> dict[str, Any]:
    """The tables of a text. Raises `ValueError` for what is no TOML, or is nested too deep."""
    if _depth(text) > DEEPEST:
        raise ValueError(f"nested deeper than {DEEPEST} levels")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(f"nested deeper than {DEEPEST} levels") from None


def _depth(text: str) -> int:
    """How deep brackets are nested, or how many parts the longest dotted key has; cautious."""
    deepest = depth = parts = 0
    for found in _MARKS.finditer(_WORDS.sub("x", text)):
        mark = found[0]
        if mark == ".":
            parts += 1
            deepest = max(deepest, parts + 1)
            continue
        parts = 0
        if mark[0] in "[{":
            depth += len(mark)
            deepest = max(deepest, depth)
        elif mark[0] in "]}":
            depth = max(0, depth - len(mark))
    return deepest


def dumps(document: Mapping[str, Any]) -> str:
    """The text of a document: tables, arrays, texts, numbers, true and false.

    Raises `TypeError` for anything else.
    """
    return "\n".join(_lines(document, ())).strip() + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    """A table's own values first: what follows the head of another table belongs to that."""
    inner = {key: value for key, value in table.items() if _has_head(value, path)}
    lines = [f"{toml_key(key)} = {toml(value)}" for key, value in table.items() if key not in inner]
    for key, value in inner.items():
        steps = (*path, key)
        name = ".".join(map(toml_key, steps))
        if isinstance(value, Mapping):
            lines += ["", f"[{name}]", *_lines(value, steps)]
        else:
            for each in value:
                lines += ["", f"[[{name}]]", *_lines(each, steps)]
    return lines


def _has_head(value: Any, path: tuple[str, ...]) -> bool:
    """Whether a value gets a head of its own: lists of tables do, and tables that hold tables."""
    if isinstance(value, Mapping):
        return not path or any(isinstance(each, Mapping) for each in value.values())
    return (
        isinstance(value, list)
        and len(value) > 0
        and not path
        and all(isinstance(each, Mapping) for each in value)
    )


def toml(value: Any) -> str:
    """A value as TOML writes it, on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        # TOML's escapes are those of JSON, and one sign more must be escaped
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_key(key)} = {toml(each)}" for key, each in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    raise TypeError(f"{value!r}: cannot be written")


def toml_key(key: str) -> str:
    """A key as TOML writes it: in quotes where it is no plain word."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml(key)
