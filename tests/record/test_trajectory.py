from __future__ import annotations

import errno
import os
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.record.trajectory import Run, Trajectory, load

from .fake import FakeWorld, fake_world

BOTH = pytest.mark.parametrize("suffix", [".txt", ".npz"])
TEXT = 'title = "in cm"\n# framerate: 3\nabout = "ü"\n'


def record(
    path: Path, steps: int = 12, every: int = 1, leaver: int | None = None
) -> list[FakeWorld]:
    """Record a run; returns its states, the start first. One unit may leave half-way."""
    world = fake_world()
    watcher = Trajectory(path, every, TEXT)
    states = []
    for k in range(steps + 1):
        if k:
            world.step()
        if leaver is not None and k == steps // 2:
            world.leave(leaver)
        watcher.observe(world)
        states.append(replace(world))
    watcher.close()
    watcher.close()
    return states


@BOTH
def test_round_trip_is_exact(tmp_path: Path, suffix: str) -> None:
    """Positions and angles come back bit for bit, with names and the scenario's text."""
    path = tmp_path / f"run{suffix}"
    states = record(path)
    run = load(path)
    assert np.array_equal(run.position, [state.units.position for state in states])
    assert np.array_equal(run.angle, [state.units.angle for state in states])
    assert run.time == pytest.approx([state.time for state in states], abs=1e-12)
    assert run.group.tolist() == ["east", "east", "west"]
    assert run.text == TEXT
    assert os.listdir(tmp_path) == [path.name]


@BOTH
def test_units_that_left_are_nan(tmp_path: Path, suffix: str) -> None:
    """From the moment it leaves a unit is absent, and the others keep their rows."""
    path = tmp_path / f"run{suffix}"
    states = record(path, leaver=0)
    run = load(path)
    assert run.present[:, 0].tolist() == [True] * 6 + [False] * 7
    assert np.isnan(run.angle[6:, 0]).all()
    assert np.array_equal(run.position[-1, 1:], states[-1].units.position[1:])


@BOTH
def test_frames_that_everyone_left_still_count(tmp_path: Path, suffix: str) -> None:
    """A run goes on after the last unit left."""
    world = fake_world(east=1, west=0)
    watcher = Trajectory(tmp_path / f"run{suffix}")
    for k in range(4):
        if k == 1:
            world.leave(0)
        watcher.observe(world)
        world.step()
    watcher.close()
    assert load(tmp_path / f"run{suffix}").present.tolist() == [[True], [False], [False], [False]]


@BOTH
def test_a_world_without_units(tmp_path: Path, suffix: str) -> None:
    """No units is a run too, with frames."""
    watcher = Trajectory(tmp_path / f"run{suffix}")
    watcher.observe(fake_world(0, 0))
    watcher.close()
    assert load(tmp_path / f"run{suffix}").position.shape == (1, 0, 2)


@BOTH
def test_every(tmp_path: Path, suffix: str) -> None:
    """Thinning keeps the start and each n-th step, at the right times."""
    path = tmp_path / f"run{suffix}"
    states = record(path, every=5)
    run = load(path)
    assert run.time == pytest.approx([0, 5 / 60, 10 / 60], abs=1e-12)
    assert np.array_equal(run.position, [s.units.position for s in states[::5]])


def test_text_is_what_pedpy_reads(tmp_path: Path) -> None:
    """Comments tell frame rate and metres, then come id, frame, x, y, angle of present units.

    PedPy decides the unit by the words "in cm" anywhere in those comments, so our text, which has
    them, must not be there.
    """
    path = tmp_path / "run.txt"
    states = record(path, steps=2, leaver=1)
    lines = path.read_text().splitlines()
    assert lines[:2] == ["# framerate: 60.0", "# id frame x/m y/m angle/rad"]
    assert [line.split()[:2] for line in lines[2:-1]] == [
        ["0", "0"], ["1", "0"], ["2", "0"], ["0", "1"], ["2", "1"], ["0", "2"], ["2", "2"],
    ]  # fmt: skip
    x, y = states[0].units.position[1]
    assert lines[3] == f"1 0 {float(x)!r} {float(y)!r} {float(states[0].units.angle[1])!r}"
    assert lines[-1].startswith("# run: ")
    assert not any(line.startswith("#") for line in lines[2:-1])


