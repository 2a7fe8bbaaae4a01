"""Scenario files that are written read back as the same."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.scenario.toml import dumps

MAPS = sorted((Path(__file__).resolve().parents[2] / "maps").rglob("*.toml"))


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_all_shipped_scenarios(path):
    """Whatever they use of the format."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    assert tomllib.loads(dumps(document)) == document


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
PLAIN = st.booleans() | st.integers(-(2**62), 2**62) | st.floats(allow_nan=False) | TEXT
INNER = st.recursive(
    PLAIN,
    lambda each: st.lists(each, max_size=3) | st.dictionaries(TEXT, each, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(TEXT, INNER, max_size=5))
def test_any_document(document):
    """Odd keys, tables in tables, lists of tables, signs of all sorts."""
    assert tomllib.loads(dumps(document)) == document


def test_infinity_and_what_cannot_be():
    """Inf and nan are TOML; None is not."""
    read = tomllib.loads(dumps({"a": math.inf, "b": math.nan}))
    assert read["a"] == math.inf
    assert math.isnan(read["b"])
    with pytest.raises(TypeError):
        dumps({"a": None})
