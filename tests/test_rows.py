"""The table of rows in the documentation: every row, and demos and tests that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
COUNTS = {"A": 15, "B": 10, "C": 9, "D": 7, "E": 7}
LINES = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "rows.md").read_text(encoding="utf-8").splitlines()
    if re.match(r"\| [A-E]\d", line)
]


def test_every_row_is_there():
    """A1 to E7, each once and in order."""
    rows = [f"{letter}{k + 1}" for letter, count in COUNTS.items() for k in range(count)]
    assert [line[0] for line in LINES] == rows


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0])
def test_its_demo_and_its_test_exist(line):
    """A script of that name, and a function in that file; and a figure."""
    _, what, demo, test, figure = line
    assert (ROOT / "demos" / f"{demo.strip('`')}.py").is_file()
    file, _, name = test.strip("`").partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert what
    assert figure


def test_every_shipped_rule_has_a_source():
    """What the panel says of where a formula is from is said of each; and of no other."""
    from sim.behaviours.sources import SOURCES
    from sim.behaviours.table import RULES

    ours = {name for name, rule in RULES.items() if rule.of_ours}
    assert set(SOURCES) == ours
