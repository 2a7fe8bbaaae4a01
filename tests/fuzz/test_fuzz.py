"""What is spoiled at random is done or refused: no traceback, no signal, no endless run.

The short campaigns run every day, always with the same cases; the long ones, marked slow, are those
of docs/reliability.md.
"""

import sys

import pytest

from .__main__ import LONG
from .driver import KINDS, Campaign, campaign
from .interrupts import interrupt

SHORT = {"scenarios": 8, "maps": 40, "recordings": 25, "calls": 8, "states": 14}

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


def test_a_few_interrupts(tmp_path):
    """Ctrl-C and SIGTERM at a few moments of a run."""
    found = interrupt("interrupts", 0, 4, tmp_path)
    assert not found.faults, found.told()


@pytest.mark.slow
@pytest.mark.timeout(0)
@pytest.mark.parametrize(("kind", "count"), LONG.items())
def test_many(kind: str, count: int, tmp_path):
    """As many as docs/reliability.md tells of."""
    found = (campaign if kind in KINDS else interrupt)(kind, 0, count, tmp_path)
    assert not found.faults, found.told()


def test_a_campaign_goes_on_where_it_stopped(tmp_path):
    """Cases that were right are not run again; one that was at fault is."""
    log = tmp_path / "calls.jsonl"
    first = Campaign("calls", log)
    for seed in (0, 1, 3, 4, 7):
        first.take({"seed": seed, "statuses": [2], "s": 1.5, "fault": "no" * (seed == 3)})
    assert [seed for seed, _ in first.faults] == [3]
    again = Campaign("calls", log)
    assert (again.cases, again.statuses, again.faults) == (4, {2: 4}, [])
    assert list(again.left(0, 9)) == [(2, 2), (5, 2), (8, 1)]
