"""What is spoiled at random is done or refused: no traceback, no signal, no endless run.

The short campaigns run every day, always with the same cases; the long ones, marked slow, are those
of docs/reliability.md.
"""

import sys

import pytest

from .driver import campaign
from .interrupts import interrupt

SHORT = {"scenarios": 60, "maps": 60, "recordings": 40, "calls": 60}
LONG = {"scenarios": 10_000, "maps": 3_000, "recordings": 3_000, "calls": 2_000}

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="memory is not bounded this way elsewhere"
)


@pytest.mark.parametrize(("kind", "count"), SHORT.items())
def test_a_few(kind: str, count: int, tmp_path):
    """A few cases of each kind."""
    found = campaign(kind, 0, count, tmp_path)
    assert not found.faults, found.told()
    assert found.cases == count
    # Of ten calls each, one at least is nearly always refused.
    assert kind == "calls" or len(found.statuses) > 1, "all done, or all refused"


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize(("kind", "count"), LONG.items())
def test_many(kind: str, count: int, tmp_path):
    """As many as docs/reliability.md tells of."""
    found = campaign(kind, 0, count, tmp_path)
    assert not found.faults, found.told()


def test_a_few_interrupts(tmp_path):
    """Ctrl-C and SIGTERM at a few moments of a run."""
    found = interrupt("interrupts", 0, 4, tmp_path)
    assert not found.faults, found.told()


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_many_interrupts(tmp_path):
    """At 500 moments."""
    found = interrupt("interrupts", 0, 500, tmp_path)
    assert not found.faults, found.told()