def test_pedpy_itself(tmp_path: Path) -> None:
    """PedPy loads the text file as it stands."""
    pedpy = pytest.importorskip("pedpy")
    states = record(tmp_path / "run.txt", leaver=2)
    found = pedpy.load_trajectory(trajectory_file=tmp_path / "run.txt")
    assert found.frame_rate == 60
    last = found.data[found.data.frame == 12]
    assert last.id.tolist() == [0, 1]
    # pandas' own reading of decimals may be off in the last place
    assert last[["x", "y"]].to_numpy() == pytest.approx(states[-1].units.position[:2], rel=1e-15)


def test_text_of_another_origin(tmp_path: Path) -> None:
    """Ids and frames may start anywhere, columns be four, and another comment stand at the end."""
    path = tmp_path / "other.txt"
    path.write_text("# framerate: 2 fps\n# id frame x/m y/m\n7 4 1 2\n9 4 3 4\n9 6 5 6\n# end\n")
    run = load(path)
    assert run.time.tolist() == [2.0, 2.5, 3.0]
    assert run.position[:, 1, 0].tolist() == pytest.approx([3, np.nan, 5], nan_ok=True)
    assert run.present.tolist() == [[True, True], [False, False], [False, True]]
    assert np.isnan(run.angle).all()
    assert run.group.tolist() == ["", ""]


