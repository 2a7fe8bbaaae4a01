"""The words of the documentation and of the code's own texts are those of the glossary."""

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
INSTEAD = {
    "whoever": "a unit that",
    "nobody": "no unit",
    "everybody": "every unit, all units",
    "anybody": "any unit",
    "for ever": "without end",
    "by and by": "gradually",
}
"""Words that the pages do not use, and what they say instead."""
MADE = {"rules.md"}
"""Pages that are made from docstrings."""
LATER = {"results.md", "rows.md"}
"""Pages that are rewritten with each measurement."""
PAGES = sorted(page for page in DOCS.glob("*.md") if page.name not in MADE | LATER)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_plain_words(page: Path):
    """A page has none of the words that the list replaces, outside code."""
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = {word: use for word, use in INSTEAD.items() if re.search(rf"\b{word}\b", text, re.I)}
    assert found == {}


SOURCES = sorted([*(ROOT / "sim").rglob("*.py"), *(ROOT / "demos").glob("*.py")])


def told(source: str) -> Iterator[str]:
    """The docstrings and comments of a module, without what is code in them."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT or token.string.startswith('"""'):
            yield re.sub(r"`[^`]*`", "", token.string)


def test_plain_words_in_the_code():
    """No docstring and no comment has any of these words, nor "somebody": units, or users."""
    word = re.compile(rf"\b({'|'.join([*INSTEAD, 'somebody'])})\b", re.IGNORECASE)
    found = {
        str(path.relative_to(ROOT)): sorted(set(hits))
        for path in SOURCES
        if (hits := word.findall(" ".join(told(path.read_text(encoding="utf-8")))))
    }
    assert found == {}
