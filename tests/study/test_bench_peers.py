"""The comparison with other libraries, on flocks that are small enough to be quick."""

from importlib.util import find_spec
from typing import ClassVar

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.sharing import threads
from sim.study import bench_peers
from sim.study.bench_blocks import Spread
from sim.study.bench_peers import PEERS, PeerRow, format_peers, measure_peers
from sim.study.density import Density

MODULES = {"violet": "vi"}
QUICK = {"sizes": (40,), "blocks": 3, "seconds": 0.0, "warm": 0.0}


def made(name, units=60):
    """A crowd of a peer; the test is skipped where it is not installed."""
    if PEERS[name].version is None or find_spec(MODULES.get(name, name)) is None:
        pytest.skip(f"{name} is not installed")
    return PEERS[name].make(units, 10.0, 1)


@pytest.mark.parametrize("name", PEERS)
def test_every_peer_moves_all_its_agents(name):
    """A step moves agents, none is lost, and nobody leaves the square by more than a step."""
    crowd = made(name)
    before = crowd.places().copy()
    for _ in range(3):
        crowd.rest()
        crowd.step()
    after = crowd.places()
    assert before.shape == after.shape == (60, 2)
    assert (np.hypot(*(after - before).T) > 1e-4).mean() > 0.8
    assert (after > -2).all()
    assert (after < crowd.side + 2).all()


@pytest.mark.parametrize("name", PEERS)
def test_every_peer_starts_as_dense_as_ours(name):
    """An agent has about as many others round it as was asked for."""
    crowd = made(name, 400)
    side = crowd.side if PEERS[name].torus else None
    around = crowd.sight.neighbours(crowd.places(), side)
    assert around == pytest.approx(10, abs=1.2 if PEERS[name].torus else 2.5)


@pytest.mark.parametrize("name", ["violet", "mesa", "agentpy"])
def test_flocks_start_anew_before_they_gather(name):
    """What has gone a radius far is as scattered at the next block as it was at first."""
    flock = made(name)
    start = flock.places().copy()
    for _ in range(30):
        flock.step()
    flock.rest()
    assert np.array_equal(flock.places(), start)


@pytest.mark.parametrize("name", PEERS)
def test_a_row_has_figures(name):
    """Each installed peer is timed beside ours: rates, densities, ratio and version."""
    made(name)
    (row,) = measure_peers([name], **QUICK)
    assert row.version == PEERS[name].version
    assert row.units == 40
    for spread in (row.rate, row.ours, row.ratio):
        assert 0 < spread.low <= spread.median <= spread.high
    assert row.ratio.low <= row.ours.high / row.rate.low
    assert row.our_neighbours > 0


def test_what_is_not_installed_says_how(monkeypatch):
    """A peer that is missing takes one line, and the others are measured all the same."""
    monkeypatch.setattr(bench_peers, "version_of", lambda _: None)
    rows = measure_peers(**QUICK)
    assert [row.peer for row in rows] == list(PEERS)
    lines = format_peers(rows).splitlines()
    assert len(lines) == len(PEERS)
    assert 'mesa: not installed: pip install "groupmove[study]"' in lines
    assert "pygame" not in "".join(lines)


class Fake:
    """A crowd of two that stand still, and notes in how many threads compiled code runs."""

    sight, side = Density(1.0), 10.0
    threads: ClassVar[set[int]] = set()

    def __init__(self, *_):
        """Nobody is made."""

    def rest(self):
        """Nothing to prepare."""

    def step(self):
        """Nothing happens."""
        self.threads.add(threads())

    def places(self):
        """Beside each other."""
        return np.array([[1.0, 1.0], [1.5, 1.0]])


@pytest.fixture
def fake(monkeypatch):
    """A peer that is always installed."""
    monkeypatch.setitem(PEERS, "fake", bench_peers.Peer("numpy", "", "stands", Fake, True))
    return ["fake"]


def test_figures_are_rates_and_their_ratio(fake, monkeypatch):
    """Ours over theirs, block by block: above 1 where ours is the quicker."""
    monkeypatch.setattr(bench_peers, "alternate", lambda *_: [[2.0, 4.0, 3.0], [0.5, 0.5, 0.25]])
    (row,) = measure_peers(fake, **QUICK)
    assert row.rate == Spread(pytest.approx(40 / 3), 10.0, 20.0)
    assert row.ours == Spread(80.0, 80.0, 160.0)
    assert row.ratio == Spread(8.0, 4.0, 12.0)
    assert row.neighbours == 1.0


def test_peers_are_timed_against_one_thread_of_ours(fake):
    """Whatever compiled code uses otherwise, and uses again afterwards."""
    before = threads()
    measure_peers(fake, **QUICK)
    assert Fake.threads == {1}
    assert threads() == before


def test_a_peer_that_would_take_all_day_is_left_out(fake, monkeypatch):
    """Steps of more than five seconds are not waited for."""
    monkeypatch.setattr(bench_peers, "block", lambda *_: 7.2)
    monkeypatch.setattr(bench_peers, "alternate", lambda *_: pytest.fail("waited for"))
    (row,) = measure_peers(fake, **QUICK)
    assert row.ratio is None
    assert format_peers([row]).endswith("40 agents: left out: 7 s a step")


def test_unknown_peers_are_refused():
    """A misspelled name is answered with the nearest."""
    with pytest.raises(BadInput, match=r"peer 'messa': unknown; .*mesa"):
        measure_peers(["messa"], **QUICK)


def test_the_table_lines_up():
    """Every row is as wide as the head, and holds median, range and ratio."""
    row = PeerRow(
        "mesa", "3.3.1", "its own flockers", 1000, 10.2, Spread(17e3, 16e3, 18e3), 10.4,
        Spread(1.5e6, 1.4e6, 1.6e6), Spread(88.2, 80, 100.4),
    )  # fmt: skip
    head, line = format_peers([row]).splitlines()
    assert len(head) == len(line)
    assert line.startswith("mesa 3.3.1, its own flockers")
    for words in ("1,000", "10.2", "17 (16 - 18)", "1500 (1400 - 1600)", "88.2 (80 - 100)"):
        assert words in line