def test_npz_arrays(tmp_path: Path) -> None:
    """The file holds the promised arrays, readable without pickle, by numpy alone."""
    record(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz", allow_pickle=False) as arrays:
        shapes = {name: arrays[name].shape for name in arrays}
        assert all(arrays[name].dtype == "<f8" for name in ("time", "position", "angle"))
        assert str(arrays["text"]) == TEXT
    assert shapes == {
        "time": (13,), "position": (13, 3, 2), "angle": (13, 3), "group": (3,), "text": (),
        "leads": (13, 3), "radius": (3,), "stage": (), "made_by": (),
            "areas": (), "parts": (), "part_changes": (0, 6), "version": (),
    }  # fmt: skip


@BOTH
def test_same_run_same_bytes(tmp_path: Path, suffix: str) -> None:
    """Nothing in the file depends on when it was written."""
    record(tmp_path / f"a{suffix}")
    record(tmp_path / f"b{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


@BOTH
def test_memory_does_not_grow(
    tmp_path: Path, suffix: str, run_python: Callable[[str, Path], str]
) -> None:
    """Frames are on disk as soon as they are observed, and stay there when the file is joined.

    In a process of its own: all that a process allocates is counted, by threads of other tests too.
    """
    code = f"from tests.record.test_trajectory import grow; grow('run{suffix}')"
    grown, peak = map(int, run_python(code, tmp_path).split())
    assert (tmp_path / f"run{suffix}").stat().st_size > 2_400_000
    assert grown < 200_000
    assert peak < 2_200_000


def grow(path: str) -> None:
    """Record a hundred frames, and print how many bytes they held and what joining them took."""
    world = fake_world(east=500, west=500)
    watcher = Trajectory(path)
    watcher.observe(world)
    tracemalloc.start()
    for _ in range(100):
        watcher.observe(world)
    print(tracemalloc.get_traced_memory()[0])
    tracemalloc.reset_peak()
    watcher.close()
    print(tracemalloc.get_traced_memory()[1])


@BOTH
def test_half_a_frame_is_left_out(tmp_path: Path, suffix: str) -> None:
    """An interrupt within a frame costs that frame and no other."""
    whole, path = tmp_path / f"whole{suffix}", tmp_path / f"run{suffix}"
    record(whole, steps=1)
    world = fake_world()
    watcher = Trajectory(path, text=TEXT)
    watcher.observe(world)
    world.step()
    watcher.observe(world)
    inner = watcher._frames
    raw = inner._raw["position"] if suffix == ".npz" else inner._out.file  # type: ignore[union-attr]
    raw.write(b"1 2 3")
    watcher.close()
    assert path.read_bytes() == whole.read_bytes()


@BOTH
def test_full_disk(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk at the end is one clear message, and the old file stays."""
    path = tmp_path / f"run{suffix}"
    path.write_bytes(b"before")
    watcher = Trajectory(path)
    watcher.observe(fake_world())

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BadInput, match=rf"run{suffix}: .*No space left on device"):
        watcher.close()
    watcher.close()
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == [path.name]


@BOTH
def test_nothing_observed(tmp_path: Path, suffix: str) -> None:
    """A recording without a frame leaves no file and says so; an aborted one is silent."""
    with pytest.raises(BadInput, match="nothing was observed"):
        Trajectory(tmp_path / f"run{suffix}").close()
    aborted = Trajectory(tmp_path / f"run{suffix}")
    aborted.observe(fake_world())
    aborted.abort()
    aborted.close()
    assert os.listdir(tmp_path) == []


def test_refused_at_once(tmp_path: Path) -> None:
    """A wrong suffix, thinning below 1 and a missing folder are known before the run."""
    with pytest.raises(BadInput, match=r"\.txt or \.npz"):
        Trajectory(tmp_path / "run.csv")
    with pytest.raises(BadInput, match="every 0 steps"):
        Trajectory(tmp_path / "run.txt", every=0)
    for suffix in (".txt", ".npz"):
        with pytest.raises(BadInput, match="no folder"):
            Trajectory(tmp_path / "none" / f"run{suffix}")


@BOTH
def test_units_added_later(tmp_path: Path, suffix: str) -> None:
    """A world that grows is one run, in which later units are not there before."""
    path = tmp_path / f"run{suffix}"
    watcher = Trajectory(path)
    small, large = fake_world(1, 1), fake_world(2, 1)
    large.time = large.time_step
    watcher.observe(small)
    watcher.observe(large)
    watcher.close()
    assert load(path).present.tolist() == [[True, True, False], [True, True, True]]


BAD_TEXTS = {
    "": "no '# framerate: F'",
    "0 0 1 2\n": "no '# framerate: F'",
    "# framerate: 0\n0 0 1 2\n": "framerate = 0",
    "# framerate: 2\n0 0 1 two\n": "not a trajectory",
    "# framerate: 2\n0 0 1\n": "not a trajectory",
    "# framerate: 2\n0.5 0 1 2\n": "whole numbers",
    "# framerate: 2\n0 -1 1 2\n": "whole numbers",
    "# framerate: 2\n0 0 1 2\n0 999999999999 1 2\n": "frames of 1 units for 2 rows",
    '# framerate: 2\n0 3 1 2\n# run: {"frames": 1, "group": ["a"], "text": ""}\n': "rows beyond",
    '# framerate: 2\n0 3 1 2\n# run: {"frames": 1}\n': "frames, group and text",
    "# framerate: 2\n0 3 1 2\n# run: {\n": "not a trajectory",
    '# framerate: 2\n0 3 1 2\n# run: {"frames": -1, "group": ["a"], "text": ""}\n': "frames",
}


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_bad_text_files(tmp_path: Path, text: str) -> None:
    """A text file that is no trajectory is refused by name, with the reason, without a warning."""
    path = tmp_path / "bad.txt"
    path.write_text(text)
    with pytest.raises(BadInput, match=rf"^[^:]*bad\.txt: .*{BAD_TEXTS[text]}"):
        load(path)


def test_bad_npz_files(tmp_path: Path) -> None:
    """So is an .npz that is none, lacks an array, or whose arrays do not belong together."""
    path = tmp_path / "bad.npz"
    with pytest.raises(BadInput, match=r"bad\.npz: no such file$"):
        load(path)
    for content in (b"", b"PK\3\4rubbish", b"plain words"):
        path.write_bytes(content)
        with pytest.raises(BadInput, match=r"bad\.npz: not a trajectory"):
            load(path)
    np.savez(path, time=np.zeros(2))
    with pytest.raises(BadInput, match=r"bad\.npz: not a trajectory: .*position"):
        load(path)
    np.savez(path, time=np.zeros(2), position=np.zeros((2, 3, 2)), angle=np.zeros((2, 3)),
             group=np.array(["a"]))  # fmt: skip
    with pytest.raises(BadInput, match=r"bad\.npz: position has the shape \(2, 3, 2\)"):
        load(path)
    np.savez(path, time=np.array([None]), allow_pickle=True)
    with pytest.raises(BadInput, match=r"bad\.npz: not a trajectory"):
        load(path)


def test_run_checks_its_arrays() -> None:
    """A run whose arrays do not belong together cannot be made."""
    with pytest.raises(BadInput, match="angle has the shape"):
        Run(np.zeros(1), np.zeros((1, 2, 2)), np.zeros((2, 1)), np.array(["a", "b"]))
