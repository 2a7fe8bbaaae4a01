"""The bench of every model, and of the default one beside other people's crowds."""

from dataclasses import replace

import numpy as np
import pytest

from sim.models import MODELS
from sim.study.bench_blocks import Spread
from sim.study.bench_models import (
    CROWDS,
    DENSE,
    RADIUS,
    CrowdRow,
    ModelRow,
    Streams,
    format_crowds,
    format_models,
    measure_crowds,
    measure_models,
    streams_world,
)
from sim.study.peers import PEERS


@pytest.mark.parametrize("units", [20, 300])
def test_streams_start_clear_and_dense(units):
    """Nobody overlaps, each has the area asked for, and the blocks face each other."""
    streams = Streams.of(units, DENSE)
    starts = np.concatenate([streams.west, streams.east])
    apart = np.hypot(*(starts[:, None] - starts[None]).transpose(2, 0, 1))
    assert apart[~np.eye(units, dtype=bool)].min() > 2 * RADIUS
    assert streams.west[:, 0].max() < 0 < streams.east[:, 0].min()
    side = np.ptp(streams.west, axis=0) + np.sqrt(DENSE)
    assert side.prod() == pytest.approx(DENSE * units / 2, rel=0.25)


@pytest.mark.parametrize("model", ["crowd", "soldiers"])
def test_streams_walk_into_each_other(model):
    """After two seconds the two blocks are nearer to each other than at first."""
    world = streams_world(40, model, 5.6)
    west, east = (group.rows for group in world.groups)
    before = world.units.position[:, 0].copy()
    for _ in range(120):
        world.step()
    now = world.units.position[:, 0]
    assert now[west].mean() > before[west].mean() + 0.5
    assert now[east].mean() < before[east].mean() - 0.5


@pytest.mark.parametrize("model", sorted(set(MODELS) - {"player"}))
def test_all_walk_to_places_of_their_own(model):
    """A unit is sent as far on as all others, to a point: no model is timed pairing off."""
    world = streams_world(20, model, DENSE)
    for group, way in zip(world.groups, (1, -1), strict=True):
        assert group.goal is not None
        assert group.goal.kind == "go"
        starts = world.units.position[group.rows]
        ways = group.goal.ways(starts)[0] - starts
        assert np.allclose(ways, ways[0])
        assert np.sign(ways[0, 0]) == way


def test_every_model_is_timed_dense_and_sparse():
    """A row for each model, scene and size, with figures that fit together."""
    rows = measure_models([24], ["flock", "crowd"], blocks=2, steps=2)
    assert [(r.model, r.scene) for r in rows] == [
        ("flock", "dense"), ("crowd", "dense"), ("flock", "sparse"), ("crowd", "sparse"),
    ]  # fmt: skip
    for row in rows:  # which took longer is for a quiet machine to say
        assert min(row.whole_ms.low, row.bare_ms.low) > 0.0
        assert row.ratio == row.whole_ms.median / row.bare_ms.median
    assert set(measure_models.__defaults__[1]) == set(MODELS)


def test_crowds_are_timed_in_turns(monkeypatch):
    """The default model is among them; its ratio to itself is 1."""
    for name in CROWDS:
        monkeypatch.setitem(PEERS, name, replace(PEERS[name], distribution="none-such"))
    (row,) = measure_crowds([24], blocks=2, steps=2)
    assert (row.name, row.ratio) == ("crowd", Spread(1.0, 1.0, 1.0))


def test_tables():
    """What is shown: the ratio to the bare step, the cost beside the flock's, and over peers."""
    three, two, one = Spread(3.0, 2.5, 3.5), Spread(2.0, 2.0, 2.0), Spread(1.0, 1.0, 1.0)
    rows = [
        ModelRow("flock", "dense", 1000, two, one),
        ModelRow("crowd", "dense", 1000, three, two),
    ]
    flock, crowd = format_models(rows).splitlines()[1:]
    assert flock.split()[-2:] == ["2.00", "1.00"]
    assert crowd.split()[-2:] == ["1.50", "1.50"]
    said = format_crowds([CrowdRow("orca", 1000, Spread(4e5, 3e5, 5e5), two)])
    assert "400 (300 - 500)" in said
    assert "2.00" in said
