"""The words of the documentation and of the code's own texts are those of the glossary."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
INSTEAD = {
    "whoever": "a unit that",
    "nobody": "no unit",
    "everybody": "every unit, all units",
    "anybody": "any unit",
    "for ever": "without end",
    "by and by": "gradually",
    "who": "the unit that, which unit",
    "whom": "the unit that, which unit",
    "those that": "the units that",
    "those who": "the units that",
    "so many": "the number itself, this number of",
}
"""Words that the texts do not use, and what they say instead."""
PAGES = [
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / page for page in ("README.md", "CHANGELOG.md", "demos/README.md")),
]
SOURCES = sorted([*(ROOT / "sim").rglob("*.py"), *(ROOT / "demos").glob("*.py")])


def amiss(text: str, words: list[str]) -> list[str]:
    """Which of some words a text has outside code, in whatever case and across lines."""
    plain = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
    said = " ".join(plain.split())
    return [word for word in words if re.search(rf"\b{word}\b", said, re.IGNORECASE)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_plain_words(page: Path):
    """A page has none of the words that the list replaces, outside code."""
    assert amiss(page.read_text(encoding="utf-8"), [*INSTEAD]) == []


def told(source: str) -> str:
    """The docstrings, comments and messages of a module: texts of one word are names, not texts."""
    comments = [
        token.string.lstrip("#")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    ]
    texts = [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    ]
    return "\n".join(["".join(comments), *texts])


@pytest.mark.parametrize(
    "source",
    [
        '"""Units are those\nthat stay."""',
        "x = 1  # those\n# that stay",
        'print(f"{x} units, so many of them")',
        'print("no file " "for whom")',
        '"""Who leads."""',
    ],
)
def test_words_are_found_in_texts(source: str):
    """In docstrings, comments and messages alike, also where a line ends within the words."""
    assert amiss(told(source), [*INSTEAD])


@pytest.mark.parametrize("source", ['whom = {"whom": who}', '"""Sets `whom` and `who`."""'])
def test_words_of_code_are_left_alone(source: str):
    """Names, keys and what stands between backticks are no texts."""
    assert amiss(told(source), [*INSTEAD]) == []


def test_plain_words_in_the_code():
    """No docstring, comment or message has any of these words, nor "somebody": units, or users."""
    found = {
        str(path.relative_to(ROOT)): hits
        for path in SOURCES
        if (hits := amiss(told(path.read_text(encoding="utf-8")), [*INSTEAD, "somebody"]))
    }
    assert found == {}
