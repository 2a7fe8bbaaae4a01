"""The bench of planning, small enough to be quick."""

import json

import pytest

from sim.study.bench_paths import format_paths, measure_paths


def test_it_times_what_it_says():
    """Ways, fields and units; ratios are those of its own figures."""
    found = measure_paths(33, ways=3, fields=2)
    assert (found.tiles, found.ways) == (33, 3)
    assert found.nodes >= 33**2
    assert 0 < found.found <= 3
    assert found.path_ratio == pytest.approx(found.path_ms.high / 50)
    assert found.field_ratio == pytest.approx(found.field_ms.high / 250)
    assert "flow field" in format_paths(found)
    assert json.loads(json.dumps(found.as_json()))["path_ms"]["median"] == found.path_ms.median


def test_as_a_command(cli, monkeypatch):
    """`bench --paths` prints it, `--json` as an object."""
    from sim.study import bench_paths

    monkeypatch.setattr(bench_paths, "TILES", 33)
    small = measure_paths(33, ways=2, fields=1)
    monkeypatch.setattr(bench_paths, "measure_paths", lambda: small)
    assert "planning grid" in cli("bench", "--paths").out
    assert json.loads(cli("bench", "--paths", "--json").out)["paths"]["tiles"] == 33
