"""Peers: what they are told and how their steps become frames; the libraries where installed."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.core.hull import Hull
from sim.core.solids import Solids
from sim.study.metrics import Metrics
from sim.study.peers import PEERS, peer
from sim.study.peers.course import Course
from sim.study.peers.crowd import Peer
from sim.study.peers.metres import PEOPLE, PERSON, in_metres, metre, scaled
from sim.study.peers.run import Ways, frames

from .scenes import Along, At, Inside, setting

SMALL = 0.25


class Walkers:
    """A peer that walks straight at its target at its desired speed."""

    def __init__(self, scene, time_step, _seed=0):
        self.time_step, self._speed = time_step, scene.speed
        self._position = scene.start.copy()

    def aim(self, targets, _onward):
        """Where to."""
        self._targets = targets

    def step(self):
        """Straight on, and no further than the target."""
        ahead = self._targets - self._position
        far = np.maximum(np.hypot(*ahead.T), 1e-12)
        stride = np.minimum(self._speed * self.time_step, far)
        self._position = self._position + ahead * (stride / far)[:, None]

    def places(self):
        """Where all are."""
        return self._position

    def remove(self, rows):
        """Out with them."""
        self._position = self._position.copy()
        self._position[rows] = np.nan


WALKERS = Peer("walkers", "numpy", "for tests", 0.25, Walkers)


def run(peer, scene, seconds, leave=None):
    """Frames of a run and its figures."""
    metrics = Metrics(scene)
    leave = np.zeros(len(scene), dtype=bool) if leave is None else np.array(leave)
    made = frames(peer, scene, lambda: metrics.arrived, leave)
    seen = []
    for _ in range(round(seconds / scene.time_step) + 1):
        frame = next(made)
        metrics.observe(frame.time, frame.position, frame.angle, frame.present)
        seen.append(frame)
    return seen, metrics.result()


def test_frames_lie_evenly_between_a_peers_own_steps():
    """At any rate of frames, whatever the peer's own step: the walk is the same even walk."""
    for time_step in (0.1, 1 / 60, 0.25, 0.7):
        seen, _ = run(WALKERS, setting([(0, 0)], [At((9.0, 0.0), 0.5)], time_step=time_step), 3)
        times = np.array([frame.time for frame in seen])
        x = np.array([frame.position[0, 0] for frame in seen])
        assert x == pytest.approx(times)
        assert all(frame.angle[0] == 0 for frame in seen)


def test_a_unit_that_leaves_is_gone_in_the_frame_after_its_arrival():
    """As in our own worlds; a unit that is to stay stays."""
    wants = [At((1.0, 0.0), 0.25), At((1.0, 3.0), 0.25)]
    seen, figures = run(WALKERS, setting([(0, 0), (0, 3)], wants), 2, [True, False])
    present = np.array([frame.present for frame in seen])
    last = int(np.flatnonzero(present[:, 0])[-1])
    assert present[: last + 1, 0].all()
    assert seen[last].position[0, 0] == pytest.approx(0.75, abs=0.11)
    assert present[:, 1].all()
    assert figures["arrived"] == 2


def test_ways_lead_round_solids_at_a_hulls_distance():
    """Through a door that is not in the straight way, without cutting its corners."""
    wall = Solids.of((), [(4, -9, 4.2, 2), (4, 3.2, 4.2, 9)], ())
    scene = setting([(0, 0)], [Inside((8, -1, 9, 1))], solids=wall)
    seen, figures = run(WALKERS, scene, 14)
    assert figures["arrived"] == 1
    assert figures["wall_crossings"] == 0
    assert figures["max_wall_overlap_share"] < 0.25
    assert max(frame.position[0, 1] for frame in seen) > 2.4


def test_stops_of_a_route_are_visited_in_order():
    """Though the last can be seen from the start."""
    scene = setting([(0, 0)], [Along([(3.0, 3.0), (6.0, 0.0)], 0.5)])
    seen, figures = run(WALKERS, scene, 10)
    assert figures["arrived"] == 1
    assert max(frame.position[0, 1] for frame in seen) > 2.5


def test_the_lost_find_a_new_way():
    """A unit pushed behind a wall does not walk against it without end."""
    wall = Solids.of((), [(4, -3, 4.2, 3)], ())
    scene = setting([(6, 0)], [At((9.0, 0.0), 0.5)], solids=wall)
    course = Course(scene, Ways(scene))
    assert course(np.array([(6.0, 0.0)]))[0] == pytest.approx((9, 0))
    aim = course(np.array([(2.0, 0.0)]))[0]
    assert abs(aim[1]) > 3.4


def test_a_unit_that_wants_nothing_stays():
    """Units without a goal head for where they are."""
    scene = setting([(1, 2)], [None])
    assert Course(scene, Ways(scene))(np.array([(1.5, 2.0)]))[0] == pytest.approx((1.5, 2))


def test_refusals_say_what_to_do():
    """An unknown name, a library that is missing, a plane that no peer has."""
    with pytest.raises(BadInput, match="did you mean"):
        peer("orcas")
    missing = Peer("x", "no-such-distribution-here", "", 0.1, Walkers)
    with pytest.raises(BadInput, match=r'pip install "groupmove\[study\]"'):
        missing.crowd(setting([(0, 0)]))
    with pytest.raises(BadInput, match="wrap"):
        WALKERS.crowd(setting([(0, 0)], period=(9, 9)))


