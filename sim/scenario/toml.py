"""TOML from anywhere: read within bounds that hold before time and memory are taken."""

from __future__ import annotations

import re
import tomllib
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
