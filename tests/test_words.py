"""The words of the documentation are those of the glossary."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs"
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