def crossing(unit):
    """Two that cross, with all kinds of solids and goals beside, at some units to a metre."""
    solids = Solids.of([(9, 9, 1)], [(-9, 8, -8, 9)], [(-9, -9, -8, -9)])
    wants = [At((4.0, 0.0), 0.5), Inside((-1.0, -4.0, 1.0, -3.0))]
    scene = setting(
        [(-4, 0), (0, 4)], wants, hull=Hull.disc(PERSON), speed=1.3,
        solids=solids, bounds=(-10, -10, 10, 10),
    )  # fmt: skip
    return scaled(scene, unit)


def test_a_peer_in_metres_walks_the_same_ways_in_any_unit():
    """In feet, in pixels, in units of a radius: each frame is that of the scene in metres."""
    met = []

    class Noting(Walkers):
        """Keeps what it was told of."""

        def __init__(self, scene, time_step, seed):
            super().__init__(scene, time_step, seed)
            met.append(scene)

    peer = Peer("x", "numpy", "", 0.25, in_metres(Noting))
    seen, _ = run(peer, crossing(1), 2)
    for unit in (3.28, 50.0, 0.05):
        other, _ = run(peer, crossing(unit), 2)
        assert met[-1].radius == pytest.approx(PERSON)
        assert met[-1].solids.discs == pytest.approx(met[0].solids.discs)
        assert met[-1].goals.tolerance == pytest.approx(met[0].goals.tolerance)
        for a, b in zip(seen, other, strict=True):
            assert b.position == pytest.approx(a.position * unit)


def test_a_scene_of_people_is_in_metres():
    """From a child's radius to SteerBench's; what is larger or smaller is measured in people."""
    for radius in (*PEOPLE, PERSON, 0.25):
        assert metre(setting([(0, 0)], hull=Hull.disc(radius))) == 1
    assert metre(setting([(0, 0)], hull=Hull.disc(2.0))) == pytest.approx(10)
    assert metre(setting([(0, 0)], hull=Hull.disc(0.02))) == pytest.approx(0.1)


def installed(name):
    """The peer, or the test is skipped."""
    if PEERS[name].version is None:
        pytest.skip(f"{PEERS[name].distribution} is not installed")
    return PEERS[name]


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_goes_its_way_alone(name, tmp_path, monkeypatch):
    """One agent goes round a corner, arrives, and leaves nothing behind in folder or log."""
    library = installed(name)
    monkeypatch.chdir(tmp_path)
    level = logging.getLogger().level
    walls = Solids.of((), [(-1, -3, 8, -2.5), (-1, 1.5, 4, 6), (8, -3, 8.5, 6)], ())
    scene = setting(
        [(0.5, 0)], [Inside((4, 6, 8, 9))], hull=Hull.disc(SMALL),
        speed=1.3, solids=walls, time_step=1 / 20,
    )  # fmt: skip
    _, figures = run(library, scene, 20, [True])
    assert figures["arrived"] == 1
    assert figures["wall_crossings"] == 0
    assert 6 < figures["mean_time_s"] < 15
    assert list(tmp_path.iterdir()) == []
    assert logging.getLogger().level == level


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_runs_the_same_twice(name):
    """Ten that cross, among them some that leave: bit for bit."""
    library = installed(name)
    starts = [(0, k) for k in range(5)] + [(8, k + 0.3) for k in range(5)]
    wants = [At((8.0 - x, float(y)), 0.6) for x, y in starts]
    hull = Hull.disc(SMALL)
    scene = setting(starts, wants, hull=hull, speed=1.3)
    leave = [True] * 5 + [False] * 5
    one, two = (run(library, scene, 8, leave)[0] for _ in range(2))
    for a, b in zip(one, two, strict=True):
        assert a.position.tobytes() == b.position.tobytes()
    assert not one[-1].present.all() or name in ("jps-cfsm", "jps-avm", "jps-sfm")


def test_the_speed_of_a_social_force_is_the_scenes():
    """Alone on an open plane nobody of PySocialForce outpaces its desired speed, and all reach it.

    It desires 1.3 times the speed that it is started with.
    """
    library = installed("pysocialforce")
    scene = setting([(0, 0)], [At((30.0, 0.0), 0.5)], hull=Hull.disc(SMALL), speed=1.3)
    seen, _ = run(library, scene, 10)
    pace = np.diff([frame.position[0, 0] for frame in seen]) / scene.time_step
    assert pace.max() == pytest.approx(1.3, abs=1e-6)
    assert pace[-1] == pytest.approx(1.3, abs=1e-3)


def test_a_peer_that_draws_by_lot_takes_the_seed():
    """Head-on, where the anticipation velocity model draws a side: the seed alone decides."""
    library = installed("jps-avm")
    assert library.draws
    scene = setting(
        [(0, 0), (6, 0)], [At((6.0, 0.0), 0.5), At((0.0, 0.0), 0.5)],
        hull=Hull.disc(SMALL), speed=1.3,
    )  # fmt: skip
    ends = set()
    for seed in (1, 1, 2, 3, 4):
        made = frames(library, scene, lambda: np.zeros(2, bool), np.zeros(2, bool), seed)
        ends.add([next(made) for _ in range(40)][-1].position.tobytes())
    assert 1 < len(ends) <= 4
