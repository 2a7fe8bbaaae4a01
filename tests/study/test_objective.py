"""Formulas over figures: what they say, and that nothing else is ever done."""

from __future__ import annotations

import pytest

from sim.core.errors import BadInput
from sim.study.objective import NoValueError, Objective

ROW = {
    "error": None, "polarisation": 0.5, "contacts": 4, "arrived_share": None,
    "groups.east.contacts": 3, "groups.the west.contacts": 1,
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("polarisation", 0.5),
        ("polarisation - 2 * contacts", -7.5),
        ("-polarisation ** 2", -0.25),
        ("(1 + polarisation) / contacts", 0.375),
        ("max(polarisation, 1, 0.2) + abs(-contacts)", 5.0),
        ("sqrt(contacts) + log(exp(contacts))", 6.0),
        ("groups.east.contacts + groups['the west'].contacts", 4.0),
        (" +contacts ", 4.0),
    ],
)
def test_values(text, value):
    """By the rules of arithmetic."""
    assert Objective(text, ROW)(ROW) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no formula"),
        ("polarisation +", "no formula"),
        ("polarization", "did you mean 'polarisation'"),
        ("groups.west.contacts", "did you mean 'groups.east.contacts'"),
        ("1 + 2", "names no figure"),
        ("__import__('os').system('true')", "not allowed"),
        ("polarisation.__class__", "no figure 'polarisation.__class__'"),
        ("(lambda: contacts)()", "not allowed"),
        ("[contacts for _ in range(9)]", "not allowed"),
        ("contacts if contacts else 1", "not allowed"),
        ("contacts > 1", "not allowed"),
        ("contacts and 1", "not allowed"),
        ("contacts; contacts", "no formula"),
        ("print(contacts)", "not allowed"),
        ("max(contacts)", "two or more"),
        ("abs(contacts, 1)", "takes 1"),
        ("log(contacts, base=2)", "takes 1"),
        ("max(*contacts)", "two or more"),
        ("max(1, *contacts)", "not allowed"),
        ("contacts * True", "not allowed"),
        ("contacts * 1j", "not allowed"),
        ("contacts + 'a'", "not allowed"),
        ("contacts @ contacts", "not allowed"),
        ("contacts := 3", "no formula"),
        ("contacts + " * 200 + "1", "at most 1000"),
        ("(" * 400 + "contacts" + ")" * 400, "no formula"),
        ("\0", "no formula"),
    ],
)
def test_refused(text, word):
    """In one line that begins with the formula."""
    with pytest.raises(BadInput) as said:
        Objective(text, ROW)
    assert word in str(said.value)
    assert str(said.value).startswith("--objective")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("arrived_share", "arrived_share is null"),
        ("1 / (contacts - 4)", "zero"),
        ("log(contacts - 4)", "log"),
        ("(0 - contacts) ** 0.5", "no finite number"),
        ("9 ** 9 ** 9 ** contacts", "9"),
        ("exp(1000 * contacts)", "exp"),
        ("1e308 * contacts", "no finite number"),
    ],
)
def test_no_value(text, word):
    """Null figures and what arithmetic does not define have none, and it is said why."""
    with pytest.raises(NoValueError, match=word.replace("(", r"\(")):
        Objective(text, ROW)(ROW)


def test_a_failed_run_has_no_value():
    """Its error is the reason."""
    with pytest.raises(NoValueError, match="diverged"):
        Objective("contacts", ROW)({"error": "diverged"})
